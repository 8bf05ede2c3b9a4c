import type { Risk } from "../base/risk.ts";

/** Decides who is called next for a command that waits. Pure. */

interface EarlierCall {
  readonly kind: "person" | "hook" | "team";
  readonly who: string;
  readonly at: Date;
  /** A `failed` or `unsure` hook may have reached no person. */
  readonly state: "open" | "sending" | "done" | "failed" | "unsure";
}

/** Called one after another before the hook. */
const mostPeople = 2;

/** Undefined if no person is left. */
export function nextCallAt(
  calls: readonly EarlierCall[],
  { firstAt, afterMs }: { readonly firstAt: Date; readonly afterMs: number },
): Date | undefined {
  const last = calls.at(-1);
  if (!last) return firstAt;
  if (last.kind === "hook" && (last.state === "failed" || last.state === "unsure")) return last.at;
  return last.kind === "person" ? new Date(last.at.getTime() + afterMs) : undefined;
}

/**
 * Returns whom to call: each of `chain` (logins who may approve) once, then the hook, then all who may approve if the hook is missing or
 * may have reached no person.
 */
export function nextCall(
  calls: readonly EarlierCall[],
  { chain, hook }: { readonly chain: readonly string[]; readonly hook: string | undefined },
): Pick<EarlierCall, "kind" | "who"> {
  const was = (login: string): boolean => calls.some(({ who }) => who.toLowerCase() === login.toLowerCase());
  const login = calls.length < mostPeople ? chain.find((one) => !was(one)) : undefined;
  if (login !== undefined) return { kind: "person", who: login };
  return hook === undefined || calls.some(({ kind }) => kind === "hook")
    ? { kind: "team", who: "" }
    : { kind: "hook", who: hook };
}

/** Returns the operator's time for a risk; risk `block` never waits. */
export const escalateAfterMs = (
  after: { readonly lowMs: number; readonly mediumMs: number; readonly highMs: number },
  risk: Risk,
): number => (risk === "low" ? after.lowMs : risk === "medium" ? after.mediumMs : after.highMs);
