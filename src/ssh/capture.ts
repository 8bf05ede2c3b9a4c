import { createHash } from "node:crypto";
import type { Capture } from "../base/run.ts";
import { createSpool, type Spool } from "./spool.ts";

/** What is kept is read again in pieces of this size. */
const pieceBytes = 64 * 1024;

export interface CaptureSink {
  /** Takes the next bytes; copies what it keeps, so the caller may reuse the buffer. */
  readonly push: (chunk: Uint8Array) => void;
  /** Bytes that were there and cannot be read any more: counted, not hashed. What is kept of the end comes after them. */
  readonly skip: (count: number) => void;
  /** What was read so far; the sink takes nothing more after it. */
  readonly finish: () => Capture;
}

/**
 * Reads an output of any length in little memory (SR-54, RR-19): the first and the last half of `maxBytes` are kept, the
 * middle is counted and hashed. Bytes are never decoded here, so invalid UTF-8 passes as it came.
 */
export function createCapture(maxBytes: number, spool: Spool = createSpool(maxBytes)): CaptureSink {
  const headMaxBytes = Math.ceil(maxBytes / 2);
  const tailMaxBytes = maxBytes - headMaxBytes;
  const hash = createHash("sha256");
  let bytes = 0;
  let missed = 0;
  /** Bytes are known by how many came before them. Up to here they belong to the head, and from here on to the tail. */
  let headEnd = headMaxBytes;
  let tailStart = 0;

  const places = (from: number, to: number) => placesOf(from, to, { headEnd, headMaxBytes, tailMaxBytes });
  const read = (from: number, to: number): Buffer => {
    const into = Buffer.allocUnsafeSlow(to - from);
    for (const { at, position, end } of places(from, to))
      spool.read(at, position, into.subarray(position - from, end - from));
    return into;
  };

  const inPieces = (from: number, to: number): Iterable<Uint8Array> => ({
    *[Symbol.iterator]() {
      for (let at = from; at < to; at += pieceBytes) yield read(at, Math.min(to, at + pieceBytes));
    },
  });

  return {
    push: (chunk) => {
      hash.update(chunk);
      const [from, to] = [bytes, bytes + chunk.length];
      const kept = [...places(from, Math.min(to, headEnd)), ...places(Math.max(from, headEnd, to - tailMaxBytes), to)];
      for (const { at, position, end } of kept) spool.write(at, position, chunk.subarray(position - from, end - from));
      bytes = to;
    },
    skip: (count) => {
      missed += count;
      headEnd = Math.min(headEnd, bytes);
      tailStart = bytes;
    },
    finish: () => {
      headEnd = Math.min(headEnd, bytes);
      const start = Math.max(headEnd, tailStart, bytes - tailMaxBytes);
      const dropped = missed + start - headEnd;
      const [first, last] = dropped === 0 ? [bytes, bytes] : [headEnd, start];
      return {
        get head() {
          return read(0, first);
        },
        get tail() {
          return read(last, bytes);
        },
        pieces: { head: inPieces(0, first), tail: inPieces(last, bytes) },
        bytes: bytes + missed,
        dropped,
        sha256: hash.digest("hex"),
        release: spool.close,
      };
    },
  };
}

/** Bytes of the stream that lie together: those from `position` up to `end`, from `at` on. */
interface Place {
  readonly at: number;
  readonly position: number;
  readonly end: number;
}

/** Where bytes of the stream lie. The tail is a ring behind the head: a byte takes the place of the one `tailMaxBytes` before it. */
function placesOf(
  from: number,
  to: number,
  { headEnd, headMaxBytes, tailMaxBytes }: Readonly<Record<"headEnd" | "headMaxBytes" | "tailMaxBytes", number>>,
): readonly Place[] {
  const places: Place[] = [];
  for (let position = from; position < to; ) {
    const inRing = position % tailMaxBytes;
    const at = position < headEnd ? position : headMaxBytes + inRing;
    const end = Math.min(to, position < headEnd ? headEnd : position + tailMaxBytes - inRing);
    places.push({ at, position, end });
    position = end;
  }
  return places;
}
