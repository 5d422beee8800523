-- How often posts and forms were opened to be read or answered, in quarters of an hour. It says nothing of people.
create table view_counts (
  school_id uuid not null references schools (id),
  at timestamptz not null,
  item_type text collate "C" not null check (item_type in ('post', 'form')),
  item_id uuid not null,
  views bigint not null check (views > 0),
  primary key (school_id, at, item_type, item_id)
);
select stoa.guard('view_counts');
select stoa.measure('view_counts', 'at', '{views}');

-- What is opened has no fact, so the table itself has the quarter rolled up.
create function stoa.roll_up_views() returns trigger language plpgsql as $$
begin
  insert into jobs (school_id, kind, id, due_at)
  values (new.school_id, 'metric', new.school_id, stoa.now() + interval '5 seconds') on conflict do nothing;
  return null;
end $$;
create trigger view_counts_roll_up after insert or update on view_counts for each row execute function stoa.roll_up_views();

-- A change of monthly revenue is dated by the instant at which it took effect and not by that at which the worker got to it, so
-- that the history is the same after the worker was off. It never comes before an earlier change of the same subscription.
create or replace function stoa.mrr_changed() returns trigger language plpgsql as $$
declare
  was numeric := case when tg_op = 'INSERT' then 0 else old.mrr end;
  clock timestamptz := stoa.now();
  known record;
  took_effect timestamptz;
  changed_at timestamptz;
  of_month text;
  of_movement text;
begin
  select max(c.at) as last_at, (array_agg(c.started_in order by c.at))[1] as month into known
  from mrr_changes c where c.school_id = new.school_id and c.subscription_id = new.id;
  -- The suspension of a member changes no revision.
  if tg_op = 'UPDATE' and new.revision <> old.revision then
    took_effect := case
      when new.status = 'canceled' then least(new.cancel_at, old.ends_at, old.gives_up_at)
      when new.status = 'expired' then old.ends_at
      when new.status = 'paused' then new.paused_at
      when old.status = 'paused' then old.resumes_at
      when new.payments_made > old.payments_made or old.status = 'trialing' then new.current_from
      when new.price_id is distinct from old.price_id then old.current_until
    end;
  end if;
  changed_at := greatest(least(took_effect, clock), known.last_at);
  of_month := coalesce(known.month, to_char(changed_at at time zone coalesce(new.anchor_zone, 'UTC'), 'YYYY-MM'));
  of_movement := case when was = 0 then case when known.month is null then 'new' else 'reactivated' end
    when new.mrr = 0 then 'churned' when new.mrr < was then 'contraction' else 'expansion' end;
  -- What moves to another plan goes from one item to the other.
  insert into mrr_changes (school_id, subscription_id, at, movement, item_type, item_id, currency, amount, subscriptions, started_in)
  select new.school_id, new.id, changed_at, of_movement, item_type, item_id, currency, sum(amount), sum(subscriptions), of_month
  from (
    select old.item_type, old.item_id, old.price ->> 'currency' as currency, -was as amount, -1 as subscriptions where was > 0
    union all select new.item_type, new.item_id, new.price ->> 'currency', new.mrr, 1 where new.mrr > 0) as moved
  group by item_type, item_id, currency;
  return null;
end $$;
