import type { Dimension, Metric } from '#src/contract/metric.ts'
import { listProviderTitles } from '#src/contract/payment-providers.ts'
import { texts } from '#src/texts/index.ts'
import { failedRows, movementRows } from './metrics.queries.ts'

const words = texts.shop.payments.metrics

// Read when it is asked for: areas after this one declare providers.
const provider: Dimension = {
  name: 'provider',
  title: words.provider.title,
  get labels() {
    return listProviderTitles()
  },
}

const movement: Dimension = {
  name: 'movement',
  title: words.movement.title,
  labels: words.movement.labels,
}

const code: Dimension = { name: 'code', title: texts.words.reason }

/** The metrics of payments. */
export const paymentMetrics: readonly Metric[] = [
  {
    name: 'net_revenue',
    title: words.paymentMetrics.title,
    about: words.paymentMetrics.about,
    unit: 'money',
    kind: 'sum',
    who: 'staff',
    breakdowns: [movement, provider],
    sources: ['payments.settled_at', 'refunds.settled_at', 'disputes.closed_at'],
    changes: [
      ...[
        'payment.received',
        'payment.receipt_undone',
        'payment.failed',
        'order.paid',
        'refund.succeeded',
        'refund.failed',
      ],
      ...['dispute.opened', 'dispute.won', 'dispute.lost', 'dispute.accepted'],
    ],
    rows: movementRows,
  },
  {
    name: 'failed_payments',
    title: texts.words.failedPayments,
    about: words.paymentMetrics.paymentsThatFailedByThe,
    unit: 'count',
    kind: 'count',
    who: 'staff',
    breakdowns: [code, provider],
    sources: ['payments.settled_at'],
    changes: ['payment.failed'],
    rows: failedRows,
  },
]
