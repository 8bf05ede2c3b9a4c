import type { Ending } from "../../base/run.ts";
import { createFindUnborne, type FindUnborne, isUnseen } from "./asserted.ts";
import { type Citation, createHolds, findCitations, type Holds, hideCitations } from "./citations.ts";

/** A run as the store has it; on several servers if they answered alike. */
export interface RecordedRun {
  readonly number: number;
  readonly servers: readonly string[];
  readonly command: string;
  /** It changes nothing. */
  readonly reads: boolean;
  /** Null while it runs. */
  readonly ending: Ending | null;
  readonly isWell: boolean;
  readonly output: string;
}

/** What the words of a reply are compared with. */
export interface TurnRecord {
  readonly runs: readonly RecordedRun[];
  /** Numbers that wait for people, or to be sent. */
  readonly open: readonly number[];
}

interface Evidence {
  readonly record: TurnRecord;
  /** All that the model was given: outputs, issue, alert, comments, runbooks, files. */
  readonly shown: string;
  /** Ids and commands of the proposals in this reply. */
  readonly own: { readonly ids: readonly number[]; readonly commands: readonly string[] };
}

/** A part of the words that no record bears out, by its place. */
export interface UnfoundedClaim {
  readonly from: number;
  readonly to: number;
  /** A clause, such as `7 has not run`. */
  readonly why: string;
  /** Nothing speaks against it: people are told, and it stays. */
  readonly stays?: true;
  /** How its words begin, without secrets; as they stand in the text if absent. */
  readonly said?: string;
}

/** A sentence, a list item, a table's row or a whole fenced block. */
interface Piece {
  readonly from: number;
  /** Its citations hidden. */
  readonly text: string;
  readonly info?: string;
}

interface Quote {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

const alternatives = (words: string): string => `(?:${words.trim().split(/\s+/).join("|")})`;

/** English first; agents write in the language of the incident. */
const presentVerb =
  alternatives(`shows says reads reports returns prints confirms proves lists reveals indicates logs contains
  displays gives tells outputs states marks measures zeigt meldet sagt liefert bestätigt montre affiche indique signale renvoie muestra indica dice
  devuelve confirma mostra diz mostra toont meldt`);
const pastVerb =
  alternatives(`showed said reported returned printed confirmed proved listed revealed indicated logged contained
  displayed gave stated marked measured exited ended failed succeeded finished completed ran printed zeigte meldete lieferte ergab montrait affichait
  mostró devolvió confirmó`);
const pluralVerb = alternatives(
  "agree show say report return confirm prove list reveal indicate zeigen melden montrent muestran",
);
const verb = `(?:${presentVerb}|${pastVerb})`;

const one = String.raw`(?:\*\*|#|\x60)?(?<![\w.])\d{1,5}(?:\*\*|\x60)?(?![\w%]|[.,:]\d)`;
const list = String.raw`${one}(?:(?:\s*,\s*(?:and\s+)?|\s+(?:and|or|&|und|et|y|e)\s+)${one}){0,9}`;
/** Behind the number of a run. A noun behind it makes it a count: `3 pods`. */
const behind = String.raw`(?=\s*(?:$|[.,;:!?)\]…—–|/*]|['’]s\b)|\s+(?:and|or|but|which|that|on|at|as|is|was|are|were|has|have|had|also|both|to|with|where|while|so|because|in|above|already|itself|now|again|still|too|for|by|after|before|did|does|do|never|not|will|would|exit\w*|${pluralVerb}|${verb})(?!\p{L}))`;
const counted = String.raw`(?!\s+(?:of\b|times?\b|more\b|minutes?\b|(?!(?:is|was|has|does|${verb})(?!\p{L}))\p{Ll}+s\b))`;
const adverbs = String.raw`(?:\s+(?:also|now|clearly|both|again|still|already|then|even|only|indeed))?`;
const clauseStart = String.raw`(?:^[\s>*•|-]*(?:\d+[.)]\s+)?|[.;:,(—–|]\s*|\b(?:and|but|because|as|since|while|that|also|so|both|output|action|command|number|und|weil|da|denn|dass|et|car|que|y|porque)\s+)`;

/** Ways to speak of a run by its number. */
const references: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<lead>(?<!\S)\S{0,40}\s)?\b(?<noun>runs?|Lauf|Läufe|Ausführung(?:en)?|exécutions?|ejecuci(?:ó|o)n(?:es)?|esecuzion[ei]|execuç(?:ão|ões))\s+(?:of\s+|no\.?\s*|nr\.?\s*|number\s+|n[°º]\s*)?(?<list>${list})${counted}`,
    "giu",
  ),
  new RegExp(
    String.raw`\b(?:outputs?|results?|findings?|Ausgaben?|Ergebnis(?:se)?|sorties?|résultats?|salidas?|resultados?)\s+(?:of|from|in|von|de|du|di)\s+(?:the\s+)?(?:(?:action|command|check)s?\s+)?(?<list>${list})${behind}`,
    "giu",
  ),
  new RegExp(
    String.raw`\b(?:confirmed|likely|shown|verified|proven|proved|bestätigt|gezeigt|confirmée?|confirmad[oa])\s+(?:by|from|through|durch|par|por)\s+(?:the\s+)?(?:(?:action|command)s?\s+)?(?<list>${list})${behind}`,
    "giu",
  ),
  new RegExp(String.raw`${clauseStart}(?<list>${one})${adverbs}\s+(?=${presentVerb}(?!\p{L}|\s+up\b))`, "giu"),
  new RegExp(String.raw`^[\s>*•-]*(?<list>${one})${adverbs}\s+(?=${pastVerb}(?!\p{L}))`, "giu"),
  new RegExp(String.raw`(?<list>(?:\*\*|#)\d{1,5}(?:\*\*)?)${adverbs}\s+(?=${pastVerb}(?!\p{L}))`, "giu"),
  new RegExp(
    String.raw`${clauseStart}(?<list>${one}(?:,\s*${one})*\s+and\s+${one})${adverbs}\s+(?=${pluralVerb}(?!\p{L}))`,
    "giu",
  ),
];

/** `runs 3`, `to run 3` and `Run 3.` are verbs. */
const nounBefore =
  /(?:^|[([,;:—–"*]|\b(?:in|by|of|from|per|see|with|through|via|after|since|before|during|the|as|to|and|or|that|on|at|than|because|but|while|both|successful|failed))\s?$/i;
const verbBefore =
  /(?<!according |due |thanks |compared )\b(?:to|please|can|could|will|would|should|must|may|might|let['’]s|I|we|you|not|then)\s?$/i;

const modal =
  /\b(?:will|would|should|could|might|may|must|shall|going to|needs? to|wird|würde|sollte?|könnte|kann|pourrait|devrait|podría|debería)\b|['’]ll\b/i;
const conditional =
  /^\W*(?:if|when|once|unless|until|as soon as|after (?:you|approval|the approval)|should|wenn|falls|sobald|nachdem|si|quand|lorsque|dès|cuando|una vez|quando|se)\b/i;
const asksAbout =
  /^\s*(?:,\s*)?(?:whether|if|which|what|how|when|where|who|whose|why|ob|welche\w*|was|wie|wann|wo|wer|warum|quel\w*|si|comment|où|pourquoi|qué|cuál\w*|cómo|dónde|quién|cuándo)\b/i;
const describes = /^\s*(?:the|all|each|every|any|more|both|a|an|its|their|die|den|das|alle|le|la|les|el|los|las)\b/i;
const asserts = /\b(?:is|are|was|were|has|have|had|ist|sind|war|hat|est|sont|está|es|fue)\b|\d|[`"“„«]/;
/** It has not run, said aloud. */
const unrun =
  /\b(?:not|never|n['’]t|nothing|yet to|nicht|nie|noch|pas|jamais|nunca)\b[^.;]{0,20}\b(?:run|ran|executed|started|sent|approved|decided|given|there|exist\w*|gelaufen|ausgeführt|genehmigt|exécutée?|approuvée?|ejecutad[oa]|aprobad[oa])\b|n['’]t (?:run|been|ran)\b|\bno run\b|\bapprov(?:e|al of)\b|\bwait(?:s|ing)? for\b/i;
const isOpen =
  /^\W{0,4}(?:(?:is|was|are|were|has|have|been|still|now|yet|already|ist|est|está)\s+){0,3}(?:waits?|waiting|open|pending|awaits?|awaiting|proposed|superseded|expired|rejected|turned down|blocked|refused|withdrawn|skipped|void|next in line|unapproved|queued|offen|wartet|abgelehnt|en attente|pendiente)\b/i;
const negated =
  /\b(?:not|never|no|none|nor|without|instead of|rather than|other than|nicht|kein\w*|ohne|pas|sans|sin)\b|n['’]t\b/i;

const changeVerb =
  alternatives(`restarted deleted removed rolled-back rolled scaled drained rebooted stopped started killed
  upgraded installed uninstalled applied patched cleared rotated reloaded renewed freed truncated enabled disabled deployed
  reverted fixed repaired recreated resized terminated evicted cordoned failed-over purged flushed vacuumed reissued unlocked`);
const soon = String.raw`(?:\s+(?:just|also|already|now|then|successfully|since|therefore|have|has|first|both))*`;
const firstPerson = String.raw`\b(?:I|we)(?:['’]ve|\s+have|\s+had)?${soon}\s+`;
const saysChanged = {
  byMe: new RegExp(String.raw`${firstPerson}(?:\w+\s+and\s+)?${changeVerb}\b`, "i"),
  bare: new RegExp(
    String.raw`^[\s>*•-]*(?:\d+[.)]\s+)?(?:(?:then|also|just|successfully)\s+)?${changeVerb}\s+(?!(?:by|at|on|in|since|pods|containers)\b)`,
    "i",
  ),
  byRun: new RegExp(
    String.raw`\bruns?\s+(?:of\s+)?#?\d{1,5}${soon}\s+${changeVerb}\b|\b${changeVerb}\b[^.;]{0,60}\b(?:by|with|via|through)\s+runs?\s`,
    "i",
  ),
};
/** `I ran the same on mq-2`, `I checked nas-1`. */
const ranThere = new RegExp(
  String.raw`${firstPerson}(?:(?:ran|executed|re-?ran|looked|tested|measured)\b[^.;!?]{0,60}\bon|checked|inspected|logged\s+in(?:to)?|connected\s+to)\s+(?:the\s+)?(?:server\s+|host\s+)?(?<server>[a-z]\w*(?:-\w+)*-?\d+)(?![\w.:/-]*\w)`,
  "i",
);
/** `I also ran restic check`: the program behind the verb. */
const ranProgram = new RegExp(
  String.raw`${firstPerson}(?:re-?)?ran\s+(?:(?:the|a)\s+)?(?<called>(?<program>[\w./-]{2,40})(?:\s+(?!(?:again|also|and|as|at|before|but|for|from|here|in|it|now|on|once|or|over|so|there|to|twice|which|with|without)\b)[a-z][a-z-]+(?=\s|[.,;:!?]|$))?)`,
  "i",
);
const saysRan = {
  sure: new RegExp(
    String.raw`(?:${firstPerson}|^[\s>*•-]*)(?:ran|executed|re-?ran|tested|queried|pinged|curled|logged\s+in(?:to)?|connected\s+to|ssh['’]?d|measured|probed)\b`,
    "i",
  ),
  looked: new RegExp(
    String.raw`(?:${firstPerson}|^[\s>*•-]*)(?:checked|verified|inspected|examined|looked\s+(?:at|into)|monitored|watched)\b`,
    "i",
  ),
};
/** What the model reads without a run. */
const givenText =
  /\b(?:runbook|issue|alert|skill|description|report|comments?|history|changes?|commits?|diff|similar|documentation|docs|rules|text|workflow|plan|conversation|context|environment)\b/i;

const exitCode =
  /\b(?:(?:ended|ends|failed|fails|finished|stopped|terminated|quit)\s+with\s+(?:code|status)|exit(?:ed|s)?(?:[\s-]+(?:codes?|status|with(?:\s+(?:code|status|exit\s+code))?))?|code de (?:sortie|retour)|código de salida|codice di uscita|Rückgabewert|beendet mit)(?:\s*(?:of|is|was|:|=|von|war|était|fue))?\s*[`*]{0,2}(\d{1,3})(?![\w%]|[.,:]\d)/gi;
const saysWell =
  /^[^.;]{0,25}?\b(?:succeeded|was successful|went well|(?:completed|finished|ended|ran|exited) (?:successfully|cleanly|fine|well|without (?:an )?errors?)|war erfolgreich|a réussi|tuvo éxito)\b/i;

const quotes =
  /(?<!`)(`+)(?!`)([^\n]*?[^`\n])\1(?!`)|"([^"\n]{2,400})"|[“„]([^”“\n]{2,400})[”“]|«\s?([^»\n]{2,400}?)\s?»/g;
const source = String.raw`(?:\b(?:runs?|outputs?|logs?|journal|results?|events?|describe|traces?|dmesg|syslog|alert|metrics?|query|queries|response|checks?|command|status|lines?|entry|entries|messages?|errors?|dashboard|probe|body|page|header|reason|answer|stderr|stdout|rows?|columns?|fields?|kernel|it|they|this|which|Ausgabe|Log|Protokoll|Meldung|Fehler|sortie|journaux|erreur|message|salida|registros?|error|mensaje)\b|\uE000|\b\d{1,5}\b)`;
const quoteVerb = String.raw`(?:${verb}|${pluralVerb}|has|have|had|ends?\s+with|fails?\s+with|failed\s+with|with|answers?|answered|complains?|carries|is|was|reads|:)`;
const attributed = new RegExp(
  String.raw`${source}[^;.!?]{0,80}?(?<!\p{L})${quoteVerb}(?!\p{L})(?<tail>[^;.!?]{0,160})$`,
  "iu",
);
/** Between the verb and what it quotes word for word. */
const adjacent =
  /^\s*(?:\*\*)?(?:with|mit|avec|con|that|also|again|the|an?|its|this|us|me|literally|only|just|lines?|error|errors|message|entry|text|status|state|reason|value|warning|und|die|den|das|le|la|el|:|,|\s|[*(])*$/i;
const supposed =
  /\b(?:will|would|should|could|might|may|must|shall|expect\w*|if|whether|once|until|unless|look for|search for|such as|like|e\.g\.|for example|for instance|similar to|typically|usually|often|commonly|propos\w*|suggest\w*|recommend\w*|please|to be|wird|würde|sollte?|falls|ob|zum Beispiel|z\. ?B\.|par exemple|por ejemplo|about|around|roughly|nearly|almost|some|approximately|circa|etwa|rund|fast|environ|presque|unos|casi)\b|[≈~]/i;
const absent =
  /\b(?:not|never|no|none|nor|without|lacks?|lacking|missing|absent|instead of|rather than|nicht|kein\w*|ohne|fehlt|pas|sans|sin|falta)\b|n['’]t\b/i;
const absentBehind =
  /^[\s`"”*)]{0,4}(?:is|are|was|were)?\s{0,2}(?:missing|absent|not\b|never\b|nowhere|isn['’]t|does(?:n['’]t| not)|fehlt|manque|falta)/i;
const looksPrinted =
  /^(?:\[?\d{4}-\d\d-\d\d[T ]|\[?\d\d:\d\d:\d\d|(?:ERROR|FATAL|WARN(?:ING)?|CRITICAL|PANIC)\b|panic:|fatal:|error:|Traceback|Caused by:|[\w.]+(?:Error|Exception):)/;
const pair = /(?<![\w\uE000.-])[A-Za-z_][\w.-]{0,60}=(?:[^\s,;)\]}\uE000]+)(?:\s+\d[\w:.-]*)*/g;
const outputInfo = /^(?:text|txt|console|output|log|logs|plaintext)?$/i;

const mask = "\uE000";
const letters = /[\p{L}\p{N}%°]+/gu;
const figures = /[\p{L}\p{N}%°]+(?:[.,:]\d+)*/gu;

/**
 * Finds what the words claim of runs, exit codes and outputs, and the record does not hold (AR-15, PA-4). Plans, conditions, negations and
 * what others said are no claims; if in doubt a sentence stands. Never throws.
 */
export function findUnfounded(prose: string, evidence: Evidence): readonly UnfoundedClaim[] {
  const found: UnfoundedClaim[] = [];
  const figuresIn = createFiguresIn();
  const findUnborne = createFindUnborne({
    runs: evidence.record.runs,
    shown: evidence.shown,
    own: evidence.own.commands,
  });
  const holds = createHolds([
    evidence.shown,
    ...evidence.record.runs.flatMap(({ command, output }) => [command, output]),
  ]);
  const citations = findCitations(prose, evidence.record.runs, holds);
  /** The piece before speaks of an output and ends in a colon. */
  let introduced = false;
  for (const piece of piecesOf(hideCitations(maskCloses(prose), citations))) {
    const [from, to] = [piece.from, piece.from + piece.text.length];
    const cited = citations.filter((one) => one.from >= from && one.to <= to);
    const isTooLong = piece.info === undefined && piece.text.length > longestSentence;
    const why =
      cited.find(({ fault }) => fault !== undefined)?.fault ??
      (isTooLong
        ? undefined
        : piece.info === undefined
          ? faultOf(piece.text, { ...evidence, figuresIn, findUnborne, cited }, holds, introduced)
          : faultOfBlock(piece, evidence, holds, introduced));
    if (isTooLong && why === undefined) continue;
    if (why !== undefined) found.push({ from, to, why, ...(isUnseen(why) && { stays: true }) });
    if (piece.text.trim() === "") continue;
    const masked = maskQuotes(piece.text);
    const isList = /^\s*(?:[-*•|>]|\d+[.)]\s)/.test(piece.text);
    const opens = /:[*_\s]*$/.test(masked) && new RegExp(source, "iu").test(masked) && !supposed.test(masked);
    introduced = opens || (introduced && (isList || piece.info !== undefined));
  }
  return found;
}

/**
 * Hides in the claims what the redactor hides in the whole text (SR-45): alone, `hunter22` of `password=hunter22` is no secret to it, and
 * neither is half a token. What is wrong only because of such a word is no claim: outputs were given without it.
 */
export function bareClaims(
  claims: readonly UnfoundedClaim[],
  text: string,
  bare: (text: string) => string,
): readonly UnfoundedClaim[] {
  if (claims.length === 0) return claims;
  const [written, seen] = [text.toLowerCase(), bare(text).toLowerCase()];
  const isHidden = (word: string): boolean =>
    /\d|.{4}/u.test(word) && written.includes(word.toLowerCase()) && !seen.includes(word.toLowerCase());
  const hide = (said: string): string =>
    said.replace(/[^\s"“”`]+/gu, (word) => (isHidden(word.replace(/[.,;:!?…)]+$/u, "")) ? "[REDACTED]" : word));
  return claims
    .filter(({ why }) => hide(why) === why)
    .map((claim) => ({
      ...claim,
      said: hide(text.slice(claim.from, Math.min(claim.to, claim.from + mostShown)).trim()),
    }));
}

/** Of a sentence left out, no more is shown to anybody. */
const mostShown = 300;

/** Returns the words without the parts that do not stay, blank lines closed up. */
export const strike = (prose: string, claims: readonly UnfoundedClaim[]): string =>
  claims.every(({ stays }) => stays)
    ? prose
    : claims
        .filter(({ stays }) => !stays)
        .toReversed()
        .reduce((text, { from, to }) => text.slice(0, from) + text.slice(to), prose)
        .replace(/^[ \t]*(?:[-*•>]|\d+[.)])[ \t]*$/gm, "")
        .replace(/(?<![ \t])[ \t]+$/gm, "")
        .replace(/\n{3,}/g, "\n\n")
        .trim();

/** No sentence that people read is longer; a longer one stands, because some patterns take its square. */
const longestSentence = 2_000;

/** A citation behind the full stop is the sentence's. */
const sentenceEnd =
  /[.!?…](?:["”*_)]{0,3})\s+(?=[\p{Lu}\d`"“*_([\uE000])|[。！？][」』”*_)）]{0,3}\s*(?=[^\s\uE001」』”*_)）])|(?<=[.!?…。！？]["”*_)]{0,3}\s*\uE001+)\s+(?=[\p{Lu}\d`"“*_([\uE000])/gu;

const month = /^\.\s+(?:Jan|Feb|M[äa]r|Apr|Ma[iy]|Jun|Jul|Aug|Sep|O[kc]t|Nov|De[zc])/;

function piecesOf(prose: string): readonly Piece[] {
  const pieces: Piece[] = [];
  const fence = /^ {0,3}(`{3,}|~{3,})([^\n`]*)\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))/gm;
  let at = 0;
  const sentences = (to: number): void => {
    for (const line of prose.slice(at, to).matchAll(/[^\n]+/g)) {
      if (line[0].length > 4 * longestSentence) {
        pieces.push({ from: at + line.index, text: line[0] });
        continue;
      }
      const masked = maskQuotes(line[0]);
      let from = 0;
      for (const end of masked.matchAll(sentenceEnd)) {
        // `1. First`, `e.g. This`
        if (/(?:^\s*\d{1,2}|(?:^|\s)(?:e\.g|i\.e|z\. ?B|No|Nr|cf|vs))$/i.test(masked.slice(from, end.index))) continue;
        // `am 7. April`
        if (/(?<!\d)\d{1,2}$/.test(masked.slice(0, end.index)) && month.test(masked.slice(end.index))) continue;
        pieces.push({ from: at + line.index + from, text: line[0].slice(from, end.index + end[0].length) });
        from = end.index + end[0].length;
      }
      pieces.push({ from: at + line.index + from, text: line[0].slice(from) });
    }
  };
  for (const block of prose.matchAll(fence)) {
    sentences(block.index);
    pieces.push({ from: block.index, text: block[0], info: (block[2] ?? "").trim() });
    at = block.index + block[0].length;
  }
  sentences(prose.length);
  return pieces;
}

/** The cause that a person may close the incident with is the agent's sentence, no quotation. Keeps places. */
const maskCloses = (prose: string): string =>
  prose.replace(/(?<!`)(`+)\s?\/close\b[^`\n]*\1|(?<![\w/`.-])\/close\b[^\n`]*/g, (whole) => mask.repeat(whole.length));

/** Keeps places, and numbers in backticks. */
const maskQuotes = (text: string): string =>
  text.replace(quotes, (whole) => (/^`+\d{1,5}`+$/.test(whole) ? whole : mask.repeat(whole.length)));

function faultOf(
  text: string,
  evidence: Evidence & {
    readonly figuresIn: FiguresIn;
    readonly findUnborne: FindUnborne;
    /** They stand. */
    readonly cited: readonly Citation[];
  },
  holds: Holds,
  introduced: boolean,
): string | undefined {
  const masked = maskQuotes(text);
  const refs = referencesIn(masked);
  return (
    refs.flatMap((ref) => unrunIn(masked, ref, evidence) ?? [])[0] ??
    changeFault(masked, text, refs, evidence) ??
    endingFault(masked, refs, evidence) ??
    valueFault(text, masked, refs, evidence) ??
    quoteFault(text, masked, evidence, holds, introduced || saysRan.sure.test(masked) || saysRan.looked.test(masked)) ??
    evidence.findUnborne(
      masked,
      refs.flatMap(({ numbers }) => numbers),
      evidence.cited.flatMap(({ quotes }) => quotes),
    )
  );
}

interface Reference {
  readonly at: number;
  readonly end: number;
  readonly numbers: readonly number[];
}

function referencesIn(masked: string): readonly Reference[] {
  return references
    .flatMap((pattern) =>
      [...masked.matchAll(pattern)].flatMap((match): readonly Reference[] => {
        const { list: named = "", lead = "", noun = "" } = match.groups ?? {};
        const numbers = [...named.matchAll(/\d+/g)].map(([digits]) => Number(digits));
        const end = match.index + match[0].lastIndexOf(named) + named.length;
        const at = match.index + lead.length;
        const before = masked.slice(0, at);
        const isRunVerb = /^runs?$/i.test(noun) && !isNoun(before, masked.slice(end));
        return isRunVerb ? [] : [{ at, end, numbers }];
      }),
    )
    .sort((a, b) => a.at - b.at);
}

const followsRun = new RegExp(
  String.raw`^(?:${adverbs}\s+(?:${verb}|has|had|was|is|did|${pluralVerb}|${changeVerb})(?!\p{L})|\s*[():])`,
  "iu",
);
const isNoun = (before: string, after: string): boolean =>
  followsRun.test(after) ||
  (nounBefore.test(before) && before.trim() !== "" && !verbBefore.test(before) && !/^\W*$/.test(before)) ||
  /\(\s*(?:\w+\s+)?$/.test(before);

const clauseBreak = /[;:.!?]\s|\s[—–]\s|,\s(?:and|but|so|then|which|because|und|aber|et|mais|y|pero)\s/gi;
/** A value behind its name, and a state: `"nodes":5`, `as Running`. */
const valued = /"[^"\n]{1,80}"\s*[:=]\s*[\w.+-]+/g;
const state = /(?<!\p{L})(?:as|is|are|still|status|state|phase)\s+(?<word>\p{Lu}[\p{L}]{3,})(?!\p{L})/gu;
interface Figures {
  /** With one blank in place of several, and without any. */
  readonly flat: string;
  readonly bare: string;
}
type FiguresIn = (text: string) => Figures;

/** Reads each text once. */
function createFiguresIn(): FiguresIn {
  const known = new Map<string, Figures>();
  return (text) => {
    const before = known.get(text);
    if (before) return before;
    const one = flat(text);
    const figures = { flat: one, bare: one.replace(/\s/g, "") };
    known.set(text, figures);
    return figures;
  };
}

/** A value, a state or a quotation that a sentence takes from one run, and that this run does not have. */
function valueFault(
  text: string,
  masked: string,
  refs: readonly Reference[],
  { record, shown, figuresIn }: Evidence & { readonly figuresIn: FiguresIn },
): string | undefined {
  if (modal.test(masked) || supposed.test(masked) || negated.test(masked) || conditional.test(masked)) return undefined;
  const numbers = refs.flatMap((ref) => ref.numbers);
  const runs = record.runs.filter(({ number }) => numbers.includes(number));
  const own = runs.flatMap(({ command, output }) => [command, output]);
  if (numbers.length !== 1 || runs.length === 0) return undefined;
  const isIn = (part: string, given: readonly string[]): boolean =>
    given.some((one) => figuresIn(one).flat.includes(part));
  const [value] =
    [...text.matchAll(valued)].find(
      ([one]) => !own.some((given) => figuresIn(given).bare.includes(flat(one).replace(/\s/g, ""))),
    ) ?? [];
  if (value !== undefined) return `${numbers[0]} does not say ${value}`;
  const word = [...masked.matchAll(state)]
    .map(({ groups }) => groups?.word ?? "")
    .find((one) => !isIn(flat(one), [...own, shown]));
  if (word !== undefined) return `${numbers[0]} does not say ${word}`;
  // What another run said is not said of this one.
  const others = record.runs.filter(({ number }) => !numbers.includes(number)).map(({ output }) => output);
  const other = quotesIn(text).find(
    ({ at, text: said }) =>
      text[at] !== "`" && /\S\s+\S/.test(said) && isIn(flat(said), others) && !isIn(flat(said), own),
  );
  return other && `${numbers[0]} does not say "${other.text}"`;
}

const flat = (text: string): string => text.toLowerCase().replace(/\s+/g, " ").trim();

/** The clause round a place, in two halves. */
function clauseAround(masked: string, at: number): { readonly before: string; readonly after: string } {
  const breaks = [...masked.matchAll(clauseBreak)];
  const from = breaks.findLast(({ index }) => index < at);
  const to = breaks.find(({ index }) => index >= at);
  return {
    before: masked.slice(from ? from.index + from[0].length : 0, at),
    after: masked.slice(at, to?.index ?? masked.length),
  };
}

function unrunIn(
  masked: string,
  { at, end, numbers }: Reference,
  { record, own, shown }: Evidence,
): string | undefined {
  const { before, after: whole } = clauseAround(masked, at);
  const after = whole.slice(end - at);
  if (unrun.test(before) || unrun.test(whole) || isOpen.test(masked.slice(end))) return undefined;
  // Issues have numbers too.
  const issue = /#(\d{1,5})$/.exec(masked.slice(at, end))?.[1];
  if (issue !== undefined && new RegExp(`#${issue}(?!\\d)`).test(shown)) return undefined;
  if (modal.test(before) || modal.test(after.slice(0, 20))) return undefined;
  const isPast = new RegExp(String.raw`^${adverbs}\s+(?:has\s+|had\s+)?${pastVerb}(?!\p{L})`, "iu").test(after);
  const said = after.replace(new RegExp(String.raw`^${adverbs}\s+${presentVerb}`, "iu"), "");
  const isPlan =
    !isPast &&
    (conditional.test(masked) ||
      asksAbout.test(said) ||
      (describes.test(said) && !asserts.test(said)) ||
      !new RegExp(verb, "iu").test(after));
  const missing = numbers.find((number) => {
    if (record.runs.some((run) => run.number === number)) return false;
    if (own.ids.includes(number)) return isPast;
    return !(record.open.includes(number) && isPlan);
  });
  return missing === undefined ? undefined : `${missing} has not run`;
}

function changeFault(
  masked: string,
  text: string,
  refs: readonly Reference[],
  { record, shown }: Evidence,
): string | undefined {
  const changes = record.runs.filter(({ reads, ending }) => !reads && ending?.kind !== "unreachable");
  const named = [
    ...refs.flatMap(({ numbers }) => numbers),
    ...[...masked.matchAll(/\((\d{1,5})\)/g)].map(([, digits]) => Number(digits)),
  ];
  const isSaid =
    saysChanged.byMe.test(masked) ||
    saysChanged.byRun.test(masked) ||
    (saysChanged.bare.test(masked) && named.length > 0);
  const match = saysChanged.byMe.exec(masked) ?? saysChanged.byRun.exec(masked);
  const isDenied =
    match !== null && (modal.test(match[0]) || modal.test(masked.slice(0, match.index)) || conditional.test(masked));
  if (isSaid && !isDenied) {
    const wrong = named.find((number) => !changes.some((run) => run.number === number));
    if (wrong !== undefined)
      return record.runs.some(({ number }) => number === wrong) ? `${wrong} only read` : `${wrong} has not run`;
  }
  const there = ranThere.exec(masked)?.groups?.server?.toLowerCase();
  if (
    there !== undefined &&
    !record.runs.some(({ servers, command, output }) => flat([...servers, command, output].join(" ")).includes(there))
  )
    return `nothing has run on ${there}`;
  const { program, called } = ranProgram.exec(masked)?.groups ?? {};
  if (
    program !== undefined &&
    !/^(?:it|this|that|them|both|all|one|two|three|some|same|checks?|commands?|runs?|reads?|out|into|on|in|again|your?|its|his|their|runbooks?|diagnostics|queries|query|tests?|what|as|with|from|\d+)$/i.test(
      program,
    ) &&
    !record.runs.some(({ command }) => command.toLowerCase().includes(program.toLowerCase()))
  )
    return `${program} has not run`;
  if (called !== undefined && record.runs.every(({ command }) => !flat(command).includes(called.toLowerCase())))
    return `${called} has not run`;
  for (const [sure, pattern] of [
    [true, saysRan.sure],
    [false, saysRan.looked],
  ] as const) {
    const said = pattern.exec(masked);
    if (!said || negated.test(said[0]) || modal.test(masked.slice(0, said.index + said[0].length))) continue;
    const began = record.runs.filter(({ ending }) => ending?.kind !== "unreachable");
    if (began.length === 0 && (sure || !givenText.test(masked))) return "nothing has run";
    const behindVerb = said.index + said[0].length;
    const [span] = sure
      ? quotesIn(text).filter(({ at }) => at >= behindVerb && at <= behindVerb + 12 && text[at] === "`")
      : [];
    const isKnown =
      span === undefined ||
      began.some(({ command }) => sameCommand(command, span.text)) ||
      shown.includes(`"${span.text}"`);
    if (!isKnown) return "that command has not run";
  }
  return undefined;
}

const bare = (command: string): string =>
  command
    .toLowerCase()
    .replace(/\b(?:sudo(?:\s+-n)?)\s+/g, "")
    .replace(/[\s"']+/g, "");
const sameCommand = (command: string, said: string): boolean =>
  command.split("\n").some((line) => bare(line).includes(bare(said)) || bare(said).includes(bare(line))) ||
  bare(command).includes(bare(said.replace(/[…⋯].*$/, "")));

function endingFault(masked: string, refs: readonly Reference[], { record, shown }: Evidence): string | undefined {
  for (const match of masked.matchAll(exitCode)) {
    const code = Number(match[1]);
    const { before } = clauseAround(masked, match.index);
    if (negated.test(before.slice(-25)) || supposed.test(before) || conditional.test(masked)) continue;
    const ref = refs.findLast(({ at }) => at < match.index) ?? refs.find(({ at }) => at >= match.index);
    const runs = record.runs.filter(({ number }) => !ref || ref.numbers.includes(number));
    // Containers and scripts have codes of their own, which outputs and people name.
    const isPrinted = new RegExp(
      String.raw`(?:exit|code|status|rc|terminat|reason)[^\n]{0,40}(?<![\w.])${code}(?![\w.%]|:\d)`,
      "i",
    );
    const texts = runs.map(({ output }) => output);
    if (runs.some(({ ending }) => ending?.kind === "exited" && ending.code === code)) continue;
    if (texts.some((text) => isPrinted.test(text))) continue;
    // `docker inspect -f "{{.State.ExitCode}}"`: the command names what it prints.
    const isAsked = runs.some(
      ({ command, output }) => /exit|status/i.test(command) && new RegExp(`(?<![\\w.])${code}(?![\\w.])`).test(output),
    );
    if (isAsked) continue;
    const own = new RegExp(String.raw`exit[^\n]{0,25}(?<![\w.])${code}(?![\w.%]|:\d)`, "i");
    if (!ref && own.test(shown)) continue;
    const [run] = runs;
    if (ref && !run) continue;
    return run?.ending?.kind === "exited"
      ? `${run.number} ended with exit ${run.ending.code}, not ${code}`
      : `no run ended with exit ${code}`;
  }
  for (const { end, numbers } of refs) {
    const runs = record.runs.filter(({ number }) => numbers.includes(number));
    const [run] = runs;
    const said = saysWell.exec(masked.slice(end));
    if (
      run &&
      said &&
      !negated.test(said[0].replace(/without/gi, "")) &&
      !modal.test(said[0]) &&
      runs.every(
        ({ isWell, ending }) =>
          !isWell && ending?.kind !== undefined && !(ending.kind === "exited" && ending.code === 0),
      )
    )
      return `${run.number} did not end well`;
  }
  return undefined;
}

const quotesIn = (text: string): readonly Quote[] =>
  [...text.matchAll(quotes)].map((match) => ({
    at: match.index,
    end: match.index + match[0].length,
    text: (match[2] ?? match[3] ?? match[4] ?? match[5] ?? "").trim(),
  }));

const unheld = "no output and no text has what it quotes";

function quoteFault(
  text: string,
  masked: string,
  { own, record }: Evidence,
  holds: Holds,
  introduced: boolean,
): string | undefined {
  const isOwn = (quote: string): boolean => own.commands.some((command) => sameCommand(command, quote));
  for (const quote of quotesIn(text)) {
    const words = quote.text.match(letters) ?? [];
    if (words.length === 0 || isOwn(quote.text) || record.runs.some(({ command }) => sameCommand(command, quote.text)))
      continue;
    const before = masked.slice(0, quote.at);
    const after = masked.slice(quote.end);
    const { before: clause } = clauseAround(masked, quote.at);
    if (supposed.test(clause) || absent.test(clause) || absentBehind.test(after) || conditional.test(masked)) continue;
    const match = attributed.exec(before);
    const isIn =
      /^[\s,*]{0,3}(?:is |stands |appears |occurs )?\(?(?:in|from|see)? ?(?:the )?(?:outputs? of|logs?|output|journal|runs?)\b/i.test(
        after,
      );
    const isSaid = match !== null || introduced || isIn;
    const isNext =
      (match !== null && adjacent.test(match.groups?.tail ?? "")) ||
      isIn ||
      (introduced && /^[\s>*•|\d.)-]*$/.test(before));
    if (holds(quote.text)) continue;
    const isLine = (isSaid && (isNext || words.length >= 4)) || (looksPrinted.test(quote.text) && words.length >= 3);
    const isData = /[\d=:%]/.test(quote.text) || (words.length > 1 && text[quote.at] === "`");
    const isTold = (quote.text.match(figures) ?? []).every((word) => holds(word));
    if (isLine || (isSaid && isData && !isTold)) return unheld;
  }
  const speaks =
    introduced || new RegExp(String.raw`${source}[^;.!?]{0,80}?(?<!\p{L})(?:${verb})(?!\p{L})`, "iu").test(masked);
  if (!speaks) return undefined;
  for (const { 0: said, index } of masked.matchAll(pair)) {
    const { before } = clauseAround(masked, index);
    if (
      !supposed.test(before) &&
      !absent.test(before) &&
      !conditional.test(masked) &&
      !isOwn(said) &&
      !holds(said.replace(/[.:]+$/, ""))
    )
      return unheld;
  }
  return undefined;
}

function faultOfBlock(
  { text, info = "" }: Piece,
  { own, record }: Evidence,
  holds: Holds,
  introduced: boolean,
): string | undefined {
  if (!outputInfo.test(info)) return undefined;
  const lines = text
    .split("\n")
    .slice(1)
    .filter((line) => !/^ {0,3}(?:`{3,}|~{3,})\s*$/.test(line) && /[\p{L}\p{N}]/u.test(line));
  const isSaid = introduced || info !== "" || lines.some((line) => looksPrinted.test(line.trim()));
  const isKnown = (line: string): boolean => {
    const command = line.replace(/^\s*[$#>]\s+/, "");
    return (
      [...own.commands, ...record.runs.map((run) => run.command)].some((one) => sameCommand(one, command)) ||
      holds(line)
    );
  };
  return isSaid && !lines.every(isKnown) ? unheld : undefined;
}
