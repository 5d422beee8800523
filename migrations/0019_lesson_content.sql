-- What a lesson holds, as it was after each change; a row never changes. The highest number is what is shown.
create table lesson_versions (
  school_id uuid not null,
  id uuid not null,
  lesson_id uuid not null,
  number integer not null check (number > 0),
  body text not null,
  body_format text collate "C" not null check (body_format in ('markdown', 'html')),
  body_html text not null,
  -- The number of the allow-list that body_html was cleaned by.
  body_allowed integer not null,
  embed_url text,
  starts_at_local text collate "C",
  time_zone text,
  meeting_url text,
  -- The number of the version that this one brought back.
  restores integer,
  -- Nobody, where it came with a copy of a course.
  author_id uuid,
  created_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, lesson_id) references lessons (school_id, id),
  foreign key (school_id, author_id) references members (school_id, id),
  check ((starts_at_local is null) = (time_zone is null))
);
create unique index lesson_versions_number on lesson_versions (school_id, lesson_id, number);
create index lesson_versions_author on lesson_versions (school_id, author_id);
select stoa.guard('lesson_versions');

-- The files that a version is made of: its video, its captions, the pictures in its text.
create table lesson_files (
  school_id uuid not null,
  version_id uuid not null,
  part text collate "C" not null check (part in ('main', 'caption', 'body')),
  place integer not null,
  file_id uuid not null,
  language text,
  label text,
  primary key (school_id, version_id, part, place),
  foreign key (school_id, version_id) references lesson_versions (school_id, id)
);
create index lesson_files_file on lesson_files (school_id, file_id);
select stoa.guard('lesson_files');

create table lesson_attachments (
  school_id uuid not null,
  id uuid not null,
  lesson_id uuid not null,
  file_id uuid not null,
  name text not null,
  position integer not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, lesson_id) references lessons (school_id, id),
  -- Two change places within one transaction.
  constraint lesson_attachments_place unique (school_id, lesson_id, position) deferrable initially deferred
);
create index lesson_attachments_file on lesson_attachments (school_id, file_id);
select stoa.guard('lesson_attachments');

-- The number of the version that is shown; 0 as long as nothing was written. It is no reference: versions refer to lessons.
alter table lessons add column version integer not null default 0;
-- Bodies stand in versions; nothing ever wrote this one.
alter table lessons drop column body;

-- Whatever is done at once, two things never stand in one place. What is archived stands nowhere.
alter table sections add constraint sections_place
  exclude using btree (school_id with =, course_id with =, position with =) where (archived_at is null)
  deferrable initially deferred;
alter table lessons add constraint lessons_place
  exclude using btree (school_id with =, section_id with =, position with =) where (archived_at is null)
  deferrable initially deferred;
