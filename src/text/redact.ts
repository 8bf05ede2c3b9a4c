import { messageOf } from "../errors.ts";
import { findColumns } from "./redact/columns.ts";
import { findByContext } from "./redact/context.ts";
import { findFormats } from "./redact/formats.ts";
import { createFindHeld } from "./redact/held.ts";
import { findKubernetesSecrets } from "./redact/kubernetes.ts";
import { findPrivateKeys } from "./redact/pem.ts";
import { createFindByRules } from "./redact/rule.ts";
import { commandRules } from "./redact/rules-commands.ts";
import { deviceRules } from "./redact/rules-devices.ts";
import { fileRules } from "./redact/rules-files.ts";
import { languageRules } from "./redact/rules-languages.ts";
import { networkRules } from "./redact/rules-network.ts";
import { findSettings } from "./redact/settings.ts";
import { type Find, replaceSpans, splitAroundMarks } from "./redact/span.ts";

/** `count` = how many stretches became a mark. */
export type Redacted = { ok: true; text: string; count: number } | { ok: false; reason: string };

/** Never throws; what cannot be redacted in time or at all is not let through. */
export type Redact = (text: string) => Redacted;

/** Redacted text may show what was hidden by its neighbour; more rounds than this mean a text made to never end. */
const mostRounds = 6;

/** SR-48. At 5 MB/s a log never comes near it. */
const msPerMegabyte = 1000;

/**
 * Small texts get this: the clock also runs while a busy machine or the collector does other work, and a withheld output
 * costs a person more than these seconds. It is checked between layers, so one layer's own time comes on top.
 */
const leastMs = 5000;

const findByPlace = createFindByRules([
  ...networkRules,
  ...commandRules,
  ...fileRules,
  ...deviceRules,
  ...languageRules,
]);

/**
 * The one redactor of every exit (SR-45…49): values held, known formats, structure, entropy with context. Linear;
 * idempotent, since it looks again until nothing changes; the mark is always `[REDACTED]`.
 */
export function createRedactor({ secrets = [] }: { readonly secrets?: readonly string[] } = {}): Redact {
  const layers: readonly Find[] = [
    createFindHeld(secrets),
    findPrivateKeys,
    findFormats,
    findKubernetesSecrets,
    findByPlace,
    findSettings,
    findColumns,
    findByContext,
  ];
  return (text) => {
    const deadline = performance.now() + Math.max(leastMs, (text.length / 1e6) * msPerMegabyte);
    try {
      return redactUntilStable(text, layers, deadline);
    } catch (thrown) {
      return { ok: false, reason: `the redactor failed: ${messageOf(thrown)}` };
    }
  };
}

/** Looks at the whole once, then again at the lines round the marks, the only places where something can have come up. */
function redactUntilStable(text: string, layers: readonly Find[], deadline: number): Redacted {
  const look = (part: string): { text: string; count: number } => {
    const spans = layers.flatMap((find) => {
      if (performance.now() > deadline) throw new Error("it took too long");
      return find(part);
    });
    return replaceSpans(part, spans);
  };
  let { text: current, count } = look(text);
  for (let round = 0; round < mostRounds; round++) {
    const parts = splitAroundMarks(current).map((part) => (part.isNearMark ? look(part.text) : { ...part, count: 0 }));
    const next = parts.map((part) => part.text).join("");
    if (next === current) return { ok: true, text: current, count };
    current = next;
    for (const part of parts) count += part.count;
  }
  return { ok: false, reason: "the redactor found no end" };
}
