-- What a member has as long as it is paid again: an item at a price, as it was when it was bought.
create table subscriptions (
  school_id uuid not null references schools (id),
  id uuid not null,
  member_id uuid not null,
  item_type text collate "C" not null check (item_type in ('course', 'membership_plan', 'digital_product')),
  item_id uuid not null,
  name text not null,
  -- The values of the price and the access that it gives, as `Offer` has them; null where nothing is paid.
  price_id uuid,
  price jsonb check (jsonb_typeof(price) = 'object'),
  access jsonb check (jsonb_typeof(access) = 'object'),
  tax_class text not null check (tax_class in ('standard', 'exempt')),
  status text collate "C" not null check (status in
    ('incomplete', 'trialing', 'active', 'past_due', 'paused', 'completed', 'canceled', 'expired')),
  collection text collate "C" not null check (collection in ('automatic', 'manual', 'complimentary')),
  provider text check (provider in ('manual', 'test', 'stripe')),
  -- The saved payment method that is charged.
  method_id uuid,
  started_at timestamptz,
  -- Period `anchor_number` begins at this local time, and all others are reckoned from it; with the edition of the time zones
  -- by which instants still to come were computed.
  anchor_local text check (anchor_local ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$'),
  anchor_zone text,
  anchor_number integer not null default 1 check (anchor_number > 0),
  zones text,
  -- The period that runs; 0 before the first.
  current_number integer not null default 0 check (current_number >= 0),
  current_from timestamptz,
  current_until timestamptz,
  -- The free days that it begins with, and when they end.
  trial_days integer not null default 0 check (trial_days between 0 and 3650),
  trial_end timestamptz,
  next_charge_at timestamptz,
  cancel_at timestamptz,
  canceled_at timestamptz,
  cancel_reason text,
  -- When a fixed term ends.
  ends_at timestamptz,
  paused_at timestamptz,
  resumes_at timestamptz,
  pause_access text collate "C" check (pause_access in ('stop', 'keep')),
  payments_made integer not null default 0 check (payments_made >= 0),
  credit bigint not null default 0 check (credit between 0 and 1000000000000),
  -- The code that reduces periods, and how many more; null periods are all.
  coupon_id uuid,
  code_id uuid,
  code text,
  code_periods_left integer check (code_periods_left >= 0),
  past_due_since timestamptz,
  retry_at timestamptz,
  retries integer not null default 0 check (retries >= 0),
  -- When a payment that still fails ends it; null where it stays past due.
  gives_up_at timestamptz,
  -- When the trial notice of this trial was recorded.
  trial_noticed_at timestamptz,
  -- The order that began it.
  order_id uuid,
  source text collate "C" not null check (source in ('checkout', 'staff', 'import')),
  external_id text,
  revision integer not null default 1,
  changed_in bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  check ((price_id is null) = (price is null)),
  check (price is not null or collection = 'complimentary'),
  check (num_nulls(anchor_local, anchor_zone, zones) in (0, 3)),
  check (num_nulls(current_from, current_until) in (0, 2)),
  check (current_until > current_from),
  check (num_nulls(paused_at, pause_access) in (0, 2)),
  check ((status = 'paused') = (paused_at is not null)),
  check ((status = 'past_due') = (past_due_since is not null)),
  check (status <> 'canceled' or canceled_at is not null),
  check (num_nulls(coupon_id, code_id, code) in (0, 3)),
  check (code_periods_left is null or code_id is not null),
  check (status not in ('completed', 'canceled', 'expired') or next_charge_at is null)
);
create index subscriptions_member on subscriptions (school_id, member_id, id);
create index subscriptions_item on subscriptions (school_id, item_type, item_id, id);
create index subscriptions_price on subscriptions (school_id, price_id, id);
create index subscriptions_status on subscriptions (school_id, status, id);
create index subscriptions_next_charge on subscriptions (school_id, (coalesce(next_charge_at, 'infinity'::timestamptz)), id);
create index subscriptions_cancel_at on subscriptions (school_id, cancel_at) where cancel_at is not null;
create index subscriptions_changed_in on subscriptions (school_id, changed_in, id);
create unique index subscriptions_external_id on subscriptions (school_id, external_id) where external_id is not null;
create unique index subscriptions_order on subscriptions (school_id, order_id) where order_id is not null;
select stoa.guard('subscriptions');

create trigger subscriptions_made before insert on subscriptions for each row execute function stoa.stamp_change();
create trigger subscriptions_changed before update on subscriptions for each row
  when (new.revision <> old.revision) execute function stoa.stamp_change();

-- A period of a subscription that is due or was; each number once, however many workers charge it.
create table subscription_periods (
  school_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  number integer not null check (number > 0),
  period_from timestamptz not null,
  period_until timestamptz not null,
  -- What is due, and its currency; 0 where a code, a credit or the school pays.
  amount bigint not null check (amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The part of the credit of the subscription that pays it.
  credit_used bigint not null default 0 check (credit_used >= 0),
  order_id uuid,
  state text collate "C" not null check (state in ('asked', 'paid', 'failed', 'waived', 'canceled')),
  attempts integer not null default 0 check (attempts >= 0),
  settled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  unique (school_id, subscription_id, number),
  foreign key (school_id, subscription_id) references subscriptions (school_id, id),
  check (period_until > period_from),
  check (state not in ('paid', 'waived') or settled_at is not null)
);
create unique index subscription_periods_order on subscription_periods (school_id, order_id) where order_id is not null;
select stoa.guard('subscription_periods');

-- What was changed of a subscription, and by whom; the worker where nobody is named.
create table subscription_changes (
  school_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  type text collate "C" not null,
  member_id uuid,
  client_id text,
  -- The values after the change, as the API shows them.
  details jsonb not null check (jsonb_typeof(details) = 'object'),
  created_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, subscription_id) references subscriptions (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id)
);
create index subscription_changes_subscription on subscription_changes (school_id, subscription_id, id);
create index subscription_changes_member on subscription_changes (school_id, member_id) where member_id is not null;
select stoa.guard('subscription_changes');

-- The part of the discount that a credit of the subscription pays; the rest is that of codes.
alter table order_lines add column credit_amount bigint not null default 0 check (credit_amount between 0 and discount_amount);

create index orders_subscription on orders (school_id, subscription_id, id) where subscription_id is not null;

-- Holders of a price who move to another one, after a notice; a job announces it to some at a time.
create table subscription_moves (
  school_id uuid not null references schools (id),
  id uuid not null,
  price_id uuid not null,
  to_price_id uuid not null,
  -- The offer of the new price, as it was announced.
  offer jsonb not null check (jsonb_typeof(offer) = 'object'),
  -- Nobody pays the new price before.
  not_before timestamptz not null,
  -- The subscription up to which it was announced.
  after_id uuid,
  announced integer not null default 0 check (announced >= 0),
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (school_id, id),
  check (price_id <> to_price_id)
);
create unique index subscription_moves_running on subscription_moves (school_id, price_id) where ended_at is null;
select stoa.guard('subscription_moves');

-- A subscription that changes its price: now, once an order is paid, or when a period begins.
create table subscription_price_changes (
  school_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  -- The offer of the new price, as it was shown.
  offer jsonb not null check (jsonb_typeof(offer) = 'object'),
  timing text collate "C" not null check (timing in ('now', 'period_end')),
  source text collate "C" not null check (source in ('account', 'staff', 'move')),
  move_id uuid,
  -- The period that ran when it was asked for.
  period_number integer not null check (period_number >= 0),
  -- For `now`: what it was computed at, the order that pays it, and the credit that it leaves.
  proration_at timestamptz,
  order_id uuid,
  credit bigint not null default 0 check (credit between 0 and 1000000000000),
  -- For `period_end`: it takes effect with the first period that begins then or later.
  not_before timestamptz,
  status text collate "C" not null check (status in ('pending', 'failed', 'done', 'canceled')),
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (school_id, id),
  foreign key (school_id, subscription_id) references subscriptions (school_id, id),
  foreign key (school_id, move_id) references subscription_moves (school_id, id),
  check ((timing = 'period_end') = (not_before is not null)),
  check ((source = 'move') = (move_id is not null)),
  check ((status = 'pending') = (settled_at is null))
);
create unique index subscription_price_changes_pending on subscription_price_changes (school_id, subscription_id)
  where status = 'pending';
create unique index subscription_price_changes_order on subscription_price_changes (school_id, order_id)
  where order_id is not null;
create index subscription_price_changes_subscription on subscription_price_changes (school_id, subscription_id, id);
create index subscription_price_changes_move on subscription_price_changes (school_id, move_id) where move_id is not null;
select stoa.guard('subscription_price_changes');
