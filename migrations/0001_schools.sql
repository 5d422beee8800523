-- The schema itself is made by the migrator, which keeps its own table in it.

-- The one source of time. The shift is zero outside tests; `stoa doctor` fails when it is not.
create table stoa.clock (
  is_only boolean primary key default true check (is_only),
  shift interval not null default interval '0'
);
insert into stoa.clock default values;

create function stoa.now() returns timestamptz language plpgsql stable parallel safe as $$
begin
  return clock_timestamp() + (select shift from stoa.clock);
end $$;

-- The school this connection is set to; null when it is set to none.
create function stoa.school_id() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('stoa.school_id', true), '')::uuid
$$;

-- Puts a table of a school behind row-level security.
create function stoa.guard(guarded regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', guarded);
  execute format('create policy of_school on %s using (school_id = stoa.school_id()) with check (school_id = stoa.school_id())', guarded);
end $$;

create table schools (
  id uuid primary key,
  base_url text not null unique,
  name text not null,
  description text not null default '',
  contact_email text,
  locale text not null default 'en',
  supported_locales text[] not null default '{en}',
  time_zone text not null default 'UTC',
  currency text not null default 'EUR' check (currency ~ '^[A-Z]{3}$'),
  country text check (country ~ '^[A-Z]{2}$'),
  signup_mode text not null default 'open' check (signup_mode in ('open', 'invite', 'closed')),
  is_test boolean not null default false,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- Which school answers to a Host header is looked up before a school is known, so reading is open to the login.
alter table schools enable row level security;
create policy found on schools for select using (true);
create policy founded on schools for insert with check (true);
create policy own on schools for update using (id = stoa.school_id()) with check (id = stoa.school_id());

create table hosts (
  host text collate "C" primary key,
  school_id uuid not null references schools (id)
);

-- Exact counters of guarded doors; the key is a hash of door, school and who is counted.
create table limits (
  key bytea primary key,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  count integer not null
);
create index limits_ends_at on limits (ends_at);
