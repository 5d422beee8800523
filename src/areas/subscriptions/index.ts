import { area } from '#src/contract/area.ts'
import { endingOperations } from './ending/operations.ts'
import { implementations } from './implementations.ts'
import { startingOperations, subscriptionExternalIdTaken } from './starting/operations.ts'
import { subscriptionOperations } from './subscription/operations.ts'

export { type ChargingTerms, chargingTerms, codeOffOf, quotePeriod, taxationFor } from './charging/lookups.ts'
export { cancelOrdersOf, placeSubscriptionOrder } from './charging/writes.ts'
export { cancelAs, endOfPaid } from './ending/operations.ts'
export { cancelNow, finish, SETTLED, undoCancellation } from './ending/writes.ts'
export { checkNotCharging } from './periods/lookups.ts'
export {
  findLastPeriod,
  findOpenPeriod,
  findPeriodOf,
  insertPeriod,
  type PeriodRow,
  storePeriodEnd,
  storePeriodOrder,
  storePeriodState,
} from './periods/queries.ts'
export {
  type Anchor,
  anchorTimeAfter,
  type ClockStep,
  chargeAt,
  chargeUnderWay,
  dueAt,
  isRunning,
  pauseAccesses,
  periodStart,
  periodsLeftAfter,
  runningStatuses,
  secondAt,
  stepAt,
  zonesEdition,
} from './rules.ts'
export { addSubscription, collectionAfter, keptOffer } from './starting/writes.ts'
export { callerOf, changedView, getSubscription, lockNamed } from './subscription/access.ts'
export { type SubscriptionRow, subscriptionList } from './subscription/conditions.ts'
export { anySubscription, chargedSubscription } from './subscription/operations.ts'
export { findSubscription, listSubscriptionsOf, readSchool } from './subscription/queries.ts'
export {
  CollectionInput,
  NextChargeInput,
  Subscription,
  SubscriptionChangePage,
  SubscriptionPage,
  SubscriptionPeriodPage,
  SubscriptionRef,
  WaiverInput,
} from './subscription/schema.ts'
export { subscriptionView, subscriptionViews } from './subscription/views.ts'
export {
  type ChangedBy,
  checkMove,
  giveAccess,
  lockSubscription,
  noteChange,
  RENEWAL_JOB,
  resumeAccess,
  saveSubscription,
  schedule,
  subscriptionFact,
  suspendAccess,
  takeAccess,
  type Writing,
} from './subscription/writes.ts'

/** What members have as long as it is paid again: subscriptions, from the first order to their end. */
export const subscriptions = area({
  name: 'subscriptions',
  operations: [...subscriptionOperations, ...startingOperations, ...endingOperations],
  hooks: implementations,
  constraints: { subscriptions_external_id: subscriptionExternalIdTaken },
})
