-- Metrics are rolled up into quarters of an hour, since every time zone is whole quarters away from UTC: any local day is a
-- sum of them.
create function stoa.quarter(at timestamptz) returns timestamptz language sql immutable parallel safe as $$
  select date_bin('15 minutes', at, '2000-01-01 00:00:00+00'::timestamptz)
$$;

-- The sum of a metric in a quarter of an hour, for each combination of its dimensions.
create table metric_buckets (
  school_id uuid not null references schools (id),
  metric text collate "C" not null,
  at timestamptz not null,
  dims jsonb not null check (jsonb_typeof(dims) = 'object'),
  value numeric not null,
  primary key (school_id, metric, at, dims) include (value)
);
select stoa.guard('metric_buckets');

-- Quarters whose rows have changed since they were rolled up; `source` is a table and its column of instants. Marks are
-- only added, so that transactions do not wait for one another.
create table metric_dirty (
  school_id uuid not null references schools (id),
  id uuid not null default gen_random_uuid(),
  source text collate "C" not null,
  at timestamptz not null,
  primary key (school_id, id)
);
create index metric_dirty_source on metric_dirty (school_id, source, at);
select stoa.guard('metric_dirty');

-- Up to when everything that had changed was rolled up.
create table metric_states (
  school_id uuid primary key references schools (id),
  as_of timestamptz not null
);
select stoa.guard('metric_states');

-- In which quarters of which hours somebody learned in a course; a bit for each quarter, the first one is 1.
create table activity_hours (
  school_id uuid not null references schools (id),
  hour timestamptz not null,
  course_id uuid not null,
  member_id uuid not null,
  quarters smallint not null check (quarters between 1 and 15),
  primary key (school_id, hour, course_id, member_id),
  foreign key (school_id, course_id) references courses (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id)
);
create index activity_hours_member on activity_hours (school_id, member_id, hour);
create index activity_hours_course on activity_hours (school_id, course_id, hour);
select stoa.guard('activity_hours');

-- Marks all quarters of a source, as a migration does for a new metric of a source that is measured already.
create function stoa.remeasure(measured regclass, instant text) returns void language plpgsql as $$
begin
  execute format('insert into metric_dirty (school_id, source, at)
    select distinct school_id, %L, stoa.quarter(%I) from %s where %I is not null',
    measured || '.' || instant, instant, measured, instant);
  insert into jobs (school_id, kind, id, due_at)
    select distinct school_id, 'metric', school_id, (select stoa.now()) from metric_dirty on conflict do nothing;
end $$;

-- Marks the quarters of a table's rows, by a column of instants, whenever a row comes, goes or changes in one of these
-- columns: that of the row before and that of the row after. An index finds the rows of a quarter.
create function stoa.measure(measured regclass, instant text, columns text[] default '{}') returns void language plpgsql as $$
declare
  name text := format('measure_%s_%s', measured, instant);
  source text := measured || '.' || instant;
  watched text[] := instant || columns;
begin
  execute format($body$
    create function stoa.%1$I() returns trigger language plpgsql as $f$
    begin
      if tg_op <> 'INSERT' and old.%2$I is not null then
        insert into metric_dirty (school_id, source, at) values (old.school_id, %3$L, stoa.quarter(old.%2$I));
      end if;
      if tg_op = 'DELETE' or new.%2$I is null or (tg_op = 'UPDATE' and stoa.quarter(old.%2$I) = stoa.quarter(new.%2$I)) then
        return null;
      end if;
      insert into metric_dirty (school_id, source, at) values (new.school_id, %3$L, stoa.quarter(new.%2$I));
      return null;
    end $f$
    $body$, name, instant, source);
  execute format('create trigger %I after insert or delete on %s for each row execute function stoa.%I()',
    name, measured, name);
  execute format('create trigger %I after update of %s on %s for each row when (%s) execute function stoa.%I()',
    name || '_changed', (select string_agg(quote_ident(c), ', ') from unnest(watched) c), measured,
    (select string_agg(format('old.%1$I is distinct from new.%1$I', c), ' or ') from unnest(watched) c), name);
  execute format('create index %I on %s (school_id, %I) where %I is not null', name, measured, instant, instant);
  perform stoa.remeasure(measured, instant);
end $$;

select stoa.measure('members', 'created_at');
select stoa.measure('members', 'deleted_at');
select stoa.measure('enrollments', 'created_at', '{course_id,source}');
select stoa.measure('enrollments', 'completed_at', '{course_id}');
select stoa.measure('lesson_completions', 'completed_at', '{undone_at,course_id,lesson_id}');
select stoa.measure('quiz_attempts', 'started_at', '{course_id,lesson_id}');
select stoa.measure('quiz_attempts', 'graded_at', '{passed,course_id,lesson_id}');
select stoa.measure('submissions', 'submitted_at', '{course_id,lesson_id}');
select stoa.measure('certificates', 'issued_at', '{course_id,replaced_by_id}');
select stoa.measure('payments', 'settled_at', '{state,paid_amount,paid_currency,provider,failure_code}');
select stoa.measure('refunds', 'settled_at', '{state,amount,reason}');
select stoa.measure('disputes', 'closed_at', '{state,amount}');
select stoa.measure('orders', 'paid_at', '{status,paid_total,refunded_total,tax_country,campaign}');
select stoa.measure('orders', 'created_at', '{kind}');
select stoa.measure('product_downloads', 'created_at', '{is_counted}');
select stoa.measure('posts', 'published_at', '{status,deleted_at}');
select stoa.measure('form_submissions', 'submitted_at', '{status}');

-- Records that somebody learned in a course in the quarter of an instant.
create function stoa.record_activity(of_school uuid, of_course uuid, of_member uuid, at timestamptz) returns void
language sql as $$
  insert into activity_hours as a (school_id, hour, course_id, member_id, quarters)
  values (of_school, date_trunc('hour', at, 'UTC'), of_course, of_member, 1 << (extract(minute from at)::integer / 15))
  on conflict (school_id, hour, course_id, member_id) do update set quarters = a.quarters | excluded.quarters
    where a.quarters <> a.quarters | excluded.quarters
$$;

create function stoa.completion_activity() returns trigger language plpgsql as $$
begin
  perform stoa.record_activity(new.school_id, new.course_id, new.member_id, new.completed_at);
  return null;
end $$;
create trigger lesson_completions_activity after insert on lesson_completions
  for each row when (new.completed_by <> 'staff') execute function stoa.completion_activity();

create function stoa.position_activity() returns trigger language plpgsql as $$
begin
  perform stoa.record_activity(new.school_id, new.course_id, new.member_id, new.noted_at);
  return null;
end $$;
create trigger lesson_positions_activity after insert or update of noted_at on lesson_positions
  for each row execute function stoa.position_activity();

create function stoa.attempt_activity() returns trigger language plpgsql as $$
begin
  perform stoa.record_activity(new.school_id, new.course_id, new.member_id, coalesce(new.submitted_at, new.started_at));
  return null;
end $$;
create trigger quiz_attempts_activity after insert on quiz_attempts
  for each row execute function stoa.attempt_activity();
create trigger quiz_attempts_submitted_activity after update of submitted_at on quiz_attempts
  for each row when (old.submitted_at is null and new.submitted_at is not null) execute function stoa.attempt_activity();

create function stoa.submission_activity() returns trigger language plpgsql as $$
begin
  perform stoa.record_activity(new.school_id, new.course_id, new.member_id, new.submitted_at);
  return null;
end $$;
create trigger submissions_activity after insert on submissions
  for each row execute function stoa.submission_activity();

-- What was learned before is known as far as rows remain.
insert into activity_hours (school_id, hour, course_id, member_id, quarters)
select school_id, date_trunc('hour', at, 'UTC'), course_id, member_id,
  bit_or((1 << (extract(minute from at)::integer / 15))::smallint)
from (
  select school_id, course_id, member_id, completed_at as at from lesson_completions where completed_by <> 'staff'
  union all select school_id, course_id, member_id, noted_at from lesson_positions
  union all select school_id, course_id, member_id, coalesce(submitted_at, started_at) from quiz_attempts
  union all select school_id, course_id, member_id, submitted_at from submissions
) as learned
group by 1, 2, 3, 4;
