-- Which time zone a school had since when: what is to happen at a local time was decided in the zone of that moment. The
-- first row counts for the time before it too.
create table school_time_zones (
  school_id uuid not null references schools (id),
  since timestamptz not null,
  time_zone text not null,
  primary key (school_id, since)
);
select stoa.guard('school_time_zones');
insert into school_time_zones (school_id, since, time_zone) select id, created_at, time_zone from schools;

-- A restore is set to no school and brings these rows itself.
create function stoa.keep_time_zone() returns trigger language plpgsql as $$
begin
  insert into school_time_zones (school_id, since, time_zone)
  select new.id, stoa.now(), new.time_zone where stoa.school_id() is not null;
  return null;
end $$;
create trigger schools_zoned after insert on schools for each row execute function stoa.keep_time_zone();
create trigger schools_moved after update of time_zone on schools for each row
  when (new.time_zone <> old.time_zone) execute function stoa.keep_time_zone();

-- By which rule a lesson opened when. A change ends the row in force and begins another, so that what was open under the
-- earlier one is known for good. Whether learners saw the lesson, and what stood before it, are part of the rule.
create table lesson_drips (
  school_id uuid not null,
  lesson_id uuid not null,
  valid_from timestamptz not null,
  valid_until timestamptz,
  is_published boolean not null,
  -- Of `after_previous`: the published lesson before it; null of the first one.
  previous_id uuid,
  mode text collate "C" not null check (mode in ('immediate', 'days_after_enrollment', 'on_date', 'after_previous')),
  days integer check (days >= 0),
  on_date date,
  local_time text collate "C" check (local_time ~ '^[0-2][0-9]:[0-5][0-9]$'),
  -- The transaction that wrote it: what only that one ever saw is amended and not ended.
  changed_in bigint not null,
  primary key (school_id, lesson_id, valid_from),
  foreign key (school_id, lesson_id) references lessons (school_id, id) on delete cascade
);
create unique index lesson_drips_current on lesson_drips (school_id, lesson_id) where valid_until is null;
select stoa.guard('lesson_drips');
insert into lesson_drips (school_id, lesson_id, valid_from, is_published, mode, changed_in)
select school_id, id, created_at, status = 'published' and archived_at is null, 'immediate', pg_current_xact_id()::text::bigint
from lessons;

-- Whether learners see the lessons of some courses, and which lesson they see before each.
create function stoa.lesson_places(school uuid, courses uuid[])
returns table (id uuid, created_at timestamptz, is_published boolean, previous_id uuid) language sql stable as $$
  with placed as (
    select l.id, l.course_id, l.created_at, l.status = 'published' and l.archived_at is null and s.archived_at is null as seen,
      row_number() over (partition by l.course_id order by s.position, s.id, l.position, l.id) as place
    from lessons l join sections s on s.school_id = l.school_id and s.id = l.section_id
    where l.school_id = school and l.course_id = any (courses)
  )
  select p.id, p.created_at, p.seen, case when p.seen then lag(p.id) over (partition by p.course_id, p.seen order by p.place) end
  from placed p
$$;

-- Keeps the rules of courses true to their outlines: each place where a lesson can be published, hidden or moved ends here.
create function stoa.keep_drips(school uuid, courses uuid[]) returns void language plpgsql as $$
declare
  moment timestamptz := stoa.now();
  transaction bigint := pg_current_xact_id()::text::bigint;
begin
  -- Placed once, since a plan that places all lessons again for each of them takes seconds.
  with places as materialized (select * from stoa.lesson_places(school, courses))
  insert into lesson_drips (school_id, lesson_id, valid_from, is_published, mode, changed_in)
  select school, p.id, p.created_at, p.is_published, 'immediate', transaction
  from places p
  where not exists (select from lesson_drips d where d.school_id = school and d.lesson_id = p.id);

  with places as materialized (select * from stoa.lesson_places(school, courses)),
  changing as materialized (
    select d.lesson_id, d.valid_from, d.changed_in = transaction as is_own, d.mode, d.days, d.on_date, d.local_time, p.is_published,
      case when d.mode = 'after_previous' then p.previous_id end as previous_id
    from places p join lesson_drips d on d.school_id = school and d.lesson_id = p.id and d.valid_until is null
    where d.is_published <> p.is_published
      or (d.mode = 'after_previous' and d.previous_id is distinct from p.previous_id)
  ), amended as (
    update lesson_drips d set is_published = c.is_published, previous_id = c.previous_id
    from changing c
    where c.is_own and d.school_id = school and d.lesson_id = c.lesson_id and d.valid_from = c.valid_from
  ), ended as (
    update lesson_drips d set valid_until = moment
    from changing c
    where not c.is_own and d.school_id = school and d.lesson_id = c.lesson_id and d.valid_from = c.valid_from
    returning c.*
  )
  insert into lesson_drips (school_id, lesson_id, valid_from, is_published, previous_id, mode, days, on_date, local_time, changed_in)
  select school, e.lesson_id, moment, e.is_published, e.previous_id, e.mode, e.days, e.on_date, e.local_time, transaction
  from ended e;
end $$;

create function stoa.outline_written() returns trigger language plpgsql as $$
declare
  touched record;
begin
  if stoa.school_id() is null then return null; end if;
  for touched in select w.school_id, array_agg(distinct w.course_id) as courses from written w group by w.school_id loop
    perform stoa.keep_drips(touched.school_id, touched.courses);
  end loop;
  return null;
end $$;
create trigger lessons_made after insert on lessons referencing new table as written
  for each statement execute function stoa.outline_written();
create trigger sections_moved after update on sections referencing new table as written
  for each statement execute function stoa.outline_written();

-- Of a change of lessons only what moves, shows or hides one counts, and not each new sentence of a body.
create function stoa.lessons_written() returns trigger language plpgsql as $$
declare
  touched record;
begin
  if stoa.school_id() is null then return null; end if;
  for touched in
    select w.school_id, array_agg(distinct w.course_id) as courses
    from written w join unwritten u on u.school_id = w.school_id and u.id = w.id
    where (w.section_id, w.position, w.status, w.archived_at) is distinct from (u.section_id, u.position, u.status, u.archived_at)
    group by w.school_id
  loop
    perform stoa.keep_drips(touched.school_id, touched.courses);
  end loop;
  return null;
end $$;
create trigger lessons_moved after update on lessons referencing old table as unwritten new table as written
  for each statement execute function stoa.lessons_written();

-- That somebody completed a lesson: what is taken back ends and stays, since it may have opened another lesson.
create table lesson_completions (
  school_id uuid not null references schools (id),
  id uuid not null,
  member_id uuid not null,
  course_id uuid not null,
  lesson_id uuid not null,
  completed_at timestamptz not null,
  completed_by text not null check (completed_by in ('self', 'staff', 'quiz', 'assignment')),
  undone_at timestamptz,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  foreign key (school_id, course_id) references courses (school_id, id),
  foreign key (school_id, lesson_id) references lessons (school_id, id)
);
create unique index lesson_completions_standing on lesson_completions (school_id, member_id, lesson_id) where undone_at is null;
create index lesson_completions_course on lesson_completions (school_id, member_id, course_id);
create index lesson_completions_lesson on lesson_completions (school_id, lesson_id, member_id);
select stoa.guard('lesson_completions');

-- Lessons that staff opened to one student, from an instant on.
create table lesson_openings (
  school_id uuid not null references schools (id),
  id uuid not null,
  member_id uuid not null,
  course_id uuid not null,
  lesson_id uuid not null,
  opens_at timestamptz not null,
  set_at timestamptz not null,
  removed_at timestamptz,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  foreign key (school_id, course_id) references courses (school_id, id),
  foreign key (school_id, lesson_id) references lessons (school_id, id)
);
create unique index lesson_openings_standing on lesson_openings (school_id, member_id, lesson_id) where removed_at is null;
create index lesson_openings_course on lesson_openings (school_id, member_id, course_id);
select stoa.guard('lesson_openings');

-- How far into a video or a recording somebody is; the last seconds may be lost.
create table lesson_positions (
  school_id uuid not null references schools (id),
  member_id uuid not null,
  course_id uuid not null,
  lesson_id uuid not null,
  seconds integer not null check (seconds >= 0),
  noted_at timestamptz not null,
  primary key (school_id, member_id, lesson_id),
  foreign key (school_id, member_id) references members (school_id, id),
  foreign key (school_id, course_id) references courses (school_id, id),
  foreign key (school_id, lesson_id) references lessons (school_id, id)
);
create index lesson_positions_course on lesson_positions (school_id, member_id, course_id);
select stoa.guard('lesson_positions');
