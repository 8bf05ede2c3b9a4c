-- An issue that was opened for a group of alerts. The issue bears the row's id as its hidden mark.
create table alert (
  id uuid primary key,
  source text not null,
  -- SHA-256 of what the source calls the group.
  key text not null,
  -- Of a group's rows the one whose issue stands for it now.
  is_current boolean not null default true,
  previous_id uuid references incident,
  incident_id uuid unique references incident,
  state text not null check (state in ('firing', 'resolved')),
  severity text,
  started_at timestamptz,
  fires int not null default 1,
  fired_at timestamptz not null,
  resolves int not null default 0,
  resolved_at timestamptz,
  -- How many comments told that it was resolved, since when the last one tells it, and how often in that one.
  told int not null default 0,
  told_since timestamptz,
  told_times int not null default 0,
  seen_digest text not null,
  seen_at timestamptz not null,
  event_at timestamptz,
  -- When `/close` was asked for while it fired.
  close_asked_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index alert_current on alert (source, key) where is_current;
create index alert_created on alert (source, created_at);
-- Boards that are there already stay where they are.
alter table comment add column pinned boolean not null default true;
alter table comment alter column pinned set default false;
