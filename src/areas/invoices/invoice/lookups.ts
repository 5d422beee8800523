import type { Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { type InvoiceSummaryRow, listOfOrders } from './queries.ts'

// As an order names it; the total is in minor units.
type InvoiceSummary = Omit<InvoiceSummaryRow, 'total'> & { readonly total: number }

/** The invoices and credit notes of some orders, by the ids of the orders; an order without any is not in the map. */
export const invoicesOf = async (
  { db, school }: { readonly db: Db; readonly school: Pick<School, 'id'> },
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly InvoiceSummary[]>> => {
  const rows = await listOfOrders(db, school.id, orderIds)
  return Map.groupBy(
    rows.map(row => ({ ...row, total: Number(row.total) })),
    ({ order_id }) => order_id,
  )
}
