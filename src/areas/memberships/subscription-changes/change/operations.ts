import {
  buildCaller,
  changedView,
  chargedSubscription,
  lockNamed,
  lockOwn,
  OwnSubscriptionRef,
  ownSubscription,
  SubscriptionRef,
} from '#src/areas/memberships/subscriptions/index.ts'
import { amountNotChargeable, ownOrderView, providerNotUsable, staffOrder } from '#src/areas/shop/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { invalidState } from '#src/contract/problems.ts'
import { changePrice } from './asking.writes.ts'
import { changePending, priceNotPossible, prorationOutdated } from './rules.ts'
import { NewSubscriptionPrice, OwnNewPrice, PriceChange } from './schema.ts'

const newPrice = exampleFrom('prc', 'listPlanPrices', { having: { interval: 'year' } })

const refusals = [
  invalidState,
  priceNotPossible,
  changePending,
  prorationOutdated,
  providerNotUsable,
  amountNotChargeable,
]

const setSubscriptionPrice = declareFor('staff', 'subscriptions', {
  id: 'setSubscriptionPrice',
  route: 'PUT /subscriptions/:subscription_id/price',
  summary: "Change a subscription's price",
  description:
    'Changes a subscription to another price: now, or with its next period. Money that is due now is charged to the saved method, or asked for by an order; the price changes once it is paid. What is left of a credit pays coming periods. `quote` comes from GET …/proration: what was shown is what is charged, or the change is refused. The current price withdraws a change that waits.',
  proof: 'recent',
  confirm: 'person',
  ifMatch: 'honoured',
  params: SubscriptionRef,
  body: NewSubscriptionPrice,
  returns: PriceChange,
  fails: refusals,
  example: {
    params: chargedSubscription,
    body: { price_id: newPrice, when: 'period_end' },
  },
  async handle(context) {
    const { params, body, requireMatch, waiveConfirmation } = context
    const row = await lockNamed(context, params.subscription_id)
    await requireMatch(row.revision, () => changedView(context, row, { facts: [], fields: [] }))
    const asked = await changePrice(context, row, body, { source: 'staff', by: buildCaller(context) })
    // Only money needs a person.
    if (asked.order === null) waiveConfirmation()
    return {
      status: asked.status,
      changes_at: asked.changesAt,
      order: asked.order && (await staffOrder(context, asked.order.id)),
      subscription: await changedView(context, row, { facts: asked.facts, fields: ['price'] }),
    }
  },
})

const setAccountSubscriptionPrice = declareFor('self', 'account', {
  id: 'setAccountSubscriptionPrice',
  route: 'PUT /account/subscriptions/:subscription_id/price',
  summary: "Change your subscription's price",
  description:
    'Changes a subscription of yours to another price: now, or with its next period. Where money is due now, `order` is to be paid on its page, and the price changes once it is paid. `quote` comes from GET …/proration: what was shown is what is charged, or the change is refused. The current price withdraws a change that waits.',
  ifMatch: 'honoured',
  params: OwnSubscriptionRef,
  body: OwnNewPrice,
  returns: PriceChange,
  fails: refusals,
  example: {
    params: ownSubscription,
    body: { price_id: newPrice, when: 'period_end' },
  },
  async handle(context) {
    const row = await lockOwn(context)
    const asked = await changePrice(context, row, context.body, { source: 'account', by: buildCaller(context) })
    return {
      status: asked.status,
      changes_at: asked.changesAt,
      order: asked.order && (await ownOrderView(context, asked.order)),
      subscription: await changedView(context, row, { facts: asked.facts, fields: ['price'] }),
    }
  },
})

/** The operations that change the price of a subscription. */
export const changeOperations = [setSubscriptionPrice, setAccountSubscriptionPrice]
