import { itemDimension } from '#src/areas/shop/index.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { Dimension, Metric } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { countRows, type Movement, revenueRows } from './metrics.queries.ts'

const words = texts.memberships.renewals.revenue.metrics

const startedIn: Dimension = { name: 'started_in', title: words.startedIn.title }

const changed = {
  who: 'staff',
  breakdowns: [itemDimension, startedIn],
  sources: ['mrr_changes.at'],
  changes: [
    ...['subscription.activated', 'subscription.renewed', 'subscription.past_due', 'subscription.recovered'],
    ...['subscription.paused', 'subscription.resumed', 'subscription.price_changed', 'subscription.canceled'],
    ...['subscription.completed', 'subscription.expired', 'subscription.code_set', 'subscription.code_removed'],
    ...['subscription.started', 'member.suspended', 'member.reinstated', 'member.erased'],
  ],
} as const satisfies Partial<Metric>

const movement = (name: string, of: Movement, title: Phrase, about: Phrase): Metric => ({
  ...changed,
  name,
  title,
  about,
  unit: 'money',
  kind: 'sum',
  rows: revenueRows(of),
})

/**
 * The metrics of subscriptions: monthly recurring revenue, how it changed, and how many subscriptions bring it. The values of
 * the movements add up to the change of the revenue.
 */
export const subscriptionMetrics: readonly Metric[] = [
  {
    ...changed,
    name: 'mrr',
    title: words.subscriptionMetrics.title,
    about: words.subscriptionMetrics.about,
    unit: 'money',
    kind: 'gauge',
    rows: revenueRows(),
  },
  movement(
    'new_mrr',
    'new',
    words.subscriptionMetrics.newRecurringRevenue,
    words.subscriptionMetrics.theMonthlyRevenueOfSubscriptions,
  ),
  movement(
    'expansion_mrr',
    'expansion',
    words.subscriptionMetrics.expansion,
    words.subscriptionMetrics.whatMonthlyRevenueGrewBy,
  ),
  movement(
    'contraction_mrr',
    'contraction',
    words.subscriptionMetrics.contraction,
    words.subscriptionMetrics.whatMonthlyRevenueFellBy,
  ),
  movement(
    'churned_mrr',
    'churned',
    words.subscriptionMetrics.churnedRevenue,
    words.subscriptionMetrics.theMonthlyRevenueOfSubscriptions2,
  ),
  movement(
    'reactivated_mrr',
    'reactivated',
    words.subscriptionMetrics.reactivatedRevenue,
    words.subscriptionMetrics.theMonthlyRevenueOfSubscriptions3,
  ),
  {
    ...changed,
    name: 'paying_subscriptions',
    title: words.subscriptionMetrics.payingSubscriptions,
    about: words.subscriptionMetrics.howManySubscriptionsBroughtSomething,
    unit: 'count',
    kind: 'gauge',
    rows: countRows(),
  },
  {
    ...changed,
    name: 'new_subscriptions',
    title: words.subscriptionMetrics.newSubscriptions,
    about: words.subscriptionMetrics.subscriptionsThatWerePaidFor,
    unit: 'count',
    kind: 'count',
    rows: countRows('new'),
  },
  {
    ...changed,
    name: 'churned_subscriptions',
    title: words.subscriptionMetrics.churnedSubscriptions,
    about: words.subscriptionMetrics.subscriptionsThatEndedOrWere,
    unit: 'count',
    kind: 'count',
    rows: countRows('churned'),
  },
]
