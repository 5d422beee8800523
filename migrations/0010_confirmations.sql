-- A write that waits for the person: what was asked, as it was validated. Nothing of it has happened yet.
create table confirmations (
  school_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  client_id text collate "C" not null,
  grant_id uuid not null,
  operation text not null,
  -- Parameters, body and If-Match, and what would follow in words; gone when it is decided or has expired.
  asked jsonb,
  effects jsonb,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decision text check (decision in ('approve', 'reject')),
  decided_at timestamptz,
  -- What the approved write answered; a code when it was refused.
  outcome_status integer,
  outcome_code text,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  foreign key (school_id, client_id) references clients (school_id, id),
  foreign key (school_id, grant_id) references grants (school_id, id),
  check ((decision is null) = (decided_at is null)),
  check ((decision is not distinct from 'approve') = (outcome_status is not null)),
  check (decision is null or (asked is null and effects is null))
);
create index confirmations_member on confirmations (school_id, member_id, expires_at);
create index confirmations_client on confirmations (school_id, client_id);
create index confirmations_grant on confirmations (school_id, grant_id);
select stoa.guard('confirmations');

-- How many requests the API of a school got on a day of UTC.
create table usage_days (
  school_id uuid not null references schools (id),
  day date not null,
  requests bigint not null,
  primary key (school_id, day)
);
select stoa.guard('usage_days');

create index audit_log_member on audit_log (school_id, member_id, id desc);
create index audit_log_operation on audit_log (school_id, operation, id desc);
