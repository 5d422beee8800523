-- For how many seconds the oldest fact has waited to be delivered to a webhook of any school, replays aside; 0 where none waits.
create function stoa.oldest_delivery_age() returns double precision
language sql stable security definer set search_path = pg_catalog, public, stoa as $$
  select coalesce(max(extract(epoch from (select stoa.now()) - d.created_at)), 0)::double precision
  from webhooks w
  cross join lateral (
    select created_at from webhook_deliveries
    where school_id = w.school_id and webhook_id = w.id and status = 'waiting' and not is_replay
    order by sequence limit 1
  ) d
  where w.status <> 'disabled'
$$;
