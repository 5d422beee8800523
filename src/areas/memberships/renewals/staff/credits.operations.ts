import Type from 'typebox'
import {
  CreditEntries,
  creditEntries,
  dropCredit,
  listWaitingCredits,
  payBack,
} from '#src/areas/memberships/subscription-credits/index.ts'
import {
  anySubscription,
  changedView,
  getSubscription,
  isRunning,
  lockNamed,
  Subscription,
  SubscriptionRef,
} from '#src/areas/memberships/subscriptions/index.ts'
import { refundTooLarge } from '#src/areas/shop/index.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { MAX_AMOUNT } from '#src/kit/money.ts'
import { Closed, Id, Person } from '#src/kit/shapes.ts'

/** What happened to the credit of a subscription. */
export const SubscriptionCredit = Closed('SubscriptionCredit', { entries: CreditEntries })

const getSubscriptionCredit = operation({
  id: 'getSubscriptionCredit',
  summary: 'Get what happened to the credit of a subscription',
  description: 'Returns whose money the credit of a subscription is, and what orders used, returned or wait for it.',
  who: 'staff',
  mode: 'read',
  params: SubscriptionRef,
  returns: SubscriptionCredit,
  example: { params: anySubscription },
  async handle(context) {
    const { id } = await getSubscription(context, context.params.subscription_id)
    return { entries: await creditEntries(context, id) }
  },
})

/** The credits that wait for a decision of the school, the oldest first. */
export const WaitingCredits = Closed('WaitingCredits', {
  data: Type.Array(
    Type.Object(
      {
        subscription_id: Id('sub'),
        name: Type.String({ description: 'The name of what was subscribed' }),
        member: Person,
        credit: Type.Integer({ minimum: 1, description: 'In minor units' }),
        currency: Type.String(),
      },
      { additionalProperties: false },
    ),
    { maxItems: 20 },
  ),
  total: Type.Integer({ minimum: 0, description: 'How many wait, also those that are not in the list' }),
})

const MAX_WAITING = 20

const listWaiting = operation({
  id: 'listWaitingCredits',
  summary: 'List credits that wait for you',
  description:
    'Lists subscriptions that have ended and whose credit waits until the school pays it back or drops it, the oldest first, at most 20.',
  who: 'staff',
  mode: 'read',
  returns: WaitingCredits,
  async handle({ db, school }) {
    const rows = await listWaitingCredits(db, school.id, MAX_WAITING)
    return {
      data: rows.map(({ id, name, credit, currency, member_id: memberId, member_name: memberName }) => ({
        subscription_id: id,
        name,
        credit,
        currency: currency ?? 'EUR',
        member: { id: memberId, name: memberName },
      })),
      total: rows[0]?.total ?? 0,
    }
  },
})

const CreditPayback = Closed('CreditPayback', {
  amount: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_AMOUNT, description: 'In minor units; by default all' }),
  ),
})

const payCreditBack = operation({
  id: 'payCreditBack',
  summary: 'Pay back the credit of a subscription',
  description:
    'Pays back the credit of a subscription, or a part of it, also after its end: with the orders whose money it is, each at most what is left of it. What no payment can pay back is transferred by the school itself.',
  who: 'staff',
  mode: 'write',
  proof: 'recent',
  params: SubscriptionRef,
  body: CreditPayback,
  returns: Subscription,
  fails: [invalidState, refundTooLarge],
  async handle(context) {
    const { params, body, requireMatch } = context
    const row = await lockNamed(context, params.subscription_id)
    await requireMatch(row.revision, () => changedView(context, row, { facts: [], fields: [] }))
    const { amount = row.credit } = body
    if (row.credit === 0) throw new Refusal(invalidState, 'The subscription has no credit.')
    if (amount > row.credit)
      throw new Refusal(refundTooLarge, 'More than the credit would be paid back.', { members: { left: row.credit } })
    const facts = await payBack(context, row, { amount })
    if (facts.length === 0)
      throw new Refusal(invalidState, 'The bank of the member still decides about the order whose money it is.')
    return changedView(context, row, { facts, fields: ['credit'] })
  },
})

const dropSubscriptionCredit = operation({
  id: 'dropCredit',
  summary: 'Drop the credit of a subscription that has ended',
  description:
    'Ends the credit of a subscription that has ended, so that nothing of it goes back or pays for anything. The member gets a mail. While the subscription runs, its credit pays for its next orders and cannot be dropped.',
  who: 'staff',
  mode: 'write',
  params: SubscriptionRef,
  returns: Subscription,
  fails: [invalidState],
  async handle(context) {
    const { params, requireMatch } = context
    const row = await lockNamed(context, params.subscription_id)
    await requireMatch(row.revision, () => changedView(context, row, { facts: [], fields: [] }))
    if (isRunning(row) || row.status === 'incomplete')
      throw new Refusal(invalidState, `The subscription is ${row.status}, and its credit pays for its next orders.`)
    if (row.credit === 0) throw new Refusal(invalidState, 'The subscription has no credit.')
    const facts = await dropCredit(context, row, row.credit)
    return changedView(context, row, { facts, fields: ['credit'] })
  },
})

/** What staff see of credits and decide about them. */
export const creditOperations = [getSubscriptionCredit, listWaiting, payCreditBack, dropSubscriptionCredit]
