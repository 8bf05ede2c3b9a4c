import { OperatorError, type Problem } from "./errors.ts";

/** Where tests kill this process (docs/requirements.md, "Crash points"). */
export const crashPoints = {
  CP01: "a webhook is verified, nothing of it is stored",
  CP02: "it is stored, GitHub has no answer yet",
  CP03: "GitHub has its 202",
  CP04: "a job is claimed, nothing of it is done",
  CP05: "the model has answered, nothing of it is stored",
  CP06: "proposals are stored, their card is not posted",
  CP07: "GitHub has a comment, its id is not stored",
  CP08: "an approval is stored",
  CP09: "a command is `dispatching`, its session stands open",
  CP10: "it is about to leave, nothing is sent",
  CP11: "it is sent, nothing is heard of it",
  CP12: "a part of its output is read",
  CP13: "its end is known, and not stored",
  CP14: "its end is stored, and not posted",
  CP15: "GitHub has its result, and that is not stored",
  CP16: "an audit row and the chain's head are written, and not committed",
  CP17: "a new checkpoint is written, and does not count yet",
  CP18: "the bot was told to stop, work is under way",
  CP19: "what an earlier process had under way is being settled",
  CP20: "a result waits for the agent's reading",
  CP21: "a pager has answered, and that is not stored",
  CP22: "a signer has answered, and nothing is sent",
} as const;

export type CrashPoint = keyof typeof crashPoints;

let armed: { readonly point: CrashPoint; passes: number } | undefined;

/** A start's look at a server passes these as well; they count once a command is claimed or found again. */
const commandPoints: readonly CrashPoint[] = ["CP10", "CP11", "CP12"];
let hasCommand = false;

/**
 * Arms the kill at `CRASH_AT`: `CP04`, or `CP04:2` for the second pass. Returns a warning for the log. Throws an `OperatorError` for an
 * unknown point, because an unarmed test proves nothing. Safe: no repository can set the environment.
 */
export function armCrashPoint(text: string | undefined): Problem | undefined {
  if (!text) return undefined;
  const [, name = "", passes = "1"] = /^(CP\d\d)(?::([1-9]\d{0,3}))?$/.exec(text) ?? [];
  if (!isCrashPoint(name)) {
    const remedy = `unset it, or write one of ${Object.keys(crashPoints).join(", ")}, with :2 for the second time`;
    throw new OperatorError([{ place: "CRASH_AT", message: `\`${text}\` is no crash point`, remedy }]);
  }
  armed = { point: name, passes: Number(passes) };
  const message = `this process KILLS ITSELF at ${text}: ${crashPoints[name]}; this is for tests alone`;
  return { place: "CRASH_AT", message, remedy: "unset it and start again" };
}

/** Kills the process if it is armed for this point. */
export function reached(point: CrashPoint): void {
  hasCommand ||= point === "CP09" || point === "CP19";
  if (commandPoints.includes(point) && !hasCommand) return;
  if (armed?.point === point && --armed.passes === 0) process.kill(process.pid, "SIGKILL");
}

const isCrashPoint = (name: string): name is CrashPoint => Object.hasOwn(crashPoints, name);
