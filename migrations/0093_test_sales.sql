-- The deletion of all that a test school sold, while it goes on: nothing is sold as long as there is a row.
create table test_clearings (
  school_id uuid primary key references schools (id),
  asked_at timestamptz not null
);
select stoa.guard('test_clearings');

-- How much a school has sold.
create function stoa.count_test_sales(school uuid) returns table (orders integer, payments integer, refunds integer,
  disputes integer, invoices integer, subscriptions integer, redemptions integer, registrations integer, entitlements integer)
language sql stable set search_path = pg_catalog, public, stoa as $$
  select (select count(*)::integer from orders o where o.school_id = school),
    (select count(*)::integer from payments p where p.school_id = school),
    (select count(*)::integer from refunds r where r.school_id = school),
    (select count(*)::integer from disputes d where d.school_id = school),
    (select count(*)::integer from invoices i where i.school_id = school),
    (select count(*)::integer from subscriptions s where s.school_id = school),
    (select count(*)::integer from coupon_redemptions c where c.school_id = school),
    (select count(*)::integer from registrations g where g.school_id = school and g.line_id is not null),
    (select count(*)::integer from entitlements e where e.school_id = school and e.source in ('order_line', 'subscription'))
$$;

-- Ends what orders and subscriptions gave, with the holds on it.
create function stoa.clear_given(school uuid, given_by text, sources uuid[]) returns void
language sql set search_path = pg_catalog, public, stoa as $$
  with gone as (
    delete from entitlements e where e.school_id = school and e.source = given_by and e.source_id = any (sources)
    returning e.member_id)
  update enrollments n set access_changed_at = stoa.now()
  where n.school_id = school and n.member_id in (select member_id from gone);
  delete from holds h where h.school_id = school and h.source = given_by and h.source_id = any (sources);
$$;

-- Deletes payments with all that refers to them.
create function stoa.clear_payments(school uuid, gone uuid[]) returns void
language sql set search_path = pg_catalog, public, stoa as $$
  delete from jobs j where j.school_id = school and (j.kind in ('payment', 'payment_end', 'test_payment') and j.id = any (gone)
    or j.kind = 'refund' and j.id in (select r.id from refunds r where r.school_id = school and r.payment_id = any (gone)));
  delete from disputes d where d.school_id = school and d.payment_id = any (gone);
  delete from refunds r where r.school_id = school and r.payment_id = any (gone);
  delete from payment_receipts r where r.school_id = school and r.payment_id = any (gone);
  delete from payment_references r where r.school_id = school and r.payment_id = any (gone);
  delete from payment_events e where e.school_id = school and e.payment_id = any (gone);
  delete from payment_methods m where m.school_id = school and m.payment_id = any (gone);
  delete from payments p where p.school_id = school and p.id = any (gone);
$$;

-- Deletes invoices of orders. Their files are marked as deleted uploads are, and the worker removes the bytes.
create function stoa.clear_invoices(school uuid, of_orders uuid[]) returns void
language sql set search_path = pg_catalog, public, stoa as $$
  with held as materialized (
    select u.id, u.byte_size from uploads u
    where u.school_id = school and u.status <> 'gone' and u.id in (
      select i.file_id from invoices i where i.school_id = school and i.order_id = any (of_orders))
    for update
  ), made as (
    update uploads u set status = 'gone', filename = 'file', revision = u.revision + 1, updated_at = stoa.now()
    from held h where u.school_id = school and u.id = h.id
  ), total as (
    update storage_totals t set bytes = t.bytes - h.bytes
    from (select coalesce(sum(byte_size), 0) as bytes from held) h
    where t.school_id = school and h.bytes > 0
  )
  insert into jobs (school_id, kind, id, due_at) select school, 'file_removal', id, stoa.now() from held;
  delete from jobs j where j.school_id = school and j.kind = 'invoice'
    and j.id in (select i.id from invoices i where i.school_id = school and i.order_id = any (of_orders));
  delete from invoices i where i.school_id = school and i.order_id = any (of_orders);
$$;

create function stoa.clear_orders(school uuid, gone uuid[]) returns void
language plpgsql set search_path = pg_catalog, public, stoa as $$
declare
  lines uuid[] := array(select l.id from order_lines l where l.school_id = school and l.order_id = any (gone));
begin
  perform stoa.clear_given(school, 'order_line', lines);
  perform stoa.clear_invoices(school, gone);
  perform stoa.clear_payments(school,
    array(select p.id from payments p where p.school_id = school and p.order_id = any (gone)));
  delete from jobs j where j.school_id = school and j.kind in ('order_expiry', 'transfer_reminder') and j.id = any (gone);
  delete from registrations g where g.school_id = school and g.line_id = any (lines);
  delete from seat_reservations r where r.school_id = school and r.line_id = any (lines);
  delete from coupon_redemptions c where c.school_id = school and c.order_id = any (gone);
  delete from checkouts c where c.school_id = school and c.order_id = any (gone);
  delete from refund_lines r where r.school_id = school and r.order_id = any (gone);
  delete from refund_notes r where r.school_id = school and r.order_id = any (gone);
  delete from order_discounts d where d.school_id = school and d.order_id = any (gone);
  delete from order_lines l where l.school_id = school and l.order_id = any (gone);
  delete from stoa.search_entries e where e.school_id = school and e.kind = 'order' and e.id = any (gone);
  delete from orders o where o.school_id = school and o.id = any (gone);
end $$;

create function stoa.clear_subscriptions(school uuid, gone uuid[]) returns void
language sql set search_path = pg_catalog, public, stoa as $$
  select stoa.clear_given(school, 'subscription', gone);
  delete from jobs j where j.school_id = school and j.kind in ('renewal', 'trial_notice', 'debit_notice') and j.id = any (gone);
  delete from mrr_changes m where m.school_id = school and m.subscription_id = any (gone);
  delete from subscription_changes c where c.school_id = school and c.subscription_id = any (gone);
  delete from subscription_credits c where c.school_id = school and c.subscription_id = any (gone);
  delete from subscription_periods p where p.school_id = school and p.subscription_id = any (gone);
  delete from subscription_price_changes c where c.school_id = school and c.subscription_id = any (gone);
  delete from subscriptions s where s.school_id = school and s.id = any (gone);
$$;

-- What is left once there are no orders: methods that were saved without one, forms, notices, and the books of the provider
-- `test`. Returns how much it was.
create function stoa.clear_rest(school uuid, most integer) returns integer
language plpgsql set search_path = pg_catalog, public, stoa as $$
declare
  gone uuid[] := array(select p.id from payments p where p.school_id = school limit most);
  books uuid[] := array(select t.id from test_payments t where t.school_id = school limit most);
  form_count integer;
  notice_count integer;
begin
  perform stoa.clear_payments(school, gone);
  delete from jobs j using test_events e
  where j.school_id = school and j.kind = 'test_event' and e.school_id = school and j.id = e.id and e.test_payment_id = any (books);
  delete from test_events e where e.school_id = school and e.test_payment_id = any (books);
  delete from test_refunds r where r.school_id = school and r.test_payment_id = any (books);
  delete from test_payments t where t.school_id = school and t.id = any (books);
  delete from checkouts c where c.school_id = school
    and c.id in (select f.id from checkouts f where f.school_id = school limit most);
  get diagnostics form_count = row_count;
  delete from payment_events e where e.school_id = school and (e.provider, e.event_id) in (
    select n.provider, n.event_id from payment_events n where n.school_id = school limit most);
  get diagnostics notice_count = row_count;
  return cardinality(gone) + cardinality(books) + form_count + notice_count;
end $$;

-- Deletes a part of what a test school sold, of every table at most so many rows and what refers to them, and returns how much
-- that was. With 0 nothing is left, coupons count from 0, and the numbers of orders and invoices begin again. Null: facts that are
-- not delivered yet may be about it. The application takes nothing of this away by itself: this function alone does, of the
-- school its connection is set to, and only of a test school that asked for it.
create function stoa.clear_test_sales(school uuid, most integer) returns integer
language plpgsql security definer set search_path = pg_catalog, public, stoa as $$
declare
  asked timestamptz := (select c.asked_at from test_clearings c join schools s on s.id = c.school_id
    where c.school_id = school and school = stoa.school_id() and s.is_test);
  ids uuid[];
  cleared integer := 0;
begin
  if asked is null then
    raise exception 'the school did not ask to clear its test sales';
  end if;
  if asked > stoa.now() - interval '10 minutes' and exists (
    select from facts f where f.school_id = school and f.delivered_at is null and f.parked_at is null) then
    return null;
  end if;
  ids := array(select s.id from subscriptions s where s.school_id = school order by s.id limit most for update);
  perform stoa.clear_subscriptions(school, ids);
  cleared := cardinality(ids);
  ids := array(select o.id from orders o where o.school_id = school order by o.id limit most for update);
  perform stoa.clear_orders(school, ids);
  cleared := cleared + cardinality(ids);
  if cleared = 0 then
    cleared := stoa.clear_rest(school, most);
  end if;
  if cleared = 0 then
    update coupons c set held = 0, taken = 0, amount_held = 0, amount_taken = 0, first_taken_at = null
    where c.school_id = school and (c.held > 0 or c.taken > 0 or c.amount_held > 0 or c.amount_taken > 0
      or c.first_taken_at is not null);
    delete from number_series n where n.school_id = school;
    delete from order_numbers n where n.school_id = school;
  end if;
  return cleared;
end $$;
