import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestDatabase } from './database.ts'

// Each statement finds what contradicts the books; none may return a row.
const CHECKS: Readonly<Record<string, string>> = {
  'what was paid for an order is the sum of its payments': `
    select o.number from orders o where o.paid_total <> coalesce((
      select sum(p.paid_amount) from payments p
      where p.school_id = o.school_id and p.order_id = o.id and p.paid_currency = o.currency), 0)`,
  'what was paid back is the sum of refunds and lost disputes': `
    select o.number from orders o where o.refunded_total <> coalesce((
      select sum(r.amount) from refunds r
      where r.school_id = o.school_id and r.order_id = o.id and r.state = 'succeeded'), 0) + coalesce((
      select sum(d.amount) from disputes d
      where d.school_id = o.school_id and d.order_id = o.id and d.state = 'lost'), 0)`,
  'no more goes back than arrived': `
    select p.id from payments p where p.paid_amount < coalesce((
      select sum(r.amount) from refunds r
      where r.school_id = p.school_id and r.payment_id = p.id and r.state <> 'failed'), 0)`,
  'a paid order was paid in full': `
    select o.number from orders o where o.status = 'paid' and o.paid_total < o.total`,
  'the totals are sums of the lines': `
    select o.number from orders o left join lateral (
      select coalesce(sum(l.unit_amount * l.quantity), 0) as subtotal, coalesce(sum(l.discount_amount), 0) as discount,
        coalesce(sum(l.tax_amount), 0) as tax, coalesce(sum(l.amount), 0) as total
      from order_lines l where l.school_id = o.school_id and l.order_id = o.id) s on true
    where (o.subtotal, o.discount_total, o.tax_total, o.total) is distinct from (s.subtotal, s.discount, s.tax, s.total)`,
  'the discount of a line is the sum of its codes': `
    select l.id from order_lines l where l.discount_amount <> coalesce((
      select sum(d.amount) from order_discounts d where d.school_id = l.school_id and d.line_id = l.id), 0)`,
  'what was refunded of a line is the sum of its refunds': `
    select l.id from order_lines l left join lateral (
      select coalesce(sum(x.amount), 0) as amount, coalesce(sum(x.tax_amount), 0) as tax,
        coalesce(sum(x.quantity), 0) as quantity
      from refund_lines x join refunds r on r.school_id = x.school_id and r.id = x.refund_id and r.state <> 'failed'
      where x.school_id = l.school_id and x.line_id = l.id) s on true
    where (l.refunded_amount, l.refunded_tax, l.refunded_quantity) is distinct from (s.amount, s.tax, s.quantity)`,
  'a line that was refunded in full returned all of its tax': `
    select l.id from order_lines l where l.refunded_amount = l.amount and l.amount > 0 and l.refunded_tax <> l.tax_amount`,
  'a refund is the sum of its lines, unless it is of what was paid too much': `
    select r.id from refunds r join orders o on o.school_id = r.school_id and o.id = r.order_id
    where r.reason <> 'overpaid' and r.amount <> coalesce((
      select sum(x.amount) from refund_lines x where x.school_id = r.school_id and x.refund_id = r.id), 0)`,
  'only orders that wait for payment keep seats': `
    select s.line_id from seat_reservations s join order_lines l on l.school_id = s.school_id and l.id = s.line_id
    join orders o on o.school_id = l.school_id and o.id = l.order_id where o.status not in ('pending', 'processing')`,
  'a coupon counts the uses that orders hold and took': `
    select c.id from coupons c left join lateral (
      select count(*) filter (where r.status = 'held') as held, count(*) filter (where r.status = 'taken') as taken
      from coupon_redemptions r where r.school_id = c.school_id and r.coupon_id = c.id) s on true
    where (c.held, c.taken) is distinct from (s.held, s.taken)`,
  'only orders that wait for payment hold uses of codes': `
    select r.id from coupon_redemptions r join orders o on o.school_id = r.school_id and o.id = r.order_id
    where r.status = 'held' and o.status not in ('pending', 'processing')`,
  'what orders gave is active for the lines of paid orders that have not ended': `
    select e.id from entitlements e join order_lines l
      on e.source = 'order_line' and e.school_id = l.school_id and e.source_id = l.id
    where e.revoked_at is null and coalesce(e.ends_at, 'infinity') > stoa.now()
      and (l.fulfilled_at is null or l.ended_at is not null)`,
}

// The books of all schools agree with each other: money, lines, refunds, seats, codes and access.
const checkLedger = async ({ query }: TestDatabase): Promise<void> => {
  for (const [rule, statement] of Object.entries(CHECKS)) assert.deepEqual(await query(statement), [], rule)
}

/** A test after which the books are checked. */
export const ledgerTest =
  (app: { readonly database: TestDatabase }) =>
  (title: string, work: () => Promise<void>): void => {
    test(title, async () => {
      await work()
      await checkLedger(app.database)
    })
  }
