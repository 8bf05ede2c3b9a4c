import { isOlderThan } from "../base/clock.ts";
import type { Alert } from "./alert.ts";

/** What is known of an alert's group: its issue, and what was said of it last. */
export interface KnownAlert {
  readonly state: Alert["state"];
  /** Of the message that was dealt with last: its digest, when it came, and when its source says that it happened. */
  readonly seenDigest: string;
  readonly seenAt: Date;
  readonly eventAt: Date | null;
  /** Nothing while its issue is being opened. */
  readonly issue: { readonly state: "open" | "closed"; readonly closedAt: Date | null } | undefined;
}

/** What follows of one message about a group. */
export type AlertDecision =
  | { readonly kind: "nothing"; readonly why: "sent again" | "older than what is known" | "nothing fires" }
  /** A new issue; `anew`: in place of one that was closed too long ago. */
  | { readonly kind: "open"; readonly anew: boolean }
  | { readonly kind: "count" }
  | { readonly kind: "reopen" }
  | { readonly kind: "resolve" };

/** A source that got no answer sends the same again within this; what comes later is a repetition, and counts. */
const retryMs = 60_000;

/** Decides what follows of a message. An issue that a person closed while its alert fired stays closed until it has resolved and fires again. */
export function decideAlert(
  message: Pick<Alert, "state" | "digest" | "at">,
  { known, now, reopenWithinMs }: { readonly known?: KnownAlert; readonly now: Date; readonly reopenWithinMs: number },
): AlertDecision {
  if (!known?.issue) return message.state === "firing" ? { kind: "open", anew: false } : nothing("nothing fires");
  if (known.seenDigest === message.digest && !isOlderThan(retryMs, known.seenAt.getTime(), now.getTime()))
    return nothing("sent again");
  if (message.at !== null && known.eventAt !== null && Date.parse(message.at) < known.eventAt.getTime())
    return nothing("older than what is known");
  if (message.state === "resolved") return known.state === "firing" ? { kind: "resolve" } : nothing("nothing fires");
  const { state, closedAt } = known.issue;
  if (state === "open" || known.state === "firing") return { kind: "count" };
  const sinceMs = now.getTime() - (closedAt?.getTime() ?? 0);
  return sinceMs <= reopenWithinMs ? { kind: "reopen" } : { kind: "open", anew: true };
}

const nothing = (why: Extract<AlertDecision, { kind: "nothing" }>["why"]): AlertDecision => ({ kind: "nothing", why });
