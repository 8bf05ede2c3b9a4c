-- When a job's time was set: one that was set later than it is now was set under a clock that was ahead, and is moved back.
alter table job add column set_at timestamptz not null default now();
