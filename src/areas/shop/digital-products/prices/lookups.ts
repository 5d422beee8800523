import { isEndedBySchool, readAccess } from '#src/areas/learning/index.ts'
import { findOfferedPrice, offerAt } from '#src/areas/school/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { Offer, Unavailable } from '#src/contract/offer.ts'
import { productPrices } from '../product/conditions.ts'

/** A price, and who wants to buy at it; undefined for somebody who is not signed in. */
type Wanted = { readonly priceId: string; readonly memberId: string | undefined; readonly at: Date }

const STRANGER = { hasAccess: false, isRemoved: false, left: null } as const

/** What a price of a product offers at an instant; undefined when no product has it. */
export const findProductOffer = async (
  { db, school }: SchoolContext,
  { priceId, memberId, at }: Wanted,
): Promise<Offer | Unavailable | undefined> => {
  const row = await findOfferedPrice(db, school.id, productPrices, priceId)
  if (row === undefined) return undefined
  const item = { type: 'digital_product', id: row.item_id } as const
  if (memberId === undefined) return offerAt('digital_product', row, at, STRANGER)
  const [{ access }, isRemoved] = await Promise.all([
    readAccess(db, school.id, { memberId, item }),
    isEndedBySchool(db, school.id, { memberId, item }),
  ])
  return offerAt('digital_product', row, at, { hasAccess: access.state === 'active', isRemoved, left: null })
}
