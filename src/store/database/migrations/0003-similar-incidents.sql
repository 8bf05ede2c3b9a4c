alter table incident add column cause text;
alter table turn add column similar_incident jsonb;
