import { messageOf } from "../errors.ts";
import { findByContext } from "./redact/context.ts";
import { findFormats } from "./redact/formats.ts";
import { createFindHeld } from "./redact/held.ts";
import { findKubernetesSecrets } from "./redact/kubernetes.ts";
import { findPrivateKeys } from "./redact/pem.ts";
import { createFindByRules } from "./redact/rule.ts";
import { commandRules } from "./redact/rules-commands.ts";
import { fileRules } from "./redact/rules-files.ts";
import { networkRules } from "./redact/rules-network.ts";
import { findSettings } from "./redact/settings.ts";
import { type Find, replaceSpans } from "./redact/span.ts";

/** `count` = how many stretches became a mark. */
export type Redacted = { ok: true; text: string; count: number } | { ok: false; reason: string };

/** Never throws; what cannot be redacted in time or at all is not let through. */
export type Redact = (text: string) => Redacted;

/** Redacted text may show what was hidden by its neighbour; more rounds than this mean a text made to never end. */
const mostRounds = 6;

/** At 5 MB/s and more this is only reached by what nobody has thought of. */
const msPerMegabyte = 5000;
const leastMs = 5000;

const findByPlace = createFindByRules([...networkRules, ...commandRules, ...fileRules]);

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

function redactUntilStable(text: string, layers: readonly Find[], deadline: number): Redacted {
  let current = text;
  let total = 0;
  for (let round = 0; round < mostRounds; round++) {
    const spans = [];
    for (const find of layers) {
      if (performance.now() > deadline) return { ok: false, reason: "the redactor took too long" };
      for (const span of find(current)) spans.push(span);
    }
    const { text: next, count } = replaceSpans(current, spans);
    if (next === current) return { ok: true, text: current, count: total };
    current = next;
    total += count;
  }
  return { ok: false, reason: "the redactor found no end" };
}
