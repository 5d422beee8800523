create table audit_log (
  school_id uuid not null references schools (id),
  id uuid not null,
  recorded_at timestamptz not null,
  member_id uuid,
  client_id text,
  operation text not null,
  resource_ids text[] not null,
  resource_count integer not null,
  fields text[] not null,
  revision integer,
  request_id text not null,
  primary key (school_id, id)
);
select stoa.guard('audit_log');

-- Facts carry their transaction, so that the worker can number them in commit order behind the horizon.
create table facts (
  school_id uuid not null references schools (id),
  id uuid not null,
  kind text not null,
  about jsonb not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  recorded_at timestamptz not null,
  primary key (school_id, id)
);
create index facts_transaction on facts (school_id, transaction_id);
select stoa.guard('facts');

create table idempotency_keys (
  school_id uuid not null,
  member_id uuid not null,
  client_id text not null,
  operation text not null,
  key text collate "C" not null,
  request_hash bytea not null,
  status integer not null,
  headers jsonb not null,
  body text not null,
  recorded_at timestamptz not null,
  primary key (school_id, member_id, client_id, operation, key),
  foreign key (school_id, member_id) references members (school_id, id)
);
create index idempotency_keys_recorded on idempotency_keys (school_id, recorded_at);
select stoa.guard('idempotency_keys');
