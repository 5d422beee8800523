-- The last number of an order of a school. Numbers have gaps: a transaction that is rolled back gives nothing back.
create table order_numbers (
  school_id uuid primary key references schools (id),
  last bigint not null check (last > 0)
);
select stoa.guard('order_numbers');

-- What somebody buys or bought. Names, prices, tax and totals are those of the instant at which it was placed.
create table orders (
  school_id uuid not null,
  id uuid not null,
  -- The prefix of that time and the counter, by which orders are sorted.
  number text collate "C" not null,
  counter bigint not null check (counter > 0),
  member_id uuid not null,
  kind text collate "C" not null check (kind in ('checkout', 'renewal', 'instalment', 'plan_change', 'outside')),
  status text collate "C" not null check (status in ('pending', 'processing', 'paid', 'failed', 'expired', 'canceled')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  subtotal bigint not null check (subtotal >= 0),
  discount_total bigint not null check (discount_total between 0 and subtotal),
  tax_total bigint not null check (tax_total >= 0),
  total bigint not null check (total >= 0),
  paid_total bigint not null default 0 check (paid_total >= 0),
  refunded_total bigint not null default 0 check (refunded_total >= 0),
  tax_mode text not null check (tax_mode in ('none', 'inclusive', 'exclusive')),
  tax_country text check (tax_country ~ '^[A-Z]{2}$'),
  reverse_charge boolean not null,
  -- Name, company, address, country and tax id; the country alone after the erasure of the buyer.
  billing jsonb not null check (jsonb_typeof(billing) = 'object'),
  -- The address of the buyer at that time, and the words by which staff find the order; null and the number after erasure.
  email text,
  email_folded text,
  words_folded text not null,
  client_id text,
  page text,
  campaign text,
  terms jsonb check (jsonb_typeof(terms) = 'object'),
  waiver jsonb check (jsonb_typeof(waiver) = 'object'),
  note text,
  subscription_id uuid,
  expires_at timestamptz,
  paid_at timestamptz,
  canceled_at timestamptz,
  cancel_reason text collate "C" check (cancel_reason in ('buyer', 'staff', 'erasure')),
  revision integer not null default 1,
  changed_in bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  -- Tax is in the amounts or added to them.
  check (total = subtotal - discount_total + case when tax_mode = 'exclusive' then tax_total else 0 end),
  check (tax_mode <> 'none' or tax_total = 0),
  check ((status = 'paid') = (paid_at is not null)),
  check ((canceled_at is null) = (cancel_reason is null)),
  check (status not in ('pending', 'processing') or expires_at is not null),
  check ((email is null) = (email_folded is null))
);
create unique index orders_number on orders (school_id, number);
create unique index orders_counter on orders (school_id, counter);
create index orders_member on orders (school_id, member_id, id);
create index orders_pending on orders (school_id, member_id, expires_at) where status = 'pending';
create index orders_status on orders (school_id, status, id);
create index orders_email on orders (school_id, email_folded, id);
create index orders_paid_at on orders (school_id, (coalesce(paid_at, 'infinity'::timestamptz)), id);
create index orders_total on orders (school_id, total, id);
create index orders_changed_in on orders (school_id, changed_in, id);
select stoa.guard('orders');

create trigger orders_made before insert on orders for each row execute function stoa.stamp_change();
create trigger orders_changed before update on orders for each row
  when (new.revision <> old.revision) execute function stoa.stamp_change();

create function stoa.order_search_entry() returns trigger language plpgsql as $$
begin
  perform stoa.put_search_entry(new.school_id, 'order', new.id, new.words_folded);
  return null;
end $$;
create trigger orders_found after insert or update of words_folded on orders
  for each row execute function stoa.order_search_entry();

-- One thing of an order. What it costs never changes; how much of it was refunded does.
create table order_lines (
  school_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  position smallint not null check (position between 1 and 20),
  item_type text collate "C" not null check (item_type in ('course', 'membership_plan', 'digital_product', 'ticket')),
  item_id uuid not null,
  price_id uuid not null,
  name text not null,
  -- The values of the price and the access that it gives, as `Offer` has them.
  payment jsonb not null check (jsonb_typeof(payment) = 'object'),
  access jsonb check (jsonb_typeof(access) = 'object'),
  tax_class text not null check (tax_class in ('standard', 'exempt')),
  quantity integer not null check (quantity between 1 and 20),
  unit_amount bigint not null check (unit_amount >= 0),
  discount_amount bigint not null check (discount_amount between 0 and unit_amount * quantity),
  -- In millionths: 23 % is 230000.
  tax_rate integer not null check (tax_rate between 0 and 1000000),
  tax_name text,
  tax_amount bigint not null check (tax_amount between 0 and amount),
  amount bigint not null check (amount >= 0),
  -- Of refunds that did not fail, those that are on their way included.
  refunded_amount bigint not null default 0 check (refunded_amount between 0 and amount),
  refunded_tax bigint not null default 0 check (refunded_tax between 0 and tax_amount),
  refunded_quantity integer not null default 0 check (refunded_quantity between 0 and quantity),
  period_from timestamptz,
  period_until timestamptz,
  fulfilled_at timestamptz,
  -- When the order took back what it had given, and why.
  ended_at timestamptz,
  ended_by text collate "C" check (ended_by in ('refund', 'dispute')),
  primary key (school_id, id),
  foreign key (school_id, order_id) references orders (school_id, id),
  check ((period_from is null) = (period_until is null)),
  check ((ended_at is null) = (ended_by is null))
);
create unique index order_lines_order on order_lines (school_id, order_id, position);
create index order_lines_item on order_lines (school_id, item_type, item_id, order_id);
create index order_lines_price on order_lines (school_id, price_id);
select stoa.guard('order_lines');

-- What a code took off a line.
create table order_discounts (
  school_id uuid not null,
  order_id uuid not null,
  line_id uuid not null,
  code_id uuid not null,
  coupon_id uuid not null,
  code text not null,
  -- In the order in which the codes were applied.
  position smallint not null check (position between 1 and 3),
  amount bigint not null check (amount >= 0),
  primary key (school_id, line_id, code_id),
  foreign key (school_id, order_id) references orders (school_id, id),
  foreign key (school_id, line_id) references order_lines (school_id, id)
);
create index order_discounts_order on order_discounts (school_id, order_id);
create index order_discounts_coupon on order_discounts (school_id, coupon_id, order_id);
select stoa.guard('order_discounts');

-- What of a refund is for which line; a refund of what was paid too much has none.
create table refund_lines (
  school_id uuid not null,
  refund_id uuid not null,
  line_id uuid not null,
  order_id uuid not null,
  quantity integer not null check (quantity >= 0),
  amount bigint not null check (amount >= 0),
  tax_amount bigint not null check (tax_amount between 0 and amount),
  ends_access boolean not null,
  primary key (school_id, refund_id, line_id),
  foreign key (school_id, order_id) references orders (school_id, id),
  foreign key (school_id, line_id) references order_lines (school_id, id)
);
create index refund_lines_order on refund_lines (school_id, order_id);
create index refund_lines_line on refund_lines (school_id, line_id);
select stoa.guard('refund_lines');

-- What staff noted about a refund.
create table refund_notes (
  school_id uuid not null references schools (id),
  refund_id uuid not null,
  order_id uuid not null,
  note text not null,
  primary key (school_id, refund_id),
  foreign key (school_id, order_id) references orders (school_id, id)
);
create index refund_notes_order on refund_notes (school_id, order_id);
select stoa.guard('refund_notes');
