import { parseAlert } from "../alert/sources.ts";
import { OperatorError } from "../base/errors.ts";
import { nearest } from "../base/problems.ts";
import type { Ask } from "../features/operator/local.ts";
import { alertArrival } from "../store/queue/arrival.ts";
import { readPlaces } from "./places.ts";

/**
 * What the bot is asked to take in: an alert that a cron job or a pipe has, in place of its source. Whoever may read the operator's
 * file needs no secret. Throws an `OperatorError` for a source that is none, and for a text that is no alert of its kind.
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
