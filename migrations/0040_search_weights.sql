-- Bodies are found beside names, with a weight of their own. `listed_at` is the instant by which results are sorted, and
-- null for what is not public, which no search over several kinds finds.
alter table stoa.search_entries
  add column body_words tsvector,
  add column listed_at timestamptz,
  add check (body_words is null or listed_at is not null);
create index search_entries_bodies on stoa.search_entries using gin (body_words) where body_words is not null;

-- The words of folded text as an entry has them, at most so many.
create function stoa.search_vector(school uuid, entry_kind text, folded text, most integer) returns tsvector
language sql immutable parallel safe set search_path = pg_catalog, stoa as $$
  select array_to_tsvector(coalesce(array_agg(distinct stoa.search_prefix(school, entry_kind) || left(word, 60)), '{}'))
  from (
    select word from regexp_split_to_table(folded, '[\s@._+\-,;:()''"/\\&*!|<>=#%?$\[\]{}~^`]+') as word
    where word <> '' limit most) as words
$$;

-- `body` has every word of the resource, those of its name included.
create function stoa.put_search_entry(school uuid, entry_kind text, entry uuid, folded text, body text, listed timestamptz)
returns void language sql security definer set search_path = pg_catalog, stoa as $$
  insert into stoa.search_entries (school_id, kind, id, words, body_words, listed_at)
  select school, entry_kind, entry, stoa.search_vector(school, entry_kind, folded, 200),
    case when listed is not null then stoa.search_vector(school, entry_kind, body, 2000) end,
    date_trunc('milliseconds', listed)
  where school = stoa.school_id()
  on conflict (school_id, kind, id) do update
    set words = excluded.words, body_words = excluded.body_words, listed_at = excluded.listed_at
$$;

-- What is public and has all of the words: found by name before found by body, then the newest first, after a position.
create function stoa.search_all(
  kinds text[], folded text, most integer, after_weight integer, after_at timestamptz, after_id uuid)
returns table (kind text, id uuid, weight integer, listed_at timestamptz)
-- The planner does not know what reading the bodies costs: they are stored out of line, and the index needs none of them.
language plpgsql stable security definer set search_path = pg_catalog, stoa set enable_seqscan = off as $$
#variable_conflict use_column
declare
  asked tsquery := (
    select string_agg('(' || stoa.search_asked(one, folded)::text || ')', ' | ')::tsquery from unnest(kinds) as one);
begin
  if asked is null then
    return;
  end if;
  return query
    with found as materialized (
      select e.school_id, e.kind, e.id, e.listed_at, case when e.words @@ asked then 1 else 2 end as weight
      from stoa.search_entries e where e.body_words @@ asked
    )
    select f.kind, f.id, f.weight, f.listed_at from found f
    where f.school_id = stoa.school_id() and f.kind = any (kinds)
      and (after_id is null or f.weight > after_weight
        or f.weight = after_weight and (f.listed_at, f.id) < (after_at, after_id))
    order by f.weight, f.listed_at desc, f.id desc limit most;
end $$;

-- Text without marks and case for rows that processes of the version before write; the application folds better.
create function stoa.fold_roughly(words text) returns text language sql immutable parallel safe as $$
  select lower(regexp_replace(normalize(words, NFKD), '[\u0300-\u036f]', '', 'g'))
$$;

-- Every word of name, subtitle, tags and description, and of name and biography; folded by the application.
alter table courses add column body_words text collate "C";
alter table lecturers add column body_words text collate "C";

create or replace function stoa.course_search_entry() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    perform stoa.drop_search_entry('course', new.id);
  else
    perform stoa.put_search_entry(new.school_id, 'course', new.id, new.words_folded,
      coalesce(new.body_words, stoa.fold_roughly(new.words_folded || ' ' || new.description)),
      case when new.status = 'published' and new.visibility = 'listed' then coalesce(new.published_at, new.created_at) end);
  end if;
  return null;
end $$;
drop trigger courses_found on courses;
create trigger courses_found
  after insert or update of words_folded, body_words, description, status, visibility, published_at, deleted_at on courses
  for each row execute function stoa.course_search_entry();

create or replace function stoa.lecturer_search_entry() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform stoa.drop_search_entry('lecturer', old.id);
  else
    perform stoa.put_search_entry(new.school_id, 'lecturer', new.id, new.name_folded,
      coalesce(new.body_words, stoa.fold_roughly(new.name_folded || ' ' || new.bio)),
      case when new.visibility = 'visible' then new.created_at end);
  end if;
  return null;
end $$;
drop trigger lecturers_found on lecturers;
create trigger lecturers_found
  after insert or delete or update of name_folded, body_words, bio, visibility on lecturers
  for each row execute function stoa.lecturer_search_entry();

-- No school is set here, so the entries that exist are completed directly.
update stoa.search_entries e
set listed_at = date_trunc('milliseconds', coalesce(c.published_at, c.created_at)),
  body_words = stoa.search_vector(c.school_id, 'course', stoa.fold_roughly(c.words_folded || ' ' || c.description), 2000)
from courses c
where e.school_id = c.school_id and e.kind = 'course' and e.id = c.id
  and c.status = 'published' and c.visibility = 'listed' and c.deleted_at is null;
update stoa.search_entries e
set listed_at = date_trunc('milliseconds', l.created_at),
  body_words = stoa.search_vector(l.school_id, 'lecturer', stoa.fold_roughly(l.name_folded || ' ' || l.bio), 2000)
from lecturers l
where e.school_id = l.school_id and e.kind = 'lecturer' and e.id = l.id and l.visibility = 'visible';
