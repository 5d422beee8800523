import type { Static } from 'typebox'
import type { Db } from '#src/contract/db.ts'
import { buildPage, type Listing, parsePage } from '#src/contract/pagination.ts'
import type { Price } from '#src/contract/price.ts'
import type { PriceTable } from './conditions.ts'
import { countPrices, listPriceRows, type PriceRow } from './queries.ts'

type PriceRequest = Listing & {
  readonly db: Db
  readonly query: Listing['query'] & { readonly status?: PriceRow['status'] | undefined }
}

/** A page of the prices of an item; only those who manage the item see retired ones. */
export const priceList = async (
  request: PriceRequest,
  table: PriceTable,
  { itemId, isManager }: { readonly itemId: string; readonly isManager: boolean },
  renderViews: (rows: readonly PriceRow[]) => Promise<readonly Static<typeof Price>[]>,
) => {
  const { db, school, query } = request
  const page = parsePage(request)
  if (query.status === 'retired' && !isManager) return { data: [], has_more: false }
  const filter = { itemId, status: isManager ? query.status : ('active' as const) }
  return buildPage(request, await listPriceRows(db, school.id, table, filter, page), {
    readPosition: row => [row.id],
    renderViews,
    total: () => countPrices(db, school.id, table, filter),
  })
}
