-- The look of a school: one draft, and the versions that were published of it. A school without a row has the defaults.
create table appearances (
  school_id uuid primary key references schools (id),
  -- All settings of the draft as one object, as on the wire but for files, which are the ids of their rows.
  draft jsonb not null check (jsonb_typeof(draft) = 'object'),
  -- The fields that a restoration left empty, since their file had been deleted.
  missing text[] not null default '{}',
  revision integer not null check (revision > 1),
  updated_at timestamptz not null
);
select stoa.guard('appearances');

-- A version never changes; the newest one is published.
create table appearance_versions (
  school_id uuid not null references schools (id),
  number integer not null check (number > 0),
  id uuid not null,
  settings jsonb not null check (jsonb_typeof(settings) = 'object'),
  missing text[] not null default '{}',
  -- The files to which the settings refer.
  files uuid[] not null default '{}',
  sheet text not null,
  published_at timestamptz not null,
  primary key (school_id, number),
  unique (school_id, id)
);
select stoa.guard('appearance_versions');

-- The style sheets of versions by their hash; an address with a hash never changes what it has.
create table appearance_sheets (
  school_id uuid not null references schools (id),
  hash text not null check (hash ~ '^[A-Za-z0-9_-]{22}$'),
  css text not null,
  primary key (school_id, hash)
);
select stoa.guard('appearance_sheets');

-- What pages and mails need to know of the published version, so that whoever finds the school has it.
alter table schools add column look jsonb check (jsonb_typeof(look) = 'object');
