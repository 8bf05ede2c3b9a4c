import { createHash } from "node:crypto";
import { newId } from "../ids.ts";
import type { Arrival } from "./arrival.ts";

/** How an alert's delivery is called. No webhook's event has a colon: what GitHub sends is never taken for one. */
export const alertEvent = "countersign:alert" as const;

/** By which a group of alerts is known: whatever its source calls it, of one length. */
export const alertKey = (key: string): string => createHash("sha256").update(key).digest("hex");

/**
 * An alert as the inbox takes it, like a webhook: messages about one group are served one after another, and each source has its share.
 * One that has a name of its own is taken once. No webhook's GUID has a colon.
 */
export function alertArrival(
  source: string,
  alert: { readonly key: string; readonly state: string; readonly eventId: string | null },
) {
  const id = alert.eventId === null ? newId() : alertKey(alert.eventId);
  return {
    guid: `alert:${source}:${id}`,
    line: `alert:${source}:${alertKey(alert.key)}`,
    event: alertEvent,
    action: alert.state,
    semanticKey: null,
    payload: JSON.stringify({ source, alert }),
  } satisfies Arrival;
}
