import { declareFor } from '#src/contract/operation.ts'
import { invalidState } from '#src/contract/problems.ts'
import { chargeUnderWay } from '../rules.ts'
import { buildCaller, changedView, lockNamed } from '../subscription/access.ts'
import { anySubscription } from '../subscription/operations.ts'
import { Subscription, SubscriptionRef } from '../subscription/schema.ts'
import { PauseInput } from './schema.ts'
import { checkResumption, pauseSubscription, resumeSubscription } from './writes.ts'

const pause = declareFor('staff', 'subscriptions', {
  id: 'pauseSubscription',
  route: 'PUT /subscriptions/:subscription_id/pause',
  summary: 'Pause a subscription',
  description:
    'Charges nothing until the subscription is resumed, by itself at `resumes_at` if that is set. What was paid for already stays paid. A trial and what is past due cannot be paused.',
  ifMatch: 'honoured',
  params: SubscriptionRef,
  body: PauseInput,
  returns: Subscription,
  fails: [invalidState, chargeUnderWay],
  example: { params: anySubscription, body: { access: 'stop' } },
  async handle(context) {
    const { params, body, now, requireMatch } = context
    const row = await lockNamed(context, params.subscription_id)
    await requireMatch(row.revision, () => changedView(context, row, { facts: [], fields: [] }))
    const { resumes_at: resumesAt = null, access } = body
    checkResumption(resumesAt, now)
    const { facts } = await pauseSubscription(context, row, { resumesAt, access, by: buildCaller(context) })
    return changedView(context, row, { facts, fields: ['pause'] })
  },
})

const resume = declareFor('staff', 'subscriptions', {
  id: 'resumeSubscription',
  route: 'DELETE /subscriptions/:subscription_id/pause',
  summary: 'Resume a subscription',
  description:
    'Gives access again and goes on with charging: at the end of what was paid for, or now if that has passed. One that is not paused stays as it is.',
  ifMatch: 'honoured',
  params: SubscriptionRef,
  returns: Subscription,
  example: { params: anySubscription },
  async handle(context) {
    const row = await lockNamed(context, context.params.subscription_id)
    await context.requireMatch(row.revision, () => changedView(context, row, { facts: [], fields: [] }))
    const { facts } = await resumeSubscription(context, row, buildCaller(context))
    return changedView(context, row, { facts, fields: ['pause'] })
  },
})

/** The operations of pausing subscriptions. */
export const pausingOperations = [pause, resume]
