-- The whole schema of 0.1.0. `src/store/database/tables.ts` is made from it (test/store/database/tables.test.ts).

-- Intake -------------------------------------------------------------------------------------------------------------------

-- What came in. Deliveries of one `line` are served one after another: an incident's, or a repository's for events about it.
create table delivery (
  guid text primary key,
  position bigint generated always as identity,
  line text not null,
  event text not null,
  action text,
  -- Equal for two deliveries of the same thing under different GUIDs (RR-02).
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
-- Before an issue is taken in, this says whether it was closed.
create index delivery_closing on delivery (line) where event = 'issues' and action = 'closed';

-- The queue. A job that was claimed has its key for itself until it ends (`job_begun`), and one that has ended leaves no row.
create table job (
  id bigint generated always as identity primary key,
  queue text not null,
  key text not null,
  share text not null,
  data jsonb not null,
  due_at timestamptz not null default now(),
  claims integer not null default 0,
  failures integer not null default 0,
  deaths integer not null default 0,
  alive_at timestamptz,
  -- The process that claimed it last.
  holder text,
  -- When the job's time was set: a time set later than now was set under a clock that was ahead, and is moved back.
  set_at timestamptz not null default now()
);
create unique index job_begun on job (queue, key) where claims > 0;
create index job_first on job (queue, key, (claims > 0) desc, id) where alive_at is null;
create index job_waiting on job (queue, share, id) where alive_at is null;
create index job_served on job (queue, share) where alive_at is not null;

-- Which repository a name meant at first contact, and the installation that reaches it (SR-07). Names are in lower case.
create table repository (
  name text primary key,
  id bigint not null,
  installation_id bigint not null,
  -- False once GitHub has said that the installation is gone.
  installed boolean not null default true,
  first_seen_at timestamptz not null default now()
);

-- How far polling has read each repository, and which process reads it: one at a time, and another if that one is gone.
create table poll (
  repo text primary key,
  holder uuid,
  held_until timestamptz,
  -- Everything that changed on GitHub before this is stored.
  since timestamptz not null,
  -- When GitHub was last read to its end.
  read_at timestamptz,
  -- What the repository was then (private, public, renamed, gone), and how often that has changed.
  standing text,
  standings integer not null default 0,
  -- When the repository was last pushed to, in GitHub's words.
  last_push text
);

-- Incidents ----------------------------------------------------------------------------------------------------------------

create table incident (
  id uuid primary key,
  installation_id bigint not null,
  repo_id bigint not null,
  repo text not null,
  number integer not null,
  node_id text not null,
  title text not null,
  -- The issue's text as people see it, from the time it was taken in (SR-36).
  body text not null,
  -- On a public repository outputs stay off the issue (SR-11).
  public boolean not null,
  -- As the last event about the issue had them.
  labels jsonb not null,
  -- A person took it in with /investigate: it is an incident without the label.
  by_hand boolean not null default false,
  opener_id bigint not null,
  opener_login text not null,
  state text not null default 'open' check (state in ('open', 'closed')),
  next_number integer not null default 1,
  phase text not null default 'identify',
  confidence text,
  headline text,
  -- What it was, in the words of the person who closed it; null if they gave none.
  cause text,
  -- The numbers of the commands after which a fault was gone that a check had shown before; null until it is closed.
  helped jsonb,
  -- How often what its comments show has changed, which of these changes they were drawn at, and since when the two differ.
  changed bigint not null default 0,
  drawn bigint not null default 0,
  undrawn_since timestamptz,
  -- What they were last drawn with beside the rows: program, config, known secrets, the repository's name, open or closed, public
  -- or not. What is kept and settled counts for no other.
  drawn_with text,
  -- What the board says is going on; empty if it goes by the rows.
  doing text not null default '',
  -- The agent's plan as the board shows it; empty if it has written none.
  plan text not null default '',
  -- Which limit the board names as the reason why comments come late; null if it names none.
  late_said text,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  unique (repo_id, number)
);
create index incident_open on incident (created_at) where state = 'open';
create index incident_closed on incident (repo_id, closed_at) where state = 'closed';
create index incident_undrawn on incident (repo, number) where changed > drawn;
-- The poster finds an incident by its issue; without this it asked the index of (repo_id, number) once for each repository.
create index incident_issue on incident (repo, number);

-- What an incident's alert, its issue form or a person says by name (`namespace: shop`): data, for what a runbook leaves open.
create table incident_value (
  incident_id uuid not null references incident,
  source text not null check (source in ('alert', 'form', 'person')),
  name text not null,
  value text not null,
  primary key (incident_id, source, name)
);

-- What changed in an incident's services before it began, as GitHub had it; the agent hears it once.
create table incident_changes (
  incident_id uuid primary key references incident,
  since timestamptz not null,
  until timestamptz not null,
  services jsonb not null,
  changes jsonb not null,
  unseen jsonb not null,
  -- When a turn showed it to the agent.
  told_at timestamptz
);

-- An issue that was opened for a group of alerts. The issue bears the row's id as its hidden mark.
create table alert (
  id uuid primary key,
  source text not null,
  -- SHA-256 of the name that the source has for the group.
  key text not null,
  -- Of a group's rows the one whose issue stands for it now.
  is_current boolean not null default true,
  -- A pager's name for the group; null if it is unknown.
  pager_key text,
  -- The incident that stood for the group before.
  previous_id uuid references incident,
  -- Null while the issue is being opened.
  incident_id uuid unique references incident,
  state text not null check (state in ('firing', 'resolved')),
  severity text,
  started_at timestamptz,
  fires int not null default 1,
  fired_at timestamptz not null,
  resolves int not null default 0,
  resolved_at timestamptz,
  -- How many comments said that it was resolved, since when the last one says it, and how often in that one.
  told int not null default 0,
  told_since timestamptz,
  told_times int not null default 0,
  seen_digest text not null,
  seen_at timestamptz not null,
  event_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index alert_current on alert (source, key) where is_current;
create index alert_created on alert (source, created_at);

-- What a pager is told of an alert: one row for each event of each time that it fires, so that each is told once.
create table pager_answer (
  id uuid primary key,
  alert_id uuid not null references alert,
  incident_id uuid not null references incident,
  -- The alert's `resolves`: a pager pages again for one that fires again.
  round int not null,
  event text not null check (event in ('acknowledge', 'resolve')),
  pager text not null,
  -- Whose comment it follows from.
  login text not null,
  at timestamptz not null,
  -- `open` is still to be told, `sending` may have been; the others are the end, `moot` if the alert resolved first.
  state text not null check (state in ('open', 'sending', 'done', 'failed', 'unsure', 'moot')),
  attempts int not null default 0,
  due_at timestamptz not null,
  told_at timestamptz,
  fault text,
  unique (alert_id, round, event)
);
create index pager_answer_incident on pager_answer (incident_id);
create index pager_answer_open on pager_answer (state) where state in ('open', 'sending');

-- The agent ----------------------------------------------------------------------------------------------------------------

create table session (
  id uuid primary key,
  incident_id uuid not null references incident,
  user_id bigint not null,
  user_login text not null,
  -- What the session is about first (AR-16).
  pillar text not null default 'troubleshoot' check (pillar in ('troubleshoot', 'revive')),
  nonce text not null,
  -- What people and workflows said to the agent for this session alone, oldest first (S13.4).
  instructions jsonb not null default '[]',
  steps integer not null default 0,
  step_limit integer not null,
  input_tokens bigint not null default 0,
  -- The part of the input tokens that the provider had in its cache.
  cached_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  tool_calls integer not null default 0,
  -- The sum of its turns.
  duration_ms bigint not null default 0,
  -- Comments with a higher id have not been read to the model yet.
  heard_comment bigint,
  -- SHA-256 of the repository's rules as the model last had them: empty if there were none, null before it had any.
  told_rules text,
  -- The login of the person who was asked to take the incident over and has not answered.
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
  -- The person who set it going; null if nobody did.
  person_id bigint,
  -- Of the repository's files that were read for it; null if there were none.
  context_commit text,
  -- An earlier incident that its card names.
  similar_incident jsonb,
  created_at timestamptz not null default now(),
  -- Its card stands as drawn and nothing on it can change: drawings leave it out. Any change of the row ends that.
  settled boolean not null default false,
  unique (incident_id, step)
);
create function unsettle() returns trigger language plpgsql as $$ begin new.settled := false; return new; end $$;
create trigger turn_unsettled before update on turn for each row when (old.settled) execute function unsettle();
create index turn_open on turn (incident_id) where not settled;
create index turn_person on turn (person_id, created_at) where person_id is not null;

-- One row for each request to the model. It is there before the request, with what that may cost, so that budgets hold for any number
-- of turns side by side, and a crash never makes a request free (SR-58).
create table usage (
  id uuid primary key,
  session_id uuid not null references session,
  incident_id uuid not null references incident,
  repo_id bigint not null,
  installation_id bigint not null,
  person_id bigint,
  step integer not null,
  -- Null until the model has answered.
  model text,
  input_tokens bigint not null,
  cached_tokens bigint not null default 0,
  output_tokens bigint not null,
  -- In the currency of the endpoint's price; 0 if it has none.
  cost double precision not null default 0,
  -- True while the request is open, and if the endpoint counted nothing.
  estimated boolean not null default true,
  at timestamptz not null
);
create index usage_at on usage (at);
create index usage_incident on usage (incident_id);

create table question (
  id uuid primary key,
  incident_id uuid not null references incident,
  -- `q1` is 1.
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

-- What the agent takes for the cause, one row for each of its ids; a later reply changes it.
create table hypothesis (
  incident_id uuid not null references incident,
  id text not null,
  says text not null,
  status text not null check (status in ('confirmed', 'likely', 'open', 'refuted')),
  -- Numbers of actions that had ended when the agent named them.
  for_runs jsonb not null,
  against_runs jsonb not null,
  -- The turn that changed it last.
  step integer not null,
  changed_at timestamptz not null default now(),
  primary key (incident_id, id)
);

-- About one session (AR-11). Each person has one verdict on each comment of ours and way of giving it: the last.
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

-- What people have written for the agent's prompt (PA-2). `awaits_*`: after /prompt update the person's next comment on that incident
-- is the new text, for a quarter of an hour by GitHub's clock; an older comment than `awaits_after` never is.
create table person_prompt (
  person_id bigint primary key,
  login text not null,
  -- Empty: the default holds.
  text text not null default '',
  awaits_incident uuid references incident,
  awaits_after bigint,
  awaits_since timestamptz,
  updated_at timestamptz not null default now()
);

-- Actions and approvals ----------------------------------------------------------------------------------------------------

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
  -- The slot of the comment that shows it.
  card text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- What the board and later proposals need of an action that has ended and whose card stands as drawn: drawings read only this
  -- of it. Null while anything of it may change.
  kept jsonb,
  unique (incident_id, number),
  -- A command that waits for values is never approved: another completes it, or it ends.
  constraint action_form_never_runs
    check (not jsonb_exists(spec, 'open') or state in ('incomplete', 'rejected', 'superseded', 'void', 'blocked', 'expired'))
);
create index action_pending on action (expires_at) where state = 'proposed';
-- What decisions may depend on: all but reads that ended (`openPartsOf`).
create index action_standing on action (incident_id)
  where state <> 'done' or spec ->> 'risk' <> 'low' or findings @> '[{"ruleId": "operator.trust"}]';

create index action_open on action (incident_id) where kept is null;
create index action_demands on action (incident_id) where jsonb_exists(spec, 'demands');
create index action_card on action (incident_id, card);

create table action_transition (from_state text, to_state text, primary key (from_state, to_state));
insert into action_transition values
  ('proposed', 'approved'), ('proposed', 'rejected'), ('proposed', 'superseded'), ('proposed', 'expired'), ('proposed', 'void'),
  ('approved', 'dispatching'), ('approved', 'proposed'), ('approved', 'rejected'), ('approved', 'expired'), ('approved', 'void'),
  ('superseded', 'proposed'),
  ('dispatching', 'running'), ('dispatching', 'done'),
  ('running', 'done'),
  ('incomplete', 'rejected'), ('incomplete', 'superseded'), ('incomplete', 'void');

create function action_guard() returns trigger language plpgsql as $$
  begin
    if new.state <> old.state and not exists
      (select 1 from action_transition t where t.from_state = old.state and t.to_state = new.state)
    then raise exception 'unlawful transition of action % from % to %', old.number, old.state, new.state; end if;
    if (new.spec, new.digest, new.number, new.incident_id) is distinct from (old.spec, old.digest, old.number, old.incident_id)
    then raise exception 'action % is immutable', old.number; end if;
    -- What it shows has changed, so it is drawn anew.
    if (new.state, new.state_reason, new.superseded_by, new.card) is distinct from
      (old.state, old.state_reason, old.superseded_by, old.card)
    then new.kept := null; end if;
    return new;
  end $$;
create trigger action_guard before update on action for each row execute function action_guard();

create table approval (
  id uuid primary key,
  action_id uuid not null references action,
  digest text not null,
  verdict text not null check (verdict in ('approve', 'reject')),
  -- A comment on this very action, the one that gave a lease, or the operator's file, which gave the opening lease (AR-03).
  via text not null default 'comment' check (via in ('comment', 'lease', 'opening')),
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

-- A lease: one person's word on an incident that the agent's reads run without being asked (AR-03); the last on each incident. The
-- comment that gave it stands for its approvals, so it is kept as theirs is.
create table lease (
  incident_id uuid primary key references incident,
  -- What gave it. Of the operator's file, its hash stands in comment_sha256, and person and comment are 0.
  via text not null default 'lease' check (via in ('lease', 'opening')),
  person_id bigint not null,
  login text not null,
  role text not null,
  comment_id bigint not null,
  comment_node_id text not null,
  comment_sha256 text not null,
  -- The newest comment that gave or ended a lease.
  last_comment bigint not null,
  -- The names of the servers that it was given for: it holds on no other.
  servers jsonb not null,
  ends_at timestamptz not null,
  -- How many commands may run under it, each server of one counted, and how many have been claimed.
  max_commands integer not null default 0,
  used integer not null default 0,
  -- Proposals in which policy found more risk than the agent did.
  raised integer not null default 0,
  -- The latest time at which anything was claimed under it.
  seen_at timestamptz not null default now(),
  on_at timestamptz not null default now(),
  off_at timestamptz,
  off_why text,
  -- Whatever the program believes, no more commands are claimed than were allowed.
  check (used between 0 and max_commands)
);

-- Passkeys of approvers, by their WebAuthn credential ids. A key that another approver still has to confirm is not in force.
create table passkey (
  -- base64url, as is the public key in its COSE form.
  id text primary key,
  person_id bigint not null,
  login text not null,
  public_key text not null,
  -- SHA-256, hex, over key and owner; people read its beginning to each other.
  digest text not null unique,
  counter bigint not null,
  added_at timestamptz not null default now(),
  in_force_at timestamptz,
  revoked_at timestamptz
);
create index passkey_person on passkey (person_id);

-- A page does one thing once: it adds a key, or it proves who countersigns an action or another person's key.
create table passkey_page (
  -- 256 random bits, hex, so that Markdown leaves a link to it as it is.
  id text primary key,
  person_id bigint not null,
  login text not null,
  -- What is countersigned: an action or a key, by its digest; all null on a page that adds a key.
  action_id uuid references action,
  key_id text references passkey,
  digest text,
  comment_id bigint,
  comment_sha256 text,
  -- The operator gave it: its key is in force at once.
  trusted boolean not null,
  ends_at timestamptz not null,
  used_at timestamptz,
  passkey_id text references passkey,
  assertion jsonb,
  check ((digest is null) = (comment_id is null)),
  check ((assertion is null) = (passkey_id is null)),
  unique (comment_id, digest)
);

-- A draft pull request that an approved patch opened, one for each such action; it is followed until people merge or close it.
create table pull_request (
  action_id uuid primary key references action,
  incident_id uuid not null references incident,
  number integer not null,
  url text not null,
  state text not null default 'open' check (state in ('open', 'merged', 'closed')),
  -- Its checks and reviews as GitHub showed them last; null before the first look.
  seen jsonb,
  looked_at timestamptz,
  opened_at timestamptz not null default now()
);
create index pull_request_incident on pull_request (incident_id);
create index pull_request_open on pull_request (looked_at) where state = 'open';

-- Who was called because a command, or without one an incident, waits for people: one row for each step, so that each person is called
-- once.
create table escalation (
  action_id uuid references action,
  -- What an incident waits for; empty for a command.
  round text not null default '',
  -- From 1, in the order of the calls.
  step integer not null check (step > 0),
  incident_id uuid not null references incident,
  -- `person`: assigned and mentioned; `hook`: the operator's outgoing hook; `team`: all who may approve.
  kind text not null check (kind in ('person', 'hook', 'team')),
  -- A login, the kind of the hook, or empty for the team.
  who text not null,
  -- Why it was not the person on call; empty if it was.
  why text not null,
  at timestamptz not null,
  -- `open` is still to be done outside the store, `sending` may have been; the others are the end.
  state text not null check (state in ('open', 'sending', 'done', 'failed', 'unsure')),
  attempts integer not null default 0,
  tried_at timestamptz,
  fault text
);
create unique index escalation_step on escalation (coalesce(action_id, incident_id), round, step);
create index escalation_incident on escalation (incident_id);
create index escalation_open on escalation (state) where state in ('open', 'sending');

-- Runs ---------------------------------------------------------------------------------------------------------------------

-- A batch is what one /approve set going, or a step under a lease: it runs in order, stops at the first failure, and is one comment. A
-- comment sets several batches going if each passkey that it needs completes another of its numbers; the same numbers never twice.
create table batch (
  id uuid primary key,
  incident_id uuid not null references incident,
  -- Null under a lease.
  comment_id bigint,
  person_id bigint not null,
  login text not null,
  numbers jsonb not null,
  keep_going boolean not null default false,
  -- After how long a command of it asks what to do, if `--timeout` said so; else each server's own limit counts.
  soft_timeout_ms bigint,
  -- What a person must know about it, e.g. that the rest is open again.
  note text,
  -- Why it does not go on at this moment, as a clause.
  waits_for text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  -- When the agent was given a turn to read its results.
  read_at timestamptz,
  -- What is said of its end beside a run card that was on the issue before.
  news text,
  -- The step whose card says how it ended; null if a comment of its own does.
  told_on integer,
  -- As of a turn.
  settled boolean not null default false,
  constraint batch_comment_once unique (comment_id, numbers)
);
create index batch_incident on batch (incident_id, created_at);
create trigger batch_unsettled before update on batch for each row when (old.settled) execute function unsettle();
create index batch_open on batch (incident_id) where not settled;
create index batch_unread on batch (incident_id) where ended_at is null or read_at is null or comment_id is null;
create index batch_told on batch (incident_id, told_on) where told_on is not null;

create table run (
  id uuid primary key,
  action_id uuid not null references action,
  batch_id uuid not null references batch,
  server text not null,
  -- Which command of a set it runs, from 0; null if its action is one command.
  step integer,
  -- Null while it waits for its turn among the servers of its action; set before anything is sent there.
  started_at timestamptz,
  ended_at timestamptz,
  duration_ms double precision,
  ending jsonb,
  -- Whether the action's expectation was met; null if it has none, or the run has not ended.
  outcome jsonb,
  -- The most telling line of its output that reports trouble (AR-15), if there is one and it may be shown.
  trouble text,
  bytes bigint,
  dropped bigint,
  output_sha256 text,
  redacted_sha256 text,
  host_key text,
  -- What the run card shows of the output: the last lines while it runs, the cut whole when it has ended.
  excerpt text,
  -- The output until `seen_at`, cut as the model reads outputs; null once it has ended.
  so_far text,
  seen_at timestamptz,
  -- When it last reached its soft limit, and until when it was then to go on (AR-12).
  asked_at timestamptz,
  wait_until timestamptz,
  -- When the agent last got its output so far.
  continued_at timestamptz,
  -- The person who wants it ended; the process that runs it does that.
  cancelled_by text
);
create unique index run_once on run (action_id, server, coalesce(step, -1));
create index run_batch on run (batch_id);
create index run_open on run (id) where ending is null;
create index run_unknown on run (id) where ending ->> 'kind' = 'unknown';
create index run_cancelled on run (action_id) where ended_at is null and cancelled_by is not null;

create table server_line (
  action_id uuid primary key references action,
  position bigint generated always as identity,
  servers jsonb not null,
  asked_at timestamptz not null default now(),
  -- When it last asked: an action that no longer asks waits for something else.
  seen_at timestamptz not null
);

create table output (
  run_id uuid primary key references run,
  -- Which parts are its text; null if it has none.
  draft uuid,
  withheld text,
  excerpt text not null
);

-- Written before their output, whose `draft` then says which of them count.
create table output_part (
  run_id uuid references run,
  draft uuid,
  part integer,
  text text not null,
  primary key (run_id, draft, part)
);

-- Workflows that run by time (WF-2). `seen_due` is the last due time that was dealt with: the process that moves it on has claimed the
-- next.
create table schedule (
  -- `acme/oncall nightly-disk-check`: repository in lower case, workflow.
  key text primary key,
  -- The issue of this schedule is found again by it; nobody can know it before it stands there.
  marker uuid not null,
  repo text not null,
  workflow text not null,
  installation_id bigint not null,
  -- Pinned at the first request to GitHub.
  repo_id bigint,
  -- The issue that shows its runs.
  issue integer,
  seen_due timestamptz,
  -- Why it is suspended, as it was last posted.
  suspended text,
  -- In a row.
  failures integer not null default 0,
  -- The incident that its last failure has opened.
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

-- The outbox ---------------------------------------------------------------------------------------------------------------

-- What each comment of ours should say, and what GitHub has. A comment is created once and then edited.
create table comment (
  -- Its hidden mark.
  id uuid primary key,
  position bigint generated always as identity,
  installation_id bigint not null,
  repo text not null,
  issue integer not null,
  incident_id uuid references incident,
  -- Which comment of the issue this is: `board`, `card:3`, `run:5`, `reply:<comment id>` …
  slot text not null,
  body text not null,
  version integer not null default 1,
  posted_version integer not null default 0,
  -- What the last attempt tried to post: after a lost answer GitHub may show this one.
  posting_body text,
  posted_body text,
  github_id bigint,
  node_id text,
  -- GitHub's id of the last one that was deleted, after which this was made again; 0 if none was.
  gone bigint not null default 0,
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  -- Whether somebody waits for what it says next.
  awaited boolean not null default false,
  -- Whose command it answers, and whether they may only read.
  asked_by bigint,
  reads_only boolean not null default false,
  parked text,
  created_at timestamptz not null default now(),
  posted_at timestamptz,
  -- When people could first see it, by GitHub's clock.
  first_posted_at timestamptz,
  fold_as text check (fold_as in ('OUTDATED', 'RESOLVED')),
  folded boolean not null default false,
  fold_attempts integer not null default 0,
  -- Whether it is pinned, or GitHub does not pin it; only the board ever is.
  pinned boolean not null default false,
  unique (repo, issue, slot)
);
create index comment_open on comment (repo, issue, position) where version > posted_version;
create index comment_to_fold on comment (repo, issue) where fold_as is not null and not folded;
create index comment_undrawn on comment (repo, issue, position) where version = 0;
create index comment_parked on comment (id) where parked is not null;
create index comment_issue on comment (issue);
create unique index comment_github on comment (github_id) where github_id is not null;

create table reaction (
  id uuid primary key,
  installation_id bigint not null,
  repo text not null,
  issue integer not null,
  -- 0 for a reaction on the issue itself.
  comment_id bigint not null default 0,
  content text not null,
  posted boolean not null default false,
  attempts integer not null default 0,
  -- Whether it is for a person who may only read.
  reads_only boolean not null default false,
  parked text,
  created_at timestamptz not null default now(),
  unique (repo, issue, comment_id, content)
);
create index reaction_open on reaction (repo, issue) where not posted and parked is null;

-- Which labels of ours an issue should carry, and which it carries. Each list is sorted.
create table label (
  repo text not null,
  issue integer not null,
  installation_id bigint not null,
  wanted jsonb not null,
  -- Ours as well, and not to be there.
  spare jsonb not null,
  -- Ours that it carries by GitHub's last answer.
  shown jsonb not null default '[]',
  -- Null if there is nothing to change.
  due_at timestamptz,
  attempts integer not null default 0,
  primary key (repo, issue)
);

-- What is said once, by what it is about.
create table notice (about text primary key, at timestamptz not null default now());

-- What all processes wrote to GitHub lately for each installation; it fades as the limits allow. What was written is counted, not what is
-- left: a limit that changes while the bot runs changes what is left at once.
create table write_budget (
  installation_id bigint primary key,
  minute_used double precision not null default 0,
  hour_used double precision not null default 0,
  refilled_at timestamptz not null default now(),
  paused_until timestamptz,
  -- Pauses in a row without a write that GitHub took in between.
  refusals integer not null default 0,
  refused_since timestamptz,
  -- Whether the operator was notified of it.
  refusal_told boolean not null default false,
  -- When a comment last had waited long for its turn, and for which limit.
  late_at timestamptz,
  late_by text
);

-- What was written lately as answers to a person, or to all who may only read; of a repository, when it was last written to.
create table write_share (
  installation_id bigint not null,
  share text not null,
  minute_used double precision not null default 0,
  hour_used double precision not null default 0,
  refilled_at timestamptz not null default now(),
  primary key (installation_id, share)
);

-- An issue whose most urgent write waits for its turn. If it has not come back by `until`, the others stop waiting for it.
create table write_wait (
  installation_id bigint not null,
  repo text not null,
  issue integer not null,
  urgency text not null,
  since timestamptz not null default now(),
  until timestamptz not null,
  primary key (installation_id, repo, issue)
);

-- Stops --------------------------------------------------------------------------------------------------------------------

-- The kill switch of a bot whose store is on a server; an embedded one has a file in its folder. `kill`: what runs is ended too.
create table halt (
  scope text primary key,
  halted boolean not null,
  "by" text not null,
  -- RFC 3339.
  at text not null,
  kill boolean not null default false
);

-- The last hold on each incident, and under issue 0 on a repository as a whole. A hold that was lifted stays: what was approved before
-- that does not run after it.
create table hold (
  repo_id bigint not null,
  issue integer not null,
  person_id bigint not null,
  login text not null,
  comment_id bigint not null,
  kill boolean not null,
  held_at timestamptz not null default now(),
  lifted_at timestamptz,
  -- The comment that lifted it.
  lifted_by bigint,
  primary key (repo_id, issue)
);

-- The audit ----------------------------------------------------------------------------------------------------------------

-- Append-only and chained, so that a change anywhere shows (SR-64). `at` (RFC 3339) and `body` (JSON) are as hashed.
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

create function audit_guard() returns trigger language plpgsql as $$
  begin raise exception 'the audit is append-only'; end $$;
create trigger audit_guard before update or delete or truncate on audit for each statement execute function audit_guard();
