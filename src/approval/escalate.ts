/** Who is called next because a command waits for an approval. Pure. */

import type { Risk } from "../base/risk.ts";

/** Somebody who was called for it: a person, the operator's hook, or all who may approve. */
export interface EarlierCall {
  readonly kind: "person" | "hook" | "team";
  readonly who: string;
  readonly at: Date;
  /** What became of it; of a hook `failed` and `unsure` may have reached nobody. */
  readonly state: "open" | "sending" | "done" | "failed" | "unsure";
}

/** So many people are called one after another before the hook is. */
const mostPeople = 2;

/** When the next one is to be called; undefined where nobody is left. */
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
 * Who is called now. `chain` are logins of those on call who may approve, whose turn it is first; nobody is called twice for the same
 * command. Behind the people comes the operator's hook, and where there is none, or it may have reached nobody, everybody who may approve.
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

/** Which of the operator's times holds for a risk; a command of risk `block` never waits. */
export const escalateAfterMs = (
  after: { readonly lowMs: number; readonly mediumMs: number; readonly highMs: number },
  risk: Risk,
): number => (risk === "low" ? after.lowMs : risk === "medium" ? after.mediumMs : after.highMs);
