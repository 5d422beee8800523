-- What a bundle (a group, a membership plan) opens to everybody who is entitled to it, in dated rows: a change of content is one
-- row, however many people have the bundle, and what was open at an earlier instant is still known.
create table bundle_items (
  school_id uuid not null references schools (id),
  id uuid not null,
  -- The default serves the view group_items.
  bundle_type text not null default 'group' check (bundle_type in ('group', 'membership_plan')),
  bundle_id uuid not null,
  item_type text not null check (item_type in ('course', 'digital_product', 'event', 'post_category')),
  item_id uuid not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  -- Whether entitlements that began before the item was closed keep it.
  kept_by_earlier boolean not null default false,
  primary key (school_id, id),
  check (closed_at is not null or not kept_by_earlier),
  check (bundle_type <> 'group' or item_type <> 'post_category')
);
create unique index bundle_items_open on bundle_items (school_id, bundle_id, item_type, item_id) where closed_at is null;
create index bundle_items_bundle on bundle_items (school_id, bundle_id, id);
create index bundle_items_item on bundle_items (school_id, item_type, item_id, bundle_id);
select stoa.guard('bundle_items');

lock table group_items in access exclusive mode;
insert into bundle_items (school_id, id, bundle_type, bundle_id, item_type, item_id, opened_at, closed_at)
select school_id, id, 'group', group_id, item_type, item_id, opened_at, closed_at from group_items;
drop table group_items;
-- For processes of the version before, which read and write the items of groups here while they are being replaced.
create view group_items with (security_invoker = true) as
  select school_id, id, bundle_id as group_id, item_type, item_id, opened_at, closed_at
  from bundle_items where bundle_type = 'group';

-- A hold may name a source, such as a disputed order line, instead of an item: it suspends only what this source gave.
alter table holds
  add column source text
    check (source in ('order_line', 'subscription', 'gift', 'staff', 'group', 'import', 'free')),
  add check (source is null or (source_id is not null and item_type is null));
create index holds_source on holds (school_id, source, source_id) where source is not null;
