import type { Capture } from "../types.ts";
import { cleanBytes } from "./clean.ts";
import type { Redact } from "./redact.ts";
import { truncate } from "./truncate.ts";

/** How far from the gap a line's loose end is looked for; longer lines are cut in the middle. */
const seamBytes = 4096;

const newlineByte = 0x0a;

/**
 * The whole output of a run as it may be stored (SR-46, SR-50): cleaned, then redacted as a whole. Where the middle was
 * not kept, the two broken lines at the gap go too (half a secret has no shape to know it by) and a mark says how many
 * bytes are missing.
 */
export function presentCapture(
  capture: Capture,
  redact: Redact,
): { ok: true; text: string } | { ok: false; reason: string } {
  const pieces = capture.dropped === 0 ? cleanPieces(capture.head, capture.tail) : piecesWithGap(capture);
  let text = "";
  for (const redacted of redact.inPieces?.(pieces) ?? [redact([...pieces].join(""))]) {
    if (!redacted.ok) return redacted;
    text += redacted.text;
  }
  return { ok: true, text };
}

/** So many bytes are cleaned at once, to the end of their line: 16 MiB as one string would be there several times. */
const pieceBytes = 512 * 1024;

/** A line is cleaned as a whole, so that no character and no escape sequence is parted. */
function* cleanPieces(...buffers: readonly Uint8Array[]): Generator<string> {
  let open: Uint8Array = new Uint8Array();
  for (const buffer of buffers) {
    for (let at = 0; at < buffer.length; ) {
      const newline = buffer.indexOf(newlineByte, open.length === 0 ? at + pieceBytes : at);
      const end = newline === -1 ? buffer.length : newline + 1;
      const piece = buffer.subarray(at, end);
      at = end;
      open = open.length === 0 ? piece : Buffer.concat([open, piece]);
      if (newline === -1) break;
      yield cleanBytes(open);
      open = new Uint8Array();
    }
  }
  if (open.length > 0) yield cleanBytes(open);
}

function* piecesWithGap({ head, tail, dropped }: Capture): Generator<string> {
  const lastNewline = head.lastIndexOf(newlineByte);
  const headEnd = Math.max(lastNewline + 1, head.length - seamBytes, 0);
  const firstNewline = tail.indexOf(newlineByte);
  const tailStart = Math.min(firstNewline === -1 ? tail.length : firstNewline + 1, seamBytes);
  const missing = dropped + (head.length - headEnd) + tailStart;
  yield* cleanPieces(head.subarray(0, headEnd));
  const before = headEnd === 0 || headEnd === lastNewline + 1 ? "" : "\n";
  yield `${before}  ⋯ ${missing.toLocaleString("en-US")} bytes in the middle were not kept ⋯\n`;
  yield* cleanPieces(tail.subarray(tailStart));
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
