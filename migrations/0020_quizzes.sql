-- The quiz of a lesson.
create table quizzes (
  school_id uuid not null,
  id uuid not null,
  course_id uuid not null,
  lesson_id uuid not null,
  -- Without one nobody has to pass.
  passing_percentage numeric(5, 2) check (passing_percentage between 0 and 100),
  max_attempts integer check (max_attempts > 0),
  shuffle_questions boolean not null,
  shuffle_choices boolean not null,
  time_limit_seconds integer check (time_limit_seconds > 0),
  show_answers text not null check (show_answers in ('never', 'after_attempt', 'after_passing')),
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  unique (school_id, lesson_id),
  foreign key (school_id, course_id) references courses (school_id, id),
  foreign key (school_id, lesson_id) references lessons (school_id, id)
);
select stoa.guard('quizzes');

-- A question keeps its id; what it says stands in its versions.
create table quiz_questions (
  school_id uuid not null,
  id uuid not null,
  quiz_id uuid not null,
  position integer not null,
  -- The one that is asked from now on.
  version integer not null,
  -- What is left out of a quiz is archived: attempts were asked it.
  archived_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, quiz_id) references quizzes (school_id, id)
);
create index quiz_questions_quiz on quiz_questions (school_id, quiz_id, position, id);
select stoa.guard('quiz_questions');

-- What is asked; written once, so that an attempt stays what it was. Nothing here tells what is right.
create table question_versions (
  school_id uuid not null,
  question_id uuid not null,
  version integer not null,
  kind text not null check (kind in ('single', 'multiple', 'text', 'number')),
  grading text not null check (grading in ('automatic', 'by_hand')),
  prompt text not null,
  points integer not null check (points >= 0),
  -- In their order: [{id, text}].
  choices jsonb not null,
  created_at timestamptz not null,
  primary key (school_id, question_id, version),
  foreign key (school_id, question_id) references quiz_questions (school_id, id)
);
select stoa.guard('question_versions');

-- What is right, and why: apart, so that what a learner is asked can be read without it.
create table question_keys (
  school_id uuid not null,
  question_id uuid not null,
  version integer not null,
  correct uuid[] not null,
  accepted_answers text[] not null,
  value text,
  tolerance text,
  explanation text not null,
  primary key (school_id, question_id, version),
  foreign key (school_id, question_id, version) references question_versions (school_id, question_id, version)
);
select stoa.guard('question_keys');

-- A member's way through a quiz.
create table quiz_attempts (
  school_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  course_id uuid not null,
  lesson_id uuid not null,
  quiz_id uuid not null,
  -- Two that begin at once take the same number, and one of them loses.
  number integer not null,
  status text collate "C" not null check (status in ('started', 'submitted', 'timed_out', 'graded')),
  -- As the quiz was when the attempt began.
  passing_percentage numeric(5, 2),
  points_possible integer not null,
  points numeric(10, 2),
  percentage numeric(5, 2),
  passed boolean,
  started_at timestamptz not null,
  expires_at timestamptz,
  submitted_at timestamptz,
  timed_out_at timestamptz,
  graded_at timestamptz,
  changed_in bigint not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  constraint quiz_attempts_number unique (school_id, quiz_id, member_id, number),
  foreign key (school_id, member_id) references members (school_id, id),
  foreign key (school_id, course_id) references courses (school_id, id),
  foreign key (school_id, lesson_id) references lessons (school_id, id),
  foreign key (school_id, quiz_id) references quizzes (school_id, id)
);
create index quiz_attempts_member on quiz_attempts (school_id, member_id, id);
create index quiz_attempts_course on quiz_attempts (school_id, course_id, id);
create index quiz_attempts_waiting on quiz_attempts (school_id, course_id, id) where status in ('submitted', 'timed_out');
create index quiz_attempts_changed_in on quiz_attempts (school_id, changed_in, id);
create trigger quiz_attempts_made before insert on quiz_attempts for each row execute function stoa.stamp_change();
create trigger quiz_attempts_changed before update on quiz_attempts for each row
  when (new.revision <> old.revision) execute function stoa.stamp_change();
select stoa.guard('quiz_attempts');

-- What an attempt was asked, in its order, and what was answered.
create table attempt_answers (
  school_id uuid not null,
  attempt_id uuid not null,
  question_id uuid not null,
  version integer not null,
  position integer not null,
  -- The choices in the order in which this attempt shows them.
  shown uuid[] not null,
  chosen uuid[] not null default '{}',
  text_answer text,
  number_answer text,
  answered_at timestamptz,
  primary key (school_id, attempt_id, question_id),
  foreign key (school_id, attempt_id) references quiz_attempts (school_id, id),
  foreign key (school_id, question_id, version) references question_versions (school_id, question_id, version)
);
select stoa.guard('attempt_answers');

-- What the answers of a closed attempt were worth; null waits for a lecturer.
create table attempt_marks (
  school_id uuid not null,
  attempt_id uuid not null,
  question_id uuid not null,
  points numeric(10, 2),
  feedback text not null default '',
  graded_by uuid,
  primary key (school_id, attempt_id, question_id),
  foreign key (school_id, attempt_id, question_id) references attempt_answers (school_id, attempt_id, question_id)
);
select stoa.guard('attempt_marks');
