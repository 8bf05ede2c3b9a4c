import { checksIn, memberOf } from "../../base/action.ts";
import { resultWords } from "../../github/render/ending.ts";
import { type Markdown, name } from "../../github/render/ink.ts";
import type { Action } from "../../store/actions.ts";
import { factsOf, type ReadEvent } from "../../store/audit/events.ts";
import type { AuditLine } from "../../store/audit/rows.ts";
import type { Run } from "../../store/runs.ts";

/** More lines than this are no timeline; the issue itself has the rest. */
const shown = 120;
const commandCharacters = 120;
/** Rows of one transaction are at most so far apart. */
const strokeMs = 1_000;

/** What people decided; every other kind is left to the audit. What runs came to stands beside it. `what` is the number's command. */
function wordsOf(event: ReadEvent, number: string, what: string, markdown: Markdown): string | undefined {
  const person = factsOf(event).by;
  const by = person ? ` by ${name(person.login)}` : "";
  switch (event.kind) {
    case "incident_opened":
      return `opened${by}`;
    case "incident_ended":
      return `ended${by}`;
    case "incident_reopened":
      return `reopened${by}`;
    case "command_approved":
      return `${number} approved${event.body.via === "agent-mode" ? " by a lease," : ""}${by}`;
    case "command_rejected":
      return `${number} rejected${by}${what}${event.body.reason ? ` — ${markdown.plain(event.body.reason)}` : ""}`;
    case "command_cancelled":
      return `${number} cancelled${by}`;
    case "incident_held":
      return `held${by}`;
    case "repository_held":
      return `whole repository held${by}`;
    case "incident_resumed":
      return `resumed${by}`;
    case "repository_resumed":
      return `whole repository resumed${by}`;
    case "agent_mode_on":
      return `lease given${by}`;
    case "agent_mode_off":
      return `lease ended: ${markdown.plain(event.body.why)}`;
    case "handover_accepted":
      return `handed over to ${name(event.body.to)}`;
    default:
      return undefined;
  }
}

/** What one row says, or several that say the same of several numbers. */
interface Entry {
  readonly at: string;
  readonly numbers: readonly number[];
  readonly say: (number: string) => string;
}

/** What was decided and what ran, oldest first, a line each: from the audit, which nobody can change, with each run as it ended. */
export function renderTimeline(
  given: { readonly rows: readonly AuditLine[]; readonly actions: readonly Action[]; readonly runs: readonly Run[] },
  markdown: Markdown,
): string {
  const { rows, actions, runs } = given;
  const entries = rows.flatMap(({ at, ...event }): readonly Entry[] => {
    const facts = factsOf(event);
    const run = runs.find(({ id }) => id === facts.run);
    if (run) return [{ at, numbers: [], say: () => runLine(run, actions, markdown) }];
    const action = actions.find(({ number }) => number === facts.number);
    // Of an action that never ran only that it was turned down.
    const isOver = action && !runs.some(({ actionId }) => actionId === action.id);
    if (isOver && event.kind !== "command_rejected") return [];
    const what = action ? `: ${namedCommand(action, markdown)} on ${markdown.code(action.spec.place)}` : "";
    if (wordsOf(event, "", what, markdown) === undefined) return [];
    const numbers = facts.number === undefined ? [] : [facts.number];
    return [{ at, numbers, say: (number) => wordsOf(event, number, what, markdown) ?? "" }];
  });
  const lines = together(entries).map(
    ({ at, numbers, say }) =>
      `- ${at.slice(0, 19).replace("T", " ")} · ${say(numbers.map((number) => `**${number}**`).join(", "))}`,
  );
  const open = runs.filter(({ endedAt }) => endedAt === null);
  const running = open.map((run) => `- ${runLine(run, actions, markdown)}, reported below when it ends`);
  const more = lines.length - shown;
  return [...lines.slice(0, shown), ...(more > 0 ? [`- and ${more} more, on the cards above`] : []), ...running].join(
    "\n",
  );
}

/** What was done at a stroke, as by one `/approve 1 2 3`, is one line. */
function together(entries: readonly Entry[]): readonly Entry[] {
  const merged: Entry[] = [];
  for (const entry of entries) {
    const last = merged.at(-1);
    const isSame =
      last !== undefined &&
      last.numbers.length > 0 &&
      entry.numbers.length > 0 &&
      Date.parse(entry.at) - Date.parse(last.at) < strokeMs &&
      last.say("") === entry.say("");
    if (isSame) merged.splice(-1, 1, { ...last, numbers: [...last.numbers, ...entry.numbers] });
    else merged.push(entry);
  }
  return merged;
}

function runLine(run: Run, actions: readonly Action[], markdown: Markdown): string {
  const action = actions.find(({ id }) => id === run.actionId);
  const command = shorten(action ? memberOf(action.spec, run).command : "");
  return `**${action?.number ?? "?"}** ${markdown.code(command)} on ${markdown.code(run.server)} · ${resultWords(run, markdown) || "▶️ still running"}`;
}

/** What an action runs, as one line names it: its command, or the checks of its set. */
export const namedCommand = (
  { spec }: { readonly spec: Parameters<typeof checksIn>[0] },
  markdown: Markdown,
): string => {
  const each = checksIn(spec).map(({ command }) => markdown.code(shorten(command)));
  return `${each.length === 1 ? "" : `${each.length} checks, `}${each.join(", ")}`;
};

/** A command on one line, its own lines told apart: the card has it as it ran. */
export const shorten = (command: string): string => {
  const line = command.replaceAll("\n", " ⏎ ");
  return line.length > commandCharacters ? `${line.slice(0, commandCharacters)}…` : line;
};
