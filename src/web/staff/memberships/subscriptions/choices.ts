import { Course } from '#src/areas/courses/index.ts'
import { MembershipPlanPage } from '#src/areas/memberships/index.ts'
import { DigitalProduct } from '#src/areas/shop/index.ts'
import { Refusal } from '#src/contract/problem.ts'
import type { StaffContext } from '../../audience.ts'
import type { PriceChoice, SubscriptionShown } from './shown.ts'

type Sold = { readonly name: string; readonly prices?: readonly (PriceChoice['price'] & { readonly id: string })[] }

const readPlans = async (context: StaffContext): Promise<readonly Sold[]> => {
  const query = [
    ['status', 'active'],
    ['limit', '100'],
  ] as const
  return (await context.call({ operation: 'listMembershipPlans', query: [...query], returns: MembershipPlanPage })).data
}

const soldAs = async (context: StaffContext, { type, id }: SubscriptionShown['item']): Promise<readonly Sold[]> => {
  if (type === 'membership_plan') return readPlans(context)
  if (type === 'course')
    return [
      await context.call({ operation: 'getCourse', params: { course_id: id }, expand: ['prices'], returns: Course }),
    ]
  const call = { operation: 'getDigitalProduct', params: { product_id: id }, expand: ['prices'] } as const
  return [await context.call({ ...call, returns: DigitalProduct })]
}

const orNone = async (sold: Promise<readonly Sold[]>): Promise<readonly Sold[]> => {
  try {
    return await sold
  } catch (error) {
    if (error instanceof Refusal && error.problem.status === 404) return []
    throw error
  }
}

/** The prices to which a subscription can change: those of its item, and of other plans where it is one. */
export const priceChoices = async (
  context: StaffContext,
  { item, price: current }: SubscriptionShown,
): Promise<PriceChoice[]> => {
  if (current?.payment_type !== 'subscription') return []
  const sold = await orNone(soldAs(context, item))
  return sold.flatMap(({ name, prices = [] }) =>
    prices
      .filter(({ id, payment_type: type, currency }) => {
        const isOther = id !== current.id && currency === current.currency
        return isOther && type === 'subscription'
      })
      .map(price => ({ id: price.id, name, price })),
  )
}
