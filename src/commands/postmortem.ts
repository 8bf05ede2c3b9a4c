import { type Ink, name } from "../github/render/ink.ts";
import { resultWords } from "../github/render/state.ts";
import { createKnows } from "../runbooks/known-command.ts";
import type { Action, Approval } from "../store/actions.ts";
import type { Incident } from "../store/incidents.ts";
import type { Run } from "../store/runs.ts";
import type { Turn } from "../store/turns.ts";
import { wordsOf } from "../text/prose.ts";
import { type Skill, wentWell } from "../types.ts";
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
  /** It only looked and said so by its exit code: `systemctl status` of a unit that has failed found the fault. */
  readonly saw: boolean;
}

/** The draft is made of rows, and of `cause`, as whoever closed it gave it; what nobody can know is left to be written, and says so. */
export function renderPostmortem(past: Past, cause: string, ink: Ink): string {
  const { incident } = past;
  const done = doneOf(past, ink);
  const changed = done.filter(({ action }) => action.spec.risk !== "low");
  const list = (items: readonly Done[]): string =>
    items
      .map(
        ({ action, words }) =>
          `- **${action.number}** ${ink.code(shorten(action.spec.command))} on ${ink.code(action.spec.place)} · ${words}`,
      )
      .join("\n");
  const failed = done.filter(({ good, saw }) => !good && !saw);
  return [
    `**What happened** · ${ink.plain(incident.title)}`,
    "**Impact** · *To be written: who noticed what, and for how long.*",
    `**Cause** · ${cause === "" ? causeSoFar(past, ink) : ink.plain(cause)}`,
    changed.length === 0
      ? "**What ran that can change something** · Nothing; every command only read."
      : `**What ran that can change something**\n\n${list(changed)}`,
    ...(failed.length === 0 ? [] : [`**What did not go well**\n\n${list(failed)}`]),
    "**What follows** · *To be written: what keeps it from coming back, who does it, until when.*",
  ].join("\n\n");
}

/** What the agent confirmed last, else what it took for likely; what a runbook says of itself is no cause. */
function causeSoFar({ turns }: Past, { plain }: Ink): string {
  const heard = turns.filter(({ offline }) => !offline);
  const last = heard.findLast(({ confidence }) => confidence === "CONFIRMED") ?? heard.at(-1);
  if (last === undefined) return "*To be written.*";
  const words = wordsOf(last.prose).split("\n", 1)[0] ?? "";
  return `${last.confidence ?? "INCONCLUSIVE"}, in the agent's words, not verified: ${plain(words)}`;
}

/** What a runbook would have saved: commands that helped and stand in none, what people turned down, or a runbook to begin with. */
export function renderLessons(past: Past, skills: readonly Skill[], ink: Ink): string {
  const { incident, actions, approvals, turns } = past;
  const used = [...new Set(turns.flatMap(({ runbooks }) => runbooks.map(({ label }) => ink.plain(label))))];
  const helped = doneOf(past, ink).filter(({ good }) => good);
  const knows = createKnows(skills);
  const missing = helped.filter(({ action }) => !knows(action.spec.command));
  const rejected = approvals.flatMap(({ verdict, actionId, login, reason }) => {
    const action = verdict === "reject" && actions.find(({ id }) => id === actionId);
    if (!action) return [];
    const why = reason === "" ? "" : `: ${ink.plain(reason)}`;
    return [`- ${name(login)} turned down ${ink.code(shorten(action.spec.command))}${why}. Consider a warning.`];
  });
  const added = missing.map(({ action }) => {
    const by = action.origin === "person" ? `, written by ${name(action.authorLogin ?? "ghost")},` : "";
    return `- ${ink.code(shorten(action.spec.command))}${by} helped and is in no runbook: consider adding it.`;
  });
  const lines = (items: readonly string[]): readonly string[] => (items.length === 0 ? [] : [items.join("\n")]);
  const isNew = used.length === 0 && missing.length > 0;
  return [
    used.length === 0 ? "No runbook was used." : `Used: ${used.join(", ")}.`,
    ...(helped.length > 0 && missing.length === 0 ? ["All that helped is in the runbooks."] : []),
    ...lines([...(isNew ? [] : added), ...rejected]),
    ...(isNew
      ? [
          `One for the next time could begin as ${ink.code(`.github/skills/${slugOf(incident.title)}/SKILL.md`)}:`,
          // With the commands as they ran: a mark of ours would be copied along.
          ink.command(skillOf(incident, helped), "text"),
        ]
      : []),
  ].join("\n\n");
}

function doneOf({ actions, runs }: Past, ink: Ink): readonly Done[] {
  return actions.flatMap((action) => {
    const own = runs.filter(({ actionId }) => actionId === action.id);
    const words = own.flatMap((run) => resultWords(run, ink) || []);
    if (words.length === 0) return [];
    const { risk, expect } = action.spec;
    const saw = risk === "low" && expect === undefined && own.every(({ ending }) => ending?.kind === "exited");
    return [{ action, words: [...new Set(words)].join(", "), good: own.every(wentWell), saw }];
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
