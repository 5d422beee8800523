import { Course } from '#src/areas/courses/index.ts'
import { MembershipPlanPage } from '#src/areas/memberships/index.ts'
import { DigitalProduct } from '#src/areas/shop/index.ts'
import { orNothing } from '#src/web/page/index.ts'
import type { RecurringPrice } from '../recurring.ts'
import type { SubscriptionContext } from './own.ts'

/** A price to which a subscription may change. */
export type PlanChoice = { readonly id: string; readonly name: string; readonly price: RecurringPrice }

type Sold = {
  readonly name: string
  readonly prices?: readonly (RecurringPrice & { readonly id: string; readonly status?: string })[]
}

const readSold = async ({ call, subscription }: SubscriptionContext): Promise<readonly Sold[]> => {
  const { type, id } = subscription.item
  const expand = ['prices']
  if (type === 'membership_plan') {
    const query = [['limit', '100']] as const
    return (await call({ operation: 'listMembershipPlans', query, returns: MembershipPlanPage })).data
  }
  const found = await orNothing<Sold>(
    type === 'course'
      ? call({ operation: 'getCourse', params: { course_id: id }, expand, returns: Course })
      : call({ operation: 'getDigitalProduct', params: { product_id: id }, expand, returns: DigitalProduct }),
  )
  return found === undefined ? [] : [found]
}

/** The prices to which somebody may change: those of the same item, and of other plans where it is a plan. */
export const readChoices = async (context: SubscriptionContext): Promise<readonly PlanChoice[]> => {
  const { price: current } = context.subscription
  return (await readSold(context)).flatMap(({ name, prices = [] }) =>
    prices
      .filter(price => price.payment_type === 'subscription' && price.id !== current?.id)
      .filter(price => price.currency === current?.currency && price.status !== 'retired')
      .map(price => ({ id: price.id, name, price })),
  )
}
