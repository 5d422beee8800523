-- Each foreign key has an index that starts with its columns, so that deleting or updating a referenced row reads the rows
-- that refer to it and not the whole table.
create index attempt_answers_by_version on attempt_answers (school_id, question_id, version);
create index hosts_by_school on hosts (school_id);
create index lesson_completions_by_course on lesson_completions (school_id, course_id);
create index lesson_openings_by_course on lesson_openings (school_id, course_id);
create index lesson_openings_by_lesson on lesson_openings (school_id, lesson_id);
create index lesson_positions_by_course on lesson_positions (school_id, course_id);
create index lesson_positions_by_lesson on lesson_positions (school_id, lesson_id);
create index quiz_attempts_by_lesson on quiz_attempts (school_id, lesson_id);
create index quizzes_by_course on quizzes (school_id, course_id);
