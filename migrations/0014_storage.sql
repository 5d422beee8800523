-- How many bytes a school may keep.
alter table schools add column storage_quota bigint not null default 10000000000 check (storage_quota >= 0);

-- What a school keeps and has promised room for; one row, so that uploads made at once count each other.
create table storage_totals (
  school_id uuid primary key references schools (id),
  bytes bigint not null check (bytes >= 0),
  -- How far the worker has compared objects with rows, when it had to pause.
  compared_to text collate "C"
);
select stoa.guard('storage_totals');

-- A file from its announcement on; when it is ready, the same id names it as a file.
create table uploads (
  school_id uuid not null references schools (id),
  id uuid not null,
  member_id uuid not null,
  purpose text not null,
  status text not null check (status in ('created', 'received', 'ready', 'rejected', 'gone')),
  filename text not null,
  declared_type text not null,
  byte_size bigint not null check (byte_size > 0),
  declared_sha256 bytea,
  received_bytes bigint not null default 0 check (received_bytes <= byte_size),
  -- Objects with the bytes that came, in their order, until they are one.
  parts text[] not null default '{}',
  object_key text collate "C",
  content_type text,
  sha256 bytea,
  width integer,
  height integer,
  -- The widths in which the image was made.
  variants integer[] not null default '{}',
  reason text,
  -- Since when nothing refers to it, as far as was last seen; null while something does.
  unlinked_since timestamptz,
  -- Since when its object was not found.
  missing_since timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  check (status <> 'ready' or (object_key is not null and content_type is not null and sha256 is not null))
);
create unique index uploads_object_key on uploads (school_id, object_key) where object_key is not null;
create index uploads_member on uploads (school_id, member_id, id);
create index uploads_unfinished on uploads (school_id, created_at) where status in ('created', 'received', 'rejected');
create index uploads_missing on uploads (school_id, id) where missing_since is not null;
select stoa.guard('uploads');

-- Each school's files are looked after once a day.
insert into jobs (school_id, kind, id, due_at) select id, 'storage', id, stoa.now() from schools;
