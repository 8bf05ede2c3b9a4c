import type { Capture } from "../types.ts";
import { cleanBytes } from "./clean.ts";
import type { Redact } from "./redact.ts";
import { truncate } from "./truncate.ts";

/** How far from the gap a line's loose end is looked for; longer lines are cut in the middle. */
const seamBytes = 4096;

const newline = 0x0a;

/**
 * The whole output of a run as it may be stored (SR-46, SR-50): cleaned, then redacted as a whole. Where the middle was
 * not kept, the two broken lines at the gap go too (half a secret has no shape to know it by) and a mark says how many
 * bytes are missing.
 */
export function presentCapture(
  capture: Capture,
  redact: Redact,
): { ok: true; text: string } | { ok: false; reason: string } {
  const redacted = redact(capture.dropped === 0 ? cleanBytes(joined(capture)) : withGap(capture));
  return redacted.ok ? { ok: true, text: redacted.text } : redacted;
}

const joined = ({ head, tail }: Capture): Uint8Array => (tail.length === 0 ? head : Buffer.concat([head, tail]));

function withGap({ head, tail, dropped }: Capture): string {
  const lastNewline = head.lastIndexOf(newline);
  const headEnd = Math.max(lastNewline + 1, head.length - seamBytes, 0);
  const firstNewline = tail.indexOf(newline);
  const tailStart = Math.min(firstNewline === -1 ? tail.length : firstNewline + 1, seamBytes);
  const missing = dropped + (head.length - headEnd) + tailStart;
  const mark = `  ⋯ ${missing.toLocaleString("en-US")} bytes in the middle were not kept ⋯`;
  return [cleanBytes(head.subarray(0, headEnd)).replace(/\n$/, ""), mark, cleanBytes(tail.subarray(tailStart))].join(
    "\n",
  );
}

/** Head and tail of a stored text for people and the model; looks at the seams again after the cut (SR-46). */
export function excerpt(
  text: string,
  { limit, more, redact }: { readonly limit: number; readonly more: string; readonly redact: Redact },
): { text: string; cut: number; total: number } | { withheld: string } {
  const { text: short, cut, total } = truncate(text, { limit, more });
  const redacted = redact(short);
  return redacted.ok ? { text: redacted.text, cut, total } : { withheld: redacted.reason };
}
