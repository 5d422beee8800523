import { area } from '#src/contract/area.ts'
import { accountSubscriptionOperations } from './account/operations.ts'
import { endingOperations } from './ending/operations.ts'
import { implementations } from './implementations.ts'
import { pausingOperations } from './pausing/operations.ts'
import { startingOperations, subscriptionExternalIdTaken } from './starting/operations.ts'
import { subscriptionOperations } from './subscription/operations.ts'

export {
  type ChargingTerms,
  chargingTerms,
  codeOffOf,
  type PeriodQuote,
  quotePeriod,
  taxationFor,
} from './charging/lookups.ts'
export { cancelOrdersOf, placeSubscriptionOrder, type SubscriptionOrder } from './charging/writes.ts'
export { cancelNow, finish, planCancellation, SETTLED, undoCancellation } from './ending/writes.ts'
export { checkNotCharging, pauseSubscription, resumeSubscription } from './pausing/writes.ts'
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
  localDaysAfter,
  mayMove,
  periodStart,
  periodsLeftAfter,
  runningStatuses,
  type SubscribedType,
  type SubscriptionStatus,
  secondAt,
  stepAt,
  subscribedPrefixes,
  subscriptionMoves,
  subscriptionStatuses,
  zonesEdition,
} from './rules.ts'
export { addSubscription, collectionAfter, keptOffer } from './starting/writes.ts'
export { callerOf, changedView, getSubscription, lockNamed } from './subscription/access.ts'
export { anySubscription } from './subscription/operations.ts'
export {
  findSubscription,
  listSubscriptionsOf,
  readSchool,
  type StoredPrice,
  type SubscriptionRow,
} from './subscription/queries.ts'
export {
  CollectionInput,
  NextChargeInput,
  OwnSubscriptionRef,
  Subscription,
  SubscriptionChangePage,
  SubscriptionPage,
  SubscriptionPeriodPage,
  SubscriptionRef,
  type SubscriptionView,
  WaiverInput,
} from './subscription/schema.ts'
export { subscriptionView } from './subscription/views.ts'
export {
  type ChangedBy,
  checkMove,
  endOf,
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
