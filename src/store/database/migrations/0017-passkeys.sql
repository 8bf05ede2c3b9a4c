-- Passkeys of approvers, and the pages that ask for one. A key that another approver still has to confirm is not in force.
create table passkey (
  id text primary key,
  person_id bigint not null,
  login text not null,
  public_key text not null,
  digest text not null unique,
  counter bigint not null,
  added_at timestamptz not null default now(),
  in_force_at timestamptz,
  revoked_at timestamptz
);
create index passkey_person on passkey (person_id);
-- A page does one thing once: it adds a key, or it proves who countersigns an action or another person's key.
create table passkey_page (
  id text primary key,
  person_id bigint not null,
  login text not null,
  -- What is countersigned; neither on a page that adds a key.
  action_id uuid references action,
  key_id text references passkey,
  digest text,
  comment_id bigint,
  comment_sha256 text,
  -- The operator gave it: its key is in force at once.
  trusted boolean not null,
  ends_at timestamptz not null,
  used_at timestamptz,
  passkey_id text references passkey,
  assertion jsonb,
  check ((digest is null) = (comment_id is null)),
  check ((assertion is null) = (passkey_id is null)),
  unique (comment_id, digest)
);
