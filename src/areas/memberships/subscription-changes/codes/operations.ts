import {
  buildCaller,
  changedView,
  chargedSubscription,
  lockNamed,
  noteChange,
  Subscription,
  SubscriptionRef,
  type SubscriptionRow,
  saveSubscription,
  subscriptionFact,
} from '#src/areas/memberships/subscriptions/index.ts'
import { applyCodes, readPeriodTerms } from '#src/areas/shop/index.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { problem, Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { Closed, Line } from '#src/kit/shapes.ts'

const SubscriptionCodeInput = Closed('SubscriptionCodeInput', { code: Line(50, 'A code of a coupon') })

/** The code does not reduce the subscription. */
const codeNotPossible = problem(
  409,
  'code_not_possible',
  'The code does not reduce this subscription',
  'The code is unknown, used up, not for this price or this person, or only lengthens a trial. `reason` says why, in the words of GET /coupons/quotes. Nothing was changed.',
)

const refused = (reason: string): Refusal =>
  new Refusal(codeNotPossible, 'The code does not reduce this subscription.', { members: { reason } })

const getRunning = async (context: WriteContext, ref: string): Promise<SubscriptionRow> => {
  const row = await lockNamed(context, ref)
  const isRunning =
    row.status === 'trialing' || row.status === 'active' || row.status === 'past_due' || row.status === 'paused'
  if (!isRunning || row.price === null || row.collection === 'complimentary')
    throw new Refusal(invalidState, 'Nothing more is paid for the subscription.')
  return row
}

// What a code takes off the periods of a subscription, as if its price were bought now.
const termsFor = async (context: WriteContext, row: SubscriptionRow, code: string) => {
  const { db, school, now } = context
  if (row.price === null || row.price_id === null) throw refused('wrong_payment_type')
  const item = { type: row.item_type, id: row.item_id }
  const payment = { ...row.price, access_until: null }
  const line = { lineId: '0', item, priceId: row.price_id, payment, amount: row.price.amount }
  const request = { codes: [code], lines: [line], currency: row.price.currency, memberId: row.member_id, now }
  const { applied, refused: others } = await applyCodes(context, { ...request, isLocking: true })
  const [found] = applied
  if (found === undefined || found.amount === 0) throw refused(others[0]?.reason ?? 'wrong_payment_type')
  const terms = (await readPeriodTerms(db, school.id, [found.couponId])).get(found.couponId)
  return { ...found, periods: terms?.periods ?? null }
}

const setSubscriptionCode = declareFor('staff', 'subscriptions', {
  id: 'setSubscriptionCode',
  route: 'PUT /subscriptions/:subscription_id/code',
  summary: 'Set the code of a subscription',
  description:
    'Lets a code reduce the coming periods of a subscription, as many as its coupon says, instead of the code before. The period that runs stays as it was paid. It does not count as a use of the coupon.',
  ifMatch: 'honoured',
  params: SubscriptionRef,
  body: SubscriptionCodeInput,
  returns: Subscription,
  fails: [invalidState, codeNotPossible],
  example: { params: chargedSubscription, body: { code: 'WELCOME-10' } },
  async handle(context) {
    const { params, body, requireMatch } = context
    const row = await getRunning(context, params.subscription_id)
    await requireMatch(row.revision, () => changedView(context, row, { facts: [], fields: [] }))
    const { couponId, codeId, code, periods } = await termsFor(context, row, body.code)
    await saveSubscription(context, row, { coupon_id: couponId, code_id: codeId, code, code_periods_left: periods })
    const coupon = toId('cpn', couponId)
    await noteChange(context, row.id, 'code_set', buildCaller(context), { coupon_id: coupon, code })
    return changedView(context, row, {
      facts: [subscriptionFact(row, 'code_set', { coupon_id: coupon })],
      fields: ['code'],
    })
  },
})

const removeSubscriptionCode = declareFor('staff', 'subscriptions', {
  id: 'removeSubscriptionCode',
  route: 'DELETE /subscriptions/:subscription_id/code',
  summary: 'Remove the code of a subscription',
  description: 'Ends what a code takes off the coming periods of a subscription.',
  ifMatch: 'honoured',
  params: SubscriptionRef,
  returns: Subscription,
  fails: [invalidState],
  example: { params: chargedSubscription },
  async handle(context) {
    const { params, requireMatch } = context
    const row = await getRunning(context, params.subscription_id)
    await requireMatch(row.revision, () => changedView(context, row, { facts: [], fields: [] }))
    if (row.code_id === null) return changedView(context, row, { facts: [], fields: [] })
    await saveSubscription(context, row, { coupon_id: null, code_id: null, code: null, code_periods_left: null })
    await noteChange(context, row.id, 'code_removed', buildCaller(context), {})
    return changedView(context, row, { facts: [subscriptionFact(row, 'code_removed')], fields: ['code'] })
  },
})

/** The operations on codes of subscriptions. */
export const codeOperations = [setSubscriptionCode, removeSubscriptionCode]
