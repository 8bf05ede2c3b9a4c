-- Whoever changes what an issue shows counts it here; the poster draws it, and notes how far it has come. `doing` is what the board says
-- is going on.
alter table incident add column changed bigint not null default 0;
alter table incident add column drawn bigint not null default 0;
alter table incident add column doing text not null default '';
create index incident_undrawn on incident (repo, number) where changed > drawn;

-- What the version before had still to draw.
insert into job (queue, key, share, data)
  select 'post', repo || '#' || number, repo, jsonb_build_object('repo', repo, 'issue', number) from incident where set_back;
update incident set changed = 1 where set_back;
alter table incident drop column set_back;
