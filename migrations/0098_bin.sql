-- What was deleted and can be restored. The thing itself stays in its table with `deleted_at`; a lesson is archived.
create table bin (
  school_id uuid not null references schools (id),
  kind text collate "C" not null check (kind in ('course', 'digital_product', 'lesson', 'page', 'post')),
  id uuid not null,
  name text not null,
  -- The course of a lesson.
  course_id uuid check ((course_id is not null) = (kind = 'lesson')),
  -- The other paths that led to a page; meanwhile they are free.
  paths text[] not null default '{}',
  deleted_by uuid,
  -- In milliseconds, since lists are read in this order.
  deleted_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, course_id) references courses (school_id, id),
  foreign key (school_id, deleted_by) references members (school_id, id)
);
create index bin_deleted_at on bin (school_id, deleted_at, id);
create index bin_course on bin (school_id, course_id) where course_id is not null;
create index bin_deleted_by on bin (school_id, deleted_by) where deleted_by is not null;
select stoa.guard('bin');

-- The lessons of a deleted course are hidden with it, also from statements that do not read the course.
alter table lessons add column deleted_at timestamptz;
update lessons l set deleted_at = c.deleted_at
from courses c where c.school_id = l.school_id and c.id = l.course_id and c.deleted_at is not null;

alter table pages add column deleted_at timestamptz;
drop index pages_path;
create unique index pages_path on pages (school_id, path) where deleted_at is null;
drop index pages_home;
create unique index pages_home on pages (school_id) where is_home and deleted_at is null;

-- Hides deleted rows from every statement of the application, and lets none of them delete a row in this way. Those that concern
-- deleted rows name a view, which its owner reads (decision 269).
create function stoa.hide_deleted(hidden regclass) returns void language plpgsql as $$
begin
  execute format('create policy not_deleted on %s as restrictive using (deleted_at is null) with check (deleted_at is null)', hidden);
end $$;
select stoa.hide_deleted(hidden)
from unnest('{courses,lessons,posts,pages,digital_products}'::regclass[]) as hidden;

create view all_courses as
select c.school_id, c.id, c.name, c.slug, c.external_id, c.status, c.publish_at, c.image_file_id, c.certificate_template_id,
  c.deleted_at, c.revision, c.updated_at,
  c.deleted_at is null or exists (select from bin b where b.school_id = c.school_id and b.id = c.id) as is_kept
from courses c where c.school_id = stoa.school_id()
with local check option;

create view all_lessons as
select l.school_id, l.id, l.course_id, l.name, l.status, l.preview, l.version, l.archived_at, l.deleted_at,
  l.deleted_at is null or exists (select from bin b where b.school_id = l.school_id and b.id = l.course_id) as is_kept
from lessons l where l.school_id = stoa.school_id()
with local check option;

create view all_posts as
select p.school_id, p.id, p.slug, p.external_id, p.status, p.access, p.plan_ids, p.publish_at, p.cover_file_id, p.author_id,
  p.version, p.deleted_at, p.revision, p.created_at, p.updated_at,
  p.deleted_at is null or exists (select from bin b where b.school_id = p.school_id and b.id = p.id) as is_kept
from posts p where p.school_id = stoa.school_id()
with local check option;

create view all_pages as
select p.school_id, p.id, p.path, p.visibility, p.is_home, p.status, p.publish_at, p.version, p.published_version,
  p.live_deployment_id, p.deleted_at, p.revision, p.updated_at,
  p.deleted_at is null or exists (select from bin b where b.school_id = p.school_id and b.id = p.id) as is_kept
from pages p where p.school_id = stoa.school_id()
with local check option;

create view all_products as
select d.school_id, d.id, d.name, d.slug, d.external_id, d.status, d.publish_at, d.image_file_id, d.sample_file_id,
  d.deleted_at, d.revision, d.updated_at,
  d.deleted_at is null or exists (select from bin b where b.school_id = d.school_id and b.id = d.id) as is_kept
from digital_products d where d.school_id = stoa.school_id()
with local check option;

-- Whichever way a lesson comes back into its course, it leaves the bin.
create function stoa.leave_bin() returns trigger language plpgsql as $$
begin
  delete from bin where school_id = new.school_id and id = new.id;
  return null;
end $$;
create trigger lessons_back after update of archived_at on lessons for each row
  when (old.archived_at is not null and new.archived_at is null and not stoa.is_loading())
  execute function stoa.leave_bin();

create or replace function stoa.page_search_entry() returns trigger language plpgsql as $$
declare
  found page_versions;
begin
  if tg_op = 'DELETE' then
    perform stoa.drop_search_entry('page', old.id);
    return null;
  end if;
  if new.deleted_at is not null then
    perform stoa.drop_search_entry('page', new.id);
    return null;
  end if;
  select v.* into found from page_versions v
  where v.school_id = new.school_id and v.page_id = new.id and v.number = coalesce(new.published_version, new.version);
  perform stoa.put_search_entry(new.school_id, 'page', new.id, coalesce(found.words_folded, ''),
    coalesce(found.body_words, ''),
    case when new.status = 'published' and new.visibility = 'listed' then new.published_at end);
  return null;
end $$;
create or replace trigger pages_found
  after insert or delete or update of version, published_version, status, visibility, deleted_at on pages
  for each row when (not stoa.is_loading()) execute function stoa.page_search_entry();
