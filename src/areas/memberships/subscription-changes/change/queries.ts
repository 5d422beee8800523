import type { Db, Statement } from '#src/contract/db.ts'
import type { Offer } from '#src/contract/offer.ts'
import { sql } from '#src/db/sql.ts'
import { newUuid } from '#src/kit/ids.ts'

/** A subscription that changes its price: now, once its order is paid, or with a period that begins then or later. */
export type ChangeRow = {
  readonly id: string
  readonly subscription_id: string
  readonly offer: Offer
  readonly timing: 'now' | 'period_end'
  readonly source: 'account' | 'staff' | 'move'
  readonly move_id: string | null
  /** The period that ran when it was asked for. */
  readonly period_number: number
  readonly proration_at: Date | null
  readonly order_id: string | null
  /** What it credits of the period that ran, of the money and of the credit that paid it, and the part that its order leaves. */
  readonly own_money: number
  readonly own_credit: number
  readonly credit: number
  /** The line whose money it is. */
  readonly from_line_id: string | null
  readonly not_before: Date | null
  readonly status: 'pending' | 'failed' | 'done' | 'canceled'
  readonly created_at: Date
}

const columns = sql`c.id, c.subscription_id, c.offer, c.timing, c.source, c.move_id, c.period_number, c.proration_at, c.order_id,
  c.credit::double precision as credit, c.own_money::double precision as own_money,
  c.own_credit::double precision as own_credit, c.from_line_id, c.not_before, c.status, c.created_at`

/** A change that is asked for. */
type NewChange = Omit<ChangeRow, 'id' | 'status' | 'created_at'>

/** Stores a change that waits; there is at most one of a subscription. */
export const insertChange = (db: Db, schoolId: string, now: Date, one: NewChange) =>
  db.one(sql<ChangeRow>`
    insert into subscription_price_changes as c (school_id, id, subscription_id, offer, timing, source, move_id, period_number,
      proration_at, order_id, credit, own_money, own_credit, from_line_id, not_before, status, created_at)
    values (${schoolId}, ${newUuid(now.getTime())}, ${one.subscription_id}, ${JSON.stringify(one.offer)}::jsonb, ${one.timing},
      ${one.source}, ${one.move_id}, ${one.period_number}, ${one.proration_at}, ${one.order_id}, ${one.credit}::bigint,
      ${one.own_money}::bigint, ${one.own_credit}::bigint, ${one.from_line_id}, ${one.not_before}, 'pending', ${now})
    returning ${columns}`)

const changes = (condition: Statement): Statement<ChangeRow> =>
  sql<ChangeRow>`select ${columns} from subscription_price_changes c where ${condition}`

/** The change of a subscription that waits. */
export const findPending = (db: Db, schoolId: string, subscriptionId: string): Promise<ChangeRow | undefined> =>
  db.first(changes(sql`c.school_id = ${schoolId} and c.subscription_id = ${subscriptionId} and c.status = 'pending'`))

/** The change that an order pays, if none was asked for after it. */
export const findOfOrder = (db: Db, schoolId: string, orderId: string): Promise<ChangeRow | undefined> =>
  db.first(
    changes(sql`
      c.school_id = ${schoolId} and c.order_id = ${orderId} and not exists (
        select from subscription_price_changes later
        where later.school_id = ${schoolId} and later.subscription_id = c.subscription_id and later.id > c.id
          and later.status in ('pending', 'done'))`),
  )

/** Stores what became of a change. */
export const storeStatus = (db: Db, schoolId: string, id: string, status: 'failed' | 'done' | 'canceled', now: Date) =>
  db.run(sql`
    update subscription_price_changes set status = ${status}, settled_at = ${now}
    where school_id = ${schoolId} and id = ${id} and status in ('pending', 'failed')`)
