import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { newUuid } from '#src/kit/ids.ts'

/** A payment that staff confirmed, with the day in the school's zone on which it arrived. */
export type ReceiptRow = {
  readonly id: string
  readonly payment_id: string
  /** In minor units. */
  readonly amount: number
  /** A date such as `2026-11-23`. */
  readonly received_on: string
  readonly created_at: Date
  readonly undone_at: Date | null
}

const columns = sql`c.id, c.payment_id, c.amount::double precision as amount, c.received_on, c.created_at, c.undone_at`

/** Stores what staff confirmed. */
export const insertReceipt = (
  db: Db,
  schoolId: string,
  now: Date,
  { payment_id, amount, received_on }: Pick<ReceiptRow, 'payment_id' | 'amount' | 'received_on'>,
) =>
  db.one(sql<ReceiptRow>`
    insert into payment_receipts as c (school_id, id, payment_id, amount, received_on, created_at)
    values (${schoolId}, ${newUuid(now.getTime())}, ${payment_id}, ${amount}::bigint, ${received_on}::date, ${now})
    returning ${columns}`)

/** A receipt by its id. */
export const findReceipt = (db: Db, schoolId: string, id: string) =>
  db.first(sql<ReceiptRow>`
    select ${columns} from payment_receipts c where c.school_id = ${schoolId} and c.id = ${id}`)

/** The receipts of payments, oldest first. */
export const listPaymentReceipts = (db: Db, schoolId: string, paymentIds: readonly string[]) =>
  db.all(sql<ReceiptRow>`
    select ${columns} from payment_receipts c
    where c.school_id = ${schoolId} and c.payment_id = any (${paymentIds}::uuid[])
    order by c.payment_id, c.id`)

/** Undoes a receipt; returns 0 when it was undone before. */
export const storeUndone = (db: Db, schoolId: string, id: string, now: Date) =>
  db.run(sql`
    update payment_receipts set undone_at = ${now}
    where school_id = ${schoolId} and id = ${id} and undone_at is null`)
