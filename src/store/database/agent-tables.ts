import type { Generated, JSONColumnType } from "kysely";

/** What the agent costs, what it asks people, and what they thought of it. `migrations.ts` makes the tables. */
export const agentTables: readonly string[] = [
  // One row an ask of the model. It is there before the ask, with what it may cost, so that budgets hold however many turns
  // run side by side, and a crash never makes an ask free (SR-58).
  `create table usage (
    id uuid primary key,
    session_id uuid not null references session,
    incident_id uuid not null references incident,
    repo_id bigint not null,
    installation_id bigint not null,
    person_id bigint,
    step integer not null,
    model text,
    input_tokens bigint not null,
    cached_tokens bigint not null default 0,
    output_tokens bigint not null,
    cost double precision not null default 0,
    estimated boolean not null default true,
    at timestamptz not null
  )`,
  "create index usage_at on usage (at)",
  "create index usage_incident on usage (incident_id)",
  // What is said once, by what it is about.
  "create table notice (about text primary key, at timestamptz not null default now())",

  `create table question (
    id uuid primary key,
    incident_id uuid not null references incident,
    number integer not null,
    step integer not null,
    text text not null,
    choices jsonb not null,
    asked_at timestamptz not null default now(),
    answer text,
    answered_by_id bigint,
    answered_by_login text,
    answered_comment_id bigint,
    answered_at timestamptz,
    unique (incident_id, number)
  )`,

  // Of a session alone (AR-11). A person has one word on each comment of ours and way of saying it: the last.
  `create table feedback (
    id uuid primary key,
    session_id uuid not null references session,
    source text not null check (source in ('command', 'reaction')),
    slot text not null,
    verdict text not null check (verdict in ('up', 'down')),
    note text not null default '',
    person_id bigint not null,
    login text not null,
    given_at timestamptz not null,
    unique (session_id, source, slot, person_id)
  )`,
];

export interface UsageTable {
  id: string;
  sessionId: string;
  incidentId: string;
  repoId: number;
  installationId: number;
  /** Who set the turn going; null where nobody did. */
  personId: number | null;
  step: number;
  /** Null until the model has answered. */
  model: string | null;
  inputTokens: number;
  /** Of the input tokens those that the provider had in its cache. */
  cachedTokens: Generated<number>;
  outputTokens: number;
  /** In the currency of the endpoint's price; 0 where it has none. */
  cost: Generated<number>;
  /** True while the ask is open, and where the endpoint counted nothing. */
  estimated: Generated<boolean>;
  at: Date;
}

export interface NoticeTable {
  about: string;
  at: Generated<Date>;
}

export interface QuestionTable {
  id: string;
  incidentId: string;
  /** `q1` is 1. */
  number: number;
  step: number;
  text: string;
  choices: JSONColumnType<readonly string[]>;
  askedAt: Generated<Date>;
  answer: string | null;
  answeredById: number | null;
  answeredByLogin: string | null;
  answeredCommentId: number | null;
  answeredAt: Date | null;
}

export interface FeedbackTable {
  id: string;
  sessionId: string;
  source: "command" | "reaction";
  /** Which comment of ours it is on, by its slot. */
  slot: string;
  verdict: "up" | "down";
  note: Generated<string>;
  personId: number;
  login: string;
  givenAt: Date;
}
