import { getSelling } from '#src/areas/selling/index.ts'
import {
  callerOf,
  cancelAs,
  changedView,
  checkMove,
  endOfPaid,
  getSubscription,
  isRunning,
  Subscription,
  SubscriptionPage,
  type SubscriptionRow,
  subscriptionList,
  subscriptionView,
  subscriptionViews,
  undoCancellation,
} from '#src/areas/subscriptions/index.ts'
import { operation, type ReadContext } from '#src/contract/operation.ts'
import { invalidState } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { lockOwn } from './access.ts'
import { OwnCancellationInput, OwnSubscriptionRef, OwnSubscriptionsQuery, ownSubscription } from './schema.ts'

const listAccountSubscriptions = operation({
  id: 'listAccountSubscriptions',
  route: 'GET /account/subscriptions',
  summary: 'List your subscriptions',
  description: 'Lists your subscriptions, newest first: what each gives you, and what it costs when.',
  scope: 'account:read',
  who: 'self',
  mode: 'read',
  query: OwnSubscriptionsQuery,
  returns: SubscriptionPage,
  handle(context) {
    const list = subscriptionList(context.school.id, { memberId: context.caller.member.id })
    return readList(context, list, rows => subscriptionViews(context, rows))
  },
})

const actionsFor = async (
  { db, school }: Pick<ReadContext, 'db' | 'school'>,
  row: SubscriptionRow,
): Promise<readonly string[]> => {
  if (!isRunning(row)) return ['getAccountSubscription']
  const { subscriptions } = await getSelling(db, school.id)
  return [
    ...['getAccountSubscription', 'cancelAccountSubscription', 'undoAccountSubscriptionCancellation'],
    ...(subscriptions.members_may_pause && row.status === 'active' ? ['pauseAccountSubscription'] : []),
    ...(subscriptions.members_may_pause && row.status === 'paused' ? ['resumeAccountSubscription'] : []),
  ]
}

const getAccountSubscription = operation({
  id: 'getAccountSubscription',
  route: 'GET /account/subscriptions/:subscription_id',
  summary: 'Get your subscription',
  description: 'Returns one of your subscriptions.',
  scope: 'account:read',
  who: 'self',
  mode: 'read',
  params: OwnSubscriptionRef,
  returns: Subscription,
  example: { params: ownSubscription },
  async handle(context) {
    const row = await getSubscription(context, context.params.subscription_id, context.caller.member.id)
    const actions = context.allowedActions(await actionsFor(context, row))
    return { ...(await subscriptionView(context, row)), allowed_actions: actions }
  },
})

const cancelAccountSubscription = operation({
  id: 'cancelAccountSubscription',
  route: 'PUT /account/subscriptions/:subscription_id/cancellation',
  summary: 'Cancel your subscription',
  description:
    'Ends your subscription at the end of what you have paid for; nothing is charged again. What is past due ends at once.',
  scope: 'account:write',
  who: 'self',
  mode: 'write',
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
    const planned = { at: endOfPaid(row, now) ?? ('now' as const), reason: body.reason ?? null }
    const { facts } = await cancelAs(context, row, planned, 'buyer')
    return changedView(context, row, { facts, fields: ['cancel_at'] })
  },
})

const undoAccountSubscriptionCancellation = operation({
  id: 'undoAccountSubscriptionCancellation',
  route: 'DELETE /account/subscriptions/:subscription_id/cancellation',
  summary: 'Undo your cancellation',
  description: 'Lets your subscription go on that was to end later. Once it has ended, buy it again.',
  scope: 'account:write',
  who: 'self',
  mode: 'write',
  ifMatch: 'honoured',
  params: OwnSubscriptionRef,
  returns: Subscription,
  fails: [invalidState],
  example: { params: ownSubscription },
  async handle(context) {
    const row = await lockOwn(context)
    const { facts } = await undoCancellation(context, row, callerOf(context))
    return changedView(context, row, { facts, fields: ['cancel_at'] })
  },
})

/** The operations on the caller's own subscriptions, in the order of the documentation. */
export const accountSubscriptionOperations = [
  listAccountSubscriptions,
  getAccountSubscription,
  cancelAccountSubscription,
  undoAccountSubscriptionCancellation,
]
