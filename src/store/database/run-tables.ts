import type { Generated, JSONColumnType } from "kysely";
import type { Ending, Outcome } from "../../base/run.ts";

export interface BatchTable {
  id: string;
  incidentId: string;
  /** The comment that set it going; null where a lease did. */
  commentId: number | null;
  personId: number;
  login: string;
  numbers: JSONColumnType<readonly number[]>;
  keepGoing: Generated<boolean>;
  /** After which a command of it asks what to do, where `--timeout` said so; else it is each server's own. */
  softTimeoutMs: number | null;
  /** What a person must know of it, e.g. that the rest is open again. */
  note: string | null;
  /** Why it does not go on at this moment, as a clause. */
  waitsFor: string | null;
  createdAt: Generated<Date>;
  endedAt: Date | null;
}

export interface RunTable {
  id: string;
  actionId: string;
  batchId: string;
  server: string;
  /** Which command of a set it runs, from 0; null where its action is one command. */
  step: number | null;
  /** Nothing while it waits for its turn among the servers of its action; set before anything is sent there. */
  startedAt: Date | null;
  endedAt: Date | null;
  durationMs: number | null;
  ending: JSONColumnType<Ending & object, string | undefined, string> | null;
  /** What came of the action's expectation; null where it has none, or the run has not ended. */
  outcome: JSONColumnType<Outcome & object, string | undefined, string> | null;
  /** The most telling line of its output that reports trouble (AR-15), where there is one and it may be shown. */
  trouble: string | null;
  bytes: number | null;
  dropped: number | null;
  outputSha256: string | null;
  redactedSha256: string | null;
  hostKey: string | null;
  /** What the run card shows of the output: the last lines while it runs, the cut whole when it has ended. */
  excerpt: string | null;
  /** What it has said until `seenAt`, cut as the model reads outputs; nothing once it has ended. */
  soFar: string | null;
  seenAt: Date | null;
  /** When it reached its soft limit last, and until when it was then to go on (AR-12). */
  askedAt: Date | null;
  waitUntil: Date | null;
  /** When the agent was last given its output so far. */
  continuedAt: Date | null;
  /** Who wants it ended; whatever process runs it does that. */
  cancelledBy: string | null;
}

export interface ServerLineTable {
  actionId: string;
  position: Generated<number>;
  servers: JSONColumnType<readonly string[]>;
  askedAt: Generated<Date>;
  /** When it last asked: who no longer asks waits for something else. */
  seenAt: Date;
}

export interface OutputTable {
  runId: string;
  /** Which parts are its text; nothing where it has none. */
  draft: string | null;
  withheld: string | null;
  excerpt: string;
}

export interface OutputPartTable {
  runId: string;
  draft: string;
  part: number;
  text: string;
}
