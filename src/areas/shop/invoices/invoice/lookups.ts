import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { type InvoiceSummaryRow, listLatest, listOfOrders } from './queries.ts'
import type { Line, RefundReason } from './rules.ts'

// As an order names it; the total is in minor units.
type InvoiceSummary = Omit<InvoiceSummaryRow, 'total'> & { readonly total: number }

/** The invoices and credit notes of some orders, by the ids of the orders; an order without any is not in the map. */
export const readInvoices = async (
  { db, school }: { readonly db: Db; readonly school: Pick<School, 'id'> },
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly InvoiceSummary[]>> => {
  const rows = await listOfOrders(db, school.id, orderIds)
  return Map.groupBy(
    rows.map(row => ({ ...row, total: Number(row.total) })),
    ({ order_id }) => order_id,
  )
}

/** A credit note of an invoice: why it was issued, and for which parts of the lines. */
type CreditNote = { readonly reason: RefundReason; readonly lines: readonly Line[] }

/** An invoice with its credit notes; amounts in minor units. */
export type CreditableInvoice = {
  readonly id: string
  readonly isTest: boolean
  readonly lines: readonly Line[]
  readonly notes: readonly CreditNote[]
}

/**
 * The latest invoice of an order with its credit notes, in the order of their issue; undefined when the order has none.
 * Earlier ones are credited in whole.
 */
export const findLatestInvoice = async (
  { db, school }: { readonly db: Db; readonly school: Pick<School, 'id'> },
  orderId: string,
): Promise<CreditableInvoice | undefined> => {
  const [invoice, ...notes] = await listLatest(db, school.id, orderId)
  if (invoice === undefined) return undefined
  return {
    id: invoice.id,
    isTest: invoice.is_test,
    lines: invoice.lines,
    notes: notes.map(({ reason, lines }) => ({ reason: reason ?? 'other', lines })),
  }
}
