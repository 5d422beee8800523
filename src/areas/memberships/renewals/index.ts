import { DEBIT_JOB, RENEWAL_JOB } from '#src/areas/memberships/subscriptions/index.ts'
import { area } from '#src/contract/area.ts'
import { runRenewal } from './clock/jobs.ts'
import { announceDebit } from './debits/jobs.ts'
import { implementations } from './implementations.ts'
import { subscriptionMetrics } from './revenue/metrics.ts'
import { creditOperations } from './staff/credits.operations.ts'
import { renewalOperations } from './staff/operations.ts'
import { onReinstated, onSuspended, onTrial } from './subscribers.ts'
import { noticeTrial, TRIAL_JOB } from './trials/jobs.ts'

export { lacksAnswer, retryPeriod } from './dunning/writes.ts'
export { periodBegins } from './hooks.ts'
export { SubscriptionCredit, WaitingCredits } from './staff/credits.operations.ts'

/** The periods of subscriptions: what is charged by the clock, and what follows a payment that failed. */
export const renewals = area({
  name: 'renewals',
  operations: [...renewalOperations, ...creditOperations],
  hooks: implementations,
  metrics: subscriptionMetrics,
  subscribers: {
    'subscription.trial_started': onTrial,
    'subscription.charge_moved': onTrial,
    'member.suspended': onSuspended,
    'member.reinstated': onReinstated,
  },
  jobs: {
    [RENEWAL_JOB]: { create: () => runRenewal, atOnce: 1 },
    [DEBIT_JOB]: () => announceDebit,
    [TRIAL_JOB]: () => noticeTrial,
  },
})
