-- Where facts are sent. Without a client it belongs to the school.
create table webhooks (
  school_id uuid not null references schools (id),
  id uuid not null,
  url text not null,
  description text,
  types text[] not null check (cardinality(types) between 1 and 100),
  ordered boolean not null default false,
  status text not null default 'active' check (status in ('active', 'failing', 'disabled')),
  disabled_reason text check (disabled_reason in ('by_person', 'gone', 'failing', 'access_ended', 'restored')),
  client_id text collate "C",
  member_id uuid not null,
  secret_sealed bytea not null,
  secret_hint text not null,
  previous_secret_sealed bytea,
  previous_secret_expires_at timestamptz,
  -- Since when attempts have failed without a success between them, and of which deliveries, five at most.
  failed_since timestamptz,
  failed_deliveries uuid[] not null default '{}',
  failing_since timestamptz,
  -- While it is failing: how many attempts there were, and when the next one is due.
  failing_attempts integer not null default 0,
  next_attempt_at timestamptz,
  failing_mailed_at timestamptz,
  last_delivered_at timestamptz,
  -- The number of the last fact that was distributed to it, and the first one that it missed since it was disabled.
  last_sequence bigint,
  missed_from bigint,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  foreign key (school_id, client_id) references clients (school_id, id),
  check ((status = 'disabled') = (disabled_reason is not null)),
  check ((previous_secret_sealed is null) = (previous_secret_expires_at is null))
);
create index webhooks_member on webhooks (school_id, member_id);
create index webhooks_client on webhooks (school_id, client_id);
select stoa.guard('webhooks');

-- One fact to one webhook, however often it is sent; a test has no fact.
create table webhook_deliveries (
  school_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  fact_id uuid,
  type text not null,
  sequence bigint not null,
  previous bigint,
  -- Sent again by a replay, after what is new.
  is_replay boolean not null default false,
  status text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed', 'dropped')),
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  last_outcome text,
  duration_ms integer,
  ended_at timestamptz,
  created_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, webhook_id) references webhooks (school_id, id) on delete cascade,
  foreign key (school_id, fact_id) references facts (school_id, id),
  check ((status = 'waiting') = (next_attempt_at is not null)),
  check ((status = 'waiting') = (ended_at is null)),
  check ((fact_id is null) = (sequence = 0))
);
create unique index webhook_deliveries_fact on webhook_deliveries (school_id, webhook_id, sequence) where fact_id is not null;
create index webhook_deliveries_listed on webhook_deliveries (school_id, webhook_id, id);
create index webhook_deliveries_waiting on webhook_deliveries (school_id, webhook_id, is_replay, sequence) where status = 'waiting';
create index webhook_deliveries_tried on webhook_deliveries (school_id, webhook_id, attempts, sequence) where status = 'waiting';
create index webhook_deliveries_due on webhook_deliveries (school_id, webhook_id, next_attempt_at) where status = 'waiting';
create index webhook_deliveries_ended on webhook_deliveries (school_id, ended_at) where ended_at is not null;
create index webhook_deliveries_of_fact on webhook_deliveries (school_id, fact_id) where fact_id is not null;
select stoa.guard('webhook_deliveries');

-- The number of the last fact that was distributed to the webhooks of a school.
create table distributions (
  school_id uuid primary key references schools (id),
  position bigint not null default 0
);
select stoa.guard('distributions');

-- The body of a stored reply that has a secret, encrypted.
alter table idempotency_keys add column sealed_body bytea;

-- What was restored may still run elsewhere, and two installations must not send the same.
create or replace function stoa.after_restore() returns void language plpgsql as $$
declare
  stamped regclass;
begin
  update stoa.era set id = gen_random_uuid();
  for stamped in
    select attrelid::regclass from pg_attribute
    where attname = 'changed_in' and not attisdropped and attrelid in (select oid from pg_class where relkind = 'r')
  loop
    execute format('update %s set changed_in = pg_current_xact_id()::text::bigint', stamped);
  end loop;
  update facts set transaction_id = pg_current_xact_id() where sequence is null;
  update webhooks w set status = 'disabled', disabled_reason = 'restored', failing_since = null, next_attempt_at = null,
    missed_from = coalesce(
      (select min(d.sequence) from webhook_deliveries d
        where d.school_id = w.school_id and d.webhook_id = w.id and d.status = 'waiting' and d.fact_id is not null),
      (select p.position + 1 from distributions p where p.school_id = w.school_id))
  where w.status <> 'disabled';
  update webhook_deliveries set status = 'dropped', next_attempt_at = null, ended_at = stoa.now() where status = 'waiting';
  delete from jobs where kind in ('distribution', 'webhook');
end $$;
