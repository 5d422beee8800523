-- Who has access to come is found by the entitlements that have not begun.
create index entitlements_starts_at on entitlements (school_id, starts_at);

-- Orders with refunds are few.
create index order_lines_refunded on order_lines (school_id, order_id) where refunded_amount > 0;

-- The reviews of all courses by rating.
create index reviews_school_rating on reviews (school_id, rating, id);

-- A position in these orders is found by an index only if row-level security takes the expression for leakproof, as it does
-- with `case`, and not with `coalesce`.
create index orders_paid_order on orders (
  school_id, (case when paid_at is null then 'infinity'::timestamptz else paid_at end), id);
drop index orders_paid_at;
create index subscriptions_charge_order on subscriptions (
  school_id, (case when next_charge_at is null then 'infinity'::timestamptz else next_charge_at end), id);
drop index subscriptions_next_charge;
