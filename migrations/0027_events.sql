-- Security events are kept for two years. The application takes no history away by itself: this function alone does, of
-- the school its connection is set to, and nothing that is younger.
create index security_events_recorded on security_events (school_id, recorded_at);

create function stoa.forget_events(school uuid, most integer) returns integer
language sql security definer set search_path = pg_catalog, stoa as $$
  with gone as (
    delete from public.security_events
    where school_id = school and school = stoa.school_id() and ctid = any (array(
      select ctid from public.security_events
      where school_id = school and recorded_at < (select stoa.now()) - interval '2 years'
      order by recorded_at limit most for update skip locked))
    returning 1)
  select count(*)::integer from gone
$$;

-- What a browser holds after a sign-in is derived from what it held before and from this, so that the same form posted
-- again gets the same answer.
alter table authorization_requests add column entry_salt uuid not null default gen_random_uuid();
