-- What a school decides before it sells. A school without a row has the defaults. Each part is an object, as on the wire.
create table school_selling (
  school_id uuid primary key references schools (id),
  legal jsonb not null check (jsonb_typeof(legal) = 'object'),
  tax jsonb not null check (jsonb_typeof(tax) = 'object'),
  checkout jsonb not null check (jsonb_typeof(checkout) = 'object'),
  subscriptions jsonb not null check (jsonb_typeof(subscriptions) = 'object'),
  comments jsonb not null check (jsonb_typeof(comments) = 'object'),
  revision integer not null check (revision > 1),
  updated_at timestamptz not null
);
select stoa.guard('school_selling');

-- The last number that was given out in each series of a year; numbers have no gaps.
create table number_series (
  school_id uuid not null references schools (id),
  kind text not null check (kind in ('invoice', 'credit_note')),
  year integer not null check (year between 2000 and 9999),
  last integer not null check (last > 0),
  primary key (school_id, kind, year)
);
select stoa.guard('number_series');

-- The providers through which a school is paid.
create table payment_providers (
  school_id uuid not null references schools (id),
  name text not null check (name in ('manual', 'test', 'stripe')),
  -- Whether the provider moves money; null where it has no keys.
  mode text check (mode in ('test', 'live')),
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, name)
);
select stoa.guard('payment_providers');

-- The secrets of a provider, sealed; `last4` is all that is ever shown.
create table payment_secrets (
  school_id uuid not null references schools (id),
  provider text not null,
  name text not null check (name in ('secret_key', 'webhook_secret')),
  sealed bytea not null,
  last4 text not null check (length(last4) = 4),
  primary key (school_id, provider, name),
  foreign key (school_id, provider) references payment_providers (school_id, name) on delete cascade
);
select stoa.guard('payment_secrets');

-- Everything that is sealed with the installation's secret and in use, of every school, as it is stored.
create or replace function stoa.sealed_keys()
returns table (school_id uuid, kind text, kid text, private_sealed bytea)
language sql stable security definer set search_path = pg_catalog, public, stoa as $$
  select k.school_id, 'signing', k.kid, k.private_sealed from signing_keys k
  where k.retires_at is null or k.retires_at > (select stoa.now())
  union all
  select k.school_id, 'credentials', k.kid, k.private_sealed from credential_keys k where k.given_up_at is null
  union all
  select s.school_id, 'payments', s.provider || '/' || s.name, s.sealed from payment_secrets s
$$;
