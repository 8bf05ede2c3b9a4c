-- What was written is counted, not what is left: a limit that changes while the bot runs changes what is left at once.
alter table write_budget add column minute_used double precision not null default 0, add column hour_used double precision not null default 0,
  add column late_by text;
update write_budget set minute_used = greatest(0, 40 - minute), hour_used = greatest(0, 250 - hour);
alter table write_budget drop column minute, drop column hour;

-- Which limit a board names as the reason why comments come late.
alter table incident add column late_said text;
update incident set late_said = '' where says_late;
alter table incident drop column says_late;

-- Whether somebody waits for what the comment says next, and for whose command it is.
alter table comment add column awaited boolean not null default false, add column asked_by bigint,
  add column reads_only boolean not null default false;
alter table reaction add column reads_only boolean not null default false;

-- What was written lately for a repository or a person, and which issues wait for their turn.
create table write_share (
  installation_id bigint not null,
  share text not null,
  minute_used double precision not null default 0,
  hour_used double precision not null default 0,
  refilled_at timestamptz not null default now(),
  primary key (installation_id, share)
);
create table write_wait (
  installation_id bigint not null,
  repo text not null,
  issue integer not null,
  urgency text not null,
  since timestamptz not null default now(),
  until timestamptz not null,
  primary key (installation_id, repo, issue)
);
