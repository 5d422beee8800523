import { ownOrderView, staffOrder } from '#src/areas/orders/index.ts'
import { amountNotChargeable, providerNotUsable } from '#src/areas/payments/index.ts'
import {
  lockOwnSubscription,
  lockSubscriptionRef,
  type SubscriptionRow,
  SubscriptionRef,
  subscriptionExamples,
  subscriptionView,
} from '#src/areas/subscriptions/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { operation, type WriteContext } from '#src/contract/operation.ts'
import { invalidState } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { type Asked, changePrice, storedSubscription } from './asking.writes.ts'
import { changePending, priceNotPossible, prorationOutdated } from './rules.ts'
import { NewSubscriptionPrice, OwnNewPrice, PriceChange } from './schema.ts'

const refusals = [invalidState, priceNotPossible, changePending, prorationOutdated, providerNotUsable, amountNotChargeable]

const recordAsked = (context: WriteContext, row: SubscriptionRow, { facts, order }: Asked): void => {
  for (const fact of facts) context.record(fact)
  const ids = [toId('sub', row.id), ...(order === null ? [] : [toId('ord', order.id)])]
  if (facts.length > 0)
    context.changed({ ids, fields: ['price'], revision: row.revision, memberId: row.member_id })
}

const setSubscriptionPrice = operation({
  id: 'setSubscriptionPrice',
  route: 'PUT /subscriptions/:subscription_id/price',
  summary: "Change a subscription's price",
  description:
    'Changes a subscription to another price: now, or with its next period. Money that is due now is charged to the saved method, or asked for by an order; the price changes once it is paid. What is left of a credit pays coming periods. `proration_at` comes from GET …/proration: what was shown is what is charged, or the change is refused. The current price withdraws a change that waits.',
  scope: 'subscriptions:write',
  who: 'staff',
  mode: 'write',
  confirm: 'person',
  ifMatch: 'honoured',
  params: SubscriptionRef,
  body: NewSubscriptionPrice,
  returns: PriceChange,
  fails: refusals,
  example: {
    params: subscriptionExamples.active,
    body: { price_id: exampleFrom('prc', 'listPlanPrices', { having: { status: 'active' } }), when: 'period_end' },
  },
  async handle(context) {
    const { params, body, caller, requireMatch, waiveConfirmation } = context
    const row = await lockSubscriptionRef(context, params.subscription_id)
    await requireMatch(row.revision, () => subscriptionView(context, row))
    const by = { memberId: caller.member?.id, clientId: caller.clientId }
    const asked = await changePrice(context, row, body, { source: 'staff', by })
    // Only money needs a person.
    if (asked.order === null) waiveConfirmation()
    const stored = await storedSubscription(context, row)
    recordAsked(context, stored, asked)
    return {
      status: asked.status,
      changes_at: asked.changesAt,
      order: asked.order && (await staffOrder(context, asked.order)),
      subscription: await subscriptionView(context, stored),
    }
  },
})

const setAccountSubscriptionPrice = operation({
  id: 'setAccountSubscriptionPrice',
  route: 'PUT /account/subscriptions/:subscription_id/price',
  summary: "Change your subscription's price",
  description:
    'Changes a subscription of yours to another price: now, or with its next period. Where money is due now, `order` is to be paid on its page, and the price changes once it is paid. `proration_at` comes from GET …/proration: what was shown is what is charged, or the change is refused. The current price withdraws a change that waits.',
  scope: 'account:write',
  who: 'self',
  mode: 'write',
  ifMatch: 'honoured',
  params: SubscriptionRef,
  body: OwnNewPrice,
  returns: PriceChange,
  fails: refusals,
  example: {
    params: subscriptionExamples.own,
    body: { price_id: exampleFrom('prc', 'listPlanPrices', { having: { status: 'active' } }), when: 'period_end' },
  },
  async handle(context) {
    const { params, body, caller, requireMatch } = context
    const row = await lockOwnSubscription(context, params.subscription_id)
    await requireMatch(row.revision, () => subscriptionView(context, row))
    const by = { memberId: caller.member.id, clientId: caller.clientId }
    const asked = await changePrice(context, row, body, { source: 'account', by })
    const stored = await storedSubscription(context, row)
    recordAsked(context, stored, asked)
    return {
      status: asked.status,
      changes_at: asked.changesAt,
      order: asked.order && (await ownOrderView(context, asked.order)),
      subscription: await subscriptionView(context, stored),
    }
  },
})

/** The operations that change the price of a subscription. */
export const changeOperations = [setSubscriptionPrice, setAccountSubscriptionPrice]
