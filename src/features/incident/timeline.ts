import { checksIn, memberOf } from "../../base/action.ts";
import { resultWords } from "../../github/render/ending.ts";
import { type Markdown, name } from "../../github/render/ink.ts";
import type { Action } from "../../store/actions.ts";
import type { AuditLine } from "../../store/audit/chain.ts";
import { factsOf, type ReadEvent } from "../../store/audit/events.ts";
import type { Run } from "../../store/runs.ts";

const mostLines = 120;
const commandCharacters = 120;
/** Rows of one transaction are at most this far apart. */
const togetherMs = 1_000;

function wordsOf(event: ReadEvent, number: string, what: string, markdown: Markdown): string | undefined {
  const person = factsOf(event).by;
  const by = person ? ` by ${person.id === 0 ? person.login : name(person.login)}` : "";
  switch (event.kind) {
    case "incident_opened":
      return `opened${by}`;
    case "incident_ended":
      return `ended${by}`;
    case "incident_reopened":
      return `reopened${by}`;
    case "command_approved":
      return `${number} approved${event.body.via === undefined ? "" : " by a lease,"}${by}`;
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
    case "lease_given":
      return `lease given${by}`;
    case "lease_ended":
      return `lease ended: ${markdown.plain(event.body.why)}`;
    case "handover_accepted":
      return `handed over to ${name(event.body.to)}`;
    default:
      return undefined;
  }
}

interface TimelineEntry {
  readonly at: string;
  readonly numbers: readonly number[];
  readonly say: (number: string) => string;
}

/** Renders decisions and runs, oldest first, one line each. */
export function renderTimeline(
  {
    rows,
    actions,
    runs,
  }: { readonly rows: readonly AuditLine[]; readonly actions: readonly Action[]; readonly runs: readonly Run[] },
  markdown: Markdown,
): string {
  const runLine = (run: Run): string => {
    const action = actions.find(({ id }) => id === run.actionId);
    const command = shorten(action ? memberOf(action.spec, run).command : "");
    return `**${action?.number ?? "?"}** ${markdown.code(command)} on ${markdown.code(run.server)} · ${resultWords(run, markdown) || "▶️ still running"}`;
  };
  const entries = rows.flatMap(({ at, ...event }): readonly TimelineEntry[] => {
    const facts = factsOf(event);
    const run = runs.find(({ id }) => id === facts.run);
    if (run) return [{ at, numbers: [], say: () => runLine(run) }];
    const action = actions.find(({ number }) => number === facts.number);
    // An action that never ran appears only if it was rejected.
    const neverRan = action && !runs.some(({ actionId }) => actionId === action.id);
    if (neverRan && event.kind !== "command_rejected") return [];
    const what = action ? `: ${namedCommand(action, markdown)} on ${markdown.code(action.spec.place)}` : "";
    if (wordsOf(event, "", what, markdown) === undefined) return [];
    const numbers = facts.number === undefined ? [] : [facts.number];
    return [{ at, numbers, say: (number) => wordsOf(event, number, what, markdown) ?? "" }];
  });
  const merged: TimelineEntry[] = [];
  for (const entry of entries) {
    const last = merged.at(-1);
    const isSame =
      last !== undefined &&
      last.numbers.length > 0 &&
      entry.numbers.length > 0 &&
      Date.parse(entry.at) - Date.parse(last.at) < togetherMs &&
      last.say("") === entry.say("");
    if (isSame) merged.splice(-1, 1, { ...last, numbers: [...last.numbers, ...entry.numbers] });
    else merged.push(entry);
  }
  const lines = merged.map(
    ({ at, numbers, say }) =>
      `- ${at.slice(0, 19).replace("T", " ")} · ${say(numbers.map((number) => `**${number}**`).join(", "))}`,
  );
  const open = runs.filter(({ endedAt }) => endedAt === null);
  const running = open.map((run) => `- ${runLine(run)}, reported below when it ends`);
  const more = lines.length - mostLines;
  return [
    ...lines.slice(0, mostLines),
    ...(more > 0 ? [`- and ${more} more, on the cards above`] : []),
    ...running,
  ].join("\n");
}

/** Puts an action's command, or its set's checks, on one line. */
export const namedCommand = (
  { spec }: { readonly spec: Parameters<typeof checksIn>[0] },
  markdown: Markdown,
): string => {
  const each = checksIn(spec).map(({ command }) => markdown.code(shorten(command)));
  return `${each.length === 1 ? "" : `${each.length} checks, `}${each.join(", ")}`;
};

/** Puts a command on one line, with marks for line breaks. */
export const shorten = (command: string): string => {
  const line = command.replaceAll("\n", " ⏎ ");
  return line.length > commandCharacters ? `${line.slice(0, commandCharacters)}…` : line;
};
