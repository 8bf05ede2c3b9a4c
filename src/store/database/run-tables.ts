import type { Generated, JSONColumnType } from "kysely";
import type { Ending, Outcome } from "../../base/types.ts";

/** What was set going, where, and what came of it. `migrations.ts` makes the tables. */
export const runTables: readonly string[] = [
  // A batch is what one /approve set going, or a step in agent mode: it runs in order, stops at the first failure, and is one
  // comment.
  `create table batch (
    id uuid primary key,
    incident_id uuid not null references incident,
    comment_id bigint unique,
    person_id bigint not null,
    login text not null,
    numbers jsonb not null,
    keep_going boolean not null default false,
    soft_timeout_ms bigint,
    note text,
    created_at timestamptz not null default now(),
    ended_at timestamptz
  )`,
  "create index batch_incident on batch (incident_id, created_at)",
  `create table run (
    id uuid primary key,
    action_id uuid not null references action,
    batch_id uuid not null references batch,
    server text not null,
    started_at timestamptz,
    ended_at timestamptz,
    duration_ms double precision,
    ending jsonb,
    outcome jsonb,
    bytes bigint,
    dropped bigint,
    output_sha256 text,
    redacted_sha256 text,
    host_key text,
    excerpt text,
    so_far text,
    seen_at timestamptz,
    asked_at timestamptz,
    wait_until timestamptz,
    continued_at timestamptz,
    cancelled_by text,
    unique (action_id, server)
  )`,
  "create index run_batch on run (batch_id)",
  "create index run_open on run (id) where ending is null",
  "create index run_unknown on run (id) where ending ->> 'kind' = 'unknown'",
  "create index run_cancelled on run (action_id) where ended_at is null and cancelled_by is not null",
  `create table server_line (
    action_id uuid primary key references action,
    position bigint generated always as identity,
    servers jsonb not null,
    asked_at timestamptz not null default now(),
    seen_at timestamptz not null
  )`,
  `create table output (
    run_id uuid primary key references run,
    draft uuid,
    withheld text,
    excerpt text not null
  )`,
  // Written before their output is, which then says whose of them count.
  `create table output_part (
    run_id uuid references run,
    draft uuid,
    part integer,
    text text not null,
    primary key (run_id, draft, part)
  )`,
];

export interface BatchTable {
  id: string;
  incidentId: string;
  /** The comment that set it going; null where agent mode did. */
  commentId: number | null;
  personId: number;
  login: string;
  numbers: JSONColumnType<readonly number[]>;
  keepGoing: Generated<boolean>;
  /** After which a command of it asks what to do, where `--timeout` said so; else it is each server's own. */
  softTimeoutMs: number | null;
  note: string | null;
  createdAt: Generated<Date>;
  endedAt: Date | null;
}

export interface RunTable {
  id: string;
  actionId: string;
  batchId: string;
  server: string;
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
