-- What changed in an incident's services before it began, as it was read of GitHub; the agent hears it once.
create table incident_changes (
  incident_id uuid primary key references incident,
  since timestamptz not null,
  until timestamptz not null,
  services jsonb not null,
  changes jsonb not null,
  unseen jsonb not null,
  told_at timestamptz
);
