-- The refresh tokens of one approval: one family, of which one secret is current. It ends with its grant.
create table refresh_families (
  school_id uuid not null,
  grant_id uuid not null,
  handle_hash bytea not null,
  secret_hash bytea not null,
  -- Of the last rotation: the secret it replaced, and the salt from which its answer can be made again.
  previous_hash bytea,
  salt bytea,
  rotated_at timestamptz,
  cnf_jkt text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (school_id, grant_id),
  unique (school_id, handle_hash),
  foreign key (school_id, grant_id) references grants (school_id, id),
  check ((rotated_at is null) = (previous_hash is null) and (rotated_at is null) = (salt is null))
);
select stoa.guard('refresh_families');

-- A resource server sees the access tokens of this resource.
alter table clients add column introspects text;

-- Approvals older than this are dead, with all they gave.
alter table schools add column tokens_epoch timestamptz not null default '-infinity';

-- One key of an algorithm has no end (signing_keys_one_open). A rotation ends it at the instant its successor begins,
-- so that at any instant exactly one key is current: the last to have begun, and no two begin at once.
alter table signing_keys
  add column withdrawn_at timestamptz,
  add check (retires_at >= activates_at);
alter index signing_keys_one_current rename to signing_keys_one_open;
create unique index signing_keys_one_start on signing_keys (school_id, alg, activates_at);
