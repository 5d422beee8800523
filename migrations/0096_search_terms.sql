-- A compound in what may be public is found by its parts and by all of it: after two parts with a hyphen between them stands the
-- word that they make.
create function stoa.with_compounds(folded text) returns text language sql immutable parallel safe as $$
  select regexp_replace(folded, '(' || word || ')-(' || word || ')', '\1-\2 \1\2', 'g')
  from (select '[^' || substr(stoa.word_separators(), 2) as word offset 0) as letters
$$;

-- Each word, or the word that it makes with one beside it: "sour dough" and "sour-dough" find "sourdough".
create or replace function stoa.search_asked(entry_kind text, folded text) returns tsquery
language sql stable set search_path = pg_catalog, stoa as $$
  with asked as (
    select word, n, lag(word) over (order by n) || word as with_last, word || lead(word) over (order by n) as with_next
    from (select word, min(n) as n from stoa.words_of(folded, true, 10) with ordinality as w (word, n) group by word) as words
  ), ways as (
    select n, quote_literal(stoa.search_prefix(stoa.school_id(), entry_kind) || way)
      || case when stoa.is_beginning(way) then ':*' else '' end as lexeme
    from asked, unnest(array[word, left(with_last, 60), left(with_next, 60)]) as way
    where way is not null
  )
  select string_agg(one, ' & ')::tsquery
  from (select '(' || string_agg(lexeme, ' | ') || ')' as one from ways group by n) as words
$$;

-- The words in the names of what is public, by which those that nothing has are corrected. Their parts of three letters begin
-- with the school, as words do, and are those of every script: the extension pg_trgm takes for letters what the locale of the
-- database does, which in C are those of ASCII.
create table stoa.search_terms (
  school_id uuid not null,
  term text collate "C" not null,
  parts text[] collate "C" not null,
  primary key (school_id, term)
);
create index search_terms_parts on stoa.search_terms using gin (parts);

create function stoa.term_parts(school uuid, term text) returns text[] language sql immutable parallel safe as $$
  select array_agg(distinct stoa.search_prefix(school, '') || substr(' ' || term || ' ', n, 3))
  from generate_series(1, char_length(term)) as n
$$;

-- Words of letters that somebody could mistype: neither short ones nor numbers, nor those of scripts without spaces.
create function stoa.is_term(word text) returns boolean language sql immutable parallel safe as $$
  select char_length(word) between 4 and 30 and word !~ '[0-9]' and word !~ stoa.unspaced_scripts()
$$;

create function stoa.put_search_terms(school uuid, folded text) returns void
language sql set search_path = pg_catalog, stoa as $$
  insert into stoa.search_terms (school_id, term, parts)
  select school, word, stoa.term_parts(school, word)
  from (select distinct word from stoa.words_of(folded, false, 200) as word) as words
  where stoa.is_term(word)
    and not exists (select from stoa.search_terms t where t.school_id = school and t.term = word)
  -- Transactions that add the same words wait for each other in one order.
  order by word collate "C"
  on conflict (school_id, term) do nothing
$$;
revoke execute on function stoa.put_search_terms(uuid, text) from public;

create or replace function stoa.put_search_entry(
  school uuid, entry_kind text, entry uuid, folded text, body text, listed timestamptz) returns void
language sql security definer set search_path = pg_catalog, stoa as $$
  insert into stoa.search_entries (school_id, kind, id, words, body_words, listed_at)
  select school, entry_kind, entry, stoa.search_vector(school, entry_kind, stoa.with_compounds(folded), 200),
    case when listed is not null then stoa.search_vector(school, entry_kind, stoa.with_compounds(body), 2000) end,
    date_trunc('milliseconds', listed)
  where school = stoa.school_id()
  on conflict (school_id, kind, id) do update
    set words = excluded.words, body_words = excluded.body_words, listed_at = excluded.listed_at;
  select stoa.put_search_terms(school, stoa.with_compounds(folded)) where school = stoa.school_id() and listed is not null;
$$;

-- For each word that is searched for, in its order, the terms most like it, those with the most parts in common first; none for
-- a word that something public has.
create function stoa.near_terms(kinds text[], folded text, most integer) returns table (word text, terms text[])
language plpgsql stable security definer set search_path = pg_catalog, stoa set enable_seqscan = off as $$
#variable_conflict use_column
declare
  one text;
  own uuid := stoa.school_id();
  asked tsquery;
  searched text[];
begin
  for one in select w from stoa.words_of(folded, true, 10) as w loop
    asked := (select string_agg('(' || stoa.search_asked(kind, one)::text || ')', ' | ')::tsquery from unnest(kinds) as kind);
    word := one;
    terms := '{}';
    if stoa.is_term(one) and not exists (select from stoa.search_entries e where e.body_words @@ asked) then
      searched := stoa.term_parts(own, one);
      terms := array(
        with near as materialized (
          select t.school_id, t.term, t.parts from stoa.search_terms t where t.parts && searched
        )
        select n.term from near n
        where n.school_id = own and abs(char_length(n.term) - char_length(one)) <= 2
        order by cardinality(array(select unnest(n.parts) intersect select unnest(searched))) desc, n.term
        limit most);
    end if;
    return next;
  end loop;
end $$;

-- Removes the terms that no public name has any longer, of at most so many in the order of words behind one. Returns the last
-- that was looked at, null at the end.
create function stoa.sweep_search_terms(kinds text[], most integer, after_term text) returns text
language plpgsql security definer set search_path = pg_catalog, stoa set enable_seqscan = off as $$
declare
  own uuid := stoa.school_id();
  one text;
  last text;
  seen integer := 0;
begin
  for one in select t.term from stoa.search_terms t
    where t.school_id = own and t.term > coalesce(after_term, '') order by t.term limit most
  loop
    seen := seen + 1;
    last := one;
    if not exists (
      select from stoa.search_entries e
      where e.listed_at is not null and e.words @@ (
        select string_agg(quote_literal(stoa.search_prefix(own, kind) || one), ' | ')::tsquery from unnest(kinds) as kind))
    then
      delete from stoa.search_terms t where t.school_id = own and t.term = one;
    end if;
  end loop;
  return case when seen = most then last end;
end $$;

-- The same search with the kinds in the order in which they are found: what somebody can take part in before what is said of it.
create function stoa.search_all(
  kinds text[], folded text, most integer, after_weight integer, after_kind text, after_at timestamptz, after_id uuid)
returns table (kind text, id uuid, weight integer, listed_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, stoa set enable_seqscan = off as $$
#variable_conflict use_column
declare
  asked tsquery := (
    select string_agg('(' || stoa.search_asked(one, folded)::text || ')', ' | ')::tsquery from unnest(kinds) as one);
  after_rank integer := array_position(kinds, after_kind);
begin
  if asked is null then
    return;
  end if;
  return query
    with found as materialized (
      select e.school_id, e.kind, e.id, e.listed_at, case when e.words @@ asked then 1 else 2 end as weight,
        array_position(kinds, e.kind) as rank
      from stoa.search_entries e where e.body_words @@ asked
    )
    select f.kind, f.id, f.weight, f.listed_at from found f
    where f.school_id = stoa.school_id() and f.kind = any (kinds)
      and (after_id is null or (f.weight, f.rank) > (after_weight, after_rank)
        or (f.weight, f.rank) = (after_weight, after_rank) and (f.listed_at, f.id) < (after_at, after_id))
    order by f.weight, f.rank, f.listed_at desc, f.id desc limit most;
end $$;

-- Divides the next 1,000 entries again, for a step of the migration: names and bodies in which words may have become others,
-- and the terms of what is public. An entry that changed in between has its words from the trigger of its row.
create or replace function stoa.index_again(after_school uuid, after_kind text, after_id uuid)
returns table (school_id uuid, kind text, id uuid) language sql as $$
  with batch as materialized (
    select s.school_id, s.kind, s.id, s.words, s.body_words, s.listed_at from stoa.search_entries s
    where (s.school_id, s.kind, s.id) > (after_school, after_kind, after_id)
    order by s.school_id, s.kind, s.id limit 1000
  ), named as materialized (
    select b.school_id, b.kind, b.id, b.words, b.body_words, b.listed_at, n.folded, n.body from batch b cross join lateral (
      select stoa.member_words(m) as folded, null as body
      from members m where b.kind = 'member' and m.school_id = b.school_id and m.id = b.id
      union all
      select concat_ws(' ', g.name_folded, stoa.fold_roughly(g.external_id)), null
      from groups g where b.kind = 'group' and g.school_id = b.school_id and g.id = b.id
      union all
      select o.words_folded, null from orders o where b.kind = 'order' and o.school_id = b.school_id and o.id = b.id
      union all
      select c.name_folded, null from coupons c where b.kind = 'coupon' and c.school_id = b.school_id and c.id = b.id
      union all
      select stoa.with_compounds(l.name_folded), stoa.with_compounds(l.body_words)
      from lecturers l where b.kind = 'lecturer' and l.school_id = b.school_id and l.id = b.id
      union all
      select stoa.with_compounds(c.words_folded), stoa.with_compounds(c.body_words)
      from courses c where b.kind = 'course' and c.school_id = b.school_id and c.id = b.id
      union all
      select stoa.with_compounds(d.words_folded), stoa.with_compounds(d.body_words)
      from digital_products d where b.kind = 'digital_product' and d.school_id = b.school_id and d.id = b.id
      union all
      select stoa.with_compounds(m.words_folded), stoa.with_compounds(m.body_words)
      from membership_plans m where b.kind = 'membership_plan' and m.school_id = b.school_id and m.id = b.id
      union all
      select stoa.with_compounds(v.words_folded), stoa.with_compounds(v.body_words) from pages p
      join page_versions v on v.school_id = b.school_id and v.page_id = p.id
        and v.number = coalesce(p.published_version, p.version)
      where b.kind = 'page' and p.school_id = b.school_id and p.id = b.id
      union all
      select stoa.with_compounds(p.words_folded), stoa.with_compounds(p.body_words)
      from posts p where b.kind = 'post' and p.school_id = b.school_id and p.id = b.id
      union all
      select stoa.with_compounds(e.name_folded), stoa.with_compounds(e.body_words)
      from events e where b.kind = 'event' and e.school_id = b.school_id and e.id = b.id
    ) as n
  ), divided as materialized (
    select n.*, stoa.search_vector(n.school_id, n.kind, n.folded, 200) as names,
      case when n.listed_at is not null and n.body is not null
        then stoa.search_vector(n.school_id, n.kind, n.body, 2000) else n.body_words end as bodies
    from named n where n.listed_at is not null or n.folded ~ '[^\x01-\x7f]'
      or n.kind not in ('member', 'group', 'order', 'coupon') and n.folded ~ '-'
  ), written as (
    update stoa.search_entries e set words = d.names, body_words = d.bodies
    from divided d
    where e.school_id = d.school_id and e.kind = d.kind and e.id = d.id and e.words = d.words
      and e.body_words is not distinct from d.body_words and e.listed_at is not distinct from d.listed_at
      and (d.names <> d.words or d.bodies is distinct from d.body_words)
  ), terms as (
    insert into stoa.search_terms (school_id, term, parts)
    select school_id, word, stoa.term_parts(school_id, word)
    from (
      select distinct d.school_id, word from divided d, stoa.words_of(d.folded, false, 200) as word
      where d.listed_at is not null
    ) as words
    where stoa.is_term(word)
    order by school_id, word collate "C"
    on conflict (school_id, term) do nothing
  )
  select b.school_id, b.kind, b.id from batch b order by b.school_id desc, b.kind desc, b.id desc limit 1
$$;
