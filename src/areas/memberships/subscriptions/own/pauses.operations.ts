import { getSelling } from '#src/areas/school/index.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { problem, Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { checkResumption, pauseSubscription, resumeSubscription } from '../pauses/writes.ts'
import { chargeUnderWay } from '../rules.ts'
import { buildCaller, changedView } from '../subscription/access.ts'
import { Subscription } from '../subscription/schema.ts'
import { lockOwn } from './access.ts'
import { OwnPauseInput, OwnSubscriptionRef, ownSubscription } from './schema.ts'

// A school that does not let its members pause.
const pauseNotAllowed = problem(
  403,
  'pause_not_allowed',
  'Members may not pause their subscriptions',
  'The school does not let its members pause or resume subscriptions by themselves; its staff can. Nothing was changed.',
)

const checkAllowed = async ({ db, school }: Pick<WriteContext, 'db' | 'school'>): Promise<void> => {
  const { subscriptions } = await getSelling(db, school.id)
  if (!subscriptions.members_may_pause) throw new Refusal(pauseNotAllowed, 'Ask the school to pause or to resume it.')
}

const pauseAccountSubscription = declareFor('self', 'account', {
  id: 'pauseAccountSubscription',
  route: 'PUT /account/subscriptions/:subscription_id/pause',
  summary: 'Pause your subscription',
  description:
    'Charges nothing and gives no access until you resume your subscription, or until `resumes_at`. Only where the school lets its members pause. A trial and what is past due cannot be paused.',
  ifMatch: 'honoured',
  params: OwnSubscriptionRef,
  body: OwnPauseInput,
  returns: Subscription,
  fails: [invalidState, chargeUnderWay, pauseNotAllowed],
  example: { params: ownSubscription, body: {} },
  async handle(context) {
    const { body, now } = context
    const row = await lockOwn(context)
    await checkAllowed(context)
    const { resumes_at: resumesAt = null } = body
    checkResumption(resumesAt, now)
    const { facts } = await pauseSubscription(context, row, { resumesAt, access: 'stop', by: buildCaller(context) })
    return changedView(context, row, { facts, fields: ['pause'] })
  },
})

const resumeAccountSubscription = declareFor('self', 'account', {
  id: 'resumeAccountSubscription',
  route: 'DELETE /account/subscriptions/:subscription_id/pause',
  summary: 'Resume your subscription',
  description:
    'Gives access again and goes on with charging: at the end of what you have paid for, or now if that has passed. One that is not paused stays as it is. Only where the school lets its members pause.',
  ifMatch: 'honoured',
  params: OwnSubscriptionRef,
  returns: Subscription,
  fails: [pauseNotAllowed],
  example: { params: ownSubscription },
  async handle(context) {
    const row = await lockOwn(context)
    await checkAllowed(context)
    const { facts } = await resumeSubscription(context, row, buildCaller(context))
    return changedView(context, row, { facts, fields: ['pause'] })
  },
})

/** The operations by which members pause their own subscriptions. */
export const ownPauseOperations = [pauseAccountSubscription, resumeAccountSubscription]
