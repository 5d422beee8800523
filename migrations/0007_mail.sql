-- Work that waits, of every school: where it is and when it is due, nothing of anybody. One row for each piece, so that
-- no two requests of a school wait for each other, and outside the schools, so that a worker finds it without knowing any.
create table jobs (
  school_id uuid not null references schools (id),
  kind text not null,
  id uuid not null,
  due_at timestamptz not null,
  attempt integer not null default 0,
  primary key (school_id, kind, id)
);
create index jobs_due_at on jobs (due_at);

create table mails (
  school_id uuid not null references schools (id),
  id uuid not null,
  kind text not null,
  recipient text not null,
  locale text not null,
  "values" jsonb not null,
  -- A code or link on its way, encrypted; gone when the mail is sent or parked.
  secrets_sealed bytea,
  recorded_at timestamptz not null,
  not_before timestamptz not null,
  not_after timestamptz,
  attempts integer not null default 0,
  sent_at timestamptz,
  parked_at timestamptz,
  last_error text,
  primary key (school_id, id)
);
create index mails_parked_at on mails (school_id, parked_at) where parked_at is not null;
create index mails_sent_at on mails (school_id, sent_at) where sent_at is not null;
select stoa.guard('mails');

-- A code that proves an address: one for each purpose within what it is bound to, a pending authorization or an invitation.
create table address_codes (
  school_id uuid not null references schools (id),
  bound_to bytea not null,
  purpose text not null check (purpose in ('sign_up', 'invitation', 'reset', 'verification')),
  email text not null,
  member_id uuid,
  code_hash bytea not null,
  name text,
  password_hash text,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (school_id, bound_to, purpose),
  foreign key (school_id, member_id) references members (school_id, id)
);
create index address_codes_member on address_codes (school_id, member_id);
create index address_codes_expires_at on address_codes (school_id, expires_at);
select stoa.guard('address_codes');

-- Browsers in which a member has signed in before.
create table known_browsers (
  school_id uuid not null,
  member_id uuid not null,
  secret_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (school_id, member_id, secret_hash),
  foreign key (school_id, member_id) references members (school_id, id)
);
create index known_browsers_secret on known_browsers (school_id, secret_hash);
select stoa.guard('known_browsers');

-- Whose the browser was that a request waits in, so that a reset can end what waits elsewhere.
alter table authorization_requests add column member_id uuid;
alter table authorization_requests add foreign key (school_id, member_id) references members (school_id, id);
create index authorization_requests_member on authorization_requests (school_id, member_id) where member_id is not null;
