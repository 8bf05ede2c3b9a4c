import type { Ending } from "../base/run.ts";
import { describeStopReason, type StopReason } from "../base/runner.ts";
import { endUnknown } from "../base/unknown.ts";

/** Recognizes `a=b` and `a-`: a label, image or variable. */
export const isPair = (word: string): boolean => word.includes("=") || word.endsWith("-");

/** The words that name objects, without labels, images or variables. Pure. */
export function objectsOf(name: string, positionals: readonly string[]): readonly string[] {
  const end = /^(?:set image|set env|label|annotate)$/.test(name) ? positionals.findIndex(isPair) : -1;
  return end < 0 ? positionals : positionals.slice(0, end);
}

export interface ProgramExit {
  readonly code: number | null;
  readonly signal: string | null;
}

interface PlanFacts {
  readonly effect: "reads" | "changes";
  readonly settledBy?: string | undefined;
  readonly exit: ProgramExit;
  /** Of the last filter. */
  readonly filtered?: ProgramExit | undefined;
  readonly errors: string;
  /** It also wrote output, so part of the change may be made. */
  readonly hasReported: boolean;
  readonly stop?: StopReason | undefined;
}

/**
 * Decides how a command has ended. A change without the API server's answer is unknown, because it may have taken effect; a read never is.
 * Pure.
 */
export function endingOfPlan({ effect, settledBy, exit, filtered, errors, hasReported, stop }: PlanFacts): Ending {
  const check = settledBy === undefined ? "" : ` \`${settledBy}\` shows it.`;
  const unknown = (what: string): Ending => endUnknown("change-not-confirmed", { what, check });
  // kubectl ended before the stop; for a read the filter must have, too.
  const isOver = exit.code === 0 && (effect === "changes" || filtered === undefined || filtered.code !== null);
  if (stop !== undefined && !isOver) {
    if (effect === "reads") return { ...stop, note: "stopped" };
    return unknown(describeStopReason(stop));
  }
  if (effect === "changes" && exit.code !== 0 && hasReported)
    return unknown("kubectl reported a part of it and then an error");
  // Each answer must be a refusal, and none may be cut off.
  const answers = errors.split("\n").filter((line) => /^(?:Error|error|The|Unable)\b/.test(line));
  const isRefused =
    errors.length < maxErrorCharacters && answers.length > 0 && answers.every((line) => refusals.test(line));
  if (effect === "changes" && exit.code !== 0 && !isRefused)
    return unknown(exit.signal === null ? "The API server's answer was lost" : `kubectl was ended by ${exit.signal}`);
  // A filter that has read enough ends kubectl by SIGPIPE.
  const isWell = exit.code === 0 || exit.signal === "SIGPIPE";
  const { code, signal } = filtered !== undefined && isWell ? filtered : exit;
  if (code === null) return { kind: "signalled", signal: signal ?? "an unknown signal" };
  // Marks kubectl's code, because a filter means something else by it.
  return { kind: "exited", code, ...(filtered !== undefined && !isWell ? { of: "kubectl" } : {}) };
}

/** Errors by which the API server, or kubectl before it asks, says that nothing changed. */
const refusals = new RegExp(
  `^(?:${[
    "Error from server \\((?:NotFound|Forbidden|Conflict|AlreadyExists|Invalid|BadRequest|Unauthorized|MethodNotAllowed|Gone|TooManyRequests)\\)",
    'The \\S+ ".*" is invalid',
    `error: failed (?:to patch(?: image update to pod template)?|restoring revision \\d+): (?:${[
      '\\S+ ".*" is forbidden: User',
      "Operation cannot be fulfilled on",
      "The server has received too many requests",
    ].join("|")})`,
    // Newer ones write "Error:".
    "[Ee]rror: (?:unknown|invalid|Invalid dry-run value|the server doesn't have a resource type|there is no need|no objects passed|You must|--)",
    "error: if restart has already been triggered",
    'error: \\S+ "[^"]*" (?:is already paused|is not paused|can\'t restart paused deployment)',
    "error: (?:you cannot rollback a paused deployment|unable to find (?:the )?specified revision|no rollout history found)",
    "error: (?:resource\\(s\\) were provided|must specify|required flag|at least one|unable to parse)",
  ].join("|")})`,
);

/** How many characters of kubectl's errors are kept to judge a change. */
export const maxErrorCharacters = 16_384;
