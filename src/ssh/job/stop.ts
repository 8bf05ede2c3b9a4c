import type { Server } from "../../base/server.ts";
import { type Means, type Sending, sendOnce } from "../attempt.ts";
import type { StopCause } from "../ending.ts";
import { runSession, type SharedConnection } from "../session.ts";
import { within } from "../stop.ts";
import { readVerdict, type StopVerdict } from "../stop-script.ts";
import { createFrameReader, type JobWord } from "./frames.ts";
import { jobRequestLine } from "./line.ts";

export interface JobStop {
  readonly server: Server;
  readonly jobId: string;
  /** The connection the job is followed on now, where it stands. */
  readonly connection: () => SharedConnection | undefined;
  /** Gives up the session the job is followed in until this has ended, for a server that grants no other. */
  readonly makeRoom: () => Promise<void>;
}

/**
 * Ends a job by its id with TERM, after the grace with KILL, and looks what is left (F-29, F-30). Goes over the connection
 * the job is followed on without waiting for a place there, else over another. A job that has not begun never will. Never
 * throws.
 */
export async function stopJob(means: Means, stop: JobStop): Promise<StopVerdict> {
  const words: JobWord[] = [];
  const session = killSession(means, stop, words);
  const connection = stop.connection();
  if (connection !== undefined && connection.closedBecause() === undefined) {
    await runSession({ ...session, connection, serverName: stop.server.name, limits: means.limits });
  }
  if (words.length > 0) return readStop(words);
  await stop.makeRoom();
  await sendOnce(means, stop.server, session);
  return readStop(words);
}

function killSession({ limits, closing }: Means, { server, jobId }: JobStop, words: JobWord[]): Sending {
  const onData = createFrameReader(jobId, { onBytes: () => undefined, onWord: (said) => words.push(said) });
  return {
    command: jobRequestLine(server, { act: "kill", jobId, graceMs: limits.graceMs }),
    tty: false,
    detached: true,
    // The script's own waits: the grace, two seconds after KILL, and the scans on a busy machine.
    hardTimeoutMs: limits.graceMs + 10_000,
    signal: closing,
    onSent: () => undefined,
    onData,
    onStderr: () => undefined,
  };
}

function readStop(words: readonly JobWord[]): StopVerdict {
  if (words.length === 0) return { kind: "unverified", why: "the server did not answer" };
  // It had not begun, and now never will: there is nothing to end.
  return words.some(({ word }) => word === "void") ? { kind: "absent" } : readVerdict(words);
}

/** Why a job is ended, and what comes of that. */
export interface JobStopping {
  readonly cause: StopCause;
  readonly verdict: Promise<StopVerdict>;
}

/** After the stop, how long the end may take to be told. */
const afterStopMs = 5_000;

/** Ends a job once, whoever wants it first. */
export function createJobStopper(
  means: Means,
  job: Omit<JobStop, "makeRoom"> & {
    /** Ends the session in which it is followed, and no more than that. */
    readonly leaveSession: () => void;
  },
) {
  let stopping: JobStopping | undefined;
  let roomNeeded = false;
  const over = new AbortController();

  const makeRoom = async (): Promise<void> => {
    roomNeeded = true;
    const connection = job.connection();
    if (connection !== undefined) await giveUp(connection);
    job.leaveSession();
  };
  return {
    stop: (cause: StopCause): void => {
      const verdict = stopJob(means, { ...job, makeRoom });
      stopping = { cause, verdict };
      void verdict.then(() => setTimeout(() => over.abort(), afterStopMs).unref());
    },
    stopping: () => stopping,
    /** Resolves at once, or where the stop needs the session in which the job is followed when it is done with it. */
    roomMade: async (): Promise<void> => {
      if (roomNeeded) await stopping?.verdict;
    },
    /** Aborted when its end is not waited for any more. */
    over: over.signal,
  };
}

/**
 * A server that grants one session keeps it until what ran in it has noticed that we left. Where nobody else uses the
 * connection it is closed instead.
 */
async function giveUp({ client, running, closedBecause }: SharedConnection): Promise<void> {
  if (running.size > 1 || closedBecause() !== undefined) return;
  const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
  client.end();
  await within(1_000, closed);
}
