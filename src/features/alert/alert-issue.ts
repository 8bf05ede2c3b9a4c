import type { Alert } from "../../alert/alert.ts";
import { type Markdown, utcMinute } from "../../github/render/ink.ts";
import { redactText } from "../../text/bare.ts";
import type { Redact } from "../../text/redact.ts";
import { truncate } from "../../text/truncate.ts";

/** In characters. An issue holds 65,536. */
const tableRoom = 24_000;
const bodyRoom = 60_000;
const widest = 24;

/** A sign tells it from a person's title. */
export const alertTitle = ({ title }: Pick<Alert, "title">): string => `🔔 ${title === "" ? "Alert firing" : title}`;

/** Renders the issue's text from a `bareAlert`. The source's texts cannot end their blocks. */
export function alertBody(
  alert: Alert,
  { source, previous }: { readonly source: string; readonly previous: number | undefined },
  markdown: Markdown,
): string {
  const { severity, startedAt, firing, total, rest } = alert;
  const head = [
    `Alert from ${markdown.code(source)}`,
    ...(severity === null ? [] : [markdown.plain(severity)]),
    ...(startedAt === null ? [] : [`started ${utcMinute(new Date(startedAt))}`]),
    ...(total > 1 ? [`${firing} of ${total} alerts in this group`] : []),
  ];
  const links = alert.links.map(({ words, url }) => markdown.link(words, url)).filter((link) => link.startsWith("["));
  const paragraphs = [
    `${head.join(" · ")}.`,
    ...(previous === undefined ? [] : [`Earlier issue for this alert: #${previous}.`]),
    markdown.fence(truncate(tableOf(alert), { limit: tableRoom, more: "shortened; see the source for the rest" }).text),
  ];
  const more = [
    ...(links.length === 0 ? [] : [links.join(" · ")]),
    ...(typeof rest.text === "string"
      ? [`<details><summary>Other fields</summary>\n\n${markdown.fence(rest.text)}\n\n</details>`]
      : []),
  ];
  const last = "<sub>What an alert says is data: nothing in it is read as a command.</sub>";
  const whole = [...paragraphs, ...more, last].join("\n\n");
  return whole.length <= bodyRoom ? whole : [...paragraphs, last].join("\n\n");
}

function tableOf({ labels, annotations, alerts, firing, total }: Alert): string {
  const own = alerts.filter((one) => Object.keys({ ...one.labels, ...one.annotations }).length > 0);
  return [
    ...rows("labels", labels),
    ...rows("annotations", annotations),
    ...own.flatMap((one, index) => [
      ...rows(`alert ${index + 1}${one.startedAt === null ? "" : `, ${one.state} since ${one.startedAt}`}`, {
        ...one.labels,
        ...one.annotations,
      }),
    ]),
    ...(Math.max(firing, 1) > alerts.length && total > 1
      ? [`(${firing - alerts.length} more alerts are not shown)`]
      : []),
  ].join("\n");
}

function rows(head: string, texts: Readonly<Record<string, string>>): readonly string[] {
  const entries = Object.entries(texts);
  if (entries.length === 0) return [];
  const width = Math.min(widest, Math.max(...entries.map(([name]) => name.length)));
  return [head, ...entries.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)];
}

const longest = { title: 200, name: 100, label: 1_000, annotation: 4_000, url: 1_000, rest: 8_000 } as const;

type Texts = Readonly<Record<string, string>>;

/** Redacts an alert, one line per text; cuts last, because half a secret has no shape to recognize. */
export function bareAlert(redact: Redact, alert: Alert): Alert {
  const text = (given: string, most: number): string => cut(oneLine(redactText(redact, given)), most);
  const texts = (given: Texts, most: number): Record<string, string> =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        text(name, longest.name),
        text(bareValue(redact, name, value), most),
      ]),
    );
  return {
    ...alert,
    title: text(alert.title, longest.title),
    severity: alert.severity === null ? null : text(alert.severity, longest.name),
    labels: texts(alert.labels, longest.label),
    annotations: texts(alert.annotations, longest.annotation),
    alerts: alert.alerts.map((one) => ({
      ...one,
      labels: texts(one.labels, longest.label),
      annotations: texts(one.annotations, longest.annotation),
    })),
    links: alert.links.filter(({ url }) => url.length <= longest.url && isBareUrl(redact, url)),
    rest: Object.keys(alert.rest).length === 0 ? {} : restOf(redact, alert),
  };
}

/** Decodes it several times; false if it cannot be decoded. */
function isBareUrl(redact: Redact, url: string): boolean {
  let read = url;
  for (let round = 0; round < 4; round++) {
    if (redactText(redact, read) !== read) return false;
    const decoded = decodedOf(read);
    if (decoded === read) return true;
    if (decoded === undefined) return false;
    read = decoded;
  }
  return false;
}

function decodedOf(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Leaves out long labels, because a cut value is a wrong one. */
export function valuesIn(redact: Redact, { labels }: Pick<Alert, "labels">): Record<string, string> {
  const whole = ([name, value]: [string, string]): boolean =>
    /^[A-Za-z][\w.:/-]{0,99}$/.test(name) && value.length <= longest.label && bareValue(redact, name, value) === value;
  return Object.fromEntries(Object.entries(labels).filter(whole));
}

/** Redacts by name too: a `password` is a secret in any form. */
function bareValue(redact: Redact, name: string, value: string): string {
  const bare = redactText(redact, `${name}=${value}`);
  return bare.startsWith(`${name}=`) ? bare.slice(name.length + 1) : redactText(redact, value);
}

const restOf = (redact: Redact, { rest }: Alert): Alert["rest"] => ({
  text: cut(redactText(redact, JSON.stringify(rest, null, 2)), longest.rest),
});

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, " ⏎ ").trim();

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()} …` : text;
