import type { Alert } from "../../alert/alert.ts";
import { type Markdown, utcMinute } from "../../github/render/ink.ts";
import { truncate } from "../../text/truncate.ts";

/** Characters of the table of labels and annotations: an issue holds 65,536 in all. */
const tableRoom = 24_000;
/** What is left of an issue's room for our own words. */
const bodyRoom = 60_000;
const widest = 24;

/** The issue's title: what the alert says of itself, behind a sign that tells it from what people write. */
export const alertTitle = ({ title }: Pick<Alert, "title">): string => `🔔 ${title === "" ? "Alert firing" : title}`;

/** The issue's text. Whatever the source sent stands in blocks that it cannot end, as text. `alert` is bare (`bare-alert.ts`). */
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
