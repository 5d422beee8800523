create table categories (
  school_id uuid not null references schools (id),
  id uuid not null,
  parent_id uuid,
  name text not null,
  slug text collate "C" not null,
  description text not null,
  position integer not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, parent_id) references categories (school_id, id)
);
create unique index categories_slug on categories (school_id, slug);
create index categories_parent on categories (school_id, parent_id, position, id);
select stoa.guard('categories');

create table courses (
  school_id uuid not null references schools (id),
  id uuid not null,
  name text not null,
  name_folded text collate "C" not null,
  -- Name, subtitle and tags without marks and case, for finding.
  words_folded text collate "C" not null,
  slug text collate "C" not null,
  subtitle text not null,
  description text not null,
  status text collate "C" not null check (status in ('draft', 'scheduled', 'published', 'archived')),
  visibility text collate "C" not null check (visibility in ('listed', 'unlisted')),
  image_file_id uuid,
  seo_title text,
  seo_description text,
  external_id text collate "C",
  publish_at timestamptz,
  published_at timestamptz,
  archived_at timestamptz,
  -- Orders and entitlements refer to a course for good, so the row stays.
  deleted_at timestamptz,
  revision integer not null default 1,
  changed_in bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  check ((status = 'scheduled') = (publish_at is not null))
);
create unique index courses_slug on courses (school_id, slug) where deleted_at is null;
create unique index courses_external_id on courses (school_id, external_id)
  where external_id is not null and deleted_at is null;
create index courses_name on courses (school_id, name_folded, id);
create index courses_status on courses (school_id, status, visibility, id);
create index courses_updated_at on courses (school_id, updated_at, id);
create index courses_changed_in on courses (school_id, changed_in, id);
select stoa.guard('courses');

create trigger courses_made before insert on courses for each row execute function stoa.stamp_change();
create trigger courses_changed before update on courses for each row
  when (new.revision <> old.revision) execute function stoa.stamp_change();

create function stoa.course_search_entry() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    perform stoa.drop_search_entry('course', new.id);
  else
    perform stoa.put_search_entry(new.school_id, 'course', new.id, new.words_folded);
  end if;
  return null;
end $$;
create trigger courses_found after insert or update of words_folded, deleted_at on courses
  for each row execute function stoa.course_search_entry();

-- Slugs that a course had before, so that old addresses lead to it; one that is taken anew leaves this table.
create table course_slugs (
  school_id uuid not null,
  slug text collate "C" not null,
  course_id uuid not null,
  primary key (school_id, slug),
  foreign key (school_id, course_id) references courses (school_id, id)
);
create index course_slugs_course on course_slugs (school_id, course_id);
select stoa.guard('course_slugs');

create table course_tags (
  school_id uuid not null,
  course_id uuid not null,
  tag text collate "C" not null,
  primary key (school_id, course_id, tag),
  foreign key (school_id, course_id) references courses (school_id, id)
);
create index course_tags_tag on course_tags (school_id, tag, course_id);
select stoa.guard('course_tags');

create table course_categories (
  school_id uuid not null,
  course_id uuid not null,
  category_id uuid not null,
  primary key (school_id, course_id, category_id),
  foreign key (school_id, course_id) references courses (school_id, id),
  foreign key (school_id, category_id) references categories (school_id, id)
);
create index course_categories_category on course_categories (school_id, category_id, course_id);
select stoa.guard('course_categories');

create table course_lecturers (
  school_id uuid not null,
  course_id uuid not null,
  lecturer_id uuid not null,
  added_at timestamptz not null,
  primary key (school_id, course_id, lecturer_id),
  foreign key (school_id, course_id) references courses (school_id, id),
  foreign key (school_id, lecturer_id) references lecturers (school_id, id) on delete cascade
);
create index course_lecturers_lecturer on course_lecturers (school_id, lecturer_id, course_id);
select stoa.guard('course_lecturers');

-- A price never changes: it is used, or it is retired and another one takes its place.
create table course_prices (
  school_id uuid not null,
  id uuid not null,
  course_id uuid not null,
  payment_type text not null check (payment_type in ('free', 'one_time', 'subscription', 'payment_plan')),
  amount bigint not null check ((amount = 0) = (payment_type = 'free') and amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  "interval" text check ("interval" in ('week', 'month', 'year')),
  interval_count integer,
  number_of_payments integer,
  trial_days integer,
  access_days integer,
  access_until timestamptz,
  enrollment_cap integer,
  status text collate "C" not null check (status in ('active', 'retired')),
  retired_at timestamptz,
  -- The one that is shown first; always one that can be bought.
  is_primary boolean not null default false check (status = 'active' or not is_primary),
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, course_id) references courses (school_id, id)
);
create index course_prices_course on course_prices (school_id, course_id, id);
create unique index course_prices_primary on course_prices (school_id, course_id) where is_primary;
select stoa.guard('course_prices');
