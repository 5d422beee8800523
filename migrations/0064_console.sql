-- Whether the values of a mail that was sent or parked stay for the outbox: it was written to a file, or could not be
-- delivered. Secrets are deleted in either case.
alter table mails add column keeps_text boolean not null default false;

-- The steps of the guide for the first run that are behind a school; a step without a row is still open.
create table guide_steps (
  school_id uuid not null references schools (id),
  step text not null check (step in ('name', 'appearance', 'course', 'invitation')),
  state text not null check (state in ('done', 'skipped')),
  recorded_at timestamptz not null,
  primary key (school_id, step)
);
select stoa.guard('guide_steps');

-- Schools that were there before the guide have no need of it.
insert into guide_steps (school_id, step, state, recorded_at)
select id, step, 'done', stoa.now() from schools, unnest(array['name', 'appearance', 'course', 'invitation']) as step;
