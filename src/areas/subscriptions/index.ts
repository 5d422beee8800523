import { area } from '#src/contract/area.ts'
import { accountSubscriptionOperations } from './account/operations.ts'
import { endingOperations } from './ending/operations.ts'
import { implementations } from './implementations.ts'
import { pausingOperations } from './pausing/operations.ts'
import { startingOperations, subscriptionExternalIdTaken } from './starting/operations.ts'
import { subscriptionOperations } from './subscription/operations.ts'

export { type ChargingTerms, chargingTerms, codeOffOf, quotePeriod, taxationFor } from './charging/lookups.ts'
export { cancelOrdersOf, placeSubscriptionOrder } from './charging/writes.ts'
export { cancelNow, finish, SETTLED } from './ending/writes.ts'
export { checkNotCharging, resumeSubscription } from './pausing/writes.ts'
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
  periodStart,
  periodsLeftAfter,
  runningStatuses,
  secondAt,
  stepAt,
  zonesEdition,
} from './rules.ts'
export { addSubscription, collectionAfter, keptOffer } from './starting/writes.ts'
export { callerOf, changedView, getSubscription, lockNamed } from './subscription/access.ts'
export { anySubscription } from './subscription/operations.ts'
export { findSubscription, listSubscriptionsOf, readSchool, type SubscriptionRow } from './subscription/queries.ts'
export {
  CollectionInput,
  NextChargeInput,
  OwnSubscriptionRef,
  Subscription,
  SubscriptionChangePage,
  SubscriptionPage,
  SubscriptionPeriodPage,
  SubscriptionRef,
  WaiverInput,
} from './subscription/schema.ts'
export {
  type ChangedBy,
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
  operations: [
    ...subscriptionOperations,
    ...startingOperations,
    ...endingOperations,
    ...pausingOperations,
    ...accountSubscriptionOperations,
  ],
  hooks: implementations,
  constraints: { subscriptions_external_id: subscriptionExternalIdTaken },
})
