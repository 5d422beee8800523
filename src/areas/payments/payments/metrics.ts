import type { Dimension, Metric } from '#src/contract/metric.ts'
import { failedRows, movementRows } from './metrics.queries.ts'

const provider: Dimension = {
  name: 'provider',
  title: { en: 'Payment provider', pt: 'Meio de pagamento' },
  labels: {
    free: { en: 'nothing to pay', pt: 'nada a pagar' },
    manual: { en: 'bank transfer', pt: 'transferência bancária' },
    test: { en: 'test payments', pt: 'pagamentos de teste' },
    stripe: { en: 'Stripe', pt: 'Stripe' },
  },
}

const movement: Dimension = {
  name: 'movement',
  title: { en: 'Movement', pt: 'Movimento' },
  labels: {
    payment: { en: 'payments', pt: 'pagamentos' },
    refund: { en: 'refunds', pt: 'reembolsos' },
    dispute: { en: 'lost disputes', pt: 'disputas perdidas' },
  },
}

const code: Dimension = { name: 'code', title: { en: 'Reason', pt: 'Motivo' } }

/** The metrics of payments. */
export const paymentMetrics: readonly Metric[] = [
  {
    name: 'net_revenue',
    title: { en: 'Net revenue', pt: 'Receita líquida' },
    about: {
      en: 'Payments less refunds and lost disputes, each when the money moved',
      pt: 'Pagamentos menos reembolsos e disputas perdidas, cada um quando o dinheiro se moveu',
    },
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
    title: { en: 'Failed payments', pt: 'Pagamentos falhados' },
    about: {
      en: 'Payments that failed, by the reason of the provider',
      pt: 'Pagamentos que falharam, pelo motivo do prestador',
    },
    unit: 'count',
    kind: 'count',
    who: 'staff',
    breakdowns: [code, provider],
    sources: ['payments.settled_at'],
    changes: ['payment.failed'],
    rows: failedRows,
  },
]
