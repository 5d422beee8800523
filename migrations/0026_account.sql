-- The picture a person shows of themselves: a file of theirs.
alter table members add column avatar_file_id uuid;
create index members_avatar on members (school_id, avatar_file_id) where avatar_file_id is not null;

-- Copies of everything that tells of a person, made because they asked; each is a file for a week.
create table exports (
  school_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  status text not null check (status in ('pending', 'ready', 'failed')),
  file_id uuid,
  expires_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  check (status <> 'ready' or (file_id is not null and expires_at is not null))
);
create index exports_member on exports (school_id, member_id, id desc);
create unique index exports_pending on exports (school_id, member_id) where status = 'pending';
create index exports_file on exports (school_id, file_id) where file_id is not null;
select stoa.guard('exports');

-- Who wants their account deleted; until it is due they can change their mind.
create table account_deletions (
  school_id uuid not null,
  member_id uuid not null,
  due_at timestamptz not null,
  -- When the mail that it is done was written: after that there is no way back.
  farewell_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, member_id),
  foreign key (school_id, member_id) references members (school_id, id)
);
select stoa.guard('account_deletions');
