import { createHash } from "node:crypto";
import type { Capture } from "../base/run.ts";
import { createSpool, type Spool } from "./spool.ts";

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

  /** The tail is a ring behind the head: a byte takes the place of the one that came `tailMaxBytes` before it. */
  const inPlaces = (from: number, to: number, use: (at: number, position: number, end: number) => void): void => {
    for (let position = from; position < to; ) {
      const inRing = position % tailMaxBytes;
      const at = position < headEnd ? position : headMaxBytes + inRing;
      const end = Math.min(to, position < headEnd ? headEnd : position + tailMaxBytes - inRing);
      use(at, position, end);
      position = end;
    }
  };
  const read = (from: number, to: number): Buffer => {
    const into = Buffer.allocUnsafeSlow(to - from);
    inPlaces(from, to, (at, position, end) => spool.read(at, position, into.subarray(position - from, end - from)));
    return into;
  };

  return {
    push: (chunk) => {
      hash.update(chunk);
      const [from, to] = [bytes, bytes + chunk.length];
      const write = (at: number, position: number, end: number): void =>
        spool.write(at, position, chunk.subarray(position - from, end - from));
      inPlaces(from, Math.min(to, headEnd), write);
      inPlaces(Math.max(from, headEnd, to - tailMaxBytes), to, write);
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
        bytes: bytes + missed,
        dropped,
        sha256: hash.digest("hex"),
        release: spool.close,
      };
    },
  };
}
