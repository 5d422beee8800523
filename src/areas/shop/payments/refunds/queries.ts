import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { newUuid } from '#src/kit/ids.ts'
import { LOST, type RefundReason, type RefundState } from './rules.ts'

/** Money that goes back, in minor units of the currency of its payment. */
export type RefundRow = {
  readonly id: string
  readonly payment_id: string
  readonly order_id: string
  readonly amount: number
  readonly reason: RefundReason
  readonly state: RefundState
  /** The id at the provider. */
  readonly reference: string | null
  readonly called_at: Date | null
  readonly failure_code: string | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly settled_at: Date | null
}

const columns = sql`r.id, r.payment_id, r.order_id, r.amount::double precision as amount, r.reason, r.state, r.reference,
  r.called_at, r.failure_code, r.created_at, r.updated_at, r.settled_at`

/** Stores a new refund. */
export const insertRefund = (
  db: Db,
  schoolId: string,
  now: Date,
  one: Pick<RefundRow, 'payment_id' | 'order_id' | 'amount' | 'reason'>,
) =>
  db.one(sql<RefundRow>`
    insert into refunds as r (school_id, id, payment_id, order_id, amount, reason, state, created_at, updated_at)
    values (${schoolId}, ${newUuid(now.getTime())}, ${one.payment_id}, ${one.order_id}, ${one.amount}::bigint, ${one.reason},
      'asked', ${now}, ${now})
    returning ${columns}`)

const refund = (schoolId: string, id: string): Statement<RefundRow> =>
  sql<RefundRow>`select ${columns} from refunds r where r.school_id = ${schoolId} and r.id = ${id}`

/** A refund by its id. */
export const findRefund = (db: Db, schoolId: string, id: string): Promise<RefundRow | undefined> =>
  db.first(refund(schoolId, id))

/** A refund by its id, locked until the transaction ends. */
export const lockRefundRow = (db: Db, schoolId: string, id: string) =>
  db.first(sql<RefundRow>`${refund(schoolId, id)} for no key update`)

/** The refunds of orders, oldest first. */
export const listOrderRefunds = (db: Db, schoolId: string, orderIds: readonly string[]) =>
  db.all(sql<RefundRow>`
    select ${columns} from refunds r where r.school_id = ${schoolId} and r.order_id = any (${orderIds}::uuid[])
    order by r.order_id, r.id`)

/** Notes the first call to the provider; returns 0 when the refund waits for none any more. */
export const noteRefundCall = (db: Db, schoolId: string, { id, now }: { readonly id: string; readonly now: Date }) =>
  db.run(sql`
    update refunds set called_at = coalesce(called_at, ${now})
    where school_id = ${schoolId} and id = ${id} and state = 'asked'`)

/** Stores the state of a locked refund; it is settled now when it has ended since. */
export const storeRefund = (
  db: Db,
  schoolId: string,
  row: Pick<RefundRow, 'id' | 'state' | 'failure_code'>,
  { hasEnded, ref, now }: { readonly hasEnded: boolean; readonly ref: string | undefined; readonly now: Date },
) =>
  db.one(sql<RefundRow>`
    update refunds r set state = ${row.state}, failure_code = ${row.failure_code},
      reference = coalesce(r.reference, ${ref}::text), updated_at = ${now},
      settled_at = case when not ${hasEnded}::boolean then null
        when r.state = ${row.state} then coalesce(r.settled_at, ${now}) else ${now} end
    where r.school_id = ${schoolId} and r.id = ${row.id} returning ${columns}`)

/** The refunds of a payment that had no effect as far as its provider knew. */
export const listLostRefunds = (db: Db, schoolId: string, paymentId: string) =>
  db.all(sql<{ id: string }>`
    select id from refunds
    where school_id = ${schoolId} and payment_id = ${paymentId} and state = 'failed' and failure_code = ${LOST}`)

/** How much of a payment was refunded or is being refunded, in minor units. */
export const sumOfRefunds = async (db: Db, schoolId: string, paymentId: string): Promise<number> =>
  (
    await db.one(sql<{ sum: number }>`
      select coalesce(sum(amount), 0)::double precision as sum from refunds
      where school_id = ${schoolId} and payment_id = ${paymentId} and state <> 'failed'`)
  ).sum
