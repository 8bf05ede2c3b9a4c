import { labelTables } from "../outbox/labels.ts";
import { budgetTables } from "../outbox/write-budget.ts";
import { actionTables } from "./action-tables.ts";
import { agentTables } from "./agent-tables.ts";
import { autoTables } from "./auto-tables.ts";
import { pinTables } from "./pin-tables.ts";
import { promptTables } from "./prompt-tables.ts";
import { runTables } from "./run-tables.ts";
import { scheduleTables } from "./schedule-tables.ts";
import { stopTables } from "./stop-tables.ts";

/**
 * The schema, one migration after another; Kysely's migrator runs those that are missing, in one transaction, and
 * refuses a store that is newer than this program (RR-18). Each statement stands alone, because a prepared statement
 * holds only one. A migration that has been released is never edited.
 */
export const migrations: Readonly<Record<string, readonly string[]>> = {
  "0001-first": [
    // Intake. `line` is what is served one delivery after another: an incident's, or a repository's for events about it.
    `create table delivery (
      guid text primary key,
      position bigint generated always as identity,
      line text not null,
      event text not null,
      action text,
      semantic_key text unique,
      payload text not null,
      received_at timestamptz not null default now(),
      state text not null default 'stored' check (state in ('stored', 'done', 'quarantined')),
      attempts integer not null default 0,
      outcome text
    )`,
    // Payloads are text out of line: four times the deliveries a second of jsonb (measured).
    "alter table delivery alter column payload set storage external",
    "create index delivery_open on delivery (line, position) where state = 'stored'",

    ...pinTables,

    `create table incident (
      id uuid primary key,
      installation_id bigint not null,
      repo_id bigint not null,
      repo text not null,
      number integer not null,
      node_id text not null,
      title text not null,
      body text not null,
      public boolean not null,
      labels jsonb not null,
      by_hand boolean not null default false,
      set_back boolean not null default false,
      opener_id bigint not null,
      opener_login text not null,
      state text not null default 'open' check (state in ('open', 'closed')),
      next_number integer not null default 1,
      phase text not null default 'identify',
      confidence text,
      headline text,
      created_at timestamptz not null default now(),
      closed_at timestamptz,
      unique (repo_id, number)
    )`,
    "create index incident_open on incident (created_at) where state = 'open'",
    "create index incident_closed on incident (repo_id, closed_at) where state = 'closed'",
    `create table session (
      id uuid primary key,
      incident_id uuid not null references incident,
      user_id bigint not null,
      user_login text not null,
      pillar text not null default 'troubleshoot' check (pillar in ('troubleshoot', 'revive')),
      nonce text not null,
      instructions jsonb not null default '[]',
      steps integer not null default 0,
      step_limit integer not null,
      input_tokens bigint not null default 0,
      cached_tokens bigint not null default 0,
      output_tokens bigint not null default 0,
      heard_comment bigint,
      offered_to text,
      created_at timestamptz not null default now(),
      unique (incident_id)
    )`,
    `create table message (
      id bigint generated always as identity primary key,
      session_id uuid not null references session,
      message jsonb not null,
      created_at timestamptz not null default now()
    )`,
    "create index message_session on message (session_id, id)",

    // One run of the agent, and what it said: a proposal card is drawn from this and from the actions of its step.
    `create table turn (
      id uuid primary key,
      incident_id uuid not null references incident,
      step integer not null,
      cause text not null,
      offline boolean not null,
      prose text not null,
      confidence text,
      phase text not null,
      suggestions jsonb not null,
      runbooks jsonb not null,
      notes jsonb not null,
      input_tokens bigint not null default 0,
      cached_tokens bigint not null default 0,
      output_tokens bigint not null default 0,
      person_id bigint,
      created_at timestamptz not null default now(),
      unique (incident_id, step)
    )`,
    "create index turn_person on turn (person_id, created_at) where person_id is not null",

    ...actionTables,
    ...promptTables,
    ...runTables,

    // The outbox: what each comment of ours should say, and what GitHub has. A comment is created once and then edited.
    `create table comment (
      id uuid primary key,
      position bigint generated always as identity,
      installation_id bigint not null,
      repo text not null,
      issue integer not null,
      incident_id uuid references incident,
      slot text not null,
      body text not null,
      version integer not null default 1,
      posted_version integer not null default 0,
      posting_body text,
      posted_body text,
      github_id bigint,
      node_id text,
      gone bigint not null default 0,
      attempts integer not null default 0,
      due_at timestamptz not null default now(),
      parked text,
      created_at timestamptz not null default now(),
      posted_at timestamptz,
      first_posted_at timestamptz,
      fold_as text check (fold_as in ('OUTDATED', 'RESOLVED')),
      folded boolean not null default false,
      fold_attempts integer not null default 0,
      unique (repo, issue, slot)
    )`,
    "create index comment_open on comment (repo, issue, position) where version > posted_version and parked is null",
    "create index comment_parked on comment (id) where parked is not null",
    "create index comment_issue on comment (issue)",
    "create unique index comment_github on comment (github_id) where github_id is not null",
    `create table reaction (
      id uuid primary key,
      installation_id bigint not null,
      repo text not null,
      issue integer not null,
      comment_id bigint not null default 0,
      content text not null,
      posted boolean not null default false,
      attempts integer not null default 0,
      parked text,
      created_at timestamptz not null default now(),
      unique (repo, issue, comment_id, content)
    )`,
    "create index reaction_open on reaction (repo, issue) where not posted and parked is null",

    // The audit: append-only and chained, so that a change anywhere shows (SR-64).
    `create table audit (
      seq bigint primary key,
      at text not null,
      kind text not null,
      incident_id uuid,
      body text not null,
      prev text not null,
      hash text not null
    )`,
    "create index audit_incident on audit (incident_id, seq)",
    "create index audit_kind on audit (kind, at)",
    "create table audit_head (one integer primary key check (one = 1), seq bigint not null, hash text not null)",
    "insert into audit_head values (1, 0, '')",
    ...stopTables,
    ...budgetTables,
    ...labelTables,
    ...autoTables,
    ...scheduleTables,
    ...agentTables,
    `create function audit_guard() returns trigger language plpgsql as $$
      begin raise exception 'the audit is append-only'; end $$`,
    "create trigger audit_guard before update or delete or truncate on audit for each statement execute function audit_guard()",
  ],
  "0002-figures-and-trouble": [
    "alter table session add column tool_calls integer not null default 0",
    "alter table session add column duration_ms bigint not null default 0",
    "alter table session add column told_rules text",
    "alter table turn add column context_commit text",
    "alter table run add column trouble text",
  ],
  "0003-similar-incidents": [
    "alter table incident add column cause text",
    "alter table turn add column similar_incident jsonb",
  ],
};
