-- What somebody learns in a course: one row for each member and course, made with the first reason for access. It says
-- nothing of access, which is the fold of entitlements and holds.
create table enrollments (
  school_id uuid not null references schools (id),
  id uuid not null,
  member_id uuid not null,
  course_id uuid not null,
  -- Of the first reason for access.
  source text not null check (source in ('order_line', 'subscription', 'gift', 'staff', 'group', 'import', 'free')),
  completed_at timestamptz,
  percent_complete smallint not null default 0 check (percent_complete between 0 and 100),
  current_lesson_id uuid,
  last_learned_at timestamptz,
  -- When a reason for access was last given, changed or withdrawn; what ends by the clock writes nothing.
  access_changed_at timestamptz not null,
  revision integer not null default 1,
  changed_in bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  foreign key (school_id, course_id) references courses (school_id, id),
  foreign key (school_id, current_lesson_id) references lessons (school_id, id)
);
create unique index enrollments_member on enrollments (school_id, member_id, course_id);
create index enrollments_course on enrollments (school_id, course_id, id);
create index enrollments_updated_at on enrollments (school_id, updated_at, id);
create index enrollments_completed_at on enrollments (school_id, completed_at, id) where completed_at is not null;
create index enrollments_current_lesson on enrollments (school_id, current_lesson_id) where current_lesson_id is not null;
create index enrollments_changed_in on enrollments (school_id, changed_in, id);
select stoa.guard('enrollments');

create trigger enrollments_made before insert on enrollments for each row execute function stoa.stamp_change();
-- Who reads on in the order of commits is told of progress and of access.
create trigger enrollments_changed before update on enrollments for each row
  when (new.revision <> old.revision or new.access_changed_at <> old.access_changed_at)
  execute function stoa.stamp_change();

-- Who was in a group before had no entitlement yet that says so.
insert into entitlements (school_id, id, member_id, item_type, item_id, source, source_id, starts_at, revoked_at, created_at)
select school_id, gen_random_uuid(), member_id, 'group', group_id, 'group', group_id, added_at, removed_at, added_at
from (
  select school_id, member_id, group_id, added_at, null::timestamptz as removed_at from group_members
  union all
  select school_id, member_id, group_id, added_at, removed_at from past_group_members
) as stays;
