import type { Static } from 'typebox'
import { refundTooLarge } from '#src/areas/shop/index.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import { buildCaller, changedView, lockNamed } from '../subscription/access.ts'
import type { SubscriptionRow } from '../subscription/conditions.ts'
import { anySubscription, chargedSubscription } from '../subscription/operations.ts'
import { CancellationInput, Subscription, SubscriptionRef } from '../subscription/schema.ts'
import { checkMove } from '../subscription/writes.ts'
import { cancelNow, planCancellation, undoCancellation } from './writes.ts'

/** When what was paid for ends: the trial, or the period; undefined when nothing was paid for any more. */
export const endOfPaid = (
  { status, trial_end, current_until, next_charge_at }: SubscriptionRow,
  now: Date,
): Date | undefined => {
  const end = status === 'trialing' ? trial_end : (next_charge_at ?? current_until)
  return end !== null && end > now && status !== 'past_due' ? end : undefined
}

type Planned = {
  readonly at: Date | 'now'
  readonly reason: string | null
  readonly credit?: SubscriptionRow['credit_on_end']
}

const plan = (
  { at, reason, refund, credit }: Static<typeof CancellationInput>,
  row: SubscriptionRow,
  now: Date,
): Planned => {
  const end = at === 'period_end' ? (endOfPaid(row, now) ?? 'now') : at
  if (end !== 'now' && end <= now)
    refuseInvalid([{ pointer: '/at', code: 'future', message: 'must be later than now' }])
  return { at: end, reason: reason ?? null, credit: credit ?? (refund === 'unused' ? 'pay_back' : 'wait') }
}

/** Cancels a locked subscription now or later, as it was planned. */
export const cancelAs = async (
  context: Pick<WriteContext, 'db' | 'school' | 'now' | 'caller'>,
  row: SubscriptionRow,
  { at, reason, credit = null }: Planned,
  { orders, refunds = false }: { readonly orders: 'buyer' | 'staff'; readonly refunds?: boolean },
) => {
  const by = buildCaller(context)
  return at === 'now'
    ? cancelNow(context, row, { by, reason, credit, orders, refunds })
    : planCancellation(context, row, { at, by, reason, credit })
}

const cancelSubscription = declareFor('staff', 'subscriptions', {
  id: 'cancelSubscription',
  route: 'PUT /subscriptions/:subscription_id/cancellation',
  summary: 'Cancel a subscription',
  description:
    'Ends a subscription at the end of what was paid for, at once, or at an instant. With `refund` `unused` what was paid for the rest of the period goes back, and the credit with it; the subscription then ends at once. `credit` says what becomes of the credit at the end: by default it waits, until staff pay it back. What moves or drops money is confirmed by a person. What is past due ends at once.',
  confirm: 'person',
  ifMatch: 'honoured',
  params: SubscriptionRef,
  body: CancellationInput,
  returns: Subscription,
  fails: [invalidState, refundTooLarge],
  example: {
    params: chargedSubscription,
    body: { at: 'now', refund: 'unused', reason: 'Asked by e-mail' },
  },
  async handle(context) {
    const { params, body, now, requireMatch, waiveConfirmation, requireProof } = context
    const row = await lockNamed(context, params.subscription_id)
    await requireMatch(row.revision, () => changedView(context, row, { facts: [], fields: [] }))
    checkMove(row, 'canceled')
    const refunds = body.refund === 'unused'
    if (refunds && body.at !== 'now')
      throw new Refusal(invalidState, 'Only what ends now is refunded; send `at` as `now`.')
    const planned = plan(body, row, now)
    if (!refunds && planned.credit === 'wait') waiveConfirmation()
    if (refunds || planned.credit === 'pay_back') requireProof('recent')
    const { facts } = await cancelAs(context, row, planned, { orders: 'staff', refunds })
    return changedView(context, row, { facts, fields: ['cancel_at'] })
  },
})

const undoSubscriptionCancellation = declareFor('staff', 'subscriptions', {
  id: 'undoSubscriptionCancellation',
  route: 'DELETE /subscriptions/:subscription_id/cancellation',
  summary: 'Undo a cancellation',
  description: 'Lets a subscription go on that was to end later. Once it has ended, this is refused.',
  ifMatch: 'honoured',
  params: SubscriptionRef,
  returns: Subscription,
  fails: [invalidState],
  example: { params: anySubscription },
  async handle(context) {
    const row = await lockNamed(context, context.params.subscription_id)
    await context.requireMatch(row.revision, () => changedView(context, row, { facts: [], fields: [] }))
    const { facts } = await undoCancellation(context, row, buildCaller(context))
    return changedView(context, row, { facts, fields: ['cancel_at'] })
  },
})

/** The operations of canceling subscriptions. */
export const endingOperations = [cancelSubscription, undoSubscriptionCancellation]
