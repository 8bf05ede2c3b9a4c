/**
 * An issue's text without what says nothing about its cause. Cleaning matters more than the engine that ranks: label
 * tables, links and time stamps of an alert outweigh its one telling sentence. Each step is a small function of its own.
 */

type Step = (text: string) => string;

/** Longest text looked at; the telling lines of an incident stand at its beginning or in its first log excerpt. */
const maxCharacters = 6_000;

const withoutTemplateRemarks: Step = (text) => text.replace(/<!--[\s\S]*?(?:-->|$)/g, " ");
const withoutLinkTargets: Step = (text) =>
  text
    .replace(/!?\[([^\]\n]{0,200})\]\([^)\s]{1,500}\)/g, "$1")
    .replace(/https?:\/\/([^\s/)>\]]{1,200})[^\s)>\]]*/g, " $1 ");
const withoutTags: Step = (text) => text.replace(/<\/?[a-z][^>\n]{0,200}>/gi, " ");
const withoutTimes: Step = (text) =>
  text
    .replace(/\b\d{4}[-/]\d{2}[-/]\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?/g, " ")
    .replace(
      /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* +\d{1,2}(?: \d{2}:\d{2}:\d{2})?/g,
      " ",
    )
    .replace(/\b\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?\b/g, " ");
const withoutIds: Step = (text) =>
  text
    .replace(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, " ")
    .replace(/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{10,64}\b/gi, " ")
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, " ");

/** Labels that every alert carries and that name the monitoring, not the fault. */
const routineLabels =
  /(?:^|[\s|,{(*`-])(?:severity|priority|job|prometheus|endpoint|receiver|generator_?url|external_?url|dashboard(?:_?url)?|silence(?:_?url)?|runbook(?:_?url)?|fingerprint|group_?key|starts_?at|ends_?at|team|env|environment|region|client(?:_url)?|incident_?key|urgency|assigned to|escalation policy)[*`]*\s*[:=|]+\s*[*`"]*[^\s|,})"`\n]*/gi;
const withoutRoutineLabels: Step = (text) => text.replace(routineLabels, " ");
const withoutAlertWords: Step = (text) =>
  text.replace(/\[(?:firing|resolved)(?::\d+)?\]|\b(?:triggered|acknowledged|pagerduty incident #?\d*)\b:?/gi, " ");

/** `/var 97 %` is how a pager says that a file system is full; the word stands for it in the vocabulary. */
const withFullPaths: Step = (text) =>
  text.replace(
    /(?<=^|[\s(:,])(\/[\w./-]{0,100})[\s:=(]{1,3}(?:is |at |hit |has |zu |à |al )?(?=(?:9\d|100)(?:\.\d+)? ?%)/gim,
    "$1 pathfull ",
  );

const steps: readonly Step[] = [
  withoutTemplateRemarks,
  withoutLinkTargets,
  withoutTags,
  withoutTimes,
  withoutIds,
  withoutAlertWords,
  withFullPaths,
];

/** The telling part of an issue's title or body. */
export function cleanIncident(text: string): string {
  const cut = text.length > maxCharacters ? text.slice(0, maxCharacters) : text;
  return withoutRoutineLabels(steps.reduce((rest, step) => step(rest), cut))
    .replace(/[ \t]+/g, " ")
    .trim();
}

/** Names an alert could have: `alertname: X` in a table, and CamelCase words as Prometheus rules have them. */
export function alertNamesIn(text: string): ReadonlySet<string> {
  const labelled = [...text.matchAll(/alert_?name["'`*|\s:=]{1,12}([A-Za-z][\w-]{2,120})/gi)].map(
    (match) => match[1] ?? "",
  );
  const camel = (text.match(/\b[A-Za-z][A-Za-z0-9]{3,120}\b/g) ?? []).filter((word) => /[a-z0-9][A-Z]/.test(word));
  return new Set([...labelled, ...camel].map((name) => name.toLowerCase()));
}

/** The CamelCase name that a title opens with, after any `[FIRING:1]`; two humps count only where nothing but labels follow. */
export function leadingAlertName(title: string): string | undefined {
  const rest = title.replace(/^[\s\W]*(?:\[[^\]]*\]\s*)*/, "");
  return /^((?:[A-Z][a-z0-9]+){3,}|(?:[A-Z][a-z0-9]+){2}(?=\s*(?:$|\()))/.exec(rest)?.[1];
}
