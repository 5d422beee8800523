create table members (
  school_id uuid not null references schools (id),
  id uuid not null,
  email text not null,
  email_folded text collate "C" not null,
  email_verified boolean not null default false,
  name text not null,
  locale text,
  time_zone text,
  role text not null default 'member' check (role in ('member', 'lecturer', 'admin', 'owner')),
  status text not null default 'active' check (status in ('invited', 'active', 'suspended', 'deleted')),
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  unique (school_id, email_folded)
);
select stoa.guard('members');

create table credentials (
  school_id uuid not null,
  member_id uuid not null,
  kind text not null check (kind in ('password')),
  secret text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, member_id, kind),
  foreign key (school_id, member_id) references members (school_id, id)
);
select stoa.guard('credentials');

create table sessions (
  school_id uuid not null,
  id uuid not null,
  secret_hash bytea not null,
  member_id uuid not null,
  amr text[] not null,
  auth_time timestamptz not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (school_id, id),
  unique (school_id, secret_hash),
  foreign key (school_id, member_id) references members (school_id, id)
);
create index sessions_member on sessions (school_id, member_id);
select stoa.guard('sessions');

create table security_events (
  school_id uuid not null references schools (id),
  id uuid not null,
  kind text not null,
  member_id uuid,
  client_id text,
  grant_id uuid,
  recorded_at timestamptz not null,
  primary key (school_id, id)
);
select stoa.guard('security_events');
