-- Agent mode becomes a lease with an end and a count. What was switched on before has neither, so it is over: somebody gives a new one.
alter table auto_mode rename to lease;
alter table lease drop column from_step;
alter table lease add column ends_at timestamptz;
update lease set ends_at = on_at;
alter table lease alter column ends_at set not null;
alter table lease add column max_commands integer not null default 0;
alter table lease add column used integer not null default 0;
alter table lease add column seen_at timestamptz not null default now();
-- Whatever the program believes, no more commands are claimed than were allowed.
alter table lease add check (used between 0 and max_commands);
