import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** What was paid for a part of a subscription, as its order stores it; amounts in minor units. */
export type PaidPart = {
  readonly order_id: string
  readonly line_id: string
  readonly period_from: Date
  readonly period_until: Date
  readonly unit_amount: number
  readonly quantity: number
  readonly discount_amount: number
  readonly credit_amount: number
  readonly amount: number
  readonly refunded_amount: number
}

/** What was paid for the time of a subscription that contains an instant, the latest first. */
export const listPaidParts = (db: Db, schoolId: string, subscriptionId: string, at: Date) =>
  db.all(sql<PaidPart>`
    select o.id as order_id, l.id as line_id, l.period_from, l.period_until, l.unit_amount::double precision as unit_amount,
      l.quantity, l.discount_amount::double precision as discount_amount,
      l.credit_amount::double precision as credit_amount, l.amount::double precision as amount,
      l.refunded_amount::double precision as refunded_amount
    from orders o
    join order_lines l on l.school_id = ${schoolId} and l.order_id = o.id
    where o.school_id = ${schoolId} and o.subscription_id = ${subscriptionId} and o.paid_at is not null
      and l.period_from <= ${at} and l.period_until > ${at}
    order by l.period_from desc, o.id desc`)
