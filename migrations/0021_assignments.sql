-- What learners hand in for a lesson: one row for each lesson that is an assignment, once somebody has written it.
create table assignments (
  school_id uuid not null,
  id uuid not null,
  lesson_id uuid not null,
  instructions text not null,
  -- What is shown of it, and the number of the allow-list that let it pass.
  instructions_html text not null,
  instructions_allowed integer not null,
  -- The last moment as it was said, the instant that is, and by which edition of the time zones it was found.
  due_local text,
  due_time_zone text,
  due_at timestamptz,
  due_zones text,
  due_days integer check (due_days >= 0),
  late text not null check (late in ('allowed', 'refused')),
  max_points integer not null,
  passing_points integer not null,
  kinds text[] not null check (kinds <@ '{text,files,link}' and cardinality(kinds) > 0),
  max_files integer not null,
  max_resubmissions integer,
  -- Whether the lesson is completed only by an accepted submission.
  required boolean not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, lesson_id) references lessons (school_id, id),
  check (num_nulls(due_local, due_time_zone, due_at, due_zones) in (0, 4)),
  check (due_at is null or due_days is null),
  check (passing_points between 0 and max_points)
);
create unique index assignments_lesson on assignments (school_id, lesson_id);
create index assignments_due_at on assignments (school_id, due_at) where due_at is not null;
select stoa.guard('assignments');

-- Each handing in is a row with a number of its own; what was decided of an earlier one stays.
create table submissions (
  school_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  course_id uuid not null,
  lesson_id uuid not null,
  number integer not null check (number > 0),
  status text collate "C" not null check (status in ('submitted', 'returned', 'graded')),
  -- The work; nothing is left of it when the person was erased.
  text text,
  link text,
  submitted_at timestamptz not null,
  -- When it was due for this person at that moment, and whether that was over; neither changes with the assignment.
  due_at timestamptz,
  late boolean not null,
  -- What was decided, measured by what the assignment asked at that moment.
  points integer,
  max_points integer,
  passing_points integer,
  accepted boolean,
  feedback text,
  grader_id uuid,
  decided_at timestamptz,
  revision integer not null default 1,
  changed_in bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  foreign key (school_id, course_id) references courses (school_id, id),
  foreign key (school_id, lesson_id) references lessons (school_id, id),
  foreign key (school_id, grader_id) references members (school_id, id),
  check ((status = 'submitted') = (decided_at is null)),
  check (num_nulls(points, max_points, passing_points, accepted) in (0, 4)),
  check ((status = 'graded') = (points is not null))
);
create unique index submissions_number on submissions (school_id, member_id, lesson_id, number);
create unique index submissions_open on submissions (school_id, member_id, lesson_id) where status = 'submitted';
create index submissions_status on submissions (school_id, status, id);
create index submissions_course on submissions (school_id, course_id, id);
create index submissions_lesson on submissions (school_id, lesson_id, id);
create index submissions_grader on submissions (school_id, grader_id) where grader_id is not null;
create index submissions_changed_in on submissions (school_id, changed_in, id);
select stoa.guard('submissions');

create trigger submissions_made before insert on submissions for each row execute function stoa.stamp_change();
create trigger submissions_changed before update on submissions for each row
  when (new.revision <> old.revision) execute function stoa.stamp_change();

-- Files that were handed in, and those that came back with the feedback.
create table submission_files (
  school_id uuid not null,
  submission_id uuid not null,
  purpose text not null check (purpose in ('work', 'feedback')),
  position integer not null,
  file_id uuid not null,
  primary key (school_id, submission_id, purpose, position),
  foreign key (school_id, submission_id) references submissions (school_id, id) on delete cascade
);
create index submission_files_file on submission_files (school_id, file_id);
select stoa.guard('submission_files');

-- More time for one student.
create table assignment_extensions (
  school_id uuid not null,
  member_id uuid not null,
  lesson_id uuid not null,
  due_local text not null,
  due_time_zone text not null,
  due_at timestamptz not null,
  due_zones text not null,
  note text,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, member_id, lesson_id),
  foreign key (school_id, member_id) references members (school_id, id),
  foreign key (school_id, lesson_id) references lessons (school_id, id)
);
create index assignment_extensions_lesson on assignment_extensions (school_id, lesson_id);
select stoa.guard('assignment_extensions');
