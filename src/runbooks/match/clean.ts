/**
 * An issue's text without what says nothing about its cause. Cleaning matters more than the engine that ranks: label
 * tables, links and time stamps of an alert outweigh its one telling sentence. Each step is a small function of its own.
 */

type CleaningStep = (text: string) => string;

/** Longest text looked at, once lines that only repeat others are gone. */
const maxCharacters = 6_000;
/** Of a text still longer so much is kept of its beginning and of its end; between them only what tells of a fault. */
const edgeCharacters = 2_500;
const faultLine =
  /\b(?:alert|cannot|critical|crit|denied|err|error|exception|exceeded|exhausted|expired|fail|failed|failure|fatal|invalid|killed|lost|panic|refused|timed out|timeout|too many|unable|unavailable|unreachable)\b/i;

const withoutTemplateRemarks: CleaningStep = (text) => text.replace(/<!--[\s\S]*?(?:-->|$)/g, " ");
const withoutLinkTargets: CleaningStep = (text) =>
  text
    .replace(/!?\[([^\]\n]{0,200})\]\([^)\s]{1,500}\)/g, "$1")
    .replace(/https?:\/\/([^\s/)>\]]{1,200})[^\s)>\]]*/g, " $1 ");
const withoutTags: CleaningStep = (text) => text.replace(/<\/?[a-z][^>\n]{0,200}>/gi, " ");
const withoutTimes: CleaningStep = (text) =>
  text
    .replace(/\b\d{4}[-/]\d{2}[-/]\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?/g, " ")
    .replace(
      /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* +\d{1,2}(?: \d{2}:\d{2}:\d{2})?/g,
      " ",
    )
    .replace(/\b\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?\b/g, " ");
const withoutIds: CleaningStep = (text) =>
  text
    .replace(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, " ")
    .replace(/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{10,64}\b/gi, " ")
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, " ");

/** Labels that every alert carries and that name the monitoring, not the fault. */
const routineLabels =
  /(?:^|[\s|,{(*`-])(?:severity|priority|job|prometheus|endpoint|receiver|generator_?url|external_?url|dashboard(?:_?url)?|silence(?:_?url)?|runbook(?:_?url)?|fingerprint|group_?key|starts_?at|ends_?at|team|env|environment|region|client(?:_url)?|incident_?key|urgency|assigned to|escalation policy)[*`]*\s*[:=|]+\s*[*`"]*[^\s|,})"`\n]*/gi;
const withoutRoutineLabels: CleaningStep = (text) => text.replace(routineLabels, " ");
/** What the mails and messages of monitoring services say around every alert. */
const routineSentences =
  /you are receiving this (?:e-?mail|message|notification)[^,."\n]{0,200}|has entered the (?:alarm|ok|insufficient_data) state|threshold crossed:?|\b(?:the|this) monitor was triggered on\b|this is an automatically generated (?:mail )?message\b|(?:^|\n) *-? *(?:source|silence|view|edit|dashboard|panel)(?: url)?:[^\n]{0,300}|\[?(?:monitor status|edit monitor|view alarm|manage subscriptions|unsubscribe)\]?/gi;
const withoutRoutineSentences: CleaningStep = (text) => text.replace(routineSentences, " ");
const withoutAlertWords: CleaningStep = (text) =>
  text.replace(/\[(?:firing|resolved)(?::\d+)?\]|\b(?:triggered|acknowledged|pagerduty incident #?\d*)\b:?/gi, " ");

/** `/var 97 %` is how a pager says that a file system is full, a person puts `is at` between; the word stands for it in the vocabulary. */
const withFullPaths: CleaningStep = (text) =>
  text.replace(
    /(?<=^|[\s(:,])(\/[\w./-]{0,100})[\s:=(]{1,3}(?:\p{L}{1,4} ){0,2}(?=(?:9\d|100)(?:\.\d+)? ?%)/gimu,
    "$1 pathfull ",
  );

const steps: readonly CleaningStep[] = [
  withoutTemplateRemarks,
  withoutRoutineSentences,
  withoutLinkTargets,
  withoutTags,
  withoutTimes,
  withoutIds,
  withoutAlertWords,
  withFullPaths,
];

/** The telling part of an issue's title or body. */
export function cleanIncident(text: string): string {
  return withoutRoutineLabels(steps.reduce((rest, step) => step(rest), shortened(text)))
    .replace(/[ \t]+/g, " ")
    .trim();
}

/** A long log says the same a hundred times and what matters in its last line: one line of each shape, then both ends. */
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

/** A line without its times, numbers and ids. */
const shapeOf = (line: string): string =>
  line
    .split(/[\s=:,"]+/)
    .filter((token) => !/\d/.test(token))
    .join(" ");

/** Names that alerts could have, in lower case, by where they stand. */
export interface AlertNames {
  /** In a label, or in a title that is no sentence. */
  readonly label: ReadonlySet<string>;
  /** At the head of a line with nothing but labels behind it. */
  readonly line: ReadonlySet<string>;
  /** In a sentence of the title or of the body: it may as well be a cause, a consequence or an example. */
  readonly title: ReadonlySet<string>;
  readonly body: ReadonlySet<string>;
}

/** A title with so many words in small letters is a sentence, not an alert's subject. */
const sentenceWords = 7;
const lineHead =
  /^[^\p{L}\n]{0,9}(?:FIRING[^\p{L}\n]{1,9})?([A-Za-z][A-Za-z0-9]{3,120})[*`]{0,3}(?=[^\S\n]*(?:$|[^\p{L}\s]))/gimu;

/** Names an alert could have: `alertname: X` in a table, and CamelCase words as Prometheus rules have them. */
export function alertNamesIn(title: string, body: string): AlertNames {
  const labels = `${title}\n${body}`.matchAll(/alert_?name["'`*|\s:=]{1,12}([A-Za-z][\w-]{2,120})/gi);
  const inTitle = camelCaseIn(title);
  const isSentence = (title.match(/(?<![\p{L}\p{N}])\p{Ll}+(?![\p{L}\p{N}])/gu) ?? []).length >= sentenceWords;
  const inner = new Set(
    isSentence ? [...title.matchAll(/\p{Ll}[\s*`]{1,4}([A-Za-z][A-Za-z0-9]{3,120})/gu)].map((match) => match[1]) : [],
  );
  const lowered = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase()));
  const firsts = (matches: Iterable<RegExpExecArray>) => [...matches].map((match) => match[1] ?? "");
  return {
    label: lowered([...firsts(labels), ...inTitle.filter((name) => !inner.has(name))]),
    line: lowered(camelCaseIn(firsts(body.matchAll(lineHead)).join(" "))),
    title: lowered(inTitle.filter((name) => inner.has(name))),
    body: lowered(camelCaseIn(body)),
  };
}

/** Words with a capital behind a small letter or a digit. */
export const camelCaseIn = (text: string): readonly string[] =>
  (text.match(/\b[A-Za-z][A-Za-z0-9]{3,120}\b/g) ?? []).filter((word) => /[a-z0-9][A-Z]/.test(word));

/** The CamelCase name that a title opens with, after any `[FIRING:1]`; two humps count only where nothing but labels follow. */
export function leadingAlertName(title: string): string | undefined {
  const rest = title.replace(/^[^\p{L}\p{N}[]*(?:\[[^\]]*\][^\p{L}\p{N}[]*)*/u, "");
  const name = /^[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*/.exec(rest)?.[0] ?? "";
  const humps = name.match(/[A-Z]+(?![a-z])|[A-Z][a-z0-9]+/g)?.length ?? 0;
  return humps > 2 || (humps === 2 && /^\s*(?:$|\()/.test(rest.slice(name.length))) ? name : undefined;
}
