-- A set of checks runs each of its commands once on its server: `step` says which, from 0; nothing where the action is one command.
alter table run add column step integer;
alter table run drop constraint run_action_id_server_key;
create unique index run_once on run (action_id, server, coalesce(step, -1));
