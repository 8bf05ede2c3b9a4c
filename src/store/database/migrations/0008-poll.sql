-- How far polling has read each repository, and which process reads it: one at a time, and where that one is gone another.
create table poll (
  repo text primary key,
  holder uuid,
  held_until timestamptz,
  -- Whatever changed on GitHub before this is stored.
  since timestamptz not null,
  -- When GitHub was last read to its end.
  read_at timestamptz,
  -- What the repository was then (private, public, renamed, gone), and how often that has changed.
  standing text,
  standings integer not null default 0,
  -- When the repository was last pushed to, in GitHub's words.
  last_push text
);
