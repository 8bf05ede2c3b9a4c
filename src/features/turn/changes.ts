/** What became of the actions since the agent's last reply, told to it in one line in place of the slash comments themselves. */

import type { ReplyLabels } from "../../agent/reply/labels.ts";
import { type ActionState, checksIn, isUnfinished } from "../../base/action.ts";
import { type Risk, risks } from "../../base/risk.ts";
import { type Ending, type Outcome, stopsRest } from "../../base/run.ts";
import { exitWords } from "../../github/render/ending.ts";
import type { Lease } from "../../store/leases.ts";

/** An action as the line tells of it; the store's rows have it. */
interface Changed {
  readonly number: number;
  readonly state: ActionState;
  readonly stateReason: string | null;
  readonly supersededBy: number | null;
  readonly origin: "model" | "offline" | "person";
  readonly authorLogin: string | null;
  readonly findings: readonly { readonly text: string }[];
  readonly spec: {
    readonly command: string;
    readonly set?: readonly { readonly command: string }[] | undefined;
    readonly risk: Risk;
    readonly open?: readonly { readonly name: string }[] | undefined;
  };
  readonly verdicts: readonly {
    readonly login: string;
    readonly verdict: "approve" | "reject";
    readonly via: "comment" | "agent-mode";
    readonly reason: string;
  }[];
  readonly runs: readonly { readonly ending: Ending | null; readonly outcome: Outcome | null }[];
}

/** What the audit holds since the agent's last turn. */
export interface ChangesSince {
  /** The numbers that it names. */
  readonly touched: ReadonlySet<number>;
  /** Those of them that are new. */
  readonly added: ReadonlySet<number>;
  /** Agent mode went off. */
  readonly leaseEnded: boolean;
}

interface ChangesInput {
  readonly actions: readonly Changed[];
  /** Nothing before the first reply. */
  readonly since: ChangesSince | undefined;
  readonly batches: readonly { readonly numbers: readonly number[]; readonly keepGoing: boolean }[];
  /** How many approvals a risk needs here. */
  readonly needed: Readonly<Record<"low" | "medium" | "high", number>>;
  /** What the agent itself called the risk of a command. */
  readonly labels: ReplyLabels;
  /** What was said to people of its last reply. */
  readonly notes: readonly string[];
  readonly lease: Pick<Lease, "login" | "servers" | "endsAt" | "maxCommands" | "used" | "offAt" | "offWhy"> | undefined;
}

/** `1 exit 3 · 2, 3 not run (stopped at 1), open · 8–10 turned down by mona: "not now"`; empty where nothing is to be told. */
export function describeChanges(input: ChangesInput): string {
  const { actions, since } = input;
  const isNew = ({ number }: Changed): boolean => since?.added.has(number) ?? true;
  const told = actions.filter((action) => isUnfinished(action) || (since?.touched.has(action.number) ?? true));
  const said = told.map((action) => ({
    number: action.number,
    // What has run stands with its output.
    words: `${isNew(action) && action.state !== "done" ? introduce(action, input) : ""}${wordsOf(action, input)}`,
  }));
  const raised = told.flatMap((action) => raisedWords(action, input.labels, isNew(action)));
  return [
    ...grouped(said),
    ...(raised.length > 0 ? [`raised: ${raised.join(", ")}`] : []),
    ...input.notes.map((note) => `people were told: ${quote(note, reasonCharacters)}`),
    ...leaseWords(input),
  ].join(" · ");
}

/** `2, 3 open · 8–10 turned down`: numbers of which the same is said stand together. */
function grouped(said: readonly { readonly number: number; readonly words: string }[]): readonly string[] {
  return [...Map.groupBy(said, ({ words }) => words)].map(
    ([words, same]) => `${rangesOf(same.map(({ number }) => number))} ${words}`,
  );
}

/** `1, 2, 5–7`. */
function rangesOf(numbers: readonly number[]): string {
  const runs: number[][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && number === (last.at(-1) ?? 0) + 1) last.push(number);
    else runs.push([number]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}–${run.at(-1)}` : run.join(", "))).join(", ");
}

const commandCharacters = 60;
const reasonCharacters = 200;

/** One line in quotes, so that what somebody wrote ends where it seems to. */
const quote = (text: string, most: number): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return JSON.stringify(line.length > most ? `${line.slice(0, most)}…` : line);
};

/** What the agent does not know of a new number yet: whose it is, what it runs, its risk and what that needs. */
function introduce({ origin, authorLogin, spec }: Changed, { needed }: ChangesInput): string {
  const whose = { person: `by ${authorLogin ?? "somebody"} `, offline: "of the runbook ", model: "" }[origin];
  const people = spec.risk === "block" ? 0 : needed[spec.risk];
  const risk = spec.risk === "block" ? "" : `, ${spec.risk}${people > 1 ? `, needs ${people} approvals` : ""}`;
  const all = checksIn(spec).map(({ command }) => quote(command, commandCharacters));
  return `${whose}${spec.set ? `${all.length} checks: ` : ""}${all.join(", ")}${risk}, `;
}

function wordsOf(action: Changed, { batches, actions, needed }: ChangesInput): string {
  const { state, stateReason, verdicts, spec, supersededBy } = action;
  const approvals = verdicts.filter(({ verdict }) => verdict === "approve");
  const reasons = approvals
    .filter(({ reason, via }) => via === "comment" && reason.trim() !== "")
    .map(({ login, reason }) => `, ${login}: ${quote(reason, reasonCharacters)}`)
    .join("");
  switch (state) {
    case "proposed": {
      if (approvals.length > 0)
        return `waits, ${approvals.length} of ${spec.risk === "block" ? 0 : needed[spec.risk]}${reasons}`;
      if (stateReason === null) return "open";
      const stopped = stoppedAt(action.number, batches, actions);
      return stopped === undefined ? `open again: ${stateReason}` : `not run (stopped at ${stopped}), open`;
    }
    case "incomplete":
      return `waits for people's values: ${(spec.open ?? []).map(({ name }) => name).join(", ")}`;
    case "approved":
      return `approved, next in line${reasons}`;
    case "dispatching":
    case "running":
      return `running${reasons}`;
    case "done":
      return `${endingsOf(action)}${reasons}`;
    case "rejected": {
      const no = verdicts.find(({ verdict }) => verdict === "reject");
      const why = no && no.reason.trim() !== "" ? `: ${quote(no.reason, reasonCharacters)}` : "";
      return `turned down by ${no?.login ?? "somebody"}${why}`;
    }
    case "superseded":
      return supersededBy === null ? "taken back" : `replaced by ${supersededBy}`;
    case "blocked":
      return `blocked: ${action.findings[0]?.text ?? "by the rules"}`;
    default:
      return stateReason === null ? state : `${state}: ${stateReason}`;
  }
}

/** The number in the same batch at which those behind it were left. */
function stoppedAt(number: number, batches: ChangesInput["batches"], actions: readonly Changed[]): number | undefined {
  const batch = batches.findLast(({ numbers, keepGoing }) => !keepGoing && numbers.includes(number));
  const before = batch?.numbers.slice(0, batch.numbers.indexOf(number)) ?? [];
  const failed = (at: number): boolean =>
    actions.some(
      ({ number: other, spec, runs }) =>
        other === at && runs.some((run) => run.ending !== null && stopsRest(spec.risk, run)),
    );
  return before.findLast(failed);
}

const endingsOf = ({ runs, spec }: Pick<Changed, "runs" | "spec">): string => {
  const words = runs.map(({ ending }) => (ending ? endingOf(ending) : "unknown"));
  if (words.length < 2) return words[0] ?? "unknown";
  return [...Map.groupBy(words, (word) => word)]
    .map(([word, { length }]) => `${word} ${spec.set ? "in" : "on"} ${length}`)
    .join(", ");
};

function endingOf(ending: Ending): string {
  switch (ending.kind) {
    case "exited":
      return exitWords(ending);
    case "signalled":
      return `ended by ${ending.signal}`;
    case "cancelled":
      return `cancelled by ${ending.by}`;
    case "waiting-for-input":
      return "stopped: it asked for input";
    case "unreachable":
      return "not started: server not reached";
    case "timed-out":
      return "timed out";
    case "unknown":
      return "unknown whether it ran";
  }
}

function raisedWords({ number, origin, spec }: Changed, labels: ReplyLabels, isNew: boolean): readonly string[] {
  const label = origin === "model" && isNew ? labels.get(spec.command) : undefined;
  const isRaised = label !== undefined && risks.indexOf(spec.risk) > risks.indexOf(label);
  return isRaised ? [`${number} ${label} → ${spec.risk}`] : [];
}

/** A lease while it is on, and once that it ended. */
function leaseWords({ lease, since }: ChangesInput): readonly string[] {
  if (!lease) return [];
  const { login, servers, endsAt, maxCommands, used, offAt, offWhy } = lease;
  if (offAt === null)
    return [
      `lease on (${login}) until ${endsAt.toISOString().slice(11, 16)}Z: what only reads on ${servers.join(", ")} runs at once, ${maxCommands - used} more`,
    ];
  return since?.leaseEnded ? [`lease ended (${offWhy ?? "by a person"})`] : [];
}
