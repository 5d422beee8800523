-- Filters of the list of members that a school gave names to. The ids in a filter may be those of what is gone meanwhile: it finds
-- nobody then.
create table member_segments (
  school_id uuid not null references schools (id),
  id uuid not null,
  name text not null,
  name_folded text not null,
  filter jsonb not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  unique (school_id, name_folded)
);
select stoa.guard('member_segments');
