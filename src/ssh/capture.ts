import { createHash } from "node:crypto";
import type { Capture } from "../types.ts";

export interface CaptureSink {
  /** Takes the next bytes; copies what it keeps, so the caller may reuse the buffer. */
  readonly push: (chunk: Uint8Array) => void;
  /** Bytes that were there and cannot be read any more: counted, not hashed. What is kept of the end comes after them. */
  readonly skip: (count: number) => void;
  /** What was read so far; the sink takes nothing more after it. */
  readonly finish: () => Capture;
}

/**
 * Reads an output of any length in bounded memory (SR-54): the first and the last half of `maxBytes` are kept, the
 * middle is counted and hashed. Bytes are never decoded here, so invalid UTF-8 passes as it came.
 */
export function createCapture(maxBytes: number): CaptureSink {
  const headMaxBytes = Math.ceil(maxBytes / 2);
  const head = createGrowing(headMaxBytes);
  const tail = createRing(maxBytes - headMaxBytes);
  const hash = createHash("sha256");
  let bytes = 0;

  return {
    push: (chunk) => {
      hash.update(chunk);
      bytes += chunk.length;
      const taken = head.push(chunk);
      if (taken < chunk.length) tail.push(chunk.subarray(taken));
    },
    skip: (count) => {
      bytes += count;
      head.close();
      tail.clear();
    },
    finish: () => {
      const first = head.bytes();
      const last = tail.bytes();
      const dropped = bytes - first.length - last.length;
      const sha256 = hash.digest("hex");
      if (dropped > 0) return { head: first, tail: last, bytes, dropped, sha256 };
      const whole = last.length === 0 ? first : Buffer.concat([first, last]);
      return { head: whole, tail: new Uint8Array(), bytes, dropped: 0, sha256 };
    },
  };
}

/** A buffer that doubles up to its cap: most outputs are a few kB and should cost no more. */
function createGrowing(maxBytes: number) {
  let buffer = Buffer.alloc(0);
  let used = 0;
  let room = maxBytes;
  return {
    push: (chunk: Uint8Array): number => {
      const taken = Math.min(chunk.length, room);
      room -= taken;
      if (used + taken > buffer.length) buffer = grow(buffer, used, used + taken, maxBytes);
      buffer.set(chunk.subarray(0, taken), used);
      used += taken;
      return taken;
    },
    close: (): void => {
      room = 0;
    },
    bytes: (): Buffer => buffer.subarray(0, used),
  };
}

/** The last bytes of a stream: fills up, then overwrites the oldest. */
function createRing(maxBytes: number) {
  let buffer = Buffer.alloc(0);
  let used = 0;
  let next = 0;
  const put = (chunk: Uint8Array): void => {
    const first = chunk.subarray(0, maxBytes - next);
    buffer.set(first, next);
    buffer.set(chunk.subarray(first.length), 0);
    next = (next + chunk.length) % maxBytes;
    used = Math.min(maxBytes, used + chunk.length);
  };
  return {
    push: (chunk: Uint8Array): void => {
      const recent = chunk.length > maxBytes ? chunk.subarray(chunk.length - maxBytes) : chunk;
      if (recent.length === 0) return;
      const needed = Math.min(maxBytes, used + recent.length);
      if (needed > buffer.length) buffer = grow(buffer, used, needed, maxBytes);
      put(recent);
    },
    clear: (): void => {
      used = 0;
      next = 0;
    },
    bytes: (): Buffer => (used < maxBytes ? buffer.subarray(0, used) : rotate(buffer, next)),
  };
}

/** Moves what stands from `start` on to the front, in place: a copy would double the memory of every long run at its end. */
function rotate(buffer: Buffer<ArrayBuffer>, start: number): Buffer<ArrayBuffer> {
  buffer.subarray(0, start).reverse();
  buffer.subarray(start).reverse();
  return buffer.reverse();
}

/** Above this a buffer takes its whole cap at once: untouched pages cost nothing, the garbage of doubling does. */
const doublingMaxBytes = 1024 * 1024;

function grow(old: Buffer, used: number, needed: number, maxBytes: number): Buffer<ArrayBuffer> {
  const size = needed > doublingMaxBytes ? maxBytes : Math.min(maxBytes, needed * 2);
  const bigger = Buffer.allocUnsafeSlow(size);
  old.copy(bigger, 0, 0, used);
  return bigger;
}
