-- A rule that reduces what a purchase costs, or lengthens the trial of a subscription. Its status is computed from these columns.
create table coupons (
  school_id uuid not null references schools (id),
  id uuid not null,
  name text not null,
  name_folded text collate "C" not null,
  kind text not null check (kind in ('percent', 'fixed', 'free_trial')),
  -- In millionths: 100 % is a million.
  percent_off integer check (percent_off between 1 and 1000000),
  amount_off bigint check (amount_off > 0),
  -- The currency of all amounts; null where there is none.
  currency text check (currency ~ '^[A-Z]{3}$'),
  trial_days integer check (trial_days > 0),
  applies_to text not null check (applies_to in ('all', 'items', 'types')),
  item_types text[] not null,
  payment_types text not null check (payment_types in ('any', 'one_time', 'recurring')),
  duration text not null check (duration in ('once', 'repeating', 'forever')),
  periods integer check (periods > 0),
  starts_on date,
  ends_on date,
  max_redemptions integer check (max_redemptions > 0),
  max_per_member integer check (max_per_member > 0),
  max_amount bigint check (max_amount > 0),
  minimum_amount bigint check (minimum_amount > 0),
  first_purchase_only boolean not null,
  stackable boolean not null,
  tags text[] not null,
  active boolean not null,
  returns_on_refund boolean not null,
  note text,
  -- The redemptions that are held and taken, and what they take off together; counted with each move of a redemption.
  held integer not null default 0 check (held >= 0),
  taken integer not null default 0 check (taken >= 0),
  amount_held bigint not null default 0 check (amount_held >= 0),
  amount_taken bigint not null default 0 check (amount_taken >= 0),
  -- From then on its value never changes.
  first_taken_at timestamptz,
  archived_at timestamptz,
  created_by uuid,
  revision integer not null default 1,
  changed_in bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, created_by) references members (school_id, id),
  check ((kind = 'percent') = (percent_off is not null)),
  check ((kind = 'fixed') = (amount_off is not null)),
  check ((kind = 'free_trial') = (trial_days is not null)),
  check ((duration = 'repeating') = (periods is not null)),
  check ((currency is null) = (num_nonnulls(amount_off, max_amount, minimum_amount) = 0)),
  check (ends_on >= starts_on),
  check (held + taken <= max_redemptions),
  check (amount_held + amount_taken <= max_amount)
);
create index coupons_name on coupons (school_id, name_folded, id);
create index coupons_changed_in on coupons (school_id, changed_in, id);
create index coupons_created_by on coupons (school_id, created_by) where created_by is not null;
select stoa.guard('coupons');

create trigger coupons_made before insert on coupons for each row execute function stoa.stamp_change();
create trigger coupons_changed before update on coupons for each row
  when (new.revision <> old.revision) execute function stoa.stamp_change();

create function stoa.coupon_search_entry() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform stoa.drop_search_entry('coupon', old.id);
  else
    perform stoa.put_search_entry(new.school_id, 'coupon', new.id, new.name_folded);
  end if;
  return null;
end $$;
create trigger coupons_found after insert or delete or update of name_folded on coupons
  for each row execute function stoa.coupon_search_entry();

-- What a coupon applies to, where it names items. A row outlives its item.
create table coupon_items (
  school_id uuid not null,
  coupon_id uuid not null,
  item_type text not null check (item_type in ('course', 'membership_plan', 'digital_product', 'ticket')),
  item_id uuid not null,
  primary key (school_id, coupon_id, item_id),
  foreign key (school_id, coupon_id) references coupons (school_id, id) on delete cascade
);
create index coupon_items_item on coupon_items (school_id, item_id, coupon_id);
select stoa.guard('coupon_items');

-- Who may use a coupon, where it names members. An erased member stays here, so that nobody else may use it.
create table coupon_members (
  school_id uuid not null,
  coupon_id uuid not null,
  member_id uuid not null,
  primary key (school_id, coupon_id, member_id),
  foreign key (school_id, coupon_id) references coupons (school_id, id) on delete cascade,
  foreign key (school_id, member_id) references members (school_id, id)
);
create index coupon_members_member on coupon_members (school_id, member_id);
select stoa.guard('coupon_members');

-- What people type. A stopped code stays, so that nobody else uses its text.
create table coupon_codes (
  school_id uuid not null,
  id uuid not null,
  coupon_id uuid not null,
  code text not null,
  -- In upper case, without white space, hyphens and invisible characters.
  code_folded text collate "C" not null,
  stopped_at timestamptz,
  created_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, coupon_id) references coupons (school_id, id) on delete cascade
);
create unique index coupon_codes_folded on coupon_codes (school_id, code_folded);
create index coupon_codes_coupon on coupon_codes (school_id, coupon_id, id);
select stoa.guard('coupon_codes');

-- One use of a coupon by an order. The order is of a later area.
create table coupon_redemptions (
  school_id uuid not null,
  id uuid not null,
  coupon_id uuid not null,
  code_id uuid not null,
  order_id uuid not null,
  member_id uuid not null,
  status text collate "C" not null check (status in ('held', 'taken', 'returned')),
  amount bigint not null check (amount >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Which of a member's uses it is, where the coupon limits them.
  slot integer check (slot > 0),
  held_at timestamptz not null,
  taken_at timestamptz,
  returned_at timestamptz,
  changed_in bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, coupon_id) references coupons (school_id, id),
  foreign key (school_id, code_id) references coupon_codes (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  check (status <> 'taken' or taken_at is not null),
  check ((status = 'returned') = (returned_at is not null)),
  check (status <> 'returned' or slot is null)
);
create unique index coupon_redemptions_slot on coupon_redemptions (school_id, coupon_id, member_id, slot) where slot is not null;
create unique index coupon_redemptions_order on coupon_redemptions (school_id, order_id, coupon_id) where status <> 'returned';
create index coupon_redemptions_of_order on coupon_redemptions (school_id, order_id, id);
create index coupon_redemptions_coupon on coupon_redemptions (school_id, coupon_id, id);
create index coupon_redemptions_member on coupon_redemptions (school_id, member_id, coupon_id);
create index coupon_redemptions_code on coupon_redemptions (school_id, code_id, status);
create index coupon_redemptions_changed_in on coupon_redemptions (school_id, coupon_id, changed_in, id);
select stoa.guard('coupon_redemptions');

create trigger coupon_redemptions_made before insert on coupon_redemptions
  for each row execute function stoa.stamp_change();
create trigger coupon_redemptions_changed before update on coupon_redemptions
  for each row execute function stoa.stamp_change();
