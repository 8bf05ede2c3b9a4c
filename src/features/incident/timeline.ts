import * as z from "zod";
import { type Markdown, name } from "../../github/render/ink.ts";
import { resultWords } from "../../github/render/state.ts";
import type { Action } from "../../store/actions.ts";
import type { Run } from "../../store/runs.ts";

/** A row of the audit, as far as a timeline needs it. */
export interface TimelineRow {
  readonly at: string;
  readonly kind: string;
  readonly body: string;
}

/** More lines than this are no timeline; the issue itself has the rest. */
const shown = 120;
const commandCharacters = 120;
/** Rows of one transaction are at most so far apart. */
const strokeMs = 1_000;

const person = z.object({ login: z.string() });
const bodySchema = z.object({
  number: z.number().optional(),
  by: person.or(z.unknown()).optional(),
  via: z.string().optional(),
  run: z.string().optional(),
  to: z.string().optional(),
  from: z.string().optional(),
  why: z.string().optional(),
  reason: z.string().optional(),
});

interface Told {
  /** `**3**`, `**3**, **4**`, or nothing where it is about the incident. */
  readonly number: string;
  readonly by: string;
  /** `: ` and its command. */
  readonly what: string;
  readonly body: z.output<typeof bodySchema>;
}

/** What people decided, by the kind of its audit row; every other kind is left to the audit. What runs came to stands beside it. */
const kinds: Readonly<Record<string, (told: Told, markdown: Markdown) => string>> = {
  incident_opened: ({ by }) => `opened${by}`,
  incident_ended: ({ by }) => `ended${by}`,
  incident_reopened: ({ by }) => `reopened${by}`,
  command_approved: ({ number, by, body }) =>
    `${number} approved${body.via === "agent-mode" ? " by agent mode," : ""}${by}`,
  command_rejected: ({ number, by, what, body }, markdown) =>
    `${number} rejected${by}${what}${body.reason ? ` — ${markdown.plain(body.reason)}` : ""}`,
  command_cancelled: ({ number, by }) => `${number} cancelled${by}`,
  incident_held: ({ by }) => `held${by}`,
  repository_held: ({ by }) => `whole repository held${by}`,
  incident_resumed: ({ by }) => `resumed${by}`,
  repository_resumed: ({ by }) => `whole repository resumed${by}`,
  agent_mode_on: ({ by }) => `agent mode on${by}`,
  agent_mode_off: ({ body }, markdown) => `agent mode off: ${markdown.plain(body.why ?? "")}`,
  handover_accepted: ({ body }) => `handed over to ${name(body.to ?? "")}`,
};

/** What one row says, or several that say the same of several numbers. */
interface Entry {
  readonly at: string;
  readonly numbers: readonly number[];
  readonly say: (number: string) => string;
}

/** Of an action that never ran only that it was turned down. */
const ofWhatNeverRan = "command_rejected";

/** What was decided and what ran, oldest first, a line each: from the audit, which nobody can change, with each run as it ended. */
export function renderTimeline(
  given: { readonly rows: readonly TimelineRow[]; readonly actions: readonly Action[]; readonly runs: readonly Run[] },
  markdown: Markdown,
): string {
  const { rows, actions, runs } = given;
  const entries = rows.flatMap(({ at, kind, body: text }): readonly Entry[] => {
    const body = bodySchema.parse(JSON.parse(text));
    const run = runs.find(({ id }) => id === body.run);
    if (run) return [{ at, numbers: [], say: () => runLine(run, actions, markdown) }];
    const words = kinds[kind];
    if (!words) return [];
    const by = person.safeParse(body.by);
    const action = actions.find(({ number }) => number === body.number);
    if (action && kind !== ofWhatNeverRan && !runs.some(({ actionId }) => actionId === action.id)) return [];
    const told = {
      what: action ? `: ${markdown.code(shorten(action.spec.command))} on ${markdown.code(action.spec.place)}` : "",
      by: by.success ? ` by ${name(by.data.login)}` : "",
      body,
    };
    const numbers = body.number === undefined ? [] : [body.number];
    return [{ at, numbers, say: (number) => words({ ...told, number }, markdown) }];
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
  const command = shorten(action?.spec.command ?? "");
  return `**${action?.number ?? "?"}** ${markdown.code(command)} on ${markdown.code(run.server)} · ${resultWords(run, markdown) || "▶️ still running"}`;
}

/** A command on one line, its own lines told apart: the card has it as it ran. */
export const shorten = (command: string): string => {
  const line = command.replaceAll("\n", " ⏎ ");
  return line.length > commandCharacters ? `${line.slice(0, commandCharacters)}…` : line;
};
