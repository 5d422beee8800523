import { lacksAnswer, retryPeriod } from '#src/areas/memberships/renewals/index.ts'
import {
  changedView,
  chargeUnderWay,
  checkNotCharging,
  findOpenPeriod,
  lockNamed,
  Subscription,
  SubscriptionRef,
  type SubscriptionRow,
} from '#src/areas/memberships/subscriptions/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { fillEach, formatMoneyInEach } from '#src/contract/language.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { texts } from '#src/texts/index.ts'

// Only what failed is charged again; what is asked for just now is on its way.
const checkDue = async (context: WriteContext, row: SubscriptionRow) => {
  const { db, school } = context
  const open = await findOpenPeriod(db, school.id, row.id)
  if (row.status !== 'past_due' || open === undefined)
    throw new Refusal(invalidState, `The subscription is ${row.status}, and nothing of it is past due.`)
  if (open.state === 'asked') await checkNotCharging(context, row)
  if (row.collection !== 'automatic')
    throw new Refusal(invalidState, 'The subscription is paid by transfers, which cannot be charged.')
  if (await lacksAnswer(context, open))
    throw new Refusal(chargeUnderWay, 'The provider has not answered yet whether the last charge succeeded.')
  return open
}

const chargeSubscription = declareFor('staff', 'subscriptions', {
  id: 'chargeSubscription',
  route: 'POST /subscriptions/:subscription_id/charges',
  summary: 'Charge a subscription now',
  description:
    'Charges what is past due of a subscription to its saved payment method now, and not when the next try is planned. The period is paid once, whatever else is tried at the same time; the result of the charge follows within seconds.',
  proof: 'recent',
  confirm: 'person',
  idempotency: 'required',
  params: SubscriptionRef,
  returns: Subscription,
  status: 201,
  fails: [invalidState, chargeUnderWay],
  example: { params: { subscription_id: exampleFrom('sub', 'listSubscriptions', { having: { status: 'past_due' } }) } },
  async handle(context) {
    const row = await lockNamed(context, context.params.subscription_id)
    const open = await checkDue(context, row)
    const sum = formatMoneyInEach(open.amount, open.currency)
    const money = fillEach(texts.memberships.subscriptionChanges.charges.operations.charged, { sum })
    const asked = await retryPeriod(context, row)
    const facts = asked.map(fact => (fact.type === 'payment.asked' ? { ...fact, effects: { money } } : fact))
    return changedView(context, row, { facts, fields: ['retry_at'] })
  },
})

/** The operations that charge subscriptions. */
export const chargeOperations = [chargeSubscription]
