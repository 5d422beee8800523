-- Reading the shift from its table took most of the time of stoa.now(), which almost every statement calls. The function has
-- the shift in its text instead, and a change of the table writes it anew.
create function stoa.follow_clock() returns trigger language plpgsql as $$
begin
  execute format(
    'create or replace function stoa.now() returns timestamptz language plpgsql stable parallel safe as %L',
    format('begin return clock_timestamp() + interval %L; end', new.shift)
  );
  return null;
end $$;
create trigger clock_shift after update on stoa.clock for each row execute function stoa.follow_clock();
update stoa.clock set shift = shift;
