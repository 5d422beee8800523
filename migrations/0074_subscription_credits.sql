-- What was credited to subscriptions, and what became of it. The field `credit` of a subscription is the sum of these amounts.
create table subscription_credits (
  school_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  kind text collate "C" not null check (kind in ('given', 'held', 'used', 'returned', 'paid_back', 'dropped')),
  -- In minor units, in terms of the price; what leaves the credit is negative.
  amount bigint not null check (amount <> 0 and (amount > 0) = (kind in ('given', 'returned'))),
  -- The order that the credit pays.
  order_id uuid,
  -- The line of an order whose money it is; null where any of it may be.
  from_line_id uuid,
  at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, subscription_id) references subscriptions (school_id, id),
  check ((order_id is not null) = (kind in ('held', 'used', 'returned')))
);
create index subscription_credits_subscription on subscription_credits (school_id, subscription_id, at, id);
create index subscription_credits_order on subscription_credits (school_id, order_id) where order_id is not null;
create index subscription_credits_line on subscription_credits (school_id, from_line_id) where from_line_id is not null;
select stoa.guard('subscription_credits');

-- What the period that runs leaves when a change takes effect: of the money that paid it, and of the credit that did. `credit` is
-- the part of both that the order of the change does not use.
alter table subscription_price_changes
  add column own_money bigint not null default 0 check (own_money >= 0),
  add column own_credit bigint not null default 0 check (own_credit >= 0),
  add column from_line_id uuid;

update subscription_price_changes c set own_money = c.credit + l.credit_amount
from order_lines l
where l.school_id = c.school_id and l.order_id = c.order_id and c.status in ('pending', 'failed');

-- What canceled periods had taken of a credit, and paid for with nobody, stands again.
update subscriptions s set credit = s.credit + lost.amount
from (
  select p.school_id, p.subscription_id, sum(p.credit_used) as amount
  from subscription_periods p
  where p.state = 'canceled' and p.credit_used > 0
  group by p.school_id, p.subscription_id) as lost
where lost.school_id = s.school_id and lost.subscription_id = s.id;

-- The periods that are due hold what they took of a credit. Whose money a credit is was not known before.
insert into subscription_credits (school_id, id, subscription_id, kind, amount, order_id, at)
select p.school_id, gen_random_uuid(), p.subscription_id, 'held', -p.credit_used, p.order_id, p.created_at
from subscription_periods p
where p.state in ('asked', 'failed') and p.credit_used > 0 and p.order_id is not null;

insert into subscription_credits (school_id, id, subscription_id, kind, amount, at)
select s.school_id, gen_random_uuid(), s.id, 'given', s.credit + coalesce(held.amount, 0), s.created_at
from subscriptions s left join lateral (
  select -sum(c.amount) as amount from subscription_credits c
  where c.school_id = s.school_id and c.subscription_id = s.id) as held on true
where s.credit + coalesce(held.amount, 0) > 0;
