import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestDatabase } from './database.ts'

/** A rule about money that holds in every school after every test: a query for the rows that break it. */
type LedgerRule = { readonly name: string; readonly broken: string }

const LIVE = `r.status <> 'returned'`

const couponRules: readonly LedgerRule[] = [
  {
    name: 'a coupon counts its redemptions and what they take off',
    broken: `
      select c.id, c.held, c.taken, c.amount_held, c.amount_taken, f.*
      from coupons c cross join lateral (
        select count(*) filter (where r.status = 'held') as held_rows,
          count(*) filter (where r.status = 'taken') as taken_rows,
          coalesce(sum(r.amount) filter (where r.status = 'held'), 0) as held_sum,
          coalesce(sum(r.amount) filter (where r.status = 'taken'), 0) as taken_sum,
          count(*) filter (where r.taken_at is not null) as ever_taken
        from coupon_redemptions r where r.school_id = c.school_id and r.coupon_id = c.id) f
      where (c.held, c.taken, c.amount_held, c.amount_taken) <> (held_rows, taken_rows, held_sum, taken_sum)
        or (c.first_taken_at is null) <> (ever_taken = 0)`,
  },
  {
    name: 'no coupon is used more often, or takes off more, than it allows',
    broken: `
      select id from coupons
      where held + taken > max_redemptions or amount_held + amount_taken > max_amount`,
  },
  {
    name: 'each use of a coupon that limits the uses of a member has a number, and no other use has one',
    broken: `
      select r.id, r.slot, c.max_per_member
      from coupon_redemptions r join coupons c on c.school_id = r.school_id and c.id = r.coupon_id
      where (r.slot is not null) <> (${LIVE} and c.max_per_member is not null)`,
  },
  {
    name: 'a redemption is of the coupon of its code',
    broken: `
      select r.id from coupon_redemptions r join coupon_codes k on k.school_id = r.school_id and k.id = r.code_id
      where k.coupon_id <> r.coupon_id`,
  },
]

const orderRules: readonly LedgerRule[] = [
  {
    name: 'what was paid for an order is the sum of its payments',
    broken: `
      select o.number from orders o where o.paid_total <> coalesce((
        select sum(p.paid_amount) from payments p
        where p.school_id = o.school_id and p.order_id = o.id and p.paid_currency = o.currency), 0)`,
  },
  {
    name: 'what was paid back is the sum of refunds and lost disputes',
    broken: `
      select o.number from orders o where o.refunded_total <> coalesce((
        select sum(r.amount) from refunds r
        where r.school_id = o.school_id and r.order_id = o.id and r.state = 'succeeded'), 0) + coalesce((
        select sum(d.amount) from disputes d
        where d.school_id = o.school_id and d.order_id = o.id and d.state = 'lost'), 0)`,
  },
  {
    name: 'no more goes back than arrived',
    broken: `
      select p.id from payments p where p.paid_amount < coalesce((
        select sum(r.amount) from refunds r
        where r.school_id = p.school_id and r.payment_id = p.id and r.state <> 'failed'), 0)`,
  },
  {
    name: 'a paid order was paid in full',
    broken: `
      select o.number from orders o where o.status = 'paid' and o.paid_total < o.total`,
  },
  {
    name: 'the totals are sums of the lines',
    broken: `
      select o.number from orders o left join lateral (
        select coalesce(sum(l.unit_amount * l.quantity), 0) as subtotal, coalesce(sum(l.discount_amount), 0) as discount,
          coalesce(sum(l.tax_amount), 0) as tax, coalesce(sum(l.amount), 0) as total
        from order_lines l where l.school_id = o.school_id and l.order_id = o.id) s on true
      where (o.subtotal, o.discount_total, o.tax_total, o.total) is distinct from (s.subtotal, s.discount, s.tax, s.total)`,
  },
  {
    name: 'the discount of a line is the sum of its codes and its credit',
    broken: `
      select l.id from order_lines l where l.discount_amount - l.credit_amount <> coalesce((
        select sum(d.amount) from order_discounts d where d.school_id = l.school_id and d.line_id = l.id), 0)`,
  },
  {
    name: 'what was refunded of a line is the sum of its refunds',
    broken: `
      select l.id from order_lines l left join lateral (
        select coalesce(sum(x.amount), 0) as amount, coalesce(sum(x.tax_amount), 0) as tax,
          coalesce(sum(x.quantity), 0) as quantity
        from refund_lines x join refunds r on r.school_id = x.school_id and r.id = x.refund_id and r.state <> 'failed'
        where x.school_id = l.school_id and x.line_id = l.id) s on true
      where (l.refunded_amount, l.refunded_tax, l.refunded_quantity) is distinct from (s.amount, s.tax, s.quantity)`,
  },
  {
    name: 'a line that was refunded in full returned all of its tax',
    broken: `
      select l.id from order_lines l where l.refunded_amount = l.amount and l.amount > 0 and l.refunded_tax <> l.tax_amount`,
  },
  {
    name: 'a refund is the sum of its lines, unless it is of what was paid too much',
    broken: `
      select r.id from refunds r join orders o on o.school_id = r.school_id and o.id = r.order_id
      where r.reason <> 'overpaid' and r.amount <> coalesce((
        select sum(x.amount) from refund_lines x where x.school_id = r.school_id and x.refund_id = r.id), 0)`,
  },
  {
    name: 'only orders that wait for payment keep seats',
    broken: `
      select s.line_id from seat_reservations s join order_lines l on l.school_id = s.school_id and l.id = s.line_id
      join orders o on o.school_id = l.school_id and o.id = l.order_id where o.status not in ('pending', 'processing')`,
  },
  {
    name: 'only orders that wait for payment hold uses of codes',
    broken: `
      select r.id from coupon_redemptions r join orders o on o.school_id = r.school_id and o.id = r.order_id
      where r.status = 'held' and o.status not in ('pending', 'processing')`,
  },
  {
    name: 'what orders gave is active for the lines of paid orders that have not ended',
    broken: `
      select e.id from entitlements e join order_lines l
        on e.source = 'order_line' and e.school_id = l.school_id and e.source_id = l.id
      where e.revoked_at is null and coalesce(e.ends_at, 'infinity') > stoa.now()
        and (l.fulfilled_at is null or l.ended_at is not null)`,
  },
]

const settlementRules: readonly LedgerRule[] = [
  {
    name: 'the movements of money sum to what was paid less what went back, also while a dispute is open',
    broken: `
      select o.number from orders o cross join lateral (
        select coalesce((select sum(p.paid_amount) from payments p
            where p.school_id = o.school_id and p.order_id = o.id and p.paid_currency = o.currency), 0)
          - coalesce((select sum(r.amount) from refunds r
            where r.school_id = o.school_id and r.order_id = o.id and r.state = 'succeeded'), 0)
          - coalesce((select sum(d.amount) from disputes d
            where d.school_id = o.school_id and d.order_id = o.id and d.state <> 'won'), 0) as moved,
          coalesce((select sum(d.amount) from disputes d
            where d.school_id = o.school_id and d.order_id = o.id and d.state = 'open'), 0) as disputed) t
      where t.moved <> o.paid_total - o.refunded_total - t.disputed`,
  },
  {
    name: 'what staff received of a transfer is the sum of what they confirmed',
    broken: `
      select p.id from payments p where p.provider = 'manual' and p.paid_amount <> coalesce((
        select sum(c.amount) from payment_receipts c
        where c.school_id = p.school_id and c.payment_id = p.id and c.undone_at is null), 0)`,
  },
  {
    name: 'the id at the provider that is shown of a payment leads to it',
    broken: `
      select p.id from payments p where p.reference is not null and not exists (
        select from payment_references f where f.school_id = p.school_id and f.provider = p.provider
          and f.ref = p.reference and f.payment_id = p.id)`,
  },
  {
    name: 'each line of a paid order was given, or its money goes back',
    broken: `
      select l.id from order_lines l join orders o on o.school_id = l.school_id and o.id = l.order_id
      where o.status = 'paid' and l.fulfilled_at is null and l.refunded_amount < l.amount
        and not exists (select from refunds r where r.school_id = o.school_id and r.order_id = o.id and r.state = 'failed')`,
  },
  {
    name: 'a line that was given has an entitlement, and one that was not has none',
    broken: `
      select l.id from order_lines l join orders o on o.school_id = l.school_id and o.id = l.order_id
      join members m on m.school_id = o.school_id and m.id = o.member_id and m.status <> 'deleted'
      where o.subscription_id is null and l.item_type <> 'ticket' and (l.fulfilled_at is not null) <> exists (
        select from entitlements e
        where e.school_id = l.school_id and e.source = 'order_line' and e.source_id = l.id)`,
  },
  {
    name: 'a line that waits for payment keeps its seat',
    broken: `
      select l.id from order_lines l join orders o on o.school_id = l.school_id and o.id = l.order_id
      where o.status = 'pending' and o.expires_at > stoa.now() and l.item_type = 'course' and l.fulfilled_at is null
        and o.kind in ('checkout', 'outside')
        and not exists (
          select from seat_reservations s
          where s.school_id = l.school_id and s.line_id = l.id and s.expires_at > stoa.now())`,
  },
  {
    name: 'an order has a redemption of each code that reduced it, for what the code took off',
    broken: `
      select d.order_id, d.coupon_id from order_discounts d
      join orders o on o.school_id = d.school_id and o.id = d.order_id and o.kind in ('checkout', 'outside')
      group by d.school_id, d.order_id, d.coupon_id
      having not exists (
        select from coupon_redemptions r where r.school_id = d.school_id and r.order_id = d.order_id
          and r.coupon_id = d.coupon_id and r.amount = sum(d.amount))`,
  },
  {
    name: 'an order that waits for payment is ended by a job, and one that is processing has money on its way',
    broken: `
      select o.number from orders o
      where o.status = 'pending' and not exists (
          select from jobs j where j.school_id = o.school_id and j.kind = 'order_expiry' and j.id = o.id)
        or o.status = 'processing' and not exists (
          select from payments p where p.school_id = o.school_id and p.order_id = o.id and p.state = 'processing')`,
  },
  {
    name: 'the provider of test payments paid back no more than it received, and each refund once',
    broken: `
      select t.ref from test_payments t cross join lateral (
        select coalesce(sum(r.amount), 0) as amount, count(*) as count, count(distinct r.refund_id) as different
        from test_refunds r where r.school_id = t.school_id and r.test_payment_id = t.id) b
      where b.amount > t.charged or b.count <> b.different`,
  },
]

const subscriptionRules: readonly LedgerRule[] = [
  {
    name: 'a period is paid exactly when its order is, and costs what the order costs',
    broken: `
      select p.id, p.state, o.status from subscription_periods p
      join orders o on o.school_id = p.school_id and o.id = p.order_id
      where p.amount <> o.total or p.state = 'paid' and o.status <> 'paid'
        or p.state in ('asked', 'failed') and o.status = 'paid'`,
  },
  {
    name: 'each order of a period has one, and what is paid for no period goes back',
    broken: `
      select o.number from orders o join order_lines l on l.school_id = o.school_id and l.order_id = o.id
      where o.kind in ('renewal', 'instalment') and o.status = 'paid' and l.refunded_amount < l.amount
        and l.fulfilled_at is null`,
  },
  {
    name: 'the periods of a subscription are numbered without gaps, in the order of time',
    broken: `
      select subscription_id from (
        select subscription_id, number, period_from,
          row_number() over w as place, lag(period_until) over w as before
        from subscription_periods window w as (partition by school_id, subscription_id order by number)) p
      where number <> place or period_from < before`,
  },
  {
    name: 'a subscription counts its payments, and has at most one period that is due',
    broken: `
      select s.id, s.payments_made, c.paid, c.open from subscriptions s cross join lateral (
        select count(*) filter (where p.state = 'paid') as paid, count(*) filter (where p.state in ('asked', 'failed')) as open
        from subscription_periods p where p.school_id = s.school_id and p.subscription_id = s.id) c
      where c.open > 1 or s.payments_made <> c.paid and not exists (
        -- What is left of a payment plan may be paid at once, as one period.
        select from subscription_changes r
        where r.school_id = s.school_id and r.subscription_id = s.id and r.type = 'rest_paid')`,
  },
  {
    name: 'a subscription gives access by one entitlement at most, and by none when it was canceled',
    broken: `
      select s.id, s.status from subscriptions s cross join lateral (
        select count(*) as live from entitlements e
        where e.school_id = s.school_id and e.source = 'subscription' and e.source_id = s.id and e.revoked_at is null
          and coalesce(e.ends_at, 'infinity') > stoa.now()) e
      where e.live > 1 or e.live > 0 and s.status in ('incomplete', 'canceled', 'expired')`,
  },
  {
    name: 'no credit is used beyond what was given',
    broken: `
      select l.id from order_lines l where l.credit_amount > l.discount_amount`,
  },
  {
    name: 'the credit of a subscription is the sum of its ledger',
    broken: `
      select s.id, s.credit, c.amount from subscriptions s cross join lateral (
        select coalesce(sum(c.amount), 0) as amount from subscription_credits c
        where c.school_id = s.school_id and c.subscription_id = s.id) c
      where s.credit <> c.amount`,
  },
  {
    name: 'an order holds credit only while it may be paid, and a paid one has used what its line says, and no more',
    broken: `
      select o.number, o.status, l.credit_amount, c.* from orders o
      join order_lines l on l.school_id = o.school_id and l.order_id = o.id
      cross join lateral (
        select coalesce(-sum(c.amount), 0) as used, coalesce(-sum(c.amount) filter (where c.kind <> 'used'), 0) as held,
          coalesce(-sum(c.amount) filter (where c.kind = 'used'), 0) as ever
        from subscription_credits c where c.school_id = o.school_id and c.order_id = o.id) c
      where o.kind in ('renewal', 'instalment', 'plan_change') and (
        c.used < 0 or c.used > l.credit_amount
        or c.held > 0 and o.status not in ('pending', 'processing', 'failed')
        or o.status = 'paid' and l.fulfilled_at is not null and c.ever <> l.credit_amount)`,
  },
]

const downloadRules: readonly LedgerRule[] = [
  {
    name: 'nobody downloaded a file more often than its product allows',
    broken: `
      select c.file_id from download_counts c
      join product_files f on f.school_id = c.school_id and f.id = c.file_id
      join digital_products p on p.school_id = f.school_id and p.id = f.product_id
      where c.used > p.download_limit`,
  },
]

// The documents of orders, with what is left of each invoice after its credit notes.
const INVOICED = `
  from orders o join invoices i
    on i.school_id = o.school_id and i.order_id = o.id and i.member_id = o.member_id and i.kind = 'invoice'
  cross join lateral (
    select i.total - coalesce(sum(c.total), 0) as amount, i.tax_total - coalesce(sum(c.tax_total), 0) as tax
    from invoices c where c.school_id = i.school_id and c.invoice_id = i.id) rest`

const invoiceRules: readonly LedgerRule[] = [
  {
    name: 'credit notes take no more of an invoice than it has, and all of its tax with all of its amount',
    broken: `
      select i.number, rest.* ${INVOICED}
      where rest.amount < 0 or rest.tax < 0 or rest.tax > rest.amount`,
  },
  {
    name: 'credit notes take no more of a line than it has',
    broken: `
      select i.number, l.line_id
      from invoices i
        cross join lateral jsonb_to_recordset(i.lines) as l (line_id uuid, quantity integer, amount bigint, tax_amount bigint)
        join lateral (
          select sum(n.quantity) as quantity, sum(n.amount) as amount, sum(n.tax_amount) as tax
          from invoices c
            cross join lateral jsonb_to_recordset(c.lines) as n (line_id uuid, quantity integer, amount bigint, tax_amount bigint)
          where c.school_id = i.school_id and c.invoice_id = i.id and n.line_id = l.line_id) s on true
      where i.kind = 'invoice' and (s.quantity > l.quantity or s.amount > l.amount or s.tax > l.tax_amount
        or s.amount - s.tax > l.amount - l.tax_amount)`,
  },
  {
    name: 'an invoice is over what its order is over',
    broken: `
      select i.number ${INVOICED}
      where (i.total, i.tax_total, i.discount_total, i.currency, i.tax_mode, i.tax_country, i.reverse_charge)
        is distinct from (o.total, o.tax_total, o.discount_total, o.currency, o.tax_mode, o.tax_country, o.reverse_charge)`,
  },
  {
    name: 'one invoice of an order is in force, and only of a paid order',
    broken: `
      select o.number ${INVOICED} where rest.amount > 0
      group by o.school_id, o.id, o.number, o.status having count(*) > 1 or o.status <> 'paid'`,
  },
  {
    name: 'what was paid has an invoice, unless it was paid elsewhere or cost nothing',
    broken: `
      select o.number from orders o
      where o.status = 'paid' and o.total > 0 and o.kind <> 'outside' and not exists (
        select from invoices i where i.school_id = o.school_id and i.order_id = o.id and i.kind = 'invoice')`,
  },
  {
    // A refund that failed after it had succeeded leaves its credit note: the money is still owed.
    name: 'what is left of the invoices of a paid order is its total less its refunds',
    broken: `
      select o.number, o.total, r.amount, sum(rest.amount) ${INVOICED} cross join lateral (
        select coalesce(sum(f.amount) filter (where f.state = 'succeeded' and f.reason <> 'overpaid'), 0) as amount,
          count(*) filter (where f.state = 'failed') as failed
        from refunds f where f.school_id = o.school_id and f.order_id = o.id) r
      where o.status = 'paid' and r.failed = 0 and not exists (
        select from disputes d where d.school_id = o.school_id and d.order_id = o.id)
      group by o.school_id, o.id, o.number, o.total, r.amount having sum(rest.amount) <> o.total - r.amount`,
  },
]

// Each area with money adds its rules.
const TAKES = `(r.status in ('confirmed', 'checked_in')
  or (r.status in ('offered', 'awaiting_payment') and r.hold_until > stoa.now()))`

const registrationRules: readonly LedgerRule[] = [
  {
    name: 'no date has more people than seats',
    broken: `
      select o.id from occurrences o where o.capacity < (
        select count(*) from registrations r where r.school_id = o.school_id and r.occurrence_id = o.id and ${TAKES})`,
  },
  {
    name: 'no ticket has more people at a date than seats',
    broken: `
      select t.id, r.occurrence_id from ticket_types t
      join registrations r on r.school_id = t.school_id and r.ticket_type_id = t.id and ${TAKES}
      group by t.school_id, t.id, t.capacity, r.occurrence_id having count(*) > t.capacity`,
  },
  {
    name: 'a line of an order has a registration for each ticket',
    broken: `
      select l.id from order_lines l where l.item_type = 'ticket' and l.quantity <> (
        select count(*) from registrations r where r.school_id = l.school_id and r.line_id = l.id)`,
  },
  {
    name: 'only a line that was given has confirmed registrations',
    broken: `
      select r.id from registrations r join order_lines l on l.school_id = r.school_id and l.id = r.line_id
      where (r.status in ('confirmed', 'checked_in') and l.fulfilled_at is null)
        or (r.status = 'awaiting_payment' and l.fulfilled_at is not null)`,
  },
]

const rules: readonly LedgerRule[] = [
  ...couponRules,
  ...orderRules,
  ...settlementRules,
  ...invoiceRules,
  ...subscriptionRules,
  ...downloadRules,
  ...registrationRules,
]

// Checked after hundreds of tests, and planned longer than it runs.
const everyRule = {
  name: 'ledger',
  text: rules
    .map(({ name, broken }) => `select '${name.replaceAll("'", "''")}' as name, to_jsonb(r) as row from (${broken}) r`)
    .join('\nunion all '),
}

/** The rows that break a rule now, each with the name of the rule. */
export const brokenRules = ({ query }: Pick<TestDatabase, 'query'>) =>
  query<{ name: string; row: Readonly<Record<string, unknown>> }>(everyRule)

/** Asserts that the books of every school add up. Call it after each test of an area with money. */
export const assertLedger = async (database: Pick<TestDatabase, 'query'>): Promise<void> => {
  assert.deepEqual(await brokenRules(database), [])
}

/** A test after which the books are checked. */
export const ledgerTest =
  (app: { readonly database: Pick<TestDatabase, 'query'> }) =>
  (title: string, work: () => Promise<void>): void => {
    test(title, async () => {
      await work()
      await assertLedger(app.database)
    })
  }
