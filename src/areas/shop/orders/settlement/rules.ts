import type { Offer, OfferedAccess } from '#src/contract/offer.ts'
import type { LineRow, StoredAccess } from '../order/queries.ts'

const buildAccess = (access: StoredAccess): OfferedAccess =>
  access !== null && 'until' in access ? { until: new Date(access.until) } : access

/** What a line bought, as it was offered when the order was placed. */
export const offerOfLine = (line: LineRow): Offer => ({
  item: { type: line.item_type, id: line.item_id },
  priceId: line.price_id,
  name: line.name,
  payment: {
    ...line.payment,
    access_until: line.payment.access_until === null ? null : new Date(line.payment.access_until),
  },
  access: buildAccess(line.access),
  mostPerOrder: line.quantity,
  taxClass: line.tax_class,
})
