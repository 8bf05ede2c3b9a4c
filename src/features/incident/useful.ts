import { addressedIn, isUsageError, wentWell } from "../../base/run.ts";
import type { AlertRow } from "../../store/alerts.ts";
import type { Run } from "../../store/runs.ts";
import { speaksToAgent } from "../../text/trouble.ts";
import { agentsCause, confirmingRuns, type IncidentHistory } from "./cause.ts";
import { changesNothing, undoing } from "./helped.ts";
import type { CommandResult } from "./postmortem.ts";

/** Which commands of an incident helped: decided by how runs ended and by their order, never by a word of an output. Pure. */

export interface UsefulCommands {
  /** Reads that showed the fault, in the order in which they ran. */
  readonly looks: readonly CommandResult[];
  /** Changes that stand and that a later read speaks for, in the order in which they ran. */
  readonly acts: readonly CommandResult[];
  /** All changes that ran, in their order. */
  readonly changes: readonly CommandResult[];
  /** Changes that went well and were taken back, or after which the fault was still there. */
  readonly inVain: ReadonlyMap<CommandResult, VainReason>;
  /** A sentence for people, if nothing helped. */
  readonly why?: string;
}

type VainReason = "undone later" | "undid a change" | "did not help";

interface EndedIncident extends IncidentHistory {
  readonly alert: Pick<AlertRow, "state" | "resolvedAt"> | null;
}

/** Decides what of `results`, in the order in which they ran, helped; `cause` is a person's, empty if none was given. */
export function decideUseful(past: EndedIncident, results: readonly CommandResult[], cause: string): UsefulCommands {
  const usable = results.filter(({ command, action }) => action.spec.probes === undefined && !speaksToAgent(command));
  const reads = usable.filter(({ action }) => action.spec.risk === "low");
  const changes = usable.filter(({ action }) => action.spec.risk !== "low");
  const story = { past, reads, changes };
  const well = changes.filter(
    ({ command, good, runs }) => good && !changesNothing(command) && !runs.some(({ trouble }) => isUsageError(trouble)),
  );
  const useless = well.filter((one) => didNotHelp(one, story));
  const inVain = new Map(
    well.flatMap((one): readonly (readonly [CommandResult, VainReason])[] => {
      const takesBack = (earlier: CommandResult): boolean => {
        const how = undoingOf(one, earlier);
        return how === "undoes" || (how === "restores" && useless.includes(earlier));
      };
      if (well.some((later) => undoingOf(later, one) === "undoes")) return [[one, "undone later"]];
      if (well.some(takesBack)) return [[one, "undid a change"]];
      return useless.includes(one) ? [[one, "did not help"]] : [];
    }),
  );
  const standing = well.filter((one) => !inVain.has(one));
  const isGone = isGoneAfter(standing, story);
  const acts = isGone ? standing : [];
  const isKnown = isElsewhere.test(cause) ? false : cause !== "" || agentsCause(past)?.isConfirmed === true;
  const looks = isGone || isKnown ? looksOf(acts, story) : [];
  if (looks.length > 0 || acts.length > 0) return { looks, acts, changes, inVain };
  const numbers = [...new Set(standing.map(({ action }) => action.number))].join(", ");
  const why =
    results.length === 0
      ? "Nothing ran."
      : standing.length > 0
        ? `No check after ${numbers} shows that it helped.`
        : changes.length > 0
          ? "What was changed did not help, or was undone."
          : isKnown
            ? "No check showed the fault."
            : "Nothing was changed, and no cause is known here.";
  return { looks, acts, changes, inVain, why };
}

interface Story {
  readonly past: EndedIncident;
  readonly reads: readonly CommandResult[];
  readonly changes: readonly CommandResult[];
}

/** Another issue's number or address. */
const isElsewhere = /(?<![\p{L}\p{N}])#\d+\b|\/issues\/\d+\b/u;

const beginOf = (runs: readonly Run[]): number =>
  Math.min(...runs.map(({ startedAt, endedAt }) => (startedAt ?? endedAt)?.getTime() ?? Number.POSITIVE_INFINITY));

const isBefore = (one: CommandResult, other: CommandResult): boolean =>
  (beginOf(one.runs) - beginOf(other.runs) || one.action.number - other.action.number) < 0;

const isSame = (one: CommandResult, other: CommandResult): boolean =>
  one.command === other.command && one.action.spec.place === other.action.spec.place;

/** Nothing found says nothing. */
const isNeutral = "no match";

/** Whether its exit code or a line reports trouble. A line that speaks to the agent is an attack, not the fault. */
const showsFault = ({ good, runs }: CommandResult): boolean =>
  good &&
  runs.some(({ outcome, trouble }) =>
    outcome?.kind === "answer"
      ? outcome.says !== isNeutral
      : trouble !== null && addressedIn(trouble) === undefined && !isUsageError(trouble),
  );

/** Whether the fault does not show in it. */
export const isFine = (one: CommandResult): boolean => !isBad(one);

const isBad = (one: CommandResult): boolean => !one.runs.every(wentWell) || showsFault(one);

/** As `undoing`, on the same place and later. */
const undoingOf = (later: CommandResult, earlier: CommandResult): ReturnType<typeof undoing> =>
  isBefore(earlier, later) && earlier.action.spec.place === later.action.spec.place
    ? undoing(later.command, { command: earlier.command, undo: earlier.action.spec.undo })
    : undefined;

/** Whether the read runs under the change's approval, or is what the runbook checks it with and ran behind it. */
export const isCheckOf = (read: CommandResult, change: CommandResult): boolean => {
  const { number, spec } = change.action;
  const isAdvised = read.action.spec.place === spec.place && (spec.check ?? "").split("\n").includes(read.command);
  return read.action.spec.checks === number || (isAdvised && isBefore(change, read));
};

const checksOf = (one: CommandResult, { reads }: Story): readonly CommandResult[] =>
  reads.filter((read) => isCheckOf(read, one));

/** Whether its own check failed, a hypothesis that it tested is refuted, or each read that showed the fault shows it still. */
function didNotHelp(one: CommandResult, story: Story): boolean {
  const { past, reads, changes } = story;
  const next = changes.find((other) => isBefore(one, other) && batchOf(other) !== batchOf(one));
  const own = checksOf(one, story);
  const latest = own.map((check) => reads.findLast((read) => isSame(read, check)) ?? check);
  if (latest.length > 0 && latest.every(isBad)) return true;
  const numbers = [one, ...own].map(({ action }) => action.number);
  const isRefuted = past.hypotheses.some(
    ({ status, againstRuns }) => status === "refuted" && againstRuns.some((number) => numbers.includes(number)),
  );
  if (next && isRefuted) return true;
  const batch = changes.filter((other) => batchOf(other) === batchOf(one));
  if (!next || own.some((check) => !isBad(check)) || !batch.every(({ good }) => good)) return false;
  const again = reads.filter(
    (read) =>
      batch.every((change) => isBefore(change, read)) &&
      isBefore(read, next) &&
      reads.some((earlier) => isSame(earlier, read) && isBefore(earlier, one) && isBad(earlier)),
  );
  return again.length > 0 && again.every(isBad);
}

const batchOf = ({ runs }: CommandResult): string | undefined => runs[0]?.batchId;

/** Whether, after the last change, its own check is fine, a read is fine that showed the fault before, or the alert has resolved. */
function isGoneAfter(standing: readonly CommandResult[], story: Story): boolean {
  const [first, last] = [standing[0], standing.at(-1)];
  if (!first || !last) return false;
  const { alert } = story.past;
  if (alert?.state === "resolved" && (alert.resolvedAt?.getTime() ?? 0) >= beginOf(last.runs)) return true;
  return story.reads.some(
    (read) =>
      isBefore(last, read) &&
      !isBad(read) &&
      (standing.some((one) => isCheckOf(read, one)) ||
        story.reads.some((earlier) => isSame(earlier, read) && isBefore(earlier, first) && isBad(earlier))),
  );
}

/** Reads before the last change that showed the fault, were named for the cause, or were run again to see that it is gone. */
function looksOf(acts: readonly CommandResult[], story: Story): readonly CommandResult[] {
  const { past, reads } = story;
  const last = acts.at(-1);
  const before = reads.filter(
    (read) => (last === undefined || isBefore(read, last)) && read.action.spec.checks === undefined,
  );
  const later = reads.filter((read) => last !== undefined && isBefore(last, read) && !isBad(read));
  const named = confirmingRuns(past);
  return before.filter(
    (read) =>
      showsFault(read) ||
      // A set is named as a whole, so no single check of it is.
      (read.good && read.action.spec.set === undefined && named.has(read.action.number)) ||
      (last !== undefined && later.some((again) => isSame(again, read))),
  );
}
