-- What an incident's alert or its issue form says by name (`namespace: shop`): data, for what a runbook leaves open.
create table incident_value (
  incident_id uuid not null references incident,
  source text not null check (source in ('alert', 'form', 'person')),
  name text not null,
  value text not null,
  primary key (incident_id, source, name)
);

-- A command that waits for values is never approved: it is completed by another, or ends.
insert into action_transition values
  ('incomplete', 'rejected'), ('incomplete', 'superseded'), ('incomplete', 'void');
alter table action add constraint action_form_never_runs
  check (not jsonb_exists(spec, 'open') or state in ('incomplete', 'rejected', 'superseded', 'void', 'blocked', 'expired'));
