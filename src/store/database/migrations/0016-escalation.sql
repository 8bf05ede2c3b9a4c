-- Who was called because a command waits for an approval: one row a step, so that whoever was called is called once.
create table escalation (
  action_id uuid not null references action,
  step integer not null check (step > 0),
  incident_id uuid not null references incident,
  kind text not null check (kind in ('person', 'hook', 'team')),
  who text not null,
  why text not null,
  at timestamptz not null,
  -- `open` is still to be done outside the store, `sending` may have been; the others are the end.
  state text not null check (state in ('open', 'sending', 'done', 'failed', 'unsure')),
  attempts integer not null default 0,
  tried_at timestamptz,
  fault text,
  primary key (action_id, step)
);
create index escalation_incident on escalation (incident_id);
create index escalation_open on escalation (state) where state in ('open', 'sending');
