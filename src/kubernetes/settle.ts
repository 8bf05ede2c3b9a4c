import type { Ending } from "../base/run.ts";
import { describeStopReason, type StopReason } from "../base/runner.ts";
import { endUnknown } from "../base/unknown.ts";

interface KubectlChange {
  /** The verb with its second word. */
  readonly name: string;
  readonly positionals: readonly string[];
  readonly flags: readonly { readonly name: string; readonly value: string | undefined }[];
}

const rollouts = /^(?:deploy|deployment|deployments|ds|daemonset|daemonsets|sts|statefulset|statefulsets)(?:\.apps)?$/i;

/** A label, an image, a variable: `a=b` or `a-`. */
export const isPair = (word: string): boolean => word.includes("=") || word.endsWith("-");

/** The words that name objects. Behind them some verbs have labels, images or variables, which hold a `=` or end in `-`. Pure. */
export function objectsOf(name: string, positionals: readonly string[]): readonly string[] {
  const end = /^(?:set image|set env|label|annotate)$/.test(name) ? positionals.findIndex(isPair) : -1;
  return end < 0 ? positionals : positionals.slice(0, end);
}

/** Names the read that shows whether a change took effect; its namespace comes behind it. Pure. */
export function settlingRead({ name, positionals, flags }: KubectlChange): string {
  if (name === "create job") return `kubectl get job ${positionals[0] ?? ""}`;
  const objects = objectsOf(name, positionals);
  const [kind = "", object = ""] = (objects.find((word) => word.includes("/")) ?? objects.join("/")).split("/");
  const selector = flags.find((flag) => flag.name === "--selector");
  const isOne = object !== "" && objects.length <= 2 && !selector;
  if (/^(?:rollout|set|patch)/.test(name) && isOne && rollouts.test(kind))
    return `kubectl rollout status ${kind}/${object}`;
  const chosen = selector === undefined ? "" : ` --selector='${selector.value}'`;
  return `kubectl get ${objects.join(" ")}${chosen}${name === "delete" ? "" : " -o yaml"}`;
}

/** How the program that was started has ended. */
export interface ProgramExit {
  readonly code: number | null;
  readonly signal: string | null;
}

interface PlanFacts {
  readonly effect: "reads" | "changes";
  readonly settledBy?: string | undefined;
  /** Of kubectl itself. */
  readonly exit: ProgramExit;
  /** Of the last filter; absent if there is none. */
  readonly filtered?: ProgramExit | undefined;
  /** The last of what kubectl wrote to its errors. */
  readonly errors: string;
  /** It wrote something else, too: of several changes, or of one and the wait for its end, some may have been made. */
  readonly hasReported: boolean;
  readonly stop?: StopReason | undefined;
}

/**
 * Decides how a command has ended. At most once: of a change, anything but an answer of the API server is unknown, since it may have taken
 * effect; what only reads is never unknown. Pure.
 */
export function endingOfPlan({ effect, settledBy, exit, filtered, errors, hasReported, stop }: PlanFacts): Ending {
  const check = settledBy === undefined ? "" : ` \`${settledBy}\` shows it.`;
  const unknown = (what: string): Ending => endUnknown("change-not-confirmed", { what, check });
  // With code 0 it had ended by itself before the stop reached it; of what is read the filter's end counts, too.
  const isOver = exit.code === 0 && (effect === "changes" || filtered === undefined || filtered.code !== null);
  if (stop !== undefined && !isOver) {
    if (effect === "reads") return { ...stop, note: "stopped" };
    return unknown(describeStopReason(stop));
  }
  if (effect === "changes" && exit.code !== 0 && hasReported)
    return unknown("kubectl reported a part of it and then an error");
  if (effect === "changes" && exit.code !== 0 && !isRefusedByServer(errors))
    return unknown(
      exit.signal === null ? "The answer of the API server was lost" : `kubectl was ended by ${exit.signal}`,
    );
  // A filter that has read enough ends kubectl; a kubectl that failed is not hidden by its filters.
  const isWell = exit.code === 0 || exit.signal === "SIGPIPE";
  const { code, signal } = filtered !== undefined && isWell ? filtered : exit;
  if (code === null) return { kind: "signalled", signal: signal ?? "an unknown signal" };
  // What a filter would mean by this code, kubectl does not.
  return { kind: "exited", code, ...(filtered !== undefined && !isWell ? { of: "kubectl" } : {}) };
}

/** Answers by which the API server says that it changed nothing, and mistakes that kubectl finds before it asks. */
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

/** How much of kubectl's errors is read to see what became of a change. */
export const maxErrorCharacters = 16_384;

/** Of several answers each must be a refusal, and all of them be there. */
function isRefusedByServer(errors: string): boolean {
  if (errors.length >= maxErrorCharacters) return false;
  const answers = errors.split("\n").filter((line) => /^(?:Error|error|The|Unable)\b/.test(line));
  return answers.length > 0 && answers.every((line) => refusals.test(line));
}
