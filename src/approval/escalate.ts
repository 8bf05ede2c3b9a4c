/** Who is called next when a command waits for an approval. Pure. */

import type { Risk } from "../base/risk.ts";

/** A call for it: to a person, to the operator's hook, or to all who may approve. */
export interface EarlierCall {
  readonly kind: "person" | "hook" | "team";
  readonly who: string;
  readonly at: Date;
  /** A hook that `failed` or is `unsure` may have reached no person. */
  readonly state: "open" | "sending" | "done" | "failed" | "unsure";
}

/** As many people are called, one after another, before the hook. */
const mostPeople = 2;

/** When the next call is due; undefined if no person is left. */
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
 * Who is called now. `chain` has the logins of those on call who may approve, in their order; each is called once for a command. After
 * them comes the operator's hook; if there is none, or it may have reached no person, all who may approve.
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

/** The operator's time for a risk; a command of risk `block` never waits. */
export const escalateAfterMs = (
  after: { readonly lowMs: number; readonly mediumMs: number; readonly highMs: number },
  risk: Risk,
): number => (risk === "low" ? after.lowMs : risk === "medium" ? after.mediumMs : after.highMs);
