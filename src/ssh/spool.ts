import { createCipheriv, randomBytes } from "node:crypto";
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../base/errors.ts";

/** Where bytes of a stream are kept; a later one may take the place of an earlier one. */
export interface Spool {
  /** Keeps the bytes of the stream from `position` on at place `at`. Copies them; never throws. */
  readonly write: (at: number, position: number, chunk: Uint8Array) => void;
  /** Fills `into` with what was kept as these bytes of the stream. Throws where the disk has failed, and after `close`. */
  readonly read: (at: number, position: number, into: Buffer) => void;
  /** Lets go of all of it. */
  readonly close: () => void;
}

/** Most outputs are smaller and need no file. */
const mostInMemoryBytes = 256 * 1024;

/**
 * Room for `maxBytes` that takes little memory, however many there are (RR-19). What is larger goes into a file that has lost its
 * name at once, under a key that is nowhere but in this process: what was never redacted is never stored (SR-50). Where no file
 * can be written it stays in memory.
 */
export function createSpool(
  maxBytes: number,
  { folder = tmpdir(), inMemoryBytes = mostInMemoryBytes }: { folder?: string; inMemoryBytes?: number } = {},
): Spool {
  const cipher = createPlaceCipher();
  let memory: Buffer | undefined = Buffer.alloc(0);
  let file: number | undefined;
  let used = 0;
  let mayHaveFile = true;
  let failure: string | undefined;

  const toFile = (): void => {
    mayHaveFile = false;
    try {
      file = openNameless(folder);
      writeAt(file, 0, (memory ?? Buffer.alloc(0)).subarray(0, used));
      memory = undefined;
      unclosed.register(spool, file, spool);
    } catch {
      closeFile();
    }
  };
  const toMemory = (): void => {
    const bytes = Buffer.allocUnsafeSlow(maxBytes);
    try {
      if (file !== undefined) readAt(file, 0, bytes.subarray(0, used));
    } catch (error) {
      failure = messageOf(error);
    }
    memory = bytes;
    closeFile();
  };
  const closeFile = (): void => {
    if (file === undefined) return;
    unclosed.unregister(spool);
    closeSync(file);
    file = undefined;
  };
  const keep = (at: number, bytes: Buffer): void => {
    const end = Math.max(used, at + bytes.length);
    if (file === undefined && mayHaveFile && end > inMemoryBytes) toFile();
    if (file !== undefined) {
      try {
        writeAt(file, at, bytes);
      } catch {
        toMemory();
      }
    }
    if (memory !== undefined) {
      if (end > memory.length) memory = grown(memory, end, maxBytes);
      memory.set(bytes, at);
    }
    used = end;
  };
  const spool: Spool = {
    write: (at, position, chunk) => keep(at, cipher(position, chunk)),
    read: (at, position, into) => {
      if (failure !== undefined) throw new Error(`what was kept of the output cannot be read: ${failure}`);
      if (file !== undefined) readAt(file, at, into);
      else if (memory !== undefined) memory.copy(into, 0, at, at + into.length);
      into.set(cipher(position, into));
    },
    close: () => {
      failure = "it was let go";
      memory = undefined;
      closeFile();
    },
  };
  return spool;
}

/** Files of outputs that nobody has let go of: a run that is left when the bot ends, a test. */
const unclosed = new FinalizationRegistry<number>(closeSync);

/** Above this a buffer takes its whole cap at once: untouched pages cost nothing, the garbage of doubling does. */
const doublingMaxBytes = 1024 * 1024;

function grown(old: Buffer, needed: number, maxBytes: number): Buffer<ArrayBuffer> {
  const size = needed > doublingMaxBytes ? maxBytes : Math.min(maxBytes, needed * 2);
  const bigger = Buffer.allocUnsafeSlow(size);
  old.copy(bigger);
  return bigger;
}

/** A file for this process alone, whose room is free again when it is closed or the process dies. */
function openNameless(folder: string): number {
  const path = join(folder, `countersign-${randomBytes(16).toString("hex")}`);
  const file = openSync(path, "wx+", 0o600);
  rmSync(path);
  return file;
}

function writeAt(file: number, at: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done);
}

function readAt(file: number, at: number, into: Uint8Array): void {
  for (let done = 0; done < into.length; ) {
    const count = readSync(file, into, done, into.length - done, at + done);
    if (count === 0) throw new Error("its file is too short");
    done += count;
  }
}

const blockBytes = 16;

/** Encrypts and decrypts bytes by their place in the stream, each place with key bytes of its own (AES in counter mode). */
function createPlaceCipher(): (position: number, bytes: Uint8Array) => Buffer {
  const key = randomBytes(32);
  const counter = Buffer.alloc(blockBytes);
  return (position, bytes) => {
    counter.writeBigUInt64BE(BigInt(Math.floor(position / blockBytes)), 8);
    const cipher = createCipheriv("aes-256-ctr", key, counter);
    cipher.update(Buffer.alloc(position % blockBytes));
    return cipher.update(bytes);
  };
}
