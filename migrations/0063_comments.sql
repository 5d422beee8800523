-- Whether members may comment on a course and on a lesson.
alter table courses add column comments text not null default 'open' check (comments in ('open', 'closed', 'off'));
alter table lessons add column comments text not null default 'open' check (comments in ('open', 'closed', 'off'));

-- A comment on something that is of another area. A reply is below its parent; the root of a thread is its own root.
create table comments (
  school_id uuid not null references schools (id),
  id uuid not null,
  subject_type text collate "C" not null check (subject_type in ('post', 'course', 'lesson', 'event')),
  subject_id uuid not null,
  root_id uuid not null,
  parent_id uuid,
  depth smallint not null check (depth between 1 and 3),
  -- Null once the author was erased.
  member_id uuid,
  -- What the author was when it was written.
  author_role text collate "C" not null check (author_role in ('student', 'lecturer', 'staff', 'member')),
  body text not null,
  body_html text not null,
  body_allowed integer not null,
  -- The hash of the text; null where the same text may stand twice.
  body_hash bytea,
  status text collate "C" not null check (status in ('published', 'pending', 'hidden', 'deleted')),
  hidden_reason text,
  published_at timestamptz,
  edited_at timestamptz,
  -- The published replies to it, and the published comments anywhere below it.
  reply_count integer not null default 0 check (reply_count >= 0),
  below_count integer not null default 0 check (below_count >= 0),
  -- Of a root: how many comments were ever written in its thread.
  thread_size integer not null default 1 check (thread_size between 1 and 500),
  open_reports integer not null default 0 check (open_reports >= 0),
  -- When the lecturers were told that it waits for an answer.
  digested_at timestamptz,
  revision integer not null default 1,
  changed_in bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, root_id) references comments (school_id, id),
  foreign key (school_id, parent_id) references comments (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  check ((depth = 1) = (parent_id is null) and (depth = 1) = (root_id = id)),
  check ((status = 'hidden') = (hidden_reason is not null)),
  check ((status = 'deleted') = (body = '')),
  check (status = 'deleted' or member_id is not null)
);
create index comments_subject on comments (school_id, subject_type, subject_id, id);
create index comments_root on comments (school_id, root_id, id);
create index comments_parent on comments (school_id, parent_id, id) where parent_id is not null;
create index comments_member on comments (school_id, member_id, id) where member_id is not null;
create index comments_status on comments (school_id, status, id);
create index comments_reported on comments (school_id, id) where open_reports > 0;
create index comments_undigested on comments (school_id, id)
  where digested_at is null and depth = 1 and status = 'published' and author_role in ('student', 'member');
create index comments_changed_in on comments (school_id, changed_in, id);
-- A member says the same thing at one place once.
create unique index comments_repeated on comments (school_id, member_id, (coalesce(parent_id, subject_id)), body_hash)
  where status in ('published', 'pending');
select stoa.guard('comments');

create trigger comments_made before insert on comments for each row execute function stoa.stamp_change();
create trigger comments_changed before update on comments for each row
  when (new.revision <> old.revision or new.reply_count <> old.reply_count or new.below_count <> old.below_count
    or new.open_reports <> old.open_reports)
  execute function stoa.stamp_change();

-- In the database, so that no way of writing a comment can forget it; each write adds to what is there.
create function stoa.count_replies() returns trigger language plpgsql as $$
declare
  more integer := (new.status = 'published')::integer;
begin
  -- A restore brings the counts along, and is of no school.
  if stoa.school_id() is null then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    more := more - (old.status = 'published')::integer;
  end if;
  if more <> 0 and new.parent_id is not null then
    update comments set below_count = below_count + more,
      reply_count = reply_count + case when id = new.parent_id then more else 0 end
    where school_id = new.school_id and id in (new.parent_id, new.root_id);
  end if;
  return null;
end $$;
create trigger comments_counted after insert or update of status on comments
  for each row execute function stoa.count_replies();

-- What a member reported to the staff about a comment; one of each.
create table comment_reports (
  school_id uuid not null,
  id uuid not null,
  comment_id uuid not null,
  member_id uuid not null,
  reason text collate "C" not null check (reason in ('spam', 'abuse', 'personal_data', 'off_topic', 'other')),
  note text not null,
  outcome text collate "C" check (outcome in ('kept', 'hidden', 'deleted')),
  settled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, comment_id) references comments (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  check ((outcome is null) = (settled_at is null))
);
create unique index comment_reports_member on comment_reports (school_id, comment_id, member_id);
create index comment_reports_reporter on comment_reports (school_id, member_id);
create index comment_reports_comment on comment_reports (school_id, comment_id, id);
select stoa.guard('comment_reports');

create function stoa.count_reports() returns trigger language plpgsql as $$
declare
  was_open integer := 0;
  is_open integer := 0;
begin
  if stoa.school_id() is null then
    return null;
  end if;
  if tg_op <> 'INSERT' then
    was_open := (old.outcome is null)::integer;
  end if;
  if tg_op <> 'DELETE' then
    is_open := (new.outcome is null)::integer;
  end if;
  if is_open <> was_open then
    update comments set open_reports = open_reports + is_open - was_open
    where school_id = coalesce(new.school_id, old.school_id) and id = coalesce(new.comment_id, old.comment_id);
  end if;
  return null;
end $$;
create trigger comment_reports_counted after insert or delete or update of outcome on comment_reports
  for each row execute function stoa.count_reports();

-- Members who may not comment, until an instant or without an end.
create table comment_mutes (
  school_id uuid not null,
  member_id uuid not null,
  reason text not null,
  until timestamptz,
  created_at timestamptz not null,
  primary key (school_id, member_id),
  foreign key (school_id, member_id) references members (school_id, id)
);
select stoa.guard('comment_mutes');
