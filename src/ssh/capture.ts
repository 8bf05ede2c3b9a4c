import { createCipheriv, createHash, randomBytes } from "node:crypto";
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reached } from "../base/crash-point.ts";
import { messageOf } from "../base/errors.ts";
import { type Capture, type ExecResult, type ExecWatch, shielded } from "../base/run.ts";
import type { Server } from "../base/server.ts";
import { createLiveReader, decodeCapture } from "./windows/decode.ts";
import { letGo } from "./wire.ts";

/** Keeps a run's output and passes it on live; `finish` adds it to the run's result. Windows' becomes UTF-8. */
export function takeOutput(maxBytes: number, server: Server, watch: ExecWatch) {
  const started = performance.now();
  const capture = createCapture(maxBytes);
  const read = server.os === "windows" ? createLiveReader() : (chunk: Uint8Array) => chunk;
  const onOutput = shielded((chunk: Uint8Array) => watch.onOutput?.(read(chunk)));
  return {
    onSent: shielded(watch.onSent),
    onData: (chunk: Uint8Array): void => {
      capture.push(chunk);
      reached("CP12");
      onOutput(chunk);
    },
    onMissed: capture.skip,
    finish: (outcome: Omit<ExecResult, "capture" | "durationMs">): ExecResult => {
      const whole = capture.finish();
      const shown = outcome.windows ? decodeCapture(whole) : whole;
      return { ...outcome, capture: shown, durationMs: Math.round(performance.now() - started) };
    },
  };
}

const pieceBytes = 64 * 1024;

interface CaptureSink {
  /** Copies the bytes, so the caller may reuse the buffer. */
  readonly push: (chunk: Uint8Array) => void;
  /** Counts bytes that can no longer be read. The kept tail begins after them. */
  readonly skip: (count: number) => void;
  readonly finish: () => Capture;
}

/**
 * Keeps the first and last half of `maxBytes` of an output; counts and hashes it all (SR-54, RR-19). Never decodes, so invalid UTF-8 passes
 * unchanged.
 */
export function createCapture(maxBytes: number, spool: Spool = createSpool(maxBytes)): CaptureSink {
  const headMaxBytes = Math.ceil(maxBytes / 2);
  const tailMaxBytes = maxBytes - headMaxBytes;
  const hash = createHash("sha256");
  let bytes = 0;
  let missed = 0;
  /** Positions in the stream: the head ends here at the latest, the tail starts here at the earliest. */
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

/** Bytes `position` to `end` of the stream, stored at `at`. */
interface SpoolPlace {
  readonly at: number;
  readonly position: number;
  readonly end: number;
}

/** The tail is a ring behind the head. */
function placesOf(
  from: number,
  to: number,
  { headEnd, headMaxBytes, tailMaxBytes }: Readonly<Record<"headEnd" | "headMaxBytes" | "tailMaxBytes", number>>,
): readonly SpoolPlace[] {
  const places: SpoolPlace[] = [];
  for (let position = from; position < to; ) {
    const inRing = position % tailMaxBytes;
    const at = position < headEnd ? position : headMaxBytes + inRing;
    const end = Math.min(to, position < headEnd ? headEnd : position + tailMaxBytes - inRing);
    places.push({ at, position, end });
    position = end;
  }
  return places;
}

export interface Spool {
  /** Stores bytes from `position` on at `at`. Copies them; never throws. */
  readonly write: (at: number, position: number, chunk: Uint8Array) => void;
  /** Throws if the disk has failed, and after `close`. */
  readonly read: (at: number, position: number, into: Buffer) => void;
  readonly close: () => void;
}

const mostInMemoryBytes = 256 * 1024;

const movedBytes = 64 * 1024;

/**
 * Stores `maxBytes` in little memory. Larger outputs go into an unlinked file under a key that only this process has, because nothing
 * unredacted may be stored (SR-50); if that fails, they stay in memory.
 */
export function createSpool(
  maxBytes: number,
  { folder = tmpdir(), inMemoryBytes = mostInMemoryBytes }: { folder?: string; inMemoryBytes?: number } = {},
): Spool {
  const cipher = createPlaceCipher();
  let room = memoryRoom(maxBytes);
  let used = 0;
  let mayHaveFile = true;
  let failure: string | undefined;

  const toFile = (): void => {
    mayHaveFile = false;
    let file: Room | undefined;
    try {
      file = fileRoom(folder);
      copyRoom(room, file, used);
      room = file;
    } catch {
      file?.close();
    }
  };
  const toMemory = (): void => {
    const memory = memoryRoom(maxBytes);
    try {
      copyRoom(room, memory, used);
    } catch (error) {
      failure = messageOf(error);
    }
    room.close();
    room = memory;
  };
  return {
    write: (at, position, chunk) => {
      if (failure !== undefined) return;
      const bytes = cipher(position, chunk);
      const end = Math.max(used, at + bytes.length);
      if (mayHaveFile && end > inMemoryBytes) toFile();
      try {
        room.write(at, bytes);
      } catch {
        toMemory();
        room.write(at, bytes);
      }
      letGo(bytes);
      used = end;
    },
    read: (at, position, into) => {
      if (failure !== undefined) throw new Error(`what was kept of the output cannot be read: ${failure}`);
      room.read(at, into);
      into.set(cipher(position, into));
    },
    close: () => {
      failure = "it was let go";
      room.close();
      room = memoryRoom(0);
    },
  };
}

interface Room {
  readonly write: (at: number, bytes: Uint8Array) => void;
  readonly read: (at: number, into: Buffer) => void;
  readonly close: () => void;
}

function copyRoom(from: Room, to: Room, bytes: number): void {
  for (let at = 0; at < bytes; at += movedBytes) {
    const piece = Buffer.alloc(Math.min(movedBytes, bytes - at));
    from.read(at, piece);
    to.write(at, piece);
  }
}

function memoryRoom(maxBytes: number): Room {
  let memory = Buffer.alloc(0);
  return {
    write: (at, bytes) => {
      const end = at + bytes.length;
      if (end > memory.length) memory = grown(memory, end, maxBytes);
      memory.set(bytes, at);
    },
    read: (at, into) => void memory.copy(into, 0, at, at + into.length),
    close: () => {
      memory = Buffer.alloc(0);
    },
  };
}

/** Closes the file of a run abandoned as the bot ends. */
const unclosed = new FinalizationRegistry<number>(closeSync);

/** A file without a name: its space is freed when it is closed or the process dies. */
function fileRoom(folder: string): Room {
  const path = join(folder, `countersign-${randomBytes(16).toString("hex")}`);
  const file = openSync(path, "wx+", 0o600);
  rmSync(path);
  const room: Room = {
    write: (at, bytes) => {
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
    },
    read: (at, into) => {
      for (let done = 0; done < into.length; ) {
        const count = readSync(file, into, done, into.length - done, at + done);
        if (count === 0) throw new Error("its file is too short");
        done += count;
      }
    },
    close: () => {
      unclosed.unregister(room);
      closeSync(file);
    },
  };
  unclosed.register(room, file, room);
  return room;
}

/** Above this a buffer takes its full size: untouched pages cost nothing, the garbage of doubling does. */
const doublingMaxBytes = 1024 * 1024;

function grown(old: Buffer, needed: number, maxBytes: number): Buffer<ArrayBuffer> {
  const size = needed > doublingMaxBytes ? maxBytes : Math.min(maxBytes, needed * 2);
  const bigger = Buffer.allocUnsafeSlow(size);
  old.copy(bigger);
  return bigger;
}

const blockBytes = 16;

/** AES-CTR by position in the stream, so no key bytes are used twice. */
function createPlaceCipher(): (position: number, bytes: Uint8Array) => Buffer {
  const key = randomBytes(32);
  const startAt = (position: number) => {
    const counter = Buffer.alloc(blockBytes);
    counter.writeBigUInt64BE(BigInt(Math.floor(position / blockBytes)), 8);
    const cipher = createCipheriv("aes-256-ctr", key, counter);
    cipher.update(Buffer.alloc(position % blockBytes));
    return cipher;
  };
  let [cipher, next] = [startAt(0), 0];
  return (position, bytes) => {
    // A new cipher costs as much as a chunk, and nearly all chunks continue the last one.
    if (position !== next) cipher = startAt(position);
    next = position + bytes.length;
    return cipher.update(bytes);
  };
}
