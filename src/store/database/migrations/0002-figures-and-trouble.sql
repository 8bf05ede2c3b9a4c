alter table session add column tool_calls integer not null default 0;
alter table session add column duration_ms bigint not null default 0;
alter table session add column told_rules text;
alter table turn add column context_commit text;
alter table run add column trouble text;
