import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { InvoiceRow } from '../invoice/queries.ts'

/**
 * How far the receipt of an invoice is: it waits until that is printed, was sent without it, so that the invoice follows, or the
 * invoice was mailed.
 */
type Receipt = 'waits' | 'sent' | 'attached'

/** An invoice, and how far its receipt is; null before the payment was handled. */
export type ReceiptInvoice = Pick<InvoiceRow, 'id' | 'number' | 'order_id' | 'file_id' | 'print_state'> & {
  readonly receipt: Receipt | null
}

const columns = sql`id, number, order_id, file_id, print_state, receipt`

/** An invoice, locked until the transaction ends; undefined for a credit note, or once its buyer was forgotten. */
export const lockReceipt = (db: Db, schoolId: string, id: string): Promise<ReceiptInvoice | undefined> =>
  db.first(sql<ReceiptInvoice>`
    select ${columns} from invoices
    where school_id = ${schoolId} and id = ${id} and kind = 'invoice' and buyer is not null for no key update`)

/** The latest invoice of an order, locked in the same way. */
export const lockLatestReceipt = (db: Db, schoolId: string, orderId: string): Promise<ReceiptInvoice | undefined> =>
  db.first(sql<ReceiptInvoice>`
    select ${columns} from invoices
    where school_id = ${schoolId} and order_id = ${orderId} and kind = 'invoice' and buyer is not null
    order by created_at desc, sequence desc limit 1 for no key update`)

/** Stores how far the receipt of a locked invoice is. */
export const storeReceipt = (db: Db, schoolId: string, id: string, receipt: Receipt) =>
  db.run(sql`update invoices set receipt = ${receipt} where school_id = ${schoolId} and id = ${id}`)
