import { createIsProduct, termsIn, termsOf, wordsOf } from "./words.ts";

/** Cleaning matters more than ranking: an alert's labels, links and time stamps outweigh its one telling sentence. */

const maxCharacters = 6_000;
/** Between the edges, only lines about a fault remain. */
const edgeCharacters = 2_500;
const faultLine =
  /\b(?:alert|cannot|critical|crit|denied|err|error|exception|exceeded|exhausted|expired|fail|failed|failure|fatal|invalid|killed|lost|panic|refused|timed out|timeout|too many|unable|unavailable|unreachable)\b/i;

/** They name the monitoring, not the fault. */
const routineLabels =
  /(?:^|[\s|,{(*`-])(?:severity|priority|job|prometheus|endpoint|receiver|generator_?url|external_?url|dashboard(?:_?url)?|silence(?:_?url)?|runbook(?:_?url)?|fingerprint|group_?key|starts_?at|ends_?at|team|env|environment|region|client(?:_url)?|incident_?key|urgency|assigned to|escalation policy)[*`]*\s*[:=|]+\s*[*`"]*[^\s|,})"`\n]*/gi;
const routineSentences =
  /you are receiving this (?:e-?mail|message|notification)[^,."\n]{0,200}|has entered the (?:alarm|ok|insufficient_data) state|threshold crossed:?|\b(?:the|this) monitor was triggered on\b|this is an automatically generated (?:mail )?message\b|(?:^|\n) *-? *(?:source|silence|view|edit|dashboard|panel)(?: url)?:[^\n]{0,300}|\[?(?:monitor status|edit monitor|view alarm|manage subscriptions|unsubscribe)\]?/gi;

/** In this order. */
const steps: Readonly<Record<string, (text: string) => string>> = {
  templateRemarks: (text) => text.replace(/<!--[\s\S]*?(?:-->|$)/g, " "),
  routineSentences: (text) => text.replace(routineSentences, " "),
  linkTargets: (text) =>
    text
      .replace(/!?\[([^\]\n]{0,200})\]\([^)\s]{1,500}\)/g, "$1")
      .replace(/https?:\/\/([^\s/)>\]]{1,200})[^\s)>\]]*/g, " $1 "),
  tags: (text) => text.replace(/<\/?[a-z][^>\n]{0,200}>/gi, " "),
  times: (text) =>
    text
      .replace(/\b\d{4}[-/]\d{2}[-/]\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?/g, " ")
      .replace(
        /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* +\d{1,2}(?: \d{2}:\d{2}:\d{2})?/g,
        " ",
      )
      .replace(/\b\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?\b/g, " "),
  ids: (text) =>
    text
      .replace(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, " ")
      .replace(/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{10,64}\b/gi, " ")
      .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, " "),
  alertWords: (text) =>
    text.replace(/\[(?:firing|resolved)(?::\d+)?\]|\b(?:triggered|acknowledged|pagerduty incident #?\d*)\b:?/gi, " "),
  /** Pagers write `/var 97 %`, people `/var is at 97 %`: `pathfull` stands for both in the vocabulary. */
  fullPaths: (text) =>
    text.replace(
      /(?<=^|[\s(:,])(\/[\w./-]{0,100})[\s:=(]{1,3}(?:\p{L}{1,4} ){0,2}(?=(?:9\d|100)(?:\.\d+)? ?%)/gimu,
      "$1 pathfull ",
    ),
  /** Says what the fault is not. */
  wellClauses: (text) =>
    text
      .split(clauseEnd)
      .map((part) => (isWell(part) ? " " : part))
      .join(""),
};

const clauseEnd = /([\n,;()，。；]|[.!?](?=\s|$)|\s(?:but|while|aber|mais|pero|mas|ale|но)\s|但)/u;
/** In any language, with what is used only in part. */
const well = new RegExp(
  [
    String.raw`(?<!\p{L})(?:fine|ok|okay|health_ok|healthy|green|optimal|normal(?:ly|es?)?|unaffected|funktionier\p{L}+|klappt|gesund|in ordnung|fonctionne(?:nt)?|va bien|funciona[nm]?|funzionano?|va bene|działa(?:ją)?|w porządku|in orde|работа[ею]т|в норме|нормально)(?!\p{L})|正常`,
    String.raw`(?<!\p{L})(?:works?|läuft|laufen|marche|werkt|(?:is|are|all|stays?|still) up|there|in sync)(?: fine| normal| noch| weiter)?\s*$`,
    String.raw`(?<!\p{L})(?:mem(?:ory)?|ram|swap|cpu|heap|disks?|inodes?|space|storage|used|usage|full|platten?|speicher|belegt|disque|mémoire|disco|mem[oó]ria|dysk|pamięć|диск|память)(?!\p{L})[^%]{0,12}\s[0-6]?\d ?%`,
    String.raw`(?<![\d.])[0-6]?\d ?% (?:used|full|belegt|usage)`,
  ].join("|"),
  "iu",
);
/** `kernel killed nobody`, `no alarms`. */
const none =
  /\s(?:nobody|nothing|none|niemanden|nichts|personne|nadie|nada|nessuno|ninguém|nikogo)\s*$|^\s*no (?:\p{L}+ )?(?:alarms?|alerts?|errors?|restarts?)\s*$/iu;
const unwell =
  /(?<!\p{L})(?:not?|never|nothing|nobody|none|only|hardly|until|again|if|when|free|left|avail\p{L}*|without|(?:wo|ca|do|does|did|is|are)nt|nichts?|kein\p{L}*|niemand|nie|nur|frei|voll|pas|plus|ne|rien|libre|sin|nada|solo|sólo|non|não|nao|sem|только|не|нет|niet|geen|down|broken|slow\p{L}*|stuck|stop\p{L}*|dead|gone|missing|degraded)(?!\p{L})|n't|[不没無ない]/iu;

/** Whether a clause only says that something else is well. */
const isWell = (clause: string): boolean =>
  none.test(clause) || (well.test(clause) && !unwell.test(clause) && !faultLine.test(clause));

/** Says that something is as it should be, or has nothing to do with it; in any language, with what else is used so. */
const calm = new RegExp(
  [
    String.raw`(?<!\p{L})(?:stable|steady|unchanged|irrelevant|unrelated|uninvolved|up[ -]to[ -]date|not (?:involved|affected|related|the (?:cause|reason|problem|issue))|stabil\p{L}*|unverändert|unbeteiligt|aktuell|unauffällig\p{L}*|à jour|inchangé\p{L}*|étranger|al día|establ\p{L}*|est[áa]vel|em dia|atualizad\p{L}+|aggiornat\p{L}+|invariat\p{L}+|стабил\p{L}+|актуал\p{L}+|ни при чём|ни при чем)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:under|below|within|far from|unter(?:halb)?|innerhalb|sous|en dessous|bajo|por debajo|abaixo|sotto|ниже) (?:\p{L}+ ){0,2}(?:limits?|threshold|quota|grenz\p{L}*|schwell\p{L}*|limite|seuil|umbral|límite|soglia|порог\p{L}*)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:lag|delay|backlog|errors?|restarts?|drops?|retries|retraso|atraso|retard|rückstand|verzug|fehler|erreurs?|errores|erros|ritardo|errori|ошиб\p{L}+)(?!\p{L})[^\p{L}\d]{0,4}(?:(?:is|at|of|ist|bei|est|es|de)\s)?(?:0|zero|null)(?![\d.,]*\d)|(?<![\d.,])(?:0|zero) (?:lag|errors?|restarts?|drops?)(?!\p{L})`,
    String.raw`^\s*(?:no|without|keine?|ohne|aucune?|pas d[e']|sin|sem|nessun\p{L}?|senza|нет|без)\s+(?:\p{L}+ ){0,2}(?:warnings?|errors?|alarms?|alerts?|restarts?|drops?|timeouts?|failures?|exceptions?|backlogs?|lags?|locks?|fehler|warnungen|meldungen|erreurs?|verrous?|errores|avisos|erros|errori|ошибок|предупреждений)(?: (?:\p{L}+ ?){1,3})?\s*$`,
    String.raw`(?<!\p{L})(?:is|are|ist|sind|está|están|est|sont|è) (?:free|frei|libres?|libero)\s*$`,
    String.raw`(?<!\p{L})(?:no hay|não há|non ci sono|il n'y a (?:pas|aucun\p{L}*)|there (?:is|are) no|(?:shows?|has|have|had|with) no|gibt es kein\p{L}*|ohne|without|sans|sin|sem|senza|без)(?!\p{L})\s+(?:\p{L}+\s){0,2}\p{L}+\s*$`,
    "関係(?:が)?(?:ありません|ない|なし)|無関係|問題(?:は|が)?(?:ありません|ない|なし)|異常(?:は|が)?(?:ありません|ない|なし)|没有(?:问题|異常|异常)|无关|無關|문제없|이상 없|관계없",
  ].join("|"),
  "iu",
);

/** Returns the telling part of an issue's title or body. */
export function cleanIncident(text: string): string {
  return Object.values(steps)
    .reduce((rest, step) => step(rest), shortened(text))
    .replace(routineLabels, " ")
    .replace(/[ \t]+/g, " ")
    .trim();
}

/** Logs repeat, and the last line tells most. */
function shortened(text: string): string {
  if (text.length <= maxCharacters) return text;
  const lines = new Map(text.split("\n").map((line) => [shapeOf(line), line]));
  const rest = [...lines.values()].join("\n");
  if (rest.length <= maxCharacters) return rest;
  const middle = rest
    .slice(edgeCharacters, -edgeCharacters)
    .split("\n")
    .filter((line) => faultLine.test(line))
    .join("\n");
  const between = middle.slice(0, maxCharacters - 2 * edgeCharacters);
  return [rest.slice(0, edgeCharacters), between, rest.slice(-edgeCharacters)].join("\n");
}

const shapeOf = (line: string): string =>
  line
    .split(/[\s=:,"]+/)
    .filter((token) => !/\d/.test(token))
    .join(" ");

/** Returns a name without its spelling: `HostDiskFull`, `host-disk-full` and `Host disk full` are one. */
export const alertNameKey = (name: string): string =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

const maxNameWords = 9;

/** Finds names of several words, however they are joined. */
const spelledIn = (text: string, known: ReadonlySet<string>): readonly string[] => {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((_, at) =>
    Array.from({ length: maxNameWords - 1 }, (_, more) => alertNameKey(words.slice(at, at + more + 2).join(""))).filter(
      (key) => known.has(key),
    ),
  );
};

/** As keys, by place. */
interface AlertNames {
  /** In a label, or in a title that is no sentence. */
  readonly label: ReadonlySet<string>;
  /** Opens a line, with only labels behind it. */
  readonly line: ReadonlySet<string>;
  /** In a sentence, perhaps as a cause, a consequence or an example. */
  readonly title: ReadonlySet<string>;
  readonly body: ReadonlySet<string>;
}

/** A title with so many lowercase words is a sentence. */
const sentenceWords = 7;
const lineHead =
  /^[^\p{L}\n]{0,9}(?:FIRING[^\p{L}\n]{1,9})?([A-Za-z][A-Za-z0-9]{3,120})[*`]{0,3}(?=[^\S\n]*(?:$|[^\p{L}\s]))/gimu;

/** Finds `alertname: X`, CamelCase words as in Prometheus rules, and `known` names in any spelling. */
export function alertNamesIn(title: string, body: string, known: ReadonlySet<string> = new Set()): AlertNames {
  const labels = `${title}\n${body}`.matchAll(/alert_?name["'`*|\s:=]{1,12}([A-Za-z][\w-]{2,120})/gi);
  const inTitle = camelCaseIn(title);
  const isSentence = (title.match(/(?<![\p{L}\p{N}])\p{Ll}+(?![\p{L}\p{N}])/gu) ?? []).length >= sentenceWords;
  const inner = new Set(
    isSentence ? [...title.matchAll(/\p{Ll}[\s*`]{1,4}([A-Za-z][A-Za-z0-9]{3,120})/gu)].map((match) => match[1]) : [],
  );
  const keyed = (names: readonly string[]) => new Set(names.map(alertNameKey));
  const firsts = (matches: Iterable<RegExpExecArray>) => [...matches].map((match) => match[1] ?? "");
  const spelled = spelledIn(title, known);
  const heads = body.split("\n").flatMap((line) => {
    const key = alertNameKey(line.replace(/^[^\p{L}\n]{0,9}(?:FIRING[^\p{L}\n]{1,9})?/u, "").replace(/[(:{|].*$/, ""));
    return known.has(key) ? [key] : [];
  });
  return {
    label: keyed([...firsts(labels), ...inTitle.filter((name) => !inner.has(name)), ...(isSentence ? [] : spelled)]),
    line: keyed([...camelCaseIn(firsts(body.matchAll(lineHead)).join(" ")), ...heads]),
    title: keyed([...inTitle.filter((name) => inner.has(name)), ...(isSentence ? spelled : [])]),
    body: keyed([...camelCaseIn(body), ...spelledIn(body, known)]),
  };
}

const quoteSigns = [
  ['"', '"'],
  ["`", "`"],
  ["\u201c", "\u201d"],
  ["\u201d", "\u201d"],
  ["\u201e", "\u201c\u201d"],
  ["\u00ab", "\u00bb"],
  ["\u00bb", "\u00ab"],
  ["\u300c", "\u300d"],
  ["\u300e", "\u300f"],
  ["\u2039", "\u203a"],
  ["\u2018", "\u2019"],
] as const;
const anyQuote = new RegExp(
  [
    ...quoteSigns.map(([open, close]) => `${open}([^${close}\\n]{4,200})[${close}]`),
    String.raw`(?<![\p{L}\p{N}])'([^'\n]{4,200})'(?![\p{L}\p{N}])`,
  ].join("|"),
  "gu",
);

/** Returns what stands in the quotes of any language. */
export const quotedIn = (text: string): readonly string[] =>
  [...text.matchAll(anyQuote)].map((match) => match.slice(1).find((part) => part !== undefined) ?? "");

/** Finds words with a capital after a lowercase letter or digit. */
export const camelCaseIn = (text: string): readonly string[] =>
  (text.match(/\b[A-Za-z][A-Za-z0-9]{3,120}\b/g) ?? []).filter((word) => /[a-z0-9][A-Z]/.test(word));

/** Returns a title's leading CamelCase name; two humps count only if nothing but labels follows. */
export function leadingAlertName(title: string): string | undefined {
  const rest = title.replace(/^[^\p{L}\p{N}[]*(?:\[[^\]]*\][^\p{L}\p{N}[]*)*/u, "");
  const name = /^[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*/.exec(rest)?.[0] ?? "";
  const humps = name.match(/[A-Z]+(?![a-z])|[A-Z][a-z0-9]+/g)?.length ?? 0;
  return humps > 2 || (humps === 2 && /^\s*(?:$|\()/.test(rest.slice(name.length))) ? name : undefined;
}

/**
 * Finds where a report says that a runbook's fault is not there: `no deadlock`, `the state is not locked`, `Metaspace flat`, `41 of 300
 * connections used`. Such a report has the runbook's words and is about something else.
 */

/** Ends what one negation denies. */
const deniedClauseEnd =
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
    .map((partOfWhole) => String.raw`(?<![\p{L}\p{N}<=/-])${partOfWhole}(?![\p{L}\p{N}>_=-])`)
    .join("|"),
  "iu",
);
const beforeUnspaced = /(?:没有|沒有|并非|不是|无(?!法)|無)(.{1,8})/u;
/** Ends the noun behind a negation. */
const nounEnd = /\s(?:in|on|at|to|for|from|since|after|when|auf|an|seit|von|depuis|desde|tras)\s.*$/iu;

const be = "(?:is|are|was|were|be|stays?|still|ist|sind|bleibt|est|sont|está|están|é|è)";
/** Behind a noun: it is well. */
const wellBehind = new RegExp(
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
const smallMeasure =
  /^(.*?\p{L}{3,}.*?)(?:(?<![=!<>])(?<!exit|code|status|error|signal|fehler) ?: ?[1-9]|\s(?:(?:is|at|was|ist|bei|est|es|é|nur|only) )*(?<![\d.,])\d(?:[.,]\d+)? ?(?:ms|s|gb|gib|mb|go))(?: old)?$/iu;
const notWell = /(?<!\p{L})(?:not?(?: yet)?|never|nicht|nie|pas|não|non|не|niet|\d\/\d+(?: \p{L}+)?)$/iu;
/** `41 of 300 connections used`, `20k of 262k`. */
const partOfWhole = /(?<![\d.])(\d+)([kmg]?) (?:of|von|de|sur|из) (?:\p{L}+ )?(\d+)\2(?!\d)( ?[gmt]i?b)?/iu;
const littleOf = { share: 0.5, all: 50 } as const;

/** How many words a negation reaches. */
const wordsReached = { before: 5, behind: 6 } as const;

/** A longer one is no clause. */
const maxClause = 300;

interface Denial {
  /** `no`, `kein`: of a runbook about a lack, the fault. */
  readonly absent: readonly string[];
  readonly well: readonly string[];
}

const clausesOf = (text: string): readonly string[] => [
  ...new Set(text.split(deniedClauseEnd).map((clause) => clause.trim().slice(0, maxClause))),
];

const nounBehind = (clause: string): string => {
  const start = beforeNoun.exec(clause);
  const rest = start === null ? "" : clause.slice(start.index + start[0].length).replace(nounEnd, "");
  return rest.trim().split(/\s+/).slice(0, wordsReached.before).join(" ");
};

const subjectOf = (found: RegExpExecArray | null): string => {
  const subject = found?.[1]?.trim() ?? "";
  return notWell.test(subject) ? "" : subject.split(/\s+/).slice(-wordsReached.behind).join(" ");
};

const isLittle = (clause: string): boolean => {
  const [, some, , all, unit] = partOfWhole.exec(clause) ?? [];
  return (unit !== undefined || Number(all) >= littleOf.all) && Number(some) < littleOf.share * Number(all);
};

/** What the clauses of a text deny. */
function denialIn(text: string): Denial {
  const clauses = clausesOf(text);
  return {
    absent: clauses.flatMap((clause) => [nounBehind(clause), beforeUnspaced.exec(clause)?.[1] ?? ""]),
    well: clauses.flatMap((clause) => [
      isWell(clause) || calm.test(clause) || isLittle(clause) ? clause : "",
      smallShareIsBad.test(clause)
        ? ""
        : subjectOf(wellBehind.exec(clause) ?? isUp.exec(clause) ?? smallMeasure.exec(clause.replace(nounEnd, ""))),
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
  const titled = clausesOf(title).map((clause) => (/\d/.test(clause) ? "" : subjectOf(wellBehind.exec(clause))));
  return faultTerms(absent)
    .difference(lacking)
    .union(faultTerms([...well, ...titled]))
    .intersection(new Set(termsOf(runbook)));
}

const cause =
  /(?<!\p{L})(?:due to|because of|caused by|wegen|aufgrund|à cause d|debido a|por causa d|из-за)(?!\p{L})([^.,;\n()]{3,80})/giu;

/** Causes that a text gives: `503 due to queue timeouts`. */
export const causesIn = (text: string): readonly string[] => [...text.matchAll(cause)].map((match) => match[1] ?? "");
