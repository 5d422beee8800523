import { lockSubscription } from '#src/areas/memberships/subscriptions/index.ts'
import {
  lockSetup,
  methodSaved,
  subscriptionPaid,
  subscriptionReopened,
  subscriptionUnpaid,
} from '#src/areas/shop/index.ts'
import { implement } from '#src/contract/hook.ts'
import { reopenPeriod, settlePeriod } from './charging/writes.ts'
import { settleUnpaid, useMethod } from './dunning/writes.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(subscriptionPaid, async ({ order, line, now }, context) =>
    order.kind === 'plan_change' ? [] : settlePeriod({ ...context, now }, order, line),
  ),
  implement(subscriptionReopened, ({ order, now }, context) => reopenPeriod({ ...context, now }, order)),
  implement(subscriptionUnpaid, ({ now, ...unpaid }, context) => settleUnpaid({ ...context, now }, unpaid)),
  implement(lockSetup, async ({ setupFor }, context) => {
    await lockSubscription(context, setupFor)
  }),
  implement(methodSaved, async ({ method, payment, now }, context) => {
    if (payment.setup_for === null) return []
    const row = await lockSubscription(context, payment.setup_for)
    return row === undefined ? [] : useMethod({ ...context, now }, row, method)
  }),
]
