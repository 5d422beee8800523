-- Whether the login owns the tables, as that of the application does not.
create function stoa.owns_tables() returns boolean language sql stable
  return pg_has_role(session_user, (select c.relowner from pg_class c where c.oid = 'public.schools'::regclass), 'member');

-- Loading rows is not writing them: what a trigger kept when they were written is among the rows that are loaded. The application
-- cannot turn its own triggers off, since it owns no table. PostgreSQL inlines this into the condition of each trigger.
create function stoa.is_loading() returns boolean language sql stable
  return coalesce(current_setting('stoa.loading', true), '') = 'on' and stoa.owns_tables();

do $$
declare
  definition text;
begin
  for definition in
    select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace in ('public'::regnamespace, 'stoa'::regnamespace)
    order by t.oid
  loop
    definition := regexp_replace(definition, '^CREATE TRIGGER', 'CREATE OR REPLACE TRIGGER');
    if definition ~ ' WHEN \(' then
      definition := regexp_replace(definition, ' WHEN \((.*)\) EXECUTE FUNCTION ', ' WHEN ((\1) AND NOT stoa.is_loading()) EXECUTE FUNCTION ');
    else
      definition := replace(definition, ' EXECUTE FUNCTION ', ' WHEN (NOT stoa.is_loading()) EXECUTE FUNCTION ');
    end if;
    execute definition;
  end loop;
end $$;

create or replace function stoa.measure(measured regclass, instant text, columns text[] default '{}') returns void
language plpgsql as $$
declare
  name text := format('measure_%s_%s', measured, instant);
  source text := measured || '.' || instant;
  watched text[] := instant || columns;
begin
  execute format($body$
    create function stoa.%1$I() returns trigger language plpgsql as $f$
    begin
      if tg_op <> 'INSERT' and old.%2$I is not null then
        insert into metric_dirty (school_id, source, at) values (old.school_id, %3$L, stoa.quarter(old.%2$I));
      end if;
      if tg_op = 'DELETE' or new.%2$I is null or (tg_op = 'UPDATE' and stoa.quarter(old.%2$I) = stoa.quarter(new.%2$I)) then
        return null;
      end if;
      insert into metric_dirty (school_id, source, at) values (new.school_id, %3$L, stoa.quarter(new.%2$I));
      return null;
    end $f$
    $body$, name, instant, source);
  execute format('create trigger %I after insert or delete on %s for each row when (not stoa.is_loading())
    execute function stoa.%I()', name, measured, name);
  execute format('create trigger %I after update of %s on %s for each row when ((%s) and not stoa.is_loading())
    execute function stoa.%I()',
    name || '_changed', (select string_agg(quote_ident(c), ', ') from unnest(watched) c), measured,
    (select string_agg(format('old.%1$I is distinct from new.%1$I', c), ' or ') from unnest(watched) c), name);
  execute format('create index %I on %s (school_id, %I) where %I is not null', name, measured, instant, instant);
  perform stoa.remeasure(measured, instant);
end $$;
