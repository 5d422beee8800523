import { area } from '#src/contract/area.ts'
import { endingOperations } from './ending/operations.ts'
import { implementations } from './implementations.ts'
import { creditMails, debitMails, memberMails, staffMails } from './mails/mails.ts'
import { mailSubscribers } from './mails/subscribers.ts'
import { accountSubscriptionOperations } from './own/operations.ts'
import { ownPauseOperations } from './own/pauses.operations.ts'
import { pausingOperations } from './pauses/operations.ts'
import { startingOperations, subscriptionExternalIdTaken } from './starting/operations.ts'
import { subscriptionOperations } from './subscription/operations.ts'

export {
  type ChargingTerms,
  chargingTerms,
  computeCodeOff,
  findPaidPart,
  quotePeriod,
  taxationFor,
} from './charging/lookups.ts'
export { cancelSubscriptionOrders, giveBack, placeSubscriptionOrder, returnCredit } from './charging/writes.ts'
export { cancelNow, finish, SETTLED } from './ending/writes.ts'
export { debitMails } from './mails/mails.ts'
export { mailMember } from './mails/writes.ts'
export { lockOwn } from './own/access.ts'
export { OwnCredit, OwnSubscriptionRef, ownSubscription } from './own/schema.ts'
export { resumeSubscription } from './pauses/writes.ts'
export { checkNotCharging } from './periods/lookups.ts'
export {
  findLastPeriod,
  findOpenPeriod,
  findPeriodByOrder,
  insertPeriod,
  type PeriodRow,
  storePeriodEnd,
  storePeriodOrder,
  storePeriodState,
} from './periods/queries.ts'
export {
  type Anchor,
  anchorTimeAfter,
  announceAt,
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
export { buildCaller, changedView, getSubscription, lockNamed } from './subscription/access.ts'
export type { SubscriptionRow } from './subscription/conditions.ts'
export { anySubscription, chargedSubscription } from './subscription/operations.ts'
export { findSubscription, listMemberSubscriptions, readSchool } from './subscription/queries.ts'
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
export {
  type ChangedBy,
  DEBIT_JOB,
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
    ...ownPauseOperations,
  ],
  hooks: implementations,
  subscribers: mailSubscribers,
  mails: [memberMails, debitMails, creditMails, staffMails].flatMap(kinds => Object.values(kinds)),
  constraints: { subscriptions_external_id: subscriptionExternalIdTaken },
})
