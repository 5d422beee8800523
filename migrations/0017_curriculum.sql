-- One row for each course whose outline was ever written; its revision counts the writes.
create table outlines (
  school_id uuid not null,
  course_id uuid not null,
  revision integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, course_id),
  foreign key (school_id, course_id) references courses (school_id, id)
);
select stoa.guard('outlines');

create table sections (
  school_id uuid not null,
  id uuid not null,
  course_id uuid not null,
  name text not null,
  position integer not null,
  -- What is left out of an outline is archived: progress and submissions refer to it.
  archived_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, course_id) references courses (school_id, id)
);
create index sections_course on sections (school_id, course_id, position, id);
select stoa.guard('sections');

create table lessons (
  school_id uuid not null,
  id uuid not null,
  course_id uuid not null,
  section_id uuid not null,
  name text not null,
  content_type text not null
    check (content_type in ('video', 'audio', 'text', 'download', 'embed', 'quiz', 'assignment', 'live')),
  status text collate "C" not null check (status in ('draft', 'published')),
  preview boolean not null,
  required_for_completion boolean not null,
  duration_seconds integer,
  body text not null default '',
  position integer not null,
  archived_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, course_id) references courses (school_id, id),
  foreign key (school_id, section_id) references sections (school_id, id)
);
create index lessons_course on lessons (school_id, course_id, position, id);
create index lessons_section on lessons (school_id, section_id, position, id);
select stoa.guard('lessons');
