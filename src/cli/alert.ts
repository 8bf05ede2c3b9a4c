import { parseAlert } from "../alert/sources.ts";
import { OperatorError } from "../base/errors.ts";
import { nearest } from "../base/problems.ts";
import type { Ask } from "../features/operator/local.ts";
import { alertArrival } from "../store/queue/arrival.ts";
import { readPlaces } from "./places.ts";

/**
 * Builds the request to take in an alert from a cron job or a pipe. Needs no secret, because the account can read the operator's file.
 * Throws an `OperatorError` for an unknown source or an invalid alert.
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
