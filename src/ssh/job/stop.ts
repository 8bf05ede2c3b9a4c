import type { Server } from "../../base/server.ts";
import { type Means, type Sending, sendOnce } from "../attempt.ts";
import { hangUp } from "../connections.ts";
import type { StopCause } from "../ending.ts";
import { runSession, type SharedConnection } from "../session.ts";
import { readVerdict, type StopVerdict } from "../stop-script.ts";
import { createFrameReader, type JobWord } from "./frames.ts";
import { jobRequestLine } from "./line.ts";

/** The job that is to end, and how it is followed. */
interface StoppableJob {
  readonly server: Server;
  readonly jobId: string;
  /** The connection the job is followed on now, where it stands. */
  readonly connection: () => SharedConnection | undefined;
  /** Ends the session in which it is followed, and no more than that. */
  readonly leaveSession: () => void;
}

/** Why a job is ended, and what comes of that. */
export interface JobStopping {
  readonly cause: StopCause;
  readonly verdict: Promise<StopVerdict>;
}

/** After the stop, how long the end may take to be told. */
const afterStopMs = 5_000;

/**
 * Ends a job by its id with TERM, after the grace with KILL, and looks what is left (F-29, F-30). Goes over the connection
 * the job is followed on without waiting for a place there, else over another. A job that has not begun never will. Never
 * throws.
 */
export function createJobStopper(means: Means, job: StoppableJob) {
  let stopping: JobStopping | undefined;
  let roomNeeded = false;
  const over = new AbortController();

  const stopNow = async (): Promise<StopVerdict> => {
    const words: JobWord[] = [];
    const session = killSession(means, job, words);
    const connection = job.connection();
    if (connection !== undefined && connection.closedBecause() === undefined) {
      await runSession({ ...session, connection, serverName: job.server.name, limits: means.limits });
    }
    if (words.length > 0) return readStop(words);
    // A server may grant no session beside the one in which the job is followed: that one is given up until this is over.
    roomNeeded = true;
    const still = job.connection();
    if (still !== undefined) await giveUp(still);
    job.leaveSession();
    await sendOnce(means, job.server, session);
    return readStop(words);
  };
  return {
    stop: (cause: StopCause): void => {
      const verdict = stopNow();
      stopping = { cause, verdict };
      void verdict.then(() => setTimeout(() => over.abort(), afterStopMs).unref());
    },
    stopping: () => stopping,
    /** Resolves when a stop that needs the job's own session is done with it; at once where none does. */
    roomMade: async (): Promise<void> => {
      if (roomNeeded) await stopping?.verdict;
    },
    /** Aborted when its end is not waited for any more. */
    over: over.signal,
  };
}

function killSession({ limits, closing }: Means, { server, jobId }: StoppableJob, words: JobWord[]): Sending {
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

/**
 * A server that grants one session keeps it until what ran in it has noticed that we left. Where nobody else uses the
 * connection it is closed instead.
 */
async function giveUp(connection: SharedConnection): Promise<void> {
  if (connection.running.size <= 1) await hangUp({ ok: true, connection });
}
