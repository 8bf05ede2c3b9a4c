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
  alive_at timestamptz
);
create unique index job_begun on job (queue, key) where claims > 0;
create index job_first on job (queue, key, (claims > 0) desc, id) where alive_at is null;
create index job_waiting on job (queue, share, id) where alive_at is null;
create index job_served on job (queue, share) where alive_at is not null;

-- What the version before has left in pg-boss's table. That goes, so that a process of that version, should one still run, can
-- neither claim nor end nor add anything: it would be served twice, or never.
do $$
  begin
    if to_regclass('boss.job') is null then return; end if;
    lock table boss.job;
    insert into job (queue, key, share, data, due_at, claims, failures, deaths, alive_at)
      select name, singleton_key, coalesce(group_id, singleton_key), data, start_after,
        case when state = 'created' then 0 else retry_count + 1 end,
        coalesce((output ->> 'failures')::int, 0), coalesce((output ->> 'deaths')::int, 0),
        case when state = 'active' then coalesce(heartbeat_on, now()) end
      from boss.job where state not in ('completed', 'cancelled') order by created_on, id;
    drop schema boss cascade;
  end $$;
