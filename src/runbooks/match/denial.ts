import { isCalm } from "./clean.ts";
import { createIsProduct, termsIn, termsOf, wordsOf } from "./words.ts";

/**
 * Finds where a report says that a runbook's fault is not there: `no deadlock`, `the state is not locked`, `Metaspace flat`, `41 of 300
 * connections used`. Such a report has the runbook's words and is about something else.
 */

/** Ends what one negation denies. */
const clauseEnd =
  /[\n;()|]|:(?! ?(?:\d|false|off))|,(?!\d)|[，、。；]|[.!?](?=\s|$)|\s(?:but|while|because|aber|weil|mais|car|pero|mas|ma|ale|но|maar)\s|但/u;

/** Before a noun; of words that negate verbs as well, those that stand where no verb can be. A lack of room is a fault. */
const beforeNoun = new RegExp(
  [
    String.raw`(?:no|without|lacks?|nor|neither|nothing|zero|0(?= \p{L}{3,}))(?! (?:one|longer|more|space|room|memory|free|left|bytes|available))`,
    String.raw`(?:(?:is|are|was|were|it's|and|but|^) ?not|isn't|aren't|wasn't|weren't)(?! (?:yet|\p{L}+ing)(?!\p{L}))`,
    "(?:keine?[mnrs]?|weder|ohne|nichts|(?:ist|sind|war|^) ?nicht)(?! (?:platz|speicher))",
    "(?:aucune?|sans|ni|rien|(?:^|n'est |ne sont )pas(?: d['eu]s?)?)",
    "(?:ning[uú]n[ao]?|sin|nada|no (?:hay|es|est[áa]))(?! (?:espacio|memoria))",
    "(?:nenhuma?|sem|nem|n[ãa]o (?:h[áa]|[ée]|est[áa]))(?! espa[cç]o)",
    "(?:nessun[ao']?|senza|non (?:ci sono|[èe]))(?! spazio)",
    "(?:нет|без|ни)(?! места)",
    "(?:geen|zonder|brak|bez)(?! (?:enkele|ruimte|miejsca))",
  ]
    .map((part) => String.raw`(?<![\p{L}\p{N}<=/-])${part}(?![\p{L}\p{N}>_=-])`)
    .join("|"),
  "iu",
);
const beforeUnspaced = /(?:没有|沒有|并非|不是|无(?!法)|無)(.{1,8})/u;
/** Ends the noun behind a negation. */
const nounEnd = /\s(?:in|on|at|to|for|from|since|after|when|auf|an|seit|von|depuis|desde|tras)\s.*$/iu;

const be = "(?:is|are|was|were|be|stays?|still|ist|sind|bleibt|est|sont|está|están|é|è)";
/** Behind a noun: it is well. */
const behind = new RegExp(
  String.raw`^(.*?)(?<!\p{L})(?:${[
    `(?:${be} (?:all |noch |still |far )?)?(?:${[
      "flat|fine|ok|okay|clean|healthy|green|good|normal(?:es?|ly|e?mente?)?|unchanged|untouched|unaffected|unused|constant|intact|stable|steady|successful(?:ly)?|online|established|synced|in sync|reachable|caught up|as usual|fresh|half (?:empty|full)|(?:far|well) below|below (?:the |its )?(?:limit|max|threshold|quota)|complete|correct|valid|readable",
      "klappt|unverändert|unauffällig|vollständig|gültig|korrekt|gesund|erreichbar|(?:nicht )?betroffen",
      "complète|correcte?s?|valides?|à jour|joignable",
      "complet[ao]|correct[ao]s?|bien|al día|estable",
      "em dia|est[áa]vel|normais",
      String.raw`в порядке|исправ\p{L}+|в норме|верн\p{L}+`,
    ].join("|")})`,
    `${be} (?:empty|leer|vide|vac[ií][ao]|vazi[ao]|free|frei|libres?|livres?|idle)$`,
    String.raw`(?:${be} |all )(?:all )?up(?: and \p{L}+)?$`,
    "(?:serves?|accepts?|carr(?:y|ies)) (?:all )?(?:traffic|writes|reads|queries|requests|connections)",
    "(?:at|to|auf|bei|à|a|en|em) (?:zero|null|zéro|cero|0)$",
    `(?:: ?|${be} )(?:false|off)$`,
    String.raw`(?:with )?(?<![\d.,])(?:[2-9]\d|100) ?% (?:free|frei|libres?|left|available)`,
    String.raw`(?:${be} |at |bei |zu |à |al |a |only |nur )*(?<![\d.,])[1-6]?\d ?%(?: (?:of|used|full|belegt|utilis\p{L}+|de la|du|des?) .*| \p{L}+)?$`,
    String.raw`(?:(?:only|until|still|noch|encore|in|dans|en|em) )*(?:[3-9]\d|\d{3,}) (?:days|tagen?|jours|d[ií]as|giorni|дней)`,
  ].join("|")})(?!\p{L})`,
  "iu",
);
/** A small share of it is bad, or the fault itself. */
const smallShareIsBad =
  /(?<!\p{L})(?:loss|lost|errors?|fail\p{L}*|drop\p{L}*|rate|verlust|fehler\p{L}*|erreurs?|errores|erros)(?!\p{L})[^%]*(?<!\d)\d?\d ?%|(?<!\d)[01]?\d ?% (?:free|left|available|frei|libres?|livres?)(?!\p{L})/iu;
/** As a load balancer writes it; in small letters it may go up. */
const isUp = /^(.*\p{L} UP|[Aa]ll .* up)$/u;
const behindUnspaced =
  /(.{1,8}?)(?:(?<=[ぁ-ヿ一-鿿]) ?[1-6]?\d ?%|は?(?:正常|異常なし|に異常|なし|(?:では|は|が)?(?:ない|ありません)|没问题))/u;
/** A measure so small that nothing of it can be full, late or many: `mailq: 3`, `offset 2 ms`. */
const small =
  /^(.*?\p{L}{3,}.*?)(?:(?<![=!<>])(?<!exit|code|status|error|signal|fehler) ?: ?[1-9]|\s(?:(?:is|at|was|ist|bei|est|es|é|nur|only) )*(?<![\d.,])\d(?:[.,]\d+)? ?(?:ms|s|gb|gib|mb|go))(?: old)?$/iu;
const unwell = /(?<!\p{L})(?:not?(?: yet)?|never|nicht|nie|pas|não|non|не|niet|\d\/\d+(?: \p{L}+)?)$/iu;
/** `41 of 300 connections used`, `20k of 262k`. */
const part = /(?<![\d.])(\d+)([kmg]?) (?:of|von|de|sur|из) (?:\p{L}+ )?(\d+)\2(?!\d)( ?[gmt]i?b)?/iu;
const littleOf = { share: 0.5, all: 50 } as const;

/** How many words a negation reaches. */
const reach = { before: 5, behind: 6 } as const;

/** A longer one is no clause. */
const maxClause = 300;

interface Denial {
  /** `no`, `kein`: of a runbook about a lack, the fault. */
  readonly absent: readonly string[];
  readonly well: readonly string[];
}

const clausesOf = (text: string): readonly string[] => [
  ...new Set(text.split(clauseEnd).map((clause) => clause.trim().slice(0, maxClause))),
];

const nounBehind = (clause: string): string => {
  const start = beforeNoun.exec(clause);
  const rest = start === null ? "" : clause.slice(start.index + start[0].length).replace(nounEnd, "");
  return rest.trim().split(/\s+/).slice(0, reach.before).join(" ");
};

const subjectOf = (found: RegExpExecArray | null): string => {
  const subject = found?.[1]?.trim() ?? "";
  return unwell.test(subject) ? "" : subject.split(/\s+/).slice(-reach.behind).join(" ");
};

const isLittle = (clause: string): boolean => {
  const [, some, , all, unit] = part.exec(clause) ?? [];
  return (unit !== undefined || Number(all) >= littleOf.all) && Number(some) < littleOf.share * Number(all);
};

/** What the clauses of a text deny. */
function denialIn(text: string): Denial {
  const clauses = clausesOf(text);
  return {
    absent: clauses.flatMap((clause) => [nounBehind(clause), beforeUnspaced.exec(clause)?.[1] ?? ""]),
    well: clauses.flatMap((clause) => [
      isCalm(clause) || isLittle(clause) ? clause : "",
      smallShareIsBad.test(clause)
        ? ""
        : subjectOf(behind.exec(clause) ?? isUp.exec(clause) ?? small.exec(clause.replace(nounEnd, ""))),
      behindUnspaced.exec(clause)?.[1] ?? "",
    ]),
  };
}

/** PostgreSQL may be well, and still its replication is behind. */
function faultTerms(texts: readonly string[]): ReadonlySet<string> {
  const isProduct = createIsProduct();
  return new Set(texts.flatMap((text) => termsIn(wordsOf(text).filter((word) => !isProduct(word)))));
}

/** The runbook's words that the report denies. */
export function deniedOf(runbook: string, title: string, body: string): ReadonlySet<string> {
  const lacking = new Set(denialIn(runbook).absent.flatMap(termsOf));
  const { absent, well } = denialIn(body);
  // A lack or a measure that a title tells is the fault.
  const titled = clausesOf(title).map((clause) => (/\d/.test(clause) ? "" : subjectOf(behind.exec(clause))));
  return faultTerms(absent)
    .difference(lacking)
    .union(faultTerms([...well, ...titled]))
    .intersection(new Set(termsOf(runbook)));
}

const cause =
  /(?<!\p{L})(?:due to|because of|caused by|wegen|aufgrund|à cause d|debido a|por causa d|из-за)(?!\p{L})([^.,;\n()]{3,80})/giu;

/** Causes that a text gives: `503 due to queue timeouts`. */
export const causesIn = (text: string): readonly string[] => [...text.matchAll(cause)].map((match) => match[1] ?? "");
