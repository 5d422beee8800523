-- Words consist of the letters and digits of Unicode, in every school alike, whatever the locale of the database is. This is
-- what folded text can have besides: Unicode 17 without marks, and without what folding changes.
create function stoa.word_separators() returns text language sql immutable parallel safe as $$
  select '['
    || '\u0001-\u002f\u003a-\u0060\u007b-\u00d7\u00f7\u02c2-\u02c5\u02d2-\u02eb\u02ed\u02ef-\u02ff\u0375'
    || '\u03f6\u0482\u055a-\u055f\u0589-\u05c6\u05f3-\u061f\u066a-\u066d\u06d4\u06dd-\u06de\u06e9'
    || '\u06fd-\u06fe\u0700-\u070f\u07f6-\u07f9\u07fe-\u07ff\u0830-\u083e\u085e\u0888\u0890-\u0891\u08e2'
    || '\u0964-\u0965\u0970\u09f2-\u09f3\u09fa-\u09fb\u09fd\u0a76\u0af0-\u0af1\u0b70\u0bf3-\u0bfa\u0c77'
    || '\u0c7f\u0c84\u0d4f\u0d79\u0df4\u0e3f\u0e4f\u0e5a-\u0e5b\u0f01-\u0f1f\u0f34-\u0f3d\u0f85\u0fbe-\u0fda'
    || '\u104a-\u104f\u109e-\u109f\u10fb\u1360-\u1368\u1390-\u1399\u1400\u166d-\u166e\u1680\u169b-\u169c'
    || '\u16eb-\u16ed\u1735-\u1736\u17d4-\u17d6\u17d8-\u17db\u1800-\u180e\u1940-\u1945\u19de-\u19ff'
    || '\u1a1e-\u1a1f\u1aa0-\u1aa6\u1aa8-\u1aad\u1b4e-\u1b4f\u1b5a-\u1b7f\u1bfc-\u1bff\u1c3b-\u1c3f'
    || '\u1c7e-\u1c7f\u1cc0-\u1cd3\u200b-\u214d\u214f\u218a-\u244a\u2500-\u2775\u2794-\u2bff\u2ce5-\u2cea'
    || '\u2cf9-\u2cfc\u2cfe-\u2cff\u2d70\u2e00-\u2e2e\u2e30-\u3004\u3008-\u3020\u3030\u3037\u303d-\u303f'
    || '\u30a0\u30fb\u3190-\u3191\u31c0-\u31ef\u327f\u4dc0-\u4dff\ua490-\ua4c6\ua4fe-\ua4ff\ua60d-\ua60f'
    || '\ua673-\ua67e\ua6f2-\ua716\ua720-\ua721\ua789-\ua78a\ua828-\ua82b\ua836-\ua839\ua874-\ua877'
    || '\ua8ce-\ua8cf\ua8f8-\ua8fa\ua8fc\ua92e-\ua92f\ua95f\ua9c1-\ua9cd\ua9de-\ua9df\uaa5c-\uaa5f'
    || '\uaa77-\uaa79\uaade-\uaadf\uaaf0-\uaaf1\uab5b\uab6a-\uab6b\uabeb\ufbb2-\ufe46\ufeff-\ufffd'
    || '\U00010100-\U00010102\U00010137-\U0001013f\U00010179-\U00010189\U0001018c-\U000101fc\U0001039f'
    || '\U000103d0\U0001056f\U00010857\U00010877-\U00010878\U0001091f\U0001093f\U00010a50-\U00010a58'
    || '\U00010a7f\U00010ac8\U00010af0-\U00010af6\U00010b39-\U00010b3f\U00010b99-\U00010b9c\U00010d6e'
    || '\U00010d8e-\U00010d8f\U00010ead\U00010ed0-\U00010ed8\U00010f55-\U00010f59\U00010f86-\U00010f89'
    || '\U00011047-\U0001104d\U000110bb-\U000110cd\U00011140-\U00011143\U00011174-\U00011175'
    || '\U000111c5-\U000111cd\U000111db\U000111dd-\U000111df\U00011238-\U0001123d\U000112a9'
    || '\U000113d4-\U000113d8\U0001144b-\U0001144f\U0001145a-\U0001145d\U000114c6\U000115c1-\U000115d7'
    || '\U00011641-\U00011643\U00011660-\U0001166c\U000116b9\U0001173c-\U0001173f\U0001183b'
    || '\U00011944-\U00011946\U000119e2\U00011a3f-\U00011a46\U00011a9a-\U00011a9c\U00011a9e-\U00011aa2'
    || '\U00011b00-\U00011b09\U00011be1\U00011c41-\U00011c45\U00011c70-\U00011c71\U00011ef7-\U00011ef8'
    || '\U00011f43-\U00011f4f\U00011fd5-\U00011fff\U00012470-\U00012474\U00012ff1-\U00012ff2'
    || '\U00013430-\U0001343f\U00016a6e-\U00016a6f\U00016af5\U00016b37-\U00016b3f\U00016b44-\U00016b45'
    || '\U00016d6d-\U00016d6f\U00016e97-\U00016e9a\U00016fe2\U0001bc9c-\U0001d245\U0001d300-\U0001d356'
    || '\U0001d800-\U0001da8b\U0001e14f\U0001e2ff\U0001e5ff\U0001e95e-\U0001e95f\U0001ecac\U0001ecb0'
    || '\U0001ed2e\U0001eef0-\U0001f0f5\U0001f10d-\U0001fbfa\U000e0001-\U000e007f'
    || ']+'
$$;

-- Scripts without spaces between words: Thai, Lao, Myanmar, Khmer, Han, kana and their historic relatives.
create function stoa.unspaced_scripts() returns text language sql immutable parallel safe as $$
  select '['
    || '\u0e01-\u0edf\u1000-\u1099\u1780-\u17f9\u3005\u3007-\u3029\u303b\u3041-\u30f6\u30fd\u31f0-\u31ff'
    || '\u3400-\u9fff\ua9e0-\ua9fe\uaa60-\uaa7f\ufa0e-\ufa29\U000116d0-\U000116e3\U00016fe3-\U00016ff6'
    || '\U0001aff0-\U0001b167\U00020000-\U00033479'
    || ']+'
$$;

-- The words of folded text in their order, at most so many. A run of letters of a script without spaces has as many words as
-- letters, each of at most eight, so that every part of it is the beginning of a word; what is searched is cut into its parts.
create function stoa.words_of(folded text, is_searched boolean, most integer) returns setof text
language sql immutable parallel safe as $$
  select case when is_unspaced then substr(word, start, 8) else left(word, 60) end
  from (
    select word, word ~ ('^' || stoa.unspaced_scripts()) as is_unspaced
    from regexp_split_to_table(
      regexp_replace(folded, '(' || stoa.unspaced_scripts() || ')', ' \1 ', 'g'), stoa.word_separators()) as word
    where word <> ''
  ) as split
  cross join lateral generate_series(
    1, case when is_unspaced then char_length(word) else 1 end, case when is_searched then 8 else 1 end) as start
  limit most
$$;

-- A word of one or two letters must be met whole, since the beginnings are those of half the school.
create function stoa.is_beginning(word text) returns boolean language sql immutable parallel safe as $$
  select char_length(word) > 2 or word ~ '[^\x01-\x7f]'
$$;

-- What folded text contains, with a space in place of what divides words, where it has the words that are searched for: a part
-- of a text without spaces is met anywhere.
create function stoa.searched_parts(searched text) returns text[] language sql immutable parallel safe as $$
  select array_agg(
    case when word ~ ('^' || stoa.unspaced_scripts()) then word
      when stoa.is_beginning(word) then ' ' || word else ' ' || word || ' ' end)
  from stoa.words_of(searched, true, 10) as word
$$;

-- Whether folded text has words that begin with each of those that are searched for, for rows without an entry in the index.
create function stoa.has_words(folded text, parts text[]) returns boolean language sql immutable parallel safe as $$
  select coalesce(bool_and(strpos(text, part) > 0), false)
  from (select ' ' || regexp_replace(folded, stoa.word_separators(), ' ', 'g') || ' ' as text offset 0) as divided,
    unnest(parts) as part
$$;

-- In PL/pgSQL and without a search path of its own, so that the plan is kept.
create or replace function stoa.search_vector(school uuid, entry_kind text, folded text, most integer) returns tsvector
language plpgsql immutable parallel safe as $$
begin
  return array_to_tsvector(coalesce((
    select array_agg(distinct stoa.search_prefix(school, entry_kind) || word)
    from stoa.words_of(folded, false, most) as word), '{}'));
end $$;

create or replace function stoa.put_search_entry(school uuid, entry_kind text, entry uuid, folded text) returns void
language sql security definer set search_path = pg_catalog, stoa as $$
  insert into stoa.search_entries (school_id, kind, id, words)
  select school, entry_kind, entry, stoa.search_vector(school, entry_kind, folded, 200)
  where school = stoa.school_id()
  on conflict (school_id, kind, id) do update set words = excluded.words
$$;

create or replace function stoa.search_asked(entry_kind text, folded text) returns tsquery
language sql stable set search_path = pg_catalog, stoa as $$
  select string_agg(
      quote_literal(stoa.search_prefix(stoa.school_id(), entry_kind) || word)
        || case when stoa.is_beginning(word) then ':*' else '' end, ' & ')::tsquery
    from (select distinct word from stoa.words_of(folded, true, 10) as word) as words
$$;

drop function stoa.words_of(text);

-- The application folds names and addresses, these with their domains in ASCII. External ids, and domains as people read them,
-- are folded here.
create function stoa.member_words(one members) returns text language sql immutable parallel safe as $$
  select concat_ws(' ', one.name_folded, one.email_folded,
    case when one.email ~ '[^\x01-\x7f]' then stoa.fold_roughly(one.email) end, stoa.fold_roughly(one.external_id), one.phone)
$$;

create or replace function stoa.member_search_entry() returns trigger language plpgsql as $$
begin
  if new.erased_at is not null then
    perform stoa.drop_search_entry('member', new.id);
  else
    perform stoa.put_search_entry(new.school_id, 'member', new.id, stoa.member_words(new));
  end if;
  return null;
end $$;

create or replace function stoa.group_search_entry() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then
    perform stoa.drop_search_entry('group', new.id);
  else
    perform stoa.put_search_entry(new.school_id, 'group', new.id,
      concat_ws(' ', new.name_folded, stoa.fold_roughly(new.external_id)));
  end if;
  return null;
end $$;

-- Divides the names of the next 1,000 entries again, for a step of the migration. Text in ASCII has the words that it had; an
-- entry that changed in between has its words from the trigger of its row.
create function stoa.index_again(after_school uuid, after_kind text, after_id uuid)
returns table (school_id uuid, kind text, id uuid) language sql as $$
  with batch as materialized (
    select s.school_id, s.kind, s.id, s.words from stoa.search_entries s
    where (s.school_id, s.kind, s.id) > (after_school, after_kind, after_id)
    order by s.school_id, s.kind, s.id limit 1000
  ), named as materialized (
    select b.*, case b.kind
      when 'member' then (
        select stoa.member_words(m) from members m where m.school_id = b.school_id and m.id = b.id)
      when 'group' then (
        select concat_ws(' ', g.name_folded, stoa.fold_roughly(g.external_id))
        from groups g where g.school_id = b.school_id and g.id = b.id)
      when 'lecturer' then (select l.name_folded from lecturers l where l.school_id = b.school_id and l.id = b.id)
      when 'course' then (select c.words_folded from courses c where c.school_id = b.school_id and c.id = b.id)
      when 'order' then (select o.words_folded from orders o where o.school_id = b.school_id and o.id = b.id)
      when 'coupon' then (select c.name_folded from coupons c where c.school_id = b.school_id and c.id = b.id)
      when 'digital_product' then (
        select d.words_folded from digital_products d where d.school_id = b.school_id and d.id = b.id)
      when 'membership_plan' then (
        select m.words_folded from membership_plans m where m.school_id = b.school_id and m.id = b.id)
      when 'page' then (
        select v.words_folded from pages p
        join page_versions v on v.school_id = b.school_id and v.page_id = p.id
          and v.number = coalesce(p.published_version, p.version)
        where p.school_id = b.school_id and p.id = b.id)
      when 'post' then (select p.words_folded from posts p where p.school_id = b.school_id and p.id = b.id)
      when 'event' then (select e.name_folded from events e where e.school_id = b.school_id and e.id = b.id)
    end as folded
    from batch b
  ), written as (
    update stoa.search_entries e set words = stoa.search_vector(n.school_id, n.kind, n.folded, 200)
    from named n
    where e.school_id = n.school_id and e.kind = n.kind and e.id = n.id and e.words = n.words
      and n.folded ~ '[^\x01-\x7f]' and n.words <> stoa.search_vector(n.school_id, n.kind, n.folded, 200)
  )
  select b.school_id, b.kind, b.id from batch b order by b.school_id desc, b.kind desc, b.id desc limit 1
$$;
revoke execute on function stoa.index_again(uuid, text, uuid) from public;
