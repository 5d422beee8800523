import type { Db } from '#src/contract/db.ts'
import type { FoundDispute } from '#src/contract/payments.ts'
import { sql } from '#src/db/sql.ts'
import { newUuid } from '#src/kit/ids.ts'

/** A payment that the buyer's bank takes back, in minor units of the currency of the payment. */
export type DisputeRow = {
  readonly id: string
  readonly payment_id: string
  readonly order_id: string
  readonly amount: number
  readonly state: 'open' | 'won' | 'lost'
  /** The id at the provider. */
  readonly reference: string
  readonly reason: string | null
  readonly opened_at: Date
  readonly closed_at: Date | null
  /** Until when the school may answer. */
  readonly due_at: Date | null
}

const columns = sql`d.id, d.payment_id, d.order_id, d.amount::double precision as amount, d.state, d.reference, d.reason,
  d.opened_at, d.closed_at, d.due_at`

/** The disputes of orders, oldest first. */
export const listOrderDisputes = (db: Db, schoolId: string, orderIds: readonly string[]) =>
  db.all(sql<DisputeRow>`
    select ${columns} from disputes d where d.school_id = ${schoolId} and d.order_id = any (${orderIds}::uuid[])
    order by d.order_id, d.id`)

/** The disputes of a payment, by their ids at the provider. */
export const listDisputes = (db: Db, schoolId: string, paymentId: string) =>
  db.all(sql<DisputeRow>`
    select ${columns} from disputes d where d.school_id = ${schoolId} and d.payment_id = ${paymentId} order by d.id`)

/** The payments with a dispute that is not decided, at most so many after an id. */
export const listDisputedPayments = (
  db: Db,
  schoolId: string,
  { after, most }: { readonly after: string; readonly most: number },
) =>
  db.all(sql<{ id: string }>`
    select distinct payment_id as id from disputes
    where school_id = ${schoolId} and state = 'open' and payment_id > ${after} order by payment_id limit ${most}`)

/** Stores a dispute as the provider has it, new or changed; its payment is locked. */
export const storeDispute = (
  db: Db,
  schoolId: string,
  payment: { readonly id: string; readonly order_id: string },
  { found, now }: { readonly found: FoundDispute; readonly now: Date },
) =>
  db.one(sql<DisputeRow>`
    insert into disputes as d (school_id, id, payment_id, order_id, amount, state, reference, reason, opened_at, closed_at,
      due_at)
    values (${schoolId}, ${newUuid(now.getTime())}, ${payment.id}, ${payment.order_id}, ${found.amount}::bigint, ${found.state},
      ${found.ref}, ${found.reason ?? null}, ${now}, ${found.state === 'open' ? null : now}, ${found.due ?? null})
    on conflict (school_id, payment_id, reference) do update set amount = excluded.amount, state = excluded.state,
      closed_at = case when excluded.state = 'open' then null else ${now}::timestamptz end
    returning ${columns}`)

/** How much of a payment is disputed or lost, in minor units. */
export const sumOfDisputes = async (db: Db, schoolId: string, paymentId: string): Promise<number> =>
  (
    await db.one(sql<{ sum: number }>`
      select coalesce(sum(amount), 0)::double precision as sum from disputes
      where school_id = ${schoolId} and payment_id = ${paymentId} and state <> 'won'`)
  ).sum
