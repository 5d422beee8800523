import { entitleAll, entitlementOfLine } from '#src/areas/learning/index.ts'
import { addPrice, type PriceRow } from '#src/areas/school/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { Offer } from '#src/contract/offer.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import type { PriceInput } from '#src/contract/price.ts'
import { lockMember } from '#src/identity/index.ts'
import { planPrices } from '../plan/conditions.ts'
import { sharePlan } from '../plan/queries.ts'

/** Creates a price of a locked plan; the first one becomes primary. */
export const addPlanPrice = (
  where: { readonly db: Db; readonly schoolId: string; readonly now: Date },
  plan: { readonly id: string; readonly primary_price_id: string | null },
  input: PriceInput,
): Promise<PriceRow> => addPrice(where, planPrices, plan, input)

type Line = { readonly lineId: string; readonly offer: Offer; readonly memberId: string }

/** Whether an offer is paid more than once; the area of subscriptions gives what it bought. */
const isRecurring = ({ payment: { payment_type: type } }: Offer): boolean =>
  type === 'subscription' || type === 'payment_plan'

/** Gives a member the plan that a line of an order bought, once. Returns the facts. */
export const fulfilPlan = async (
  context: Pick<WriteContext, 'db' | 'school' | 'now'>,
  { lineId, offer, memberId }: Line,
): Promise<readonly Fact[]> => {
  if (isRecurring(offer)) return []
  const { db, school } = context
  const item = { type: 'membership_plan', id: offer.item.id } as const
  // Whoever fulfils or takes back the same line waits here.
  await lockMember(db, school.id, memberId)
  await sharePlan(db, school.id, item.id)
  const given = await entitlementOfLine(context, { lineId, memberId, item, access: offer.access })
  return given === undefined ? [] : (await entitleAll(context, [{ ...given, named: item }])).facts
}
