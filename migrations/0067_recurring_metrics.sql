-- What a subscription brings in a month, in minor units and not rounded, since only sums are: its price less the code that reduces
-- coming periods. Nothing while it is in trial or paused, is paid for by nobody, ends with a number of payments, or its member
-- is suspended or gone.
create function stoa.monthly_revenue(of_school uuid, of_member uuid, status text, collection text, price jsonb, of_coupon uuid,
  periods_left integer) returns numeric language sql stable as $$
  select coalesce((
    select round((p.amount - case when c.id is null then 0
        when c.percent_off is null then least(coalesce(c.amount_off, 0), p.amount)
        else round(p.amount * c.percent_off / 1000000) end)
      * case price ->> 'interval' when 'week' then 52 else case price ->> 'interval' when 'year' then 1 else 12 end end / 12
      / coalesce((price ->> 'interval_count')::numeric, 1), 6)
    from (select (price ->> 'amount')::numeric as amount) as p
    left join coupons c on c.school_id = of_school and c.id = of_coupon and coalesce(periods_left, 1) > 0
    where status in ('active', 'past_due') and collection <> 'complimentary' and price ->> 'payment_type' = 'subscription'
      and exists (select from members m
        where m.school_id = of_school and m.id = of_member and m.status not in ('suspended', 'deleted'))), 0)
$$;

alter table subscriptions add column mrr numeric not null default 0 check (mrr >= 0);

create function stoa.subscription_mrr() returns trigger language plpgsql as $$
begin
  -- One that begins later brings nothing until then.
  new.mrr := case when new.started_at > stoa.now() then 0 else stoa.monthly_revenue(new.school_id, new.member_id, new.status,
    new.collection, new.price, new.coupon_id, new.code_periods_left) end;
  return new;
end $$;
create trigger subscriptions_mrr before insert or update on subscriptions
  for each row execute function stoa.subscription_mrr();

-- How monthly recurring revenue changed, by which its sum at any instant is known. It says nothing of people.
create table mrr_changes (
  school_id uuid not null references schools (id),
  id uuid not null default gen_random_uuid(),
  subscription_id uuid not null,
  at timestamptz not null,
  movement text collate "C" not null check (movement in ('new', 'expansion', 'contraction', 'churned', 'reactivated')),
  item_type text collate "C" not null,
  item_id uuid not null,
  currency text not null,
  amount numeric not null,
  -- Whether a subscription comes or goes with it.
  subscriptions smallint not null check (subscriptions between -1 and 1),
  -- The month in which the subscription first brought something, in the zone of its periods.
  started_in text collate "C" not null check (started_in ~ '^\d{4}-\d\d$'),
  primary key (school_id, id),
  foreign key (school_id, subscription_id) references subscriptions (school_id, id)
);
create index mrr_changes_subscription on mrr_changes (school_id, subscription_id, at);
select stoa.guard('mrr_changes');
select stoa.measure('mrr_changes', 'at', '{movement,item_id,currency,amount,subscriptions}');

create function stoa.mrr_changed() returns trigger language plpgsql as $$
declare
  was numeric := case when tg_op = 'INSERT' then 0 else old.mrr end;
  changed_at timestamptz := stoa.now();
  known_month text := (select c.started_in from mrr_changes c
    where c.school_id = new.school_id and c.subscription_id = new.id order by c.at limit 1);
  of_month text := coalesce(known_month, to_char(changed_at at time zone coalesce(new.anchor_zone, 'UTC'), 'YYYY-MM'));
  of_movement text := case when was = 0 then case when known_month is null then 'new' else 'reactivated' end
    when new.mrr = 0 then 'churned' when new.mrr < was then 'contraction' else 'expansion' end;
begin
  -- What moves to another plan goes from one item to the other.
  insert into mrr_changes (school_id, subscription_id, at, movement, item_type, item_id, currency, amount, subscriptions, started_in)
  select new.school_id, new.id, changed_at, of_movement, item_type, item_id, currency, sum(amount), sum(subscriptions), of_month
  from (
    select old.item_type, old.item_id, old.price ->> 'currency' as currency, -was as amount, -1 as subscriptions where was > 0
    union all select new.item_type, new.item_id, new.price ->> 'currency', new.mrr, 1 where new.mrr > 0) as moved
  group by item_type, item_id, currency;
  return null;
end $$;
create trigger subscriptions_mrr_made after insert on subscriptions for each row
  when (new.mrr > 0) execute function stoa.mrr_changed();
create trigger subscriptions_mrr_changed after update on subscriptions for each row
  when (old.mrr <> new.mrr or (new.mrr > 0 and old.item_id <> new.item_id)) execute function stoa.mrr_changed();

-- What a member pays does not count while they are suspended.
create function stoa.member_mrr() returns trigger language plpgsql as $$
begin
  update subscriptions set mrr = mrr
  where school_id = new.school_id and member_id = new.id and status in ('active', 'past_due');
  return null;
end $$;
create trigger members_mrr after update of status on members for each row
  when ((old.status in ('suspended', 'deleted')) <> (new.status in ('suspended', 'deleted')))
  execute function stoa.member_mrr();

-- What there is already counts from now on.
update subscriptions set mrr = mrr where status in ('active', 'past_due');

select stoa.measure('registrations', 'created_at', '{event_id,occurrence_id}');
select stoa.measure('registrations', 'checked_in_at', '{event_id,occurrence_id}');
select stoa.measure('registrations', 'cancelled_at', '{event_id,occurrence_id,cancelled_by}');
select stoa.measure('occurrences', 'ended_at', '{status}');

-- Who did not come is known when an occurrence has ended, and changes when somebody is checked in or added afterwards.
create function stoa.registration_after_end() returns trigger language plpgsql as $$
begin
  insert into metric_dirty (school_id, source, at)
  select o.school_id, 'occurrences.ended_at', stoa.quarter(o.ended_at) from occurrences o
  where o.school_id = new.school_id and o.ended_at is not null
    and o.id in (new.occurrence_id, case when tg_op = 'UPDATE' then old.occurrence_id end);
  return null;
end $$;
create trigger registrations_added_after_end after insert on registrations for each row
  when (new.status = 'confirmed') execute function stoa.registration_after_end();
create trigger registrations_after_end after update of status, occurrence_id on registrations for each row
  when (old.status is distinct from new.status or old.occurrence_id is distinct from new.occurrence_id)
  execute function stoa.registration_after_end();

-- Sales are also known by the kind of order, such as renewals.
select stoa.remeasure('orders', 'paid_at');
