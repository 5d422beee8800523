import { type Dimension, type Metric, namesById } from '#src/contract/metric.ts'
import { couponNames, couponRows, discountRows } from './metrics.queries.ts'

const coupon: Dimension = {
  name: 'coupon',
  title: { en: 'Coupon', pt: 'Cupão' },
  prefixes: ['cpn'],
  names: namesById(couponNames),
}

const paid = {
  who: 'staff',
  breakdowns: [coupon],
  sources: ['orders.paid_at'],
  changes: ['order.paid', 'payment.received', 'payment.receipt_undone'],
} as const

/** The metrics of what coupons did to orders. */
export const discountMetrics: readonly Metric[] = [
  {
    ...paid,
    name: 'discounts',
    title: { en: 'Discounts', pt: 'Descontos' },
    about: {
      en: 'What coupons took off orders that were paid',
      pt: 'O que os cupões descontaram nas encomendas pagas',
    },
    unit: 'money',
    kind: 'sum',
    rows: discountRows,
  },
  {
    ...paid,
    name: 'coupon_orders',
    title: { en: 'Orders with a coupon', pt: 'Encomendas com cupão' },
    about: {
      en: 'Orders that were paid, once for each of their coupons',
      pt: 'Encomendas pagas, uma vez por cada cupão',
    },
    unit: 'count',
    kind: 'count',
    rows: couponRows,
  },
]
