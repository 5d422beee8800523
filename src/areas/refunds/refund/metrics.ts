import { itemDimension } from '#src/areas/orders/index.ts'
import type { Dimension, Metric } from '#src/contract/metric.ts'
import { refundedRows } from './metrics.queries.ts'

const reason: Dimension = {
  name: 'reason',
  title: { en: 'Reason', pt: 'Motivo' },
  labels: {
    requested: { en: 'requested', pt: 'pedido' },
    duplicate: { en: 'duplicate', pt: 'duplicado' },
    fraud: { en: 'fraud', pt: 'fraude' },
    late_payment: { en: 'late payment', pt: 'pagamento tardio' },
    event_cancelled: { en: 'event cancelled', pt: 'evento cancelado' },
    overpaid: { en: 'overpaid', pt: 'pago a mais' },
    other: { en: 'other reason', pt: 'outro motivo' },
  },
}

/** The metrics of refunds. */
export const refundMetrics: readonly Metric[] = [
  {
    name: 'refunds',
    title: { en: 'Refunds', pt: 'Reembolsos' },
    about: { en: 'What was refunded of what was sold', pt: 'O que foi reembolsado do que foi vendido' },
    unit: 'money',
    kind: 'sum',
    who: 'staff',
    breakdowns: [itemDimension, reason],
    sources: ['refunds.settled_at'],
    changes: ['refund.succeeded', 'refund.failed'],
    rows: refundedRows,
  },
]
