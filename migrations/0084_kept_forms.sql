-- Forms that were posted without a session or a proof that they needed, until the person has signed in and sends them again.
create table kept_forms (
  school_id uuid not null references schools (id),
  id uuid not null,
  handle_hash bytea not null,
  member_id uuid not null,
  path text not null,
  -- The fields, sealed with the installation's secret.
  sealed bytea not null,
  bytes integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id)
);
create unique index kept_forms_handle on kept_forms (school_id, handle_hash);
create index kept_forms_member on kept_forms (school_id, member_id, id desc);
create index kept_forms_expires_at on kept_forms (school_id, expires_at);
select stoa.guard('kept_forms');
