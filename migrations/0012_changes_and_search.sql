-- Of which life of the database a position in commit order is; a restored backup begins another.
create table stoa.era (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid()
);
insert into stoa.era default values;

-- Transactions of another cluster mean nothing in this one: what carried their numbers counts as written by the restore.
create function stoa.after_restore() returns void language plpgsql as $$
declare
  stamped regclass;
begin
  update stoa.era set id = gen_random_uuid();
  for stamped in
    select attrelid::regclass from pg_attribute
    where attname = 'changed_in' and not attisdropped and attrelid in (select oid from pg_class where relkind = 'r')
  loop
    execute format('update %s set changed_in = pg_current_xact_id()::text::bigint', stamped);
  end loop;
  update facts set transaction_id = pg_current_xact_id() where sequence is null;
end $$;

-- Stamps a row with the transaction that wrote it; as a bigint, whose comparison may use an index behind row security.
create function stoa.stamp_change() returns trigger language plpgsql as $$
begin
  new.changed_in := pg_current_xact_id()::text::bigint;
  return new;
end $$;

-- Everything written by transactions before this one is settled: nothing will appear behind it any more.
create function stoa.horizon() returns bigint language sql stable parallel safe as $$
  select pg_snapshot_xmin(pg_current_snapshot())::text::bigint
$$;

-- Words to find things by. Full text cannot use an index behind row security, so the table has none, the application's
-- login cannot read it, and the functions below take the school from the setting of the connection.
create table stoa.search_entries (
  school_id uuid not null,
  kind text not null,
  id uuid not null,
  words tsvector not null,
  primary key (school_id, kind, id)
);
-- Each word begins with its school and kind, so that one school's search reads its own part of the index and no more.
create index search_entries_words on stoa.search_entries using gin (words);

create function stoa.search_prefix(school uuid, kind text) returns text language sql immutable parallel safe as $$
  select left(md5(school::text || ' ' || kind), 16) || ' '
$$;

-- The words of folded text, at most 200.
create function stoa.words_of(folded text) returns setof text language sql immutable parallel safe as $$
  select distinct left(word, 60) from (
    select word from regexp_split_to_table(folded, '[\s@._+\-,;:()''"/\\&*!|<>=#%?$\[\]{}~^`]+') as word
    where word <> '' limit 200) as split
$$;

create function stoa.put_search_entry(school uuid, entry_kind text, entry uuid, folded text) returns void
language sql security definer set search_path = pg_catalog, stoa as $$
  insert into stoa.search_entries (school_id, kind, id, words)
  select school, entry_kind, entry,
    array_to_tsvector(coalesce((select array_agg(stoa.search_prefix(school, entry_kind) || word) from stoa.words_of(folded) as word), '{}'))
  where school = stoa.school_id()
  on conflict (school_id, kind, id) do update set words = excluded.words
$$;

create function stoa.drop_search_entry(entry_kind text, entry uuid) returns void
language sql security definer set search_path = pg_catalog, stoa as $$
  delete from stoa.search_entries where school_id = stoa.school_id() and kind = entry_kind and id = entry
$$;

-- What is asked of the words of an entry: that one begins with each of the words asked for; a word of one or two letters
-- must be met whole, since the beginnings are those of half the school. Null when nothing is asked.
create function stoa.search_asked(entry_kind text, folded text) returns tsquery
language sql stable set search_path = pg_catalog, stoa as $$
  select string_agg(
      quote_literal(stoa.search_prefix(stoa.school_id(), entry_kind) || word)
        || case when char_length(word) > 2 or word ~ '[^\x01-\x7f]' then ':*' else '' end, ' & ')::tsquery
    from (select word from stoa.words_of(folded) as word limit 10) as words
$$;

-- The ids of what is found, in order, behind `after`.
create function stoa.search(entry_kind text, folded text, after uuid, most bigint) returns setof uuid
language plpgsql stable security definer set search_path = pg_catalog, stoa as $$
declare
  asked tsquery := stoa.search_asked(entry_kind, folded);
begin
  if asked is null then
    return;
  end if;
  return query
    with found as materialized (
      select e.school_id, e.kind, e.id from stoa.search_entries e where e.words @@ asked
    )
    select f.id from found f
    where f.school_id = stoa.school_id() and f.kind = entry_kind and (after is null or f.id > after)
    order by f.id limit most;
end $$;

-- The same for words that are known to find much, so that the planner joins and does not look up one by one.
create function stoa.search_many(entry_kind text, folded text) returns setof uuid
language plpgsql stable rows 200000 set search_path = pg_catalog, stoa as $$
begin
  return query select * from stoa.search(entry_kind, folded, null, null);
end $$;

-- Some of what is found, in no order, which is cheap also where much is: to learn whether it is much.
create function stoa.search_some(entry_kind text, folded text, most bigint) returns setof uuid
language plpgsql stable security definer set search_path = pg_catalog, stoa as $$
declare
  asked tsquery := stoa.search_asked(entry_kind, folded);
begin
  if asked is null then
    return;
  end if;
  return query
    select e.id from stoa.search_entries e
    where e.words @@ asked and e.school_id = stoa.school_id() and e.kind = entry_kind limit most;
end $$;

-- Whether one entry is among what is found.
create function stoa.is_found(entry_kind text, entry uuid, asked tsquery) returns boolean
language plpgsql stable security definer cost 1000 set search_path = pg_catalog, stoa as $$
begin
  return exists (
    select from stoa.search_entries e
    where e.school_id = stoa.school_id() and e.kind = entry_kind and e.id = entry and e.words @@ asked);
end $$;

-- Whom something happened to, so that a member's history can be told without looking into lists of ids.
alter table audit_log add column about_id uuid;
create index audit_log_about on audit_log (school_id, about_id, id) where about_id is not null;

-- Facts are numbered by the worker, in the order of commits and behind the horizon, so that no request waits for a
-- number and the numbers of a school have no gap; then they are delivered, each in a transaction of its own.
alter table facts
  add column sequence bigint,
  add column attempts integer not null default 0,
  add column delivered_at timestamptz,
  add column parked_at timestamptz,
  add column last_error text;
create unique index facts_sequence on facts (school_id, sequence) where sequence is not null;
create index facts_unnumbered on facts (school_id, transaction_id, id) where sequence is null;
create index facts_parked on facts (school_id, parked_at) where parked_at is not null;

-- In the database, so that no way of recording a fact can forget to have it delivered.
create function stoa.deliver_facts() returns trigger language plpgsql as $$
begin
  insert into jobs (school_id, kind, id, due_at)
  select school_id, 'fact', id, recorded_at from made
  -- A restore sets no school and brings the work along.
  where school_id = stoa.school_id();
  perform pg_notify('stoa_jobs', '');
  return null;
end $$;
create trigger facts_delivered after insert on facts referencing new table as made
  for each statement execute function stoa.deliver_facts();
