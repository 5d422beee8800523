import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { PaidLine } from '#src/kit/proration.ts'

/** A line whose money was credited to a subscription; amounts in minor units. */
export type CreditedLine = PaidLine & {
  readonly line_id: string
  readonly order_id: string
  readonly number: string
  readonly name: string
  /** What of its money was credited and not paid back, in terms of its price. */
  readonly net: number
}

/** The lines whose money was credited to a subscription, the one that was credited last first. */
export const listCreditedLines = (db: Db, schoolId: string, subscriptionId: string) =>
  db.all(sql<CreditedLine>`
    select l.id as line_id, l.order_id, o.number, l.name, c.net::double precision as net,
      l.unit_amount::double precision as unit_amount, l.quantity, l.discount_amount::double precision as discount_amount,
      l.credit_amount::double precision as credit_amount, l.amount::double precision as amount,
      l.refunded_amount::double precision as refunded_amount
    from (
      select from_line_id, sum(amount) as net, max(at) filter (where kind = 'given') as given_at
      from subscription_credits
      where school_id = ${schoolId} and subscription_id = ${subscriptionId} and from_line_id is not null
      group by from_line_id) as c
    join order_lines l on l.school_id = ${schoolId} and l.id = c.from_line_id
    join orders o on o.school_id = ${schoolId} and o.id = l.order_id
    order by c.given_at desc, l.id desc`)

/** How much of the money of a line was ever credited and is not paid back, whether it stands or was used since. */
export const readGiven = async (db: Db, schoolId: string, lineId: string): Promise<number> =>
  (
    await db.one(sql<{ given: number }>`
      select coalesce(sum(amount), 0)::double precision as given from subscription_credits
      where school_id = ${schoolId} and from_line_id = ${lineId} and kind in ('given', 'paid_back')`)
  ).given

// In minor units; `total` counts all that wait.
type WaitingCredit = {
  readonly id: string
  readonly name: string
  readonly member_id: string
  readonly member_name: string
  readonly credit: number
  readonly currency: string | null
  readonly total: number
}

/** The subscriptions that have ended and whose credit waits for the school, the oldest first, at most so many. */
export const listWaitingCredits = (db: Db, schoolId: string, most: number) =>
  db.all(sql<WaitingCredit>`
    select s.id, s.name, s.member_id, m.name as member_name, s.credit::double precision as credit,
      s.price->>'currency' as currency, (count(*) over ())::int as total
    from subscriptions s join members m on m.school_id = ${schoolId} and m.id = s.member_id
    where s.school_id = ${schoolId} and s.credit > 0 and s.status in ('canceled', 'completed', 'expired')
    order by s.id limit ${most}`)
