import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import * as z from "zod";
import { messageOf, OperatorError } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import { risks } from "../base/risk.ts";

/** What was signed. Each line holds the hash of the line before, so that none is taken out unseen. */

const entrySchema = z.strictObject({
  at: z.iso.datetime(),
  /** `acme/web#7`, for people. */
  issue: z.string(),
  issueNodeId: z.string(),
  number: z.int().positive(),
  digest: z.string(),
  server: z.string(),
  host: z.string(),
  port: z.int(),
  step: z.int().optional(),
  jobId: z.string(),
  risk: z.enum(risks),
  command: z.string(),
  /** The comments, by person. */
  approvals: z.array(z.strictObject({ id: z.int(), login: z.string(), comment: z.int() })),
  /** A comment that itself says the command, and of which number it repeats one: it approves one action. */
  ownWord: z.string().optional(),
});
const jobSchema = z.strictObject({ server: z.string(), jobId: z.string() });
const lineSchema = z.union([
  z.strictObject({ seq: z.int(), prev: z.string(), signed: entrySchema }),
  /** The bot was told that this job never began, so it never will. */
  z.strictObject({ seq: z.int(), prev: z.string(), givenUp: jobSchema }),
  /** The line before was cut off by a crash: nothing was handed out for it. */
  z.strictObject({ seq: z.int(), prev: z.string(), torn: z.literal(true) }),
]);

export type SignedEntry = z.output<typeof entrySchema>;
export type JobPlace = z.output<typeof jobSchema>;

/** A bot that asks for so many jobs that never began is no honest one; its disk is not filled. */
const mostGivenUp = 10_000;

export interface SignerRecord {
  readonly entries: () => readonly SignedEntry[];
  /** Why it must not be signed: it was, or something like it. */
  readonly whySigned: (entry: SignedEntry) => string | undefined;
  /** Durable when it returns; the reason if it may not be signed. Throws if the disk refuses. */
  readonly add: (entry: SignedEntry) => string | undefined;
  /**
   * Durable when it returns: from then on a job that was not signed cannot be. Since when the record knows that none was; undefined if
   * it cannot say. Throws if the disk refuses.
   */
  readonly giveUp: (job: JobPlace) => string | undefined;
  readonly close: () => Promise<void>;
}

const placeOf = ({ server, jobId }: JobPlace): string => `${server} ${jobId}`;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Reads the file whole and keeps it locked. Throws an `OperatorError` if it is damaged, or another signer has it. */
export async function openRecord(file: string): Promise<SignerRecord> {
  const isNew = !existsSync(file);
  const fd = openSync(file, "a+", 0o600);
  let unlock: (() => Promise<void>) | undefined;
  try {
    if (isNew) syncFolder(dirname(file));
    unlock = await lock(file, fd);
    return keep(file, fd, unlock);
  } catch (error) {
    closeSync(fd);
    await unlock?.();
    throw error;
  }
}

function keep(file: string, fd: number, unlock: () => Promise<void>): SignerRecord {
  const lines = readFileSync(file, "utf8").split("\n");
  const tail = lines.pop() ?? "";
  const entries: SignedEntry[] = [];
  const givenUp = new Set<string>();
  let prev = "";
  let seq = 0;
  for (const [at, line] of lines.entries()) {
    const read = lineSchema.safeParse(parseJson(line));
    const isNext = read.success && read.data.prev === prev && read.data.seq === seq + 1;
    if (!isNext && (read.success || !isTorn(line, lines[at + 1])))
      throw new OperatorError({
        place: `${file}:${at + 1}`,
        message: "the record of what was signed is damaged here",
        remedy: "begin a new record with a new CA key: a signer that forgets would sign a second time",
      });
    if (isNext) seq = read.data.seq;
    if (isNext && "signed" in read.data) entries.push(read.data.signed);
    if (isNext && "givenUp" in read.data) givenUp.add(placeOf(read.data.givenUp));
    prev = sha256(line);
  }
  let isBroken = false;
  const append = (line: object, before = ""): void => {
    if (isBroken) throw new Error(`${file} could not be written before; restart the signer`);
    const written = JSON.stringify({ seq: seq + 1, prev, ...line });
    isBroken = true;
    const whole = Buffer.from(`${before}${written}\n`);
    if (writeSync(fd, whole) !== whole.length) throw new Error(`${file} took only a part of a line`);
    fsyncSync(fd);
    isBroken = false;
    seq += 1;
    prev = sha256(written);
  };
  if (tail !== "") {
    prev = sha256(tail);
    append({ torn: true }, "\n");
  }

  const whySigned = (entry: SignedEntry): string | undefined => {
    const isSamePlace = (one: SignedEntry): boolean => one.server === entry.server && one.step === entry.step;
    const same = entries.find(
      (one) =>
        isSamePlace(one) &&
        (one.digest === entry.digest || (one.issueNodeId === entry.issueNodeId && one.number === entry.number)),
    );
    if (same) return `${same.number} was signed for ${same.server} at ${same.at}; each is signed once`;
    if (entries.some(({ server, jobId }) => server === entry.server && jobId === entry.jobId))
      return "its job is another action's";
    if (givenUp.has(placeOf(entry))) return "the bot was told that this never began, so it does not begin any more";
    const isUsed = ({ ownWord, number, issueNodeId }: SignedEntry): boolean =>
      ownWord !== undefined &&
      ownWord === entry.ownWord &&
      (number !== entry.number || issueNodeId !== entry.issueNodeId);
    return entries.some(isUsed) ? "the comment that says the command has approved another number" : undefined;
  };
  return {
    entries: () => entries,
    whySigned,
    add: (entry) => {
      const reason = whySigned(entry);
      if (reason !== undefined) return reason;
      append({ signed: entry });
      entries.push(entry);
      return undefined;
    },
    giveUp: ({ server, jobId }) => {
      const place = placeOf({ server, jobId });
      const isSigned = entries.some((one) => placeOf(one) === place);
      if (isSigned || (givenUp.size >= mostGivenUp && !givenUp.has(place))) return undefined;
      if (!givenUp.has(place)) append({ givenUp: { server, jobId } });
      givenUp.add(place);
      return entries[0]?.at;
    },
    close: async () => {
      closeSync(fd);
      await unlock();
    },
  };
}

/** Whether the line behind says that this one was cut off. */
function isTorn(line: string, next = ""): boolean {
  const read = lineSchema.safeParse(parseJson(next));
  return read.success && "torn" in read.data && read.data.prev === sha256(line);
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** By a socket that has no file: the kernel lets go of it when the process ends, however it ends. */
async function lock(file: string, fd: number): Promise<() => Promise<void>> {
  const { dev, ino } = fstatSync(fd);
  const server = createServer((guest) => guest.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(`\0countersign-signer-${dev}-${ino}`, resolve);
    });
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    throw new OperatorError({
      place: file,
      message: isTaken ? "another signer has this record open" : `it cannot be locked: ${messageOf(error)}`,
      remedy: isTaken ? "end the other one: two would sign twice" : "the signer needs Linux",
    });
  }
  server.unref();
  return () => new Promise((resolve) => server.close(() => resolve()));
}
