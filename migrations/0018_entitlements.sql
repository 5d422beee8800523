-- Why a member may use a thing: one row for each reason. What has been is never changed: a reason can be ended early, once,
-- and an end that is still to come can be moved.
-- It names one thing, or a bundle (a group, a membership plan) whose contents are dated rows of their own.
create table entitlements (
  school_id uuid not null references schools (id),
  id uuid not null,
  member_id uuid not null,
  item_type text not null check (item_type in ('course', 'digital_product', 'event', 'group', 'membership_plan')),
  item_id uuid not null,
  source text not null check (source in ('order_line', 'subscription', 'gift', 'staff', 'group', 'import', 'free')),
  -- What of that source it was: an order line, a subscription's period; told apart so that one thing gives once.
  source_id uuid,
  starts_at timestamptz not null,
  ends_at timestamptz,
  revoked_at timestamptz,
  reason text,
  created_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  check (ends_at > starts_at)
);
create index entitlements_member on entitlements (school_id, member_id, item_type, item_id);
create index entitlements_item on entitlements (school_id, item_type, item_id, member_id);
create unique index entitlements_source on entitlements (school_id, source, source_id, item_type, item_id, member_id)
  where source_id is not null and revoked_at is null;
select stoa.guard('entitlements');

-- Keeps a member from one thing, or from all, for a while, whatever they are entitled to.
create table holds (
  school_id uuid not null references schools (id),
  id uuid not null,
  member_id uuid not null,
  item_type text check (item_type in ('course', 'digital_product', 'event')),
  item_id uuid,
  reason text not null check (reason in ('past_due', 'dispute', 'staff')),
  source_id uuid,
  note text,
  starts_at timestamptz not null,
  ends_at timestamptz,
  created_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  check ((item_type is null) = (item_id is null)),
  check (ends_at >= starts_at)
);
create index holds_member on holds (school_id, member_id);
select stoa.guard('holds');
