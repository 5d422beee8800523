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
  implement(subscriptionPaid, async ({ order, line, now }, place) =>
    order.kind === 'plan_change' ? [] : settlePeriod({ ...place, now }, order, line),
  ),
  implement(subscriptionReopened, ({ order, now }, place) => reopenPeriod({ ...place, now }, order)),
  implement(subscriptionUnpaid, ({ now, ...unpaid }, place) => settleUnpaid({ ...place, now }, unpaid)),
  implement(lockSetup, async ({ setupFor }, place) => {
    await lockSubscription(place, setupFor)
  }),
  implement(methodSaved, async ({ method, payment, now }, place) => {
    if (payment.setup_for === null) return []
    const row = await lockSubscription(place, payment.setup_for)
    return row === undefined ? [] : useMethod({ ...place, now }, row, method)
  }),
]
