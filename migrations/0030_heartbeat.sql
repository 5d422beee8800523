-- What a process writes to prove that it is told of changes: its id, its own clock and the database's. The row proves
-- something for less than a second, so the table is not logged, and a row that a crash removed is inserted again.
create unlogged table stoa.heartbeat (
  is_only boolean primary key default true check (is_only),
  id text not null
);

-- As before, and of a row that is inserted or updated what it is now.
create or replace function stoa.tell_change() returns trigger language plpgsql as $$
declare
  changed jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
  perform pg_notify('stoa_changes', coalesce(changed ->> 'school_id', changed ->> 'id') || ' ' || tg_table_name);
  return null;
end $$;

create trigger tell_change after insert or update on stoa.heartbeat for each row execute function stoa.tell_change();

-- Whether every trigger that tells of a change is in place and enabled; a heartbeat without them would prove too much.
create function stoa.tells_changes() returns boolean language sql stable as $$
  select count(*) = 7 from pg_trigger
  where tgrelid in ('grants'::regclass, 'access_tokens'::regclass, 'members'::regclass, 'clients'::regclass,
      'schools'::regclass, 'stoa.heartbeat'::regclass)
    and tgfoid = 'stoa.tell_change()'::regprocedure and tgenabled in ('O', 'A')
$$;
