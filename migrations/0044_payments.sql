-- What is paid for orders, one row for each attempt. Orders are known here by their ids only.
create table payments (
  school_id uuid not null references schools (id),
  id uuid not null,
  order_id uuid not null,
  member_id uuid not null,
  provider text not null check (provider in ('free', 'manual', 'test', 'stripe')),
  -- What was requested, in minor units.
  amount bigint not null check (amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  state text not null check (state in ('asked', 'open', 'processing', 'succeeded', 'failed', 'canceled')),
  -- What arrived: it may be less or more, and in another currency.
  paid_amount bigint not null default 0 check (paid_amount >= 0),
  paid_currency text check (paid_currency ~ '^[A-Z]{3}$'),
  -- The first call that may have had an effect at the provider. The same call may be made again for some hours only.
  called_at timestamptz,
  -- When the provider was last called or asked from a page.
  looked_at timestamptz,
  -- The order no longer wants the payment; the page at the provider is still to be ended.
  ending_at timestamptz,
  -- What the page was opened with, so that the same call can be made again.
  page jsonb,
  page_url text,
  page_ends_at timestamptz,
  -- The ids at the provider: of the payment, and of the customer and the saved method that are charged.
  reference text,
  customer_ref text,
  method_ref text,
  -- Brand, last four digits and expiry of the method that was used.
  method jsonb,
  failure_code text,
  may_retry boolean,
  -- How the provider's account of the payment differs from this one.
  difference text check (difference in ('amount', 'currency', 'state', 'refunds')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  settled_at timestamptz,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  check (provider <> 'free' or (amount = 0 and state = 'succeeded')),
  check ((paid_amount = 0) or paid_currency is not null),
  check (state <> 'succeeded' or settled_at is not null),
  check (method_ref is null or customer_ref is not null)
);
create index payments_order on payments (school_id, order_id, id);
create index payments_member on payments (school_id, member_id);
create unique index payments_reference on payments (school_id, provider, reference) where reference is not null;
create index payments_unsettled on payments (school_id, id)
  where state in ('asked', 'open', 'processing') or ending_at is not null;
create index payments_difference on payments (school_id, id) where difference is not null;
create index payments_settled on payments (school_id, provider, settled_at) where settled_at is not null;
select stoa.guard('payments');

-- Money that goes back, one row for each refund of a payment.
create table refunds (
  school_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  order_id uuid not null,
  amount bigint not null check (amount > 0),
  reason text not null
    check (reason in ('requested', 'duplicate', 'fraud', 'late_payment', 'event_cancelled', 'overpaid', 'other')),
  state text not null check (state in ('asked', 'processing', 'succeeded', 'failed')),
  reference text,
  called_at timestamptz,
  failure_code text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  settled_at timestamptz,
  primary key (school_id, id),
  foreign key (school_id, payment_id) references payments (school_id, id),
  check ((state in ('succeeded', 'failed')) = (settled_at is not null))
);
create index refunds_payment on refunds (school_id, payment_id);
create index refunds_order on refunds (school_id, order_id, id);
create index refunds_unsettled on refunds (school_id, id) where settled_at is null;
create index refunds_failed on refunds (school_id, settled_at) where state = 'failed';
select stoa.guard('refunds');

-- Payments that the buyer's bank takes back, until the dispute is decided.
create table disputes (
  school_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  order_id uuid not null,
  amount bigint not null check (amount >= 0),
  state text not null check (state in ('open', 'won', 'lost')),
  reference text not null,
  reason text,
  opened_at timestamptz not null,
  closed_at timestamptz,
  primary key (school_id, id),
  unique (school_id, payment_id, reference),
  foreign key (school_id, payment_id) references payments (school_id, id),
  check ((state = 'open') = (closed_at is null))
);
create index disputes_order on disputes (school_id, order_id, id);
select stoa.guard('disputes');

-- Bank transfers and payments in person as staff confirmed them; what was undone stays.
create table payment_receipts (
  school_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  amount bigint not null check (amount > 0),
  received_on date not null,
  created_at timestamptz not null,
  undone_at timestamptz,
  primary key (school_id, id),
  foreign key (school_id, payment_id) references payments (school_id, id)
);
create index payment_receipts_payment on payment_receipts (school_id, payment_id, id);
select stoa.guard('payment_receipts');

-- The verified events of providers, each once, also of payments that are not ours.
create table payment_events (
  school_id uuid not null references schools (id),
  provider text not null check (provider in ('test', 'stripe')),
  event_id text not null check (length(event_id) between 1 and 255),
  type text not null check (length(type) <= 100),
  payment_id uuid,
  received_at timestamptz not null,
  primary key (school_id, provider, event_id)
);
create index payment_events_received on payment_events (school_id, provider, received_at);
select stoa.guard('payment_events');

-- What buyers are told who pay by bank transfer.
alter table payment_providers add column instructions jsonb check (jsonb_typeof(instructions) = 'object');

-- The books of the provider of test payments, as a provider elsewhere would have them: nothing here refers to other tables.
create table test_payments (
  school_id uuid not null references schools (id),
  id uuid not null,
  -- What is in the address of the page, which nobody can guess.
  ref text not null,
  -- The id of the payment as the shop names it, which is also its idempotency key.
  payment_id text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  state text not null check (state in ('open', 'processing', 'succeeded', 'failed', 'expired')),
  charged bigint not null default 0 check (charged >= 0),
  -- What the page was opened with; null for a charge without a page.
  page jsonb,
  ends_at timestamptz,
  customer_ref text,
  -- Whether it is paid after the page has ended.
  is_late boolean not null default false,
  needs_person boolean not null default false,
  failure jsonb,
  dispute text check (dispute in ('open', 'won', 'lost')),
  created_at timestamptz not null,
  primary key (school_id, id),
  unique (school_id, ref),
  unique (school_id, payment_id)
);
create index test_payments_customer on test_payments (school_id, customer_ref) where customer_ref is not null;
select stoa.guard('test_payments');

create table test_refunds (
  school_id uuid not null,
  id uuid not null,
  test_payment_id uuid not null,
  refund_id text not null,
  amount bigint not null check (amount > 0),
  created_at timestamptz not null,
  primary key (school_id, id),
  unique (school_id, refund_id),
  foreign key (school_id, test_payment_id) references test_payments (school_id, id)
);
create index test_refunds_payment on test_refunds (school_id, test_payment_id);
select stoa.guard('test_refunds');

-- Events that are still to be delivered to the webhook of the school.
create table test_events (
  school_id uuid not null,
  id uuid not null,
  test_payment_id uuid not null,
  type text not null,
  created_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, test_payment_id) references test_payments (school_id, id)
);
create index test_events_payment on test_events (school_id, test_payment_id);
select stoa.guard('test_events');

-- Once a day each school asks its providers what became of payments and refunds that are not settled.
insert into jobs (school_id, kind, id, due_at) select id, 'reconcile', id, stoa.now() from schools;
