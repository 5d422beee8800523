-- A plan for any words expects them to find so much that it reads all entries until it has enough, which for words that find
-- little is the whole table. Here the words are the only condition that an index has; they begin with the school and the kind.
create or replace function stoa.search_some(entry_kind text, folded text, most bigint) returns setof uuid
language plpgsql stable security definer set search_path = pg_catalog, stoa set enable_seqscan = off as $$
declare
  asked tsquery := stoa.search_asked(entry_kind, folded);
begin
  if asked is null then
    return;
  end if;
  return query
    with found as materialized (
      select e.school_id, e.kind, e.id from stoa.search_entries e where e.words @@ asked limit most
    )
    select f.id from found f where f.school_id = stoa.school_id() and f.kind = entry_kind;
end $$;
alter function stoa.search(text, text, uuid, bigint) set enable_seqscan = off;
