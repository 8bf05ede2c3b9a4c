/** A runbook to begin with, for an incident that had none. Pure. */

import { alertNamesIn, cleanIncident, leadingAlertName } from "../match/clean.ts";
import { withoutVolatile } from "./volatile.ts";

export interface DraftedFrom {
  readonly title: string;
  readonly body: string;
  /** The names that its alert has by its labels. */
  readonly alerts: readonly string[];
  /** Takes the names of servers and groups out of a text. */
  readonly withoutNames: (text: string) => string;
  /** Lines of its code blocks: what only read is where to look, the rest is what was done. */
  readonly looks: readonly string[];
  readonly acts: readonly string[];
}

/** Drafts a skill by the Agent Skills specification that the matcher finds for the very incident it was drafted after. */
export function draftSkill(from: DraftedFrom): { readonly name: string; readonly text: string } {
  const { looks, acts, withoutNames } = from;
  const title = plain(withoutVolatile(withoutNames(from.title)));
  const name = slugOf(title);
  const alerts = alertsOf(from);
  const words = wordsSaid(withoutVolatile(withoutNames(cleanIncident(from.body))));
  const block = (heading: string, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : ["", `## ${heading}`, "", "```sh", ...items, "```"];
  const text = [
    "---",
    `name: ${name}`,
    `description: ${JSON.stringify(`${title}. Use when it happens again.`)}`,
    ...(alerts.length === 0 ? [] : ["metadata:", `  alerts: ${JSON.stringify(alerts.join(", "))}`]),
    "---",
    ...(words.length === 0 ? [] : ["", `What the incident spoke of: ${words.join(", ")}.`]),
    ...block("Verify", looks),
    ...block("Act (each needs an approval)", acts),
  ];
  return { name, text: text.join("\n") };
}

const plain = (text: string): string => text.replace(/\s+/g, " ").replaceAll("<!--", "<! --").trim();

const slugOf = (title: string): string =>
  title
    .replace(/([a-z0-9])(?=[A-Z])/g, "$1-")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-+|-+$/g, "") || "incident";

const mostAlerts = 5;

/** The alerts that it is about: by its labels, and by a title that is one. A word with a capital in it is not enough. */
function alertsOf({ title, body, alerts }: DraftedFrom): readonly string[] {
  const leading = leadingAlertName(title);
  const all = [...alerts, ...(leading === undefined ? [] : [leading]), ...alertNamesIn("", body).label];
  const fit = all.filter((name) => /^[A-Za-z][\w-]{2,120}$/.test(name) && withoutVolatile(name) === name);
  return [...new Map(fit.toReversed().map((name) => [name.toLowerCase(), name])).values()]
    .reverse()
    .slice(0, mostAlerts);
}

const mostWords = 60;
const longestWord = 40;

/** Its words, each once: an outsider's sentences are no instructions for those who read the runbook. */
const wordsSaid = (text: string): readonly string[] => {
  const words = (text.match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (word) => /\p{L}/u.test(word) && word.length <= longestWord,
  );
  return [...new Map(words.map((word) => [word.toLowerCase(), word])).values()].slice(0, mostWords);
};
