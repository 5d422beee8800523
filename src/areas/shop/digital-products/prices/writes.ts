import { entitleAll, entitlementOfLine } from '#src/areas/learning/index.ts'
import { addPrice, type PriceRow } from '#src/areas/school/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { Offer } from '#src/contract/offer.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import type { PriceInput } from '#src/contract/price.ts'
import { lockMember } from '#src/identity/index.ts'
import { productPrices } from '../product/conditions.ts'
import { shareProduct } from '../product/queries.ts'

/** Creates a price of a locked product; the first one becomes primary. */
export const addProductPrice = (
  where: { readonly db: Db; readonly schoolId: string; readonly now: Date },
  product: { readonly id: string; readonly primary_price_id: string | null },
  input: PriceInput,
): Promise<PriceRow> => addPrice(where, productPrices, product, input)

type Line = { readonly lineId: string; readonly offer: Offer; readonly memberId: string }

/** Gives a member the product that a line of an order bought, once. Returns the facts. */
export const fulfilProduct = async (
  context: Pick<WriteContext, 'db' | 'school' | 'now'>,
  { lineId, offer, memberId }: Line,
): Promise<readonly Fact[]> => {
  const { db, school } = context
  const item = { type: 'digital_product', id: offer.item.id } as const
  // Whoever fulfils or takes back the same line waits here.
  await lockMember(db, school.id, memberId)
  await shareProduct(db, school.id, item.id)
  const given = await entitlementOfLine(context, { lineId, memberId, item, access: offer.access })
  return given === undefined ? [] : (await entitleAll(context, [{ ...given, named: item }])).facts
}
