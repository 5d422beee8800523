create table events (
  school_id uuid not null references schools (id),
  id uuid not null,
  name text not null,
  -- The name without marks and case, and every word by which the event is found.
  name_folded text collate "C" not null,
  body_words text collate "C" not null,
  slug text collate "C" not null,
  description text not null,
  kind text collate "C" not null check (kind in ('online', 'in_person', 'hybrid')),
  location jsonb,
  -- For hosts, staff and those who are registered alone.
  meeting_url text,
  -- What the clock shows in the time zone when the first occurrence starts, and how long each lasts.
  starts_local text collate "C" not null,
  time_zone text not null,
  duration_minutes integer not null check (duration_minutes between 1 and 44640),
  -- {rule, until, count, except}; null: the event has one date.
  recurrence jsonb,
  -- Of each occurrence; null: unlimited.
  capacity integer check (capacity between 1 and 100000),
  waitlist boolean not null,
  -- Whether a request that waits for an approval takes a seat.
  approval_holds_seat boolean not null,
  visibility text collate "C" not null check (visibility in ('public', 'members', 'private')),
  group_ids uuid[] not null default '{}' check (visibility = 'private' or group_ids = '{}'),
  plan_ids uuid[] not null default '{}' check (visibility = 'private' or plan_ids = '{}'),
  questions jsonb not null,
  course_id uuid,
  image_file_id uuid,
  seo_title text,
  seo_description text,
  comments text collate "C" not null check (comments in ('open', 'closed', 'off')),
  -- Hours before the start until which people may cancel, and what they are paid back.
  cancellation_until integer not null check (cancellation_until between 0 and 8760),
  refund_rule text collate "C" not null check (refund_rule in ('full', 'none', 'until')),
  external_id text collate "C",
  status text collate "C" not null check (status in ('draft', 'published', 'cancelled')),
  published_at timestamptz check (published_at is not null or status <> 'published'),
  cancelled_at timestamptz check ((cancelled_at is not null) = (status = 'cancelled')),
  -- Who created it; nobody once they were erased.
  author_id uuid,
  -- Comments and orders refer to an event for good, so the row stays.
  deleted_at timestamptz,
  revision integer not null default 1,
  changed_in bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, course_id) references courses (school_id, id),
  foreign key (school_id, author_id) references members (school_id, id)
);
create unique index events_slug on events (school_id, slug) where deleted_at is null;
create unique index events_external_id on events (school_id, external_id)
  where external_id is not null and deleted_at is null;
create index events_name on events (school_id, name_folded, id);
create index events_changed_in on events (school_id, changed_in, id);
create index events_course on events (school_id, course_id) where course_id is not null;
create index events_author on events (school_id, author_id) where author_id is not null;
create index events_image on events (school_id, image_file_id) where image_file_id is not null;
select stoa.guard('events');

create trigger events_made before insert on events for each row execute function stoa.stamp_change();
create trigger events_changed before update on events for each row
  when (new.revision <> old.revision) execute function stoa.stamp_change();

create function stoa.event_search_entry() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    perform stoa.drop_search_entry('event', new.id);
  else
    perform stoa.put_search_entry(new.school_id, 'event', new.id, new.name_folded, new.body_words,
      case when new.status = 'published' and new.visibility = 'public' then new.published_at end);
  end if;
  return null;
end $$;
create trigger events_found
  after insert or update of name_folded, body_words, status, visibility, published_at, deleted_at on events
  for each row execute function stoa.event_search_entry();

-- Slugs that an event had before, so that old addresses lead to it; one that is taken anew leaves this table.
create table event_slugs (
  school_id uuid not null,
  slug text collate "C" not null,
  event_id uuid not null,
  primary key (school_id, slug),
  foreign key (school_id, event_id) references events (school_id, id)
);
create index event_slugs_event on event_slugs (school_id, event_id);
select stoa.guard('event_slugs');

create table event_lecturers (
  school_id uuid not null,
  event_id uuid not null,
  lecturer_id uuid not null,
  primary key (school_id, event_id, lecturer_id),
  foreign key (school_id, event_id) references events (school_id, id),
  foreign key (school_id, lecturer_id) references lecturers (school_id, id) on delete cascade
);
create index event_lecturers_lecturer on event_lecturers (school_id, lecturer_id, event_id);
select stoa.guard('event_lecturers');

-- One dated time of an event. Seats are counted while its row is locked.
create table occurrences (
  school_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  -- The local time that the rule of the event gave it, which it keeps when it is rescheduled.
  rule_local text collate "C" not null,
  starts_local text collate "C" not null,
  time_zone text not null,
  duration_minutes integer not null check (duration_minutes between 1 and 44640),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  -- The edition of the time zones by which the instants were found.
  zones text not null,
  -- A copy of that of the event, so that a change waits for whoever counts seats.
  capacity integer check (capacity between 1 and 100000),
  status text collate "C" not null check (status in ('scheduled', 'cancelled')),
  cancelled_at timestamptz check ((cancelled_at is not null) = (status = 'cancelled')),
  cancellation_reason text,
  ended_at timestamptz,
  -- Raised by every change of its time and by its cancellation.
  sequence integer not null default 0,
  recording_url text,
  revision integer not null default 1,
  changed_in bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, event_id) references events (school_id, id)
);
create unique index occurrences_rule on occurrences (school_id, event_id, rule_local);
create index occurrences_event on occurrences (school_id, event_id, starts_at, id);
create index occurrences_starts_at on occurrences (school_id, starts_at, id);
create index occurrences_zones on occurrences (school_id, zones, ends_at) where status = 'scheduled';
select stoa.guard('occurrences');

create trigger occurrences_made before insert on occurrences for each row execute function stoa.stamp_change();
create trigger occurrences_changed before update on occurrences for each row
  when (new.revision <> old.revision) execute function stoa.stamp_change();

-- How often the feed of a member was revoked; the addresses of before are void.
create table calendar_feeds (
  school_id uuid not null,
  member_id uuid not null,
  counter integer not null,
  updated_at timestamptz not null,
  primary key (school_id, member_id),
  foreign key (school_id, member_id) references members (school_id, id)
);
select stoa.guard('calendar_feeds');

create table ticket_types (
  school_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  name text not null,
  description text not null,
  position integer not null,
  -- Of each occurrence; null: as many as the event has.
  capacity integer check (capacity between 1 and 100000),
  sales_from timestamptz,
  sales_until timestamptz check (sales_until > sales_from),
  min_per_order integer not null check (min_per_order between 1 and 20),
  max_per_order integer not null check (max_per_order between min_per_order and 20),
  needs_approval boolean not null,
  visibility text collate "C" not null check (visibility in ('listed', 'unlisted')),
  audience text collate "C" not null check (audience in ('everybody', 'groups', 'plans')),
  group_ids uuid[] not null default '{}' check ((audience = 'groups') = (group_ids <> '{}')),
  plan_ids uuid[] not null default '{}' check ((audience = 'plans') = (plan_ids <> '{}')),
  -- The least that people may choose to pay, in minor units; null: the price is fixed.
  least_amount bigint check (least_amount >= 0),
  deleted_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, event_id) references events (school_id, id)
);
create index ticket_types_event on ticket_types (school_id, event_id, position, id);
select stoa.guard('ticket_types');

-- A price never changes: it is used, or it is retired and another one takes its place.
create table ticket_prices (
  school_id uuid not null,
  id uuid not null,
  ticket_type_id uuid not null,
  payment_type text not null check (payment_type in ('free', 'one_time')),
  amount bigint not null check ((amount = 0) = (payment_type = 'free') and amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  "interval" text check ("interval" is null),
  interval_count integer check (interval_count is null),
  number_of_payments integer check (number_of_payments is null),
  trial_days integer check (trial_days is null),
  access_days integer check (access_days is null),
  access_until timestamptz check (access_until is null),
  enrollment_cap integer check (enrollment_cap is null),
  status text collate "C" not null check (status in ('active', 'retired')),
  retired_at timestamptz,
  is_primary boolean not null default false check (status = 'active' or not is_primary),
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, ticket_type_id) references ticket_types (school_id, id)
);
create index ticket_prices_ticket_type on ticket_prices (school_id, ticket_type_id, id);
create unique index ticket_prices_primary on ticket_prices (school_id, ticket_type_id) where is_primary;
select stoa.guard('ticket_prices');
