import { type Ink, name } from "../github/render/ink.ts";
import { endingWords } from "../github/render/state.ts";
import type { Action, Approval } from "../store/actions.ts";
import type { Incident } from "../store/incidents.ts";
import type { Run } from "../store/runs.ts";
import type { Turn } from "../store/turns.ts";
import { wordsOf } from "../text/prose.ts";
import { wentWell } from "../types.ts";
import { shorten } from "./timeline.ts";

/** Everything that the store has of an incident which is over. */
export interface Past {
  readonly incident: Incident;
  readonly actions: readonly Action[];
  readonly approvals: readonly Approval[];
  readonly runs: readonly Run[];
  readonly turns: readonly Turn[];
}

/** What ran, as one line knows it. */
interface Done {
  readonly action: Action;
  readonly words: string;
  readonly good: boolean;
}

/** The draft is made of rows; what no row can know is left to be written, and says so. */
export function renderPostmortem(past: Past, ink: Ink): string {
  const { incident, turns } = past;
  const { plain } = ink;
  const done = doneOf(past);
  const last = turns.findLast(({ confidence }) => confidence === "CONFIRMED") ?? turns.at(-1);
  const cause =
    last === undefined
      ? "*To be written.*"
      : `${last.confidence ?? "INCONCLUSIVE"}, in the agent's words, not verified: ${plain(wordsOf(last.prose).split("\n", 1)[0] ?? "")}`;
  const changed = done.filter(({ action }) => action.spec.risk !== "low");
  const list = (items: readonly Done[]): string =>
    items
      .map(
        ({ action, words }) =>
          `- **${action.number}** ${ink.code(shorten(action.spec.command))} on ${ink.code(action.spec.place)} · ${words}`,
      )
      .join("\n");
  const failed = done.filter(({ good }) => !good);
  return [
    `**What happened** · ${plain(incident.title)}`,
    "**Impact** · *To be written: who noticed what, and for how long.*",
    `**Cause** · ${cause}`,
    changed.length === 0
      ? "**What ran that can change something** · Nothing; every command only read."
      : `**What ran that can change something**\n\n${list(changed)}`,
    ...(failed.length === 0 ? [] : [`**What did not go well**\n\n${list(failed)}`]),
    "**What follows** · *To be written: what keeps it from coming back, who does it, until when.*",
  ].join("\n\n");
}

/** What a runbook would have saved: commands that helped and stand in none, what people turned down, or a runbook to begin with. */
export function renderLessons(past: Past, ink: Ink): string {
  const { incident, actions, approvals, turns } = past;
  const used = [...new Map(turns.flatMap(({ runbooks }) => runbooks).map((link) => [link.label, link])).values()];
  const helped = doneOf(past).filter(({ good }) => good);
  const own = helped.filter(({ action }) => action.origin === "person");
  const lines = [
    ...own.map(
      ({ action }) =>
        `- ${name(action.authorLogin ?? "ghost")} had to write ${ink.code(shorten(action.spec.command))}, and it went well: a step to add.`,
    ),
    ...approvals
      .filter(({ verdict }) => verdict === "reject")
      .flatMap(({ actionId, login, reason }) => {
        const action = actions.find(({ id }) => id === actionId);
        const why = reason === "" ? "" : `: ${ink.plain(reason)}`;
        return action
          ? [`- ${name(login)} turned down ${ink.code(shorten(action.spec.command))}${why}: a warning to add.`]
          : [];
      }),
  ];
  if (used.length > 0) {
    const names = used.map(({ label }) => ink.plain(label)).join(", ");
    return [`Used: ${names}.`, lines.length === 0 ? "Nothing was done that they do not have." : lines.join("\n")].join(
      "\n\n",
    );
  }
  const nothing = "No runbook was used.";
  if (helped.length === 0) return [nothing, ...(lines.length === 0 ? [] : [lines.join("\n")])].join("\n\n");
  const start = `One for the next time could begin as \`.github/skills/${slugOf(incident.title)}/SKILL.md\`:`;
  return [
    nothing,
    ...(lines.length === 0 ? [] : [lines.join("\n")]),
    start,
    // With the commands as they ran: a mark of ours would be copied along.
    ink.command(skillOf(incident, helped), "text"),
  ].join("\n\n");
}

function doneOf({ actions, runs }: Past): readonly Done[] {
  return actions.flatMap((action) => {
    const own = runs.filter(({ actionId }) => actionId === action.id);
    const words = own.flatMap(({ ending, outcome }) => (ending ? endingWords(ending, outcome) : []));
    if (words.length === 0) return [];
    return [{ action, words: [...new Set(words)].join(", "), good: own.every(wentWell) }];
  });
}

const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-+|-+$/g, "") || "incident";

/** By the Agent Skills specification; what only read is where to look, the rest is what was done. */
function skillOf({ title }: Incident, helped: readonly Done[]): string {
  const block = (heading: string, items: readonly Done[]): readonly string[] =>
    items.length === 0
      ? []
      : ["", `## ${heading}`, "", "```sh", ...items.map(({ action }) => action.spec.command), "```"];
  return [
    "---",
    `name: ${slugOf(title)}`,
    `description: ${JSON.stringify(`${title.replace(/\s+/g, " ").replaceAll("<!--", "<! --")}. Use when this comes again.`)}`,
    "---",
    ...block(
      "Verify",
      helped.filter(({ action }) => action.spec.risk === "low"),
    ),
    ...block(
      "Act (each needs an approval)",
      helped.filter(({ action }) => action.spec.risk !== "low"),
    ),
  ].join("\n");
}
