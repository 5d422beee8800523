import { type Dimension, type Metric, namesById } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { couponNames, couponRows, discountRows } from './metrics.queries.ts'

const words = texts.shop.checkouts.checkout.metrics

const coupon: Dimension = {
  name: 'coupon',
  title: words.coupon.title,
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
    title: words.discountMetrics.title,
    about: words.discountMetrics.about,
    unit: 'money',
    kind: 'sum',
    rows: discountRows,
  },
  {
    ...paid,
    name: 'coupon_orders',
    title: words.discountMetrics.ordersWithACoupon,
    about: words.discountMetrics.ordersThatWerePaidOnce,
    unit: 'count',
    kind: 'count',
    rows: couponRows,
  },
]
