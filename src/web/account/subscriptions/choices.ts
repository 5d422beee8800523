import { Course } from '#src/areas/courses/index.ts'
import { MembershipPlanPage } from '#src/areas/memberships/index.ts'
import { DigitalProduct } from '#src/areas/shop/index.ts'
import { orNothing } from '../own-order.ts'
import type { RecurringPrice } from '../pages/recurring.ts'
import type { OwnSubscription } from './shown.ts'
import type { Visit } from './visit.ts'

/** A price to which a subscription may change. */
export type PlanChoice = { readonly id: string; readonly name: string; readonly price: RecurringPrice }

type Sold = {
  readonly name: string
  readonly prices: readonly (RecurringPrice & { readonly id: string; readonly status?: string })[]
}

const plansOf = async ({ performAs, person }: Visit): Promise<readonly Sold[]> => {
  const call = { operation: 'listMembershipPlans', query: [['limit', '100']] } as const
  return (await performAs(person, { ...call, returns: MembershipPlanPage })).data
}

const soldAs = async (visit: Visit, { type, id }: OwnSubscription['item']): Promise<readonly Sold[]> => {
  const { performAs, person } = visit
  if (type === 'membership_plan') return plansOf(visit)
  const one =
    type === 'course'
      ? performAs(person, { operation: 'getCourse', params: { course_id: id }, expand: ['prices'], returns: Course })
      : performAs(person, {
          operation: 'getDigitalProduct',
          params: { product_id: id },
          expand: ['prices'],
          returns: DigitalProduct,
        })
  const found = await orNothing<{ readonly name: string; readonly prices?: Sold['prices'] }>(one)
  return found === undefined ? [] : [{ name: found.name, prices: found.prices ?? [] }]
}

/** The prices to which somebody may change: those of the same item, and of other plans where it is a plan. */
export const choicesOf = async (visit: Visit, subscription: OwnSubscription): Promise<readonly PlanChoice[]> => {
  const { price: current, item } = subscription
  const sold = await soldAs(visit, item)
  return sold.flatMap(({ name, prices }) =>
    prices
      .filter(price => price.payment_type === 'subscription' && price.id !== current?.id)
      .filter(price => price.currency === current?.currency && price.status !== 'retired')
      .map(price => ({ id: price.id, name, price })),
  )
}
