alter table members
  add column phone text,
  add column external_id text collate "C",
  -- The name without marks and case, for sorting and finding; folded by the application.
  add column name_folded text collate "C",
  add column custom_fields jsonb not null default '{}',
  add column marketing_granted boolean not null default false,
  add column marketing_at timestamptz,
  add column marketing_source text,
  add column last_seen_at timestamptz,
  add column suspended_at timestamptz,
  add column suspended_for text,
  add column invited_at timestamptz,
  add column deleted_at timestamptz,
  add column erased_at timestamptz,
  add column changed_in bigint;
update members set name_folded = lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g')), changed_in = 0;
alter table members alter column name_folded set not null, alter column changed_in set not null;

create unique index members_external_id on members (school_id, external_id) where external_id is not null;
create index members_name on members (school_id, name_folded, id);
create index members_status on members (school_id, status, id);
create index members_role on members (school_id, role, id) where role <> 'member';
create index members_updated_at on members (school_id, updated_at, id);
create index members_last_seen_at on members (school_id, last_seen_at, id) where last_seen_at is not null;
create index members_changed_in on members (school_id, changed_in, id);

-- A write to the member's own columns is a revision; only that is a change which readers in commit order are shown.
create trigger members_made before insert on members for each row execute function stoa.stamp_change();
create trigger members_changed before update on members for each row
  when (new.revision <> old.revision) execute function stoa.stamp_change();

-- In the database, so that no way of writing a member can forget it.
create function stoa.member_search_entry() returns trigger language plpgsql as $$
begin
  if new.erased_at is not null then
    perform stoa.drop_search_entry('member', new.id);
  else
    perform stoa.put_search_entry(new.school_id, 'member', new.id,
      concat_ws(' ', new.name_folded, new.email_folded, lower(new.external_id), new.phone));
  end if;
  return null;
end $$;
create trigger members_found after insert or update of name_folded, email_folded, external_id, phone, erased_at
  on members for each row execute function stoa.member_search_entry();

create table member_tags (
  school_id uuid not null,
  member_id uuid not null,
  tag text collate "C" not null,
  added_at timestamptz not null,
  primary key (school_id, member_id, tag),
  foreign key (school_id, member_id) references members (school_id, id)
);
create index member_tags_tag on member_tags (school_id, tag, member_id);
select stoa.guard('member_tags');

create table member_notes (
  school_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  author_id uuid,
  body text not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  foreign key (school_id, author_id) references members (school_id, id)
);
create index member_notes_member on member_notes (school_id, member_id, id);
create index member_notes_author on member_notes (school_id, author_id);
select stoa.guard('member_notes');

-- What a school wants to know of its members beyond what everybody has.
create table member_fields (
  school_id uuid not null references schools (id),
  id uuid not null,
  key text collate "C" not null,
  label text not null,
  type text not null check (type in ('text', 'number', 'boolean', 'date', 'choice')),
  options text[] not null,
  position integer not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  unique (school_id, key)
);
select stoa.guard('member_fields');

create table groups (
  school_id uuid not null references schools (id),
  id uuid not null,
  name text not null,
  name_folded text collate "C" not null,
  description text not null,
  external_id text collate "C",
  revision integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Who could use what through it at an earlier instant can still be told.
  deleted_at timestamptz,
  primary key (school_id, id)
);
create unique index groups_name on groups (school_id, name_folded) where deleted_at is null;
create unique index groups_external_id on groups (school_id, external_id) where external_id is not null and deleted_at is null;
select stoa.guard('groups');

create function stoa.group_search_entry() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    perform stoa.drop_search_entry('group', new.id);
  else
    perform stoa.put_search_entry(new.school_id, 'group', new.id, concat_ws(' ', new.name_folded, lower(new.external_id)));
  end if;
  return null;
end $$;
create trigger groups_found after insert or update of name_folded, external_id, deleted_at
  on groups for each row execute function stoa.group_search_entry();

create table group_members (
  school_id uuid not null,
  group_id uuid not null,
  member_id uuid not null,
  added_at timestamptz not null,
  primary key (school_id, group_id, member_id),
  foreign key (school_id, group_id) references groups (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id)
);
create index group_members_member on group_members (school_id, member_id, group_id);
select stoa.guard('group_members');

-- Memberships of groups that have ended, in dated rows.
create table past_group_members (
  school_id uuid not null,
  group_id uuid not null,
  member_id uuid not null,
  added_at timestamptz not null,
  removed_at timestamptz not null,
  primary key (school_id, group_id, member_id, added_at),
  foreign key (school_id, group_id) references groups (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id)
);
create index past_group_members_member on past_group_members (school_id, member_id, group_id);
select stoa.guard('past_group_members');

-- What a group opens to its members, in dated rows, so that what was open at an earlier instant can be told.
create table group_items (
  school_id uuid not null,
  id uuid not null,
  group_id uuid not null,
  item_type text not null,
  item_id uuid not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  primary key (school_id, id),
  foreign key (school_id, group_id) references groups (school_id, id)
);
create unique index group_items_open on group_items (school_id, group_id, item_type, item_id) where closed_at is null;
create index group_items_group on group_items (school_id, group_id, id);
create index group_items_item on group_items (school_id, item_type, item_id);
select stoa.guard('group_items');

-- Whose mail it is, so that erasing a member takes along what was sent to an earlier address.
alter table mails add column member_id uuid;
alter table mails add foreign key (school_id, member_id) references members (school_id, id);
create index mails_member on mails (school_id, member_id) where member_id is not null;
create index mails_recipient on mails (school_id, recipient);

-- What happened to a member is told in the order of ids, newest first.
create index security_events_member on security_events (school_id, member_id, id desc) where member_id is not null;
drop index sessions_member;
create index sessions_member on sessions (school_id, member_id, id desc);
