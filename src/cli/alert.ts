import { parseAlert } from "../alert/sources.ts";
import { OperatorError } from "../base/errors.ts";
import { nearest } from "../base/problems.ts";
import type { Ask } from "../features/operator/local.ts";
import { alertArrival } from "../store/queue/arrival.ts";
import { readPlaces } from "./places.ts";

/**
 * The request to take in an alert from a cron job or a pipe, as if its source had sent it. An account that can read the operator's file
 * needs no secret. Throws an `OperatorError` for an unknown source, and for a text that is no alert of its kind.
 */
export function alertAsk({ config }: { readonly config?: string | undefined }, name: string, text: string): Ask {
  const { alertKinds } = readPlaces(config);
  const kind = alertKinds.get(name);
  if (kind === undefined) {
    const near = nearest(name, [...alertKinds.keys()]);
    const remedy = near ? `did you mean \`${near}\`?` : "add it there";
    throw new OperatorError({ place: "alerts.sources", message: `there is no source \`${name}\``, remedy });
  }
  const parsed = parseAlert(kind, text);
  if (parsed.kind !== "alert") {
    const message = parsed.kind === "ignored" ? parsed.why : `this is no ${kind} alert: ${parsed.why}`;
    throw new OperatorError({ place: "standard input", message });
  }
  return { ask: "alert", arrival: alertArrival(name, parsed.alert) };
}
