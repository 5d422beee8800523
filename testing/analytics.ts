import { rollUpAll } from '#src/areas/analytics/index.ts'
import { areas } from '#src/areas.ts'
import type { Metric, MetricRow } from '#src/contract/metric.ts'
import { newUuid } from '#src/kit/ids.ts'
import type { TestApp } from './app.ts'

/** The metrics of all areas. */
export const metrics: readonly Metric[] = areas.flatMap(area => area.metrics ?? [])

/** Rolls up everything that is dirty in a school, as the worker does. */
export const rollUp = async ({ database, a }: Pick<TestApp, 'database' | 'a'>, school = a): Promise<void> => {
  await rollUpAll(database.elsewhere(), school.id)
}

/** A number from 0 to 1 that depends on a seed, again and again. */
export const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Some sales: instants at which orders were paid, and what became of the money. */
export type Sale = {
  readonly memberId: string
  readonly paidAt: Date
  readonly amount: number
  readonly currency: string
  readonly campaign?: string | null
  readonly country?: string
  readonly refundedAt?: Date | null
  readonly lostAt?: Date | null
}

const insertSales = (count: number) => `
  with sale as (
    select s.*, $1::uuid as school_id, $3::bigint + s.place as counter
    from jsonb_to_recordset($2::jsonb) as s (place integer, order_id uuid, line_id uuid, payment_id uuid, refund_id uuid,
      dispute_id uuid, item_id uuid, "memberId" uuid, "paidAt" timestamptz, amount bigint, currency text, campaign text,
      country text, "refundedAt" timestamptz, "lostAt" timestamptz)
  ), placed as (
    insert into orders (school_id, id, number, counter, member_id, kind, status, currency, subtotal, discount_total,
      tax_total, total, paid_total, refunded_total, tax_mode, tax_country, reverse_charge, billing, words_folded, campaign,
      paid_at, changed_in, created_at, updated_at)
    select school_id, order_id, 'T' || counter, counter, "memberId", 'checkout', 'paid', currency, amount, 0, amount / 5,
      amount, amount, case when "refundedAt" is null then 0 else amount / 2 end, 'inclusive', country, false, '{}', '',
      campaign, "paidAt", 0, "paidAt", "paidAt" from sale
  ), lines as (
    insert into order_lines (school_id, id, order_id, position, item_type, item_id, price_id, name, payment, tax_class,
      quantity, unit_amount, discount_amount, tax_rate, tax_amount, amount)
    select school_id, line_id, order_id, 1, 'course', item_id, gen_random_uuid(), 'A course', '{}', 'standard', 1, amount, 0,
      230000, amount / 5, amount from sale
  ), paid as (
    insert into payments (school_id, id, order_id, member_id, provider, amount, currency, state, paid_amount, paid_currency,
      created_at, updated_at, settled_at)
    select school_id, payment_id, order_id, "memberId", 'test', amount, currency, 'succeeded', amount, currency, "paidAt",
      "paidAt", "paidAt" from sale
  ), refunded as (
    insert into refunds (school_id, id, payment_id, order_id, amount, reason, state, created_at, updated_at, settled_at)
    select school_id, refund_id, payment_id, order_id, amount / 2, 'requested', 'succeeded', "refundedAt", "refundedAt",
      "refundedAt" from sale where "refundedAt" is not null
  ), shares as (
    insert into refund_lines (school_id, refund_id, line_id, order_id, quantity, amount, tax_amount, ends_access)
    select school_id, refund_id, line_id, order_id, 0, amount / 2, 0, false from sale where "refundedAt" is not null
  ), disputed as (
    insert into disputes (school_id, id, payment_id, order_id, amount, state, reference, opened_at, closed_at)
    select school_id, dispute_id, payment_id, order_id, amount / 4, 'lost', dispute_id::text, "paidAt", "lostAt"
    from sale where "lostAt" is not null
  )
  select ${count} as count`

let counter = 10_000_000

/** Inserts paid orders with their payments, refunds and lost disputes, as history that an import brings. */
export const addSales = async (
  { database, a }: Pick<TestApp, 'database' | 'a'>,
  itemId: string,
  sales: readonly Sale[],
): Promise<void> => {
  const rows = sales.map((sale, place) => ({
    ...sale,
    place,
    item_id: itemId,
    ...Object.fromEntries(
      ['order_id', 'line_id', 'payment_id', 'refund_id', 'dispute_id'].map(name => [
        name,
        newUuid(sale.paidAt.getTime()),
      ]),
    ),
  }))
  await database.query(insertSales(sales.length), [a.id, JSON.stringify(rows), counter])
  counter += sales.length
}

/** The rows of a metric in a school, read from its tables as they are now. */
export const rawRows = async (
  { database }: Pick<TestApp, 'database'>,
  schoolId: string,
  metric: Metric,
  range: { readonly from: Date; readonly until: Date },
): Promise<MetricRow[]> => {
  const { text, values } = metric.rows(schoolId, range)
  return database.query(text, values) as unknown as Promise<MetricRow[]>
}
