import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { type OrderStatus, statusesBefore } from '../order/rules.ts'

/** Moves an order to a status that its own allows; returns 0 when it does not. `now` is when it was paid. */
export const storeOrderStatus = (
  db: Db,
  schoolId: string,
  id: string,
  { status, now }: { readonly status: OrderStatus; readonly now: Date },
) =>
  db.run(sql`
    update orders set status = ${status}, paid_at = ${status === 'paid' ? now : null}::timestamptz, revision = revision + 1,
      updated_at = ${now}
    where school_id = ${schoolId} and id = ${id} and status = any (${statusesBefore(status)}::text[])`)

/** Notes that lines gave what they are for. */
export const storeFulfilled = (db: Db, schoolId: string, lineIds: readonly string[], now: Date) =>
  db.run(sql`
    update order_lines set fulfilled_at = ${now} where school_id = ${schoolId} and id = any (${lineIds}::uuid[])`)

/** Marks a pending order as canceled; returns 0 when it is not pending. */
export const storeCanceled = (
  db: Db,
  schoolId: string,
  id: string,
  { reason, now }: { readonly reason: 'buyer' | 'staff' | 'deletion' | 'erasure'; readonly now: Date },
) =>
  db.run(sql`
    update orders set status = 'canceled', canceled_at = ${now}, cancel_reason = ${reason}, revision = revision + 1,
      updated_at = ${now}
    where school_id = ${schoolId} and id = ${id} and status = any (${statusesBefore('canceled')}::text[])`)

/** Stores until when an order waits for payment. */
export const storeExpiry = (
  db: Db,
  schoolId: string,
  id: string,
  { until, now }: { readonly until: Date; readonly now: Date },
) =>
  db.run(sql`
    update orders set expires_at = ${until}, revision = revision + 1, updated_at = ${now}
    where school_id = ${schoolId} and id = ${id}`)
