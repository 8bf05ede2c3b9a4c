import { endDispatch } from "../../approval/preflight.ts";
import type { Reservation } from "../../base/run.ts";
import type { Server } from "../../base/server.ts";
import type { Action } from "../../store/actions.ts";
import type { Run } from "../../store/runs.ts";
import { claim } from "./claim.ts";
import type { At } from "./execute.ts";
import type { Dispatch } from "./preflight.ts";
import { isStale } from "./stale.ts";

type Look = () => Promise<Dispatch>;

export type Cleared =
  | {
      readonly kind: "claimed";
      readonly runs: readonly Run[];
      readonly servers: readonly Server[];
      readonly lookedAt: number;
    }
  /** Somebody else was first. */
  | { readonly kind: "lost" }
  /** It is looked at again in a while, or soon; whether it leaves its servers' line until then. */
  | { readonly kind: "come-back"; readonly reason: string; readonly leaves: boolean; readonly soon?: boolean }
  | Extract<Dispatch, { kind: "end" | "reopen" }>;

/** How often GitHub is asked again at once, where its answer took so long that nothing may be sent on it. */
const maxLooks = 4;

/**
 * Looks at all that an approval rests on, with the server's key beside it, until that is of this moment, and claims the action on it
 * (SR-24, SR-51). What has to be waited for was acquired before, so that nothing stands between this and the send.
 */
export async function clearAndClaim(
  at: At,
  action: Action,
  { look, reservation }: { readonly look: Look; readonly reservation: Reservation | undefined },
): Promise<Cleared> {
  for (let looks = 0; looks < maxLooks; looks++) {
    const decision = await lookWith(look, reservation);
    if (decision.kind === "wait" || decision.kind === "ask-later")
      return {
        kind: "come-back",
        reason: decision.reason,
        leaves: true,
        soon: decision.kind === "wait" && isUnread(decision),
      };
    if (decision.kind !== "go") return decision;
    if (isStale(decision.lookedAt)) continue;
    const claimed = await claim(at, action, decision.lookedAt);
    if (claimed.kind === "stale") continue;
    if (claimed.kind === "wait") return { kind: "come-back", reason: claimed.reason, leaves: false };
    return claimed.kind === "lost" ? claimed : { ...claimed, servers: decision.servers, lookedAt: decision.lookedAt };
  }
  return { kind: "come-back", leaves: true, reason: "GitHub answers too slowly to send anything on what it says" };
}

/** GitHub's GraphQL is seconds behind, as a rule. */
const isUnread = ({ code }: Extract<Dispatch, { kind: "wait" }>): boolean =>
  code === "card-unread" || code === "comment-unread";

/** The look, and at the same time the proof of the server's key; the key's word goes first. */
async function lookWith(look: Look, reservation: Reservation | undefined): Promise<Dispatch> {
  const [decision, refusal] = await Promise.all([look(), reservation?.prove()]);
  return decision.kind === "go" && refusal !== undefined ? endDispatch("server-refused", refusal) : decision;
}
