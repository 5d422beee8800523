-- A file of people, or of what they learn, on its way into the school.
create table imports (
  school_id uuid not null references schools (id),
  id uuid not null,
  kind text collate "C" not null check (kind in ('people', 'learning')),
  status text collate "C" not null check (status in (
    'reading', 'unreadable', 'ready', 'checking', 'checked', 'running', 'stopped', 'completed', 'undoing', 'undone')),
  -- Null once the file was deleted.
  file_id uuid,
  file_name text not null,
  byte_size bigint not null,
  sha256 bytea not null,
  -- What a person chose of the format: encoding, delimiter, sheet, row of headings.
  chosen jsonb not null default '{}' check (jsonb_typeof(chosen) = 'object'),
  -- How the file was read, and its columns; null until then.
  format jsonb check (jsonb_typeof(format) = 'object'),
  source text not null default 'other',
  mapping jsonb not null default '[]' check (jsonb_typeof(mapping) = 'array'),
  is_mapping_guessed boolean not null default true,
  ambiguous jsonb not null default '[]' check (jsonb_typeof(ambiguous) = 'array'),
  options jsonb not null check (jsonb_typeof(options) = 'object'),
  counts jsonb not null check (jsonb_typeof(counts) = 'object'),
  -- The last row that was handled in the present phase, and how many were; null before rows were compared with each other.
  position integer,
  handled_count integer not null default 0,
  group_count integer not null default 0,
  -- Why it is unreadable or was stopped.
  problem jsonb check ((problem is not null) = (status in ('unreadable', 'stopped'))),
  started_by uuid,
  checked_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  -- When the values of its rows were deleted.
  emptied_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, started_by) references members (school_id, id)
);
create index imports_kind on imports (school_id, kind, id);
create index imports_file on imports (school_id, file_id) where file_id is not null;
create index imports_started_by on imports (school_id, started_by) where started_by is not null;
-- One runs in a school.
create unique index imports_running on imports (school_id) where status in ('running', 'undoing');
select stoa.guard('imports');

-- The rows of the file below the headings, with what became of them.
create table import_rows (
  school_id uuid not null,
  import_id uuid not null,
  -- That of its first line in the file.
  number integer not null,
  -- Null until it was checked.
  status text collate "C" check (status in ('created', 'updated', 'unchanged', 'failed', 'skipped', 'undone', 'kept')),
  -- The cells as they were read; null once they were deleted.
  cells jsonb check (jsonb_typeof(cells) = 'array'),
  -- What is wrong with the row in the file.
  fault text,
  -- The row that is about the same person before it.
  duplicate_of integer,
  member_id uuid,
  enrollment_id uuid,
  errors jsonb not null default '[]' check (jsonb_typeof(errors) = 'array'),
  notices jsonb not null default '[]' check (jsonb_typeof(notices) = 'array'),
  -- Why it was not undone.
  reason text,
  -- What undoing it needs.
  undo jsonb,
  -- Whether lecturers may know who the member is.
  is_disclosed boolean not null default true,
  -- The new member is invited by mail when their turn comes.
  is_to_invite boolean not null default false,
  primary key (school_id, import_id, number),
  foreign key (school_id, import_id) references imports (school_id, id)
);
create index import_rows_status on import_rows (school_id, import_id, status, number);
create index import_rows_member on import_rows (school_id, member_id) where member_id is not null;
create index import_rows_to_invite on import_rows (school_id, import_id, number) where is_to_invite;
select stoa.guard('import_rows');
