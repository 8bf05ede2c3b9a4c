import { type Fields, isRecord, parseJson } from "../base/json.ts";
import type { AlertKind } from "./alert.ts";
import { parseGroup } from "./group.ts";
import { parsePagerDuty } from "./pagerduty.ts";
import { parsePlain } from "./plain.ts";
import type { ParsedAlert } from "./reading.ts";

/** Deeper than any source nests, and shallow enough for every reader that calls itself. */
const deepest = 32;

const parsers = {
  alertmanager: (body) => parseGroup(body, "alertmanager"),
  grafana: (body) => parseGroup(body, "grafana"),
  pagerduty: parsePagerDuty,
  json: parsePlain,
} as const satisfies Record<AlertKind, (body: Fields) => ParsedAlert>;

/** Reads the body of a source of that kind. Never throws. */
export function parseAlert(kind: AlertKind, text: string): ParsedAlert {
  if (depthOf(text) > deepest) return { kind: "refused", why: `it is nested deeper than ${deepest}` };
  const body = parseJson(text);
  return isRecord(body) ? parsers[kind](body) : { kind: "refused", why: "it is no JSON object" };
}

/** How deep the brackets outside of strings nest; of a text that is no JSON, some number. */
function depthOf(text: string): number {
  let [depth, most, isString] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (isString && sign === "\\") at++;
    else if (sign === '"') isString = !isString;
    else if (isString) continue;
    else if (sign === "{" || sign === "[") most = Math.max(most, ++depth);
    else if (sign === "}" || sign === "]") depth--;
  }
  return most;
}
