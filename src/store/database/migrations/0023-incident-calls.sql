-- People are called for an incident too, without a command that waits: then `round` says for what.
alter table escalation drop constraint escalation_pkey;
alter table escalation alter column action_id drop not null;
alter table escalation add column round text not null default '';
create unique index escalation_step on escalation (coalesce(action_id, incident_id), round, step);
