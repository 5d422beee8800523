import { itemDimension } from '#src/areas/shop/orders/index.ts'
import type { Dimension, Metric } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { refundedRows } from './metrics.queries.ts'

const words = texts.shop.refunds.refund.metrics

const reason: Dimension = {
  name: 'reason',
  title: texts.words.reason,
  labels: words.reason.labels,
}

/** The metrics of refunds. */
export const refundMetrics: readonly Metric[] = [
  {
    name: 'refunds',
    title: texts.words.refunds,
    about: words.refundMetrics.about,
    unit: 'money',
    kind: 'sum',
    who: 'staff',
    breakdowns: [itemDimension, reason],
    sources: ['refunds.settled_at'],
    changes: ['refund.succeeded', 'refund.failed'],
    rows: refundedRows,
  },
]
