import { creditEntries } from '#src/areas/memberships/subscription-credits/index.ts'
import { getSelling } from '#src/areas/school/index.ts'
import { declareFor, operation, type ReadContext } from '#src/contract/operation.ts'
import { invalidState } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { chargingTerms } from '../charging/lookups.ts'
import { cancelAs, endOfPaid } from '../ending/operations.ts'
import { undoCancellation } from '../ending/writes.ts'
import { isRunning } from '../rules.ts'
import { buildCaller, changedView, getSubscription } from '../subscription/access.ts'
import { type SubscriptionRow, subscriptionList } from '../subscription/conditions.ts'
import { Subscription, SubscriptionPage } from '../subscription/schema.ts'
import { subscriptionView, subscriptionViews } from '../subscription/views.ts'
import { checkMove } from '../subscription/writes.ts'
import { lockOwn } from './access.ts'
import { creditPaysUntil } from './credit.rules.ts'
import {
  OwnCancellationInput,
  OwnCredit,
  OwnSubscriptionRef,
  OwnSubscriptionsQuery,
  ownSubscription,
} from './schema.ts'

const listAccountSubscriptions = declareFor('self', 'account', {
  id: 'listAccountSubscriptions',
  route: 'GET /account/subscriptions',
  summary: 'List your subscriptions',
  description: 'Lists your subscriptions, newest first: what each gives you, and what it costs when.',
  query: OwnSubscriptionsQuery,
  returns: SubscriptionPage,
  handle(context) {
    const { school, caller, query } = context
    const list = subscriptionList(school.id, { memberId: caller.member.id, itemId: query.plan_id })
    return readList(context, list, rows => subscriptionViews(context, rows))
  },
})

const actionsFor = async (
  { db, school }: Pick<ReadContext, 'db' | 'school'>,
  row: SubscriptionRow,
): Promise<readonly string[]> => {
  if (row.status === 'incomplete') return ['getAccountSubscription', 'cancelAccountSubscription']
  if (!isRunning(row)) return ['getAccountSubscription']
  const { subscriptions } = await getSelling(db, school.id)
  const isPaid = row.price !== null && row.collection !== 'complimentary'
  const isPlanned = isPaid && (row.status === 'active' || row.status === 'trialing')
  return [
    ...['getAccountSubscription', 'cancelAccountSubscription', 'undoAccountSubscriptionCancellation'],
    ...(isPaid ? ['createAccountSubscriptionPaymentMethod'] : []),
    ...(isPlanned && row.price?.payment_type === 'subscription' ? ['setAccountSubscriptionPrice'] : []),
    ...(row.status === 'active' && row.price?.payment_type === 'payment_plan'
      ? ['createAccountSubscriptionRemainingPayment']
      : []),
    ...(subscriptions.members_may_pause && row.status === 'active' ? ['pauseAccountSubscription'] : []),
    ...(subscriptions.members_may_pause && row.status === 'paused' ? ['resumeAccountSubscription'] : []),
  ]
}

const getAccountSubscription = declareFor('self', 'account', {
  id: 'getAccountSubscription',
  route: 'GET /account/subscriptions/:subscription_id',
  summary: 'Get your subscription',
  description: 'Returns one of your subscriptions.',
  params: OwnSubscriptionRef,
  returns: Subscription,
  example: { params: ownSubscription },
  async handle(context) {
    const row = await getSubscription(context, context.params.subscription_id, context.caller.member.id)
    const actions = context.allowedActions(await actionsFor(context, row))
    return { ...(await subscriptionView(context, row)), allowed_actions: actions }
  },
})

const getAccountSubscriptionCredit = operation({
  id: 'getAccountSubscriptionCredit',
  summary: 'Get what happened to the credit of your subscription',
  description:
    'Returns whose money the credit of your subscription is, what orders used or returned of it, and until when it would pay all that comes at the price of now.',
  who: 'self',
  mode: 'read',
  params: OwnSubscriptionRef,
  returns: OwnCredit,
  example: { params: ownSubscription },
  async handle(context) {
    const row = await getSubscription(context, context.params.subscription_id, context.caller.member.id)
    const until = creditPaysUntil(row, await chargingTerms(context, [row]))
    return { entries: await creditEntries(context, row.id), pays_until: until ?? null }
  },
})

const cancelAccountSubscription = declareFor('self', 'account', {
  id: 'cancelAccountSubscription',
  route: 'PUT /account/subscriptions/:subscription_id/cancellation',
  summary: 'Cancel your subscription',
  description:
    'Ends your subscription at the end of what you have paid for, or once its credit is used up at the price of now; nothing else is charged. What is past due ends at once.',
  ifMatch: 'honoured',
  params: OwnSubscriptionRef,
  body: OwnCancellationInput,
  returns: Subscription,
  fails: [invalidState],
  example: { params: ownSubscription, body: {} },
  async handle(context) {
    const { body, now } = context
    const row = await lockOwn(context)
    checkMove(row, 'canceled')
    if (row.cancel_at !== null) return changedView(context, row, { facts: [], fields: [] })
    const used = body.at === 'credit_end' ? creditPaysUntil(row, await chargingTerms(context, [row])) : undefined
    const planned = { at: used ?? endOfPaid(row, now) ?? ('now' as const), reason: body.reason ?? null }
    const { facts } = await cancelAs(context, row, planned, { orders: 'buyer' })
    return changedView(context, row, { facts, fields: ['cancel_at'] })
  },
})

const undoAccountSubscriptionCancellation = declareFor('self', 'account', {
  id: 'undoAccountSubscriptionCancellation',
  route: 'DELETE /account/subscriptions/:subscription_id/cancellation',
  summary: 'Undo your cancellation',
  description: 'Lets your subscription go on that was to end later. Once it has ended, buy it again.',
  ifMatch: 'honoured',
  params: OwnSubscriptionRef,
  returns: Subscription,
  fails: [invalidState],
  example: { params: ownSubscription },
  async handle(context) {
    const row = await lockOwn(context)
    const { facts } = await undoCancellation(context, row, buildCaller(context))
    return changedView(context, row, { facts, fields: ['cancel_at'] })
  },
})

/** The operations on the caller's own subscriptions, in the order of the documentation. */
export const accountSubscriptionOperations = [
  listAccountSubscriptions,
  getAccountSubscription,
  getAccountSubscriptionCredit,
  cancelAccountSubscription,
  undoAccountSubscriptionCancellation,
]
