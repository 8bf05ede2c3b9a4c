-- Intake. `line` is what is served one delivery after another: an incident's, or a repository's for events about it.
create table delivery (
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
);
-- Payloads are text out of line: four times the deliveries a second of jsonb (measured).
alter table delivery alter column payload set storage external;
create index delivery_open on delivery (line, position) where state = 'stored';

create table repository (
  name text primary key,
  id bigint not null,
  installation_id bigint not null,
  installed boolean not null default true,
  first_seen_at timestamptz not null default now()
);

create table incident (
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
);
create index incident_open on incident (created_at) where state = 'open';
create index incident_closed on incident (repo_id, closed_at) where state = 'closed';

create table session (
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
);

create table message (
  id bigint generated always as identity primary key,
  session_id uuid not null references session,
  message jsonb not null,
  created_at timestamptz not null default now()
);
create index message_session on message (session_id, id);

-- One run of the agent, and what it said: a proposal card is drawn from this and from the actions of its step.
create table turn (
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
);
create index turn_person on turn (person_id, created_at) where person_id is not null;

create table action (
  id uuid primary key,
  incident_id uuid not null references incident,
  number integer not null,
  state text not null,
  state_reason text,
  superseded_by integer,
  spec jsonb not null,
  digest text not null,
  title text not null,
  description text not null,
  origin text not null check (origin in ('model', 'offline', 'person')),
  author_id bigint,
  author_login text,
  findings jsonb not null,
  card text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (incident_id, number)
);
create index action_pending on action (expires_at) where state = 'proposed';

create table action_transition (from_state text, to_state text, primary key (from_state, to_state));
insert into action_transition values
  ('proposed', 'approved'), ('proposed', 'rejected'), ('proposed', 'superseded'), ('proposed', 'expired'), ('proposed', 'void'),
  ('approved', 'dispatching'), ('approved', 'proposed'), ('approved', 'rejected'), ('approved', 'expired'), ('approved', 'void'),
  ('superseded', 'proposed'),
  ('dispatching', 'running'), ('dispatching', 'done'),
  ('running', 'done');

create function action_guard() returns trigger language plpgsql as $$
  begin
    if new.state <> old.state and not exists
      (select 1 from action_transition t where t.from_state = old.state and t.to_state = new.state)
    then raise exception 'unlawful transition of action % from % to %', old.number, old.state, new.state; end if;
    if (new.spec, new.digest, new.number, new.incident_id) is distinct from (old.spec, old.digest, old.number, old.incident_id)
    then raise exception 'action % is immutable', old.number; end if;
    return new;
  end $$;
create trigger action_guard before update on action for each row execute function action_guard();

create table approval (
  id uuid primary key,
  action_id uuid not null references action,
  digest text not null,
  verdict text not null check (verdict in ('approve', 'reject')),
  via text not null default 'comment' check (via in ('comment', 'agent-mode')),
  person_id bigint not null,
  login text not null,
  role text not null,
  comment_id bigint not null,
  comment_node_id text not null,
  comment_sha256 text not null,
  reason text not null,
  created_at timestamptz not null default now(),
  withdrawn_at timestamptz
);
create unique index approval_once on approval (action_id, person_id, verdict) where withdrawn_at is null;

-- `awaits_*`: after /prompt update the person's next comment on that incident is the new text, for a quarter of an hour.
create table person_prompt (
  person_id bigint primary key,
  login text not null,
  text text not null default '',
  awaits_incident uuid references incident,
  awaits_after bigint,
  awaits_since timestamptz,
  updated_at timestamptz not null default now()
);

-- A batch is what one /approve set going, or a step in agent mode: it runs in order, stops at the first failure, and is one
-- comment.
create table batch (
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
);
create index batch_incident on batch (incident_id, created_at);

create table run (
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
);
create index run_batch on run (batch_id);
create index run_open on run (id) where ending is null;
create index run_unknown on run (id) where ending ->> 'kind' = 'unknown';
create index run_cancelled on run (action_id) where ended_at is null and cancelled_by is not null;

create table server_line (
  action_id uuid primary key references action,
  position bigint generated always as identity,
  servers jsonb not null,
  asked_at timestamptz not null default now(),
  seen_at timestamptz not null
);

create table output (
  run_id uuid primary key references run,
  draft uuid,
  withheld text,
  excerpt text not null
);

-- Written before their output is, which then says whose of them count.
create table output_part (
  run_id uuid references run,
  draft uuid,
  part integer,
  text text not null,
  primary key (run_id, draft, part)
);

-- The outbox: what each comment of ours should say, and what GitHub has. A comment is created once and then edited.
create table comment (
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
);
create index comment_open on comment (repo, issue, position) where version > posted_version and parked is null;
create index comment_parked on comment (id) where parked is not null;
create index comment_issue on comment (issue);
create unique index comment_github on comment (github_id) where github_id is not null;

create table reaction (
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
);
create index reaction_open on reaction (repo, issue) where not posted and parked is null;

-- The audit: append-only and chained, so that a change anywhere shows (SR-64).
create table audit (
  seq bigint primary key,
  at text not null,
  kind text not null,
  incident_id uuid,
  body text not null,
  prev text not null,
  hash text not null
);
create index audit_incident on audit (incident_id, seq);
create index audit_kind on audit (kind, at);

create table audit_head (one integer primary key check (one = 1), seq bigint not null, hash text not null);
insert into audit_head values (1, 0, '');

-- The kill switch of a bot whose store is on a server; an embedded one has a file in its folder.
create table halt (
  scope text primary key,
  halted boolean not null,
  "by" text not null,
  at text not null,
  kill boolean not null default false
);

-- The last word on each incident, and under issue 0 on a repository as a whole. A hold that was lifted stays: what was
-- approved before that does not run after it.
create table hold (
  repo_id bigint not null,
  issue integer not null,
  person_id bigint not null,
  login text not null,
  comment_id bigint not null,
  kill boolean not null,
  held_at timestamptz not null default now(),
  lifted_at timestamptz,
  lifted_by bigint,
  primary key (repo_id, issue)
);

create table write_budget (
  installation_id bigint primary key,
  minute double precision not null,
  hour double precision not null,
  refilled_at timestamptz not null default now(),
  paused_until timestamptz,
  refusals integer not null default 0,
  refused_since timestamptz,
  refusal_told boolean not null default false
);

create table label (
  repo text not null,
  issue integer not null,
  installation_id bigint not null,
  wanted jsonb not null,
  spare jsonb not null,
  shown jsonb not null default '[]',
  due_at timestamptz,
  attempts integer not null default 0,
  primary key (repo, issue)
);

-- The last word on each incident. The comment that switched it on stands for its approvals, so it is kept as theirs is.
create table auto_mode (
  incident_id uuid primary key references incident,
  person_id bigint not null,
  login text not null,
  role text not null,
  comment_id bigint not null,
  comment_node_id text not null,
  comment_sha256 text not null,
  last_comment bigint not null,
  from_step integer not null,
  servers jsonb not null,
  on_at timestamptz not null default now(),
  off_at timestamptz,
  off_why text
);

-- `seen_due` is the last due time that somebody has dealt with: whoever moves it on has claimed the next, of all processes one.
create table schedule (
  key text primary key,
  marker uuid not null,
  repo text not null,
  workflow text not null,
  installation_id bigint not null,
  repo_id bigint,
  issue integer,
  seen_due timestamptz,
  suspended text,
  failures integer not null default 0,
  incident_id uuid references incident
);

create table schedule_run (
  id uuid primary key,
  key text not null references schedule,
  due_at timestamptz not null,
  cron text not null,
  state text not null check (state in ('claimed', 'running', 'ok', 'failed', 'not-run', 'missed')),
  why text,
  steps jsonb not null default '[]',
  started_at timestamptz,
  ended_at timestamptz,
  incident_id uuid references incident,
  unique (key, due_at)
);
create index schedule_run_unknown on schedule_run (id) where steps @> '[{"ending": {"kind": "unknown"}}]';

-- One row an ask of the model. It is there before the ask, with what it may cost, so that budgets hold however many turns
-- run side by side, and a crash never makes an ask free (SR-58).
create table usage (
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
);
create index usage_at on usage (at);
create index usage_incident on usage (incident_id);

-- What is said once, by what it is about.
create table notice (about text primary key, at timestamptz not null default now());

create table question (
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
);

-- Of a session alone (AR-11). A person has one word on each comment of ours and way of saying it: the last.
create table feedback (
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
);

create function audit_guard() returns trigger language plpgsql as $$
  begin raise exception 'the audit is append-only'; end $$;
create trigger audit_guard before update or delete or truncate on audit for each statement execute function audit_guard();
