import type { Capture } from "../base/run.ts";
import { cleanBytes } from "./read/clean.ts";
import { createFold } from "./read/fold.ts";
import type { Redact } from "./redact.ts";
import { createTruncation, isSplitPair, type TruncatedText } from "./truncate.ts";
import { createWeigher } from "./weigh.ts";

/** A piece that is not `ok` is the last, and no part may be stored. */
type PresentedPiece = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

/**
 * A run's output for storing (SR-46, SR-50): cleaned, then redacted as a whole. At a gap the broken lines are dropped, because half a
 * secret has no recognizable shape, and a mark counts the missing bytes.
 */
export function presentPieces(capture: Capture, redact: Redact, command?: string): Iterable<PresentedPiece> {
  const pieces = capture.dropped === 0 ? cleanWhole(capture) : cleanAroundGap(capture, redact);
  const ran = command === undefined ? {} : { command };
  return redact.inPieces?.(pieces, ran) ?? [redact([...pieces].join(""), ran)];
}

/** For outputs that fit into memory. */
export function presentCapture(capture: Capture, redact: Redact, command?: string): PresentedPiece {
  let text = "";
  for (const piece of presentPieces(capture, redact, command)) {
    if (!piece.ok) return piece;
    text += piece.text;
  }
  return { ok: true, text };
}

/** Cleaned at once: V8 frees larger strings late. */
const pieceBytes = 64 * 1024;

const newlineByte = 0x0a;

/** Cleans whole lines, so that no character or escape sequence is split. */
function* cleanPieces(given: Iterable<Uint8Array>): Generator<string> {
  let open: Uint8Array[] = [];
  let length = 0;
  for (const buffer of given) {
    let at = 0;
    while (at < buffer.length) {
      const newline = buffer.indexOf(newlineByte, at + Math.max(0, pieceBytes - length));
      const end = newline === -1 ? buffer.length : newline + 1;
      open.push(buffer.subarray(at, end));
      length += end - at;
      at = end;
      if (newline === -1) continue;
      yield cleanBytes(Buffer.concat(open));
      [open, length] = [[], 0];
    }
  }
  if (length > 0) yield cleanBytes(Buffer.concat(open));
}

/** A long capture is read only at its use. */
function* cleanWhole(capture: Capture): Generator<string> {
  yield* cleanPieces(capture.pieces?.head ?? [capture.head]);
}

/** One end after the other, so that only one is in memory. */
function* cleanAroundGap(capture: Capture, redact: Redact): Generator<string> {
  let last = "";
  for (const piece of cleanPieces(capture.pieces?.head ?? [capture.head])) {
    if (last !== "") yield last;
    last = piece;
  }
  const head = last.slice(0, wholeUntil(last, redact));
  const tail = cleanPieces(capture.pieces?.tail ?? [capture.tail]);
  const first = tail.next().value ?? "";
  const begin = wholeFrom(first, redact);
  const missing =
    capture.dropped + Buffer.byteLength(last.slice(head.length)) + Buffer.byteLength(first.slice(0, begin));
  yield head;
  yield `${head === "" || head.endsWith("\n") ? "" : "\n"}  ⋯ ${missing.toLocaleString("en-US")} bytes in the middle were not kept ⋯\n`;
  yield first.slice(begin);
  yield* tail;
}

/** A broken line longer than this is cut, at least this far from the gap. */
const seamLength = 16 * 1024;

const cuts = Array.from({ length: 8 }, (_, step) => seamLength + step * 509);

function wholeUntil(text: string, redact: Redact): number {
  const newline = text.lastIndexOf("\n");
  if (newline >= text.length - seamLength) return newline + 1;
  const cut = cuts.map((distance) => text.length - distance).find((at) => partsNothing(text, at, redact));
  return cut ?? newline + 1;
}

function wholeFrom(text: string, redact: Redact): number {
  const newline = text.indexOf("\n");
  if (newline !== -1 && newline < seamLength) return newline + 1;
  const cut = cuts.find((at) => partsNothing(text, at, redact));
  return cut ?? (newline === -1 ? text.length : newline + 1);
}

/** Whether both sides redact to the same text as the whole. */
function partsNothing(text: string, at: number, redact: Redact): boolean {
  if (at <= 0 || at >= text.length || isSplitPair(text, at)) return false;
  const [before, after] = [text.slice(Math.max(0, at - seamLength), at), text.slice(at, at + seamLength)];
  const [whole, left, right] = [redact(before + after), redact(before), redact(after)];
  return whole.ok && left.ok && right.ok && whole.text === left.text + right.text;
}

type OutputExcerpt = TruncatedText | { readonly withheld: string };

interface Excerpt {
  readonly push: (piece: string) => void;
  readonly finish: () => OutputExcerpt;
}

interface ExcerptOptions {
  readonly limit: number;
  readonly more: string;
  readonly redact: Redact;
}

/** Keeps the lines that tell most, head and tail, folds near-identical lines, and redacts the seams again. */
export function createExcerpt({ limit, more, redact }: ExcerptOptions): Excerpt {
  const truncation = createTruncation({ limit, more, weigh: createWeigher() });
  const fold = createFold(truncation.push);
  return {
    push: fold.push,
    finish: () => {
      fold.finish();
      const short = truncation.finish();
      const redacted = redact(short.text);
      return redacted.ok ? { ...short, text: redacted.text } : { withheld: redacted.reason };
    },
  };
}

export function excerpt(text: string, options: ExcerptOptions): OutputExcerpt {
  const cut = createExcerpt(options);
  cut.push(text);
  return cut.finish();
}

/** Too coarse to reveal a secret's length (SR-49). */
export const roughSize = (bytes: number): string =>
  bytes < 1_000 ? "under 1 kB" : `about ${Math.round(bytes / 1_000).toLocaleString("en-US")} kB`;
