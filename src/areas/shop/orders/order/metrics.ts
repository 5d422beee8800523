import { type Dimension, type Metric, namesById } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { campaignPeople, itemNames, keptRows, paidRows, placedRows, salesRows, taxRows } from './metrics.queries.ts'

const words = texts.shop.orders.order.metrics

/** What was bought. */
export const itemDimension: Dimension = {
  name: 'item',
  title: texts.words.item,
  prefixes: ['crs', 'dpr', 'mpl', 'tkt'],
  names: namesById(itemNames),
}
const country: Dimension = { name: 'country', title: texts.words.country }
const taxRate: Dimension = { name: 'tax_rate', title: words.taxRate.title }
const campaign: Dimension = { name: 'campaign', title: words.campaign.title, isFolded: true }
const kind: Dimension = {
  name: 'kind',
  title: words.kind.title,
  labels: words.kind.labels,
}

const paid = {
  who: 'staff',
  sources: ['orders.paid_at'],
  changes: ['order.paid', 'order.partially_paid', 'payment.received', 'payment.receipt_undone', 'refund.succeeded'],
} as const

/** The metrics of orders. */
export const orderMetrics: readonly Metric[] = [
  {
    name: 'orders_placed',
    title: words.orderMetrics.title,
    about: words.orderMetrics.about,
    unit: 'count',
    kind: 'count',
    who: 'staff',
    breakdowns: [kind],
    sources: ['orders.created_at'],
    changes: ['order.placed', 'order.paid'],
    rows: placedRows,
  },
  {
    ...paid,
    name: 'orders_paid',
    title: words.orderMetrics.ordersPaid,
    about: words.orderMetrics.ordersThatWerePaid,
    unit: 'count',
    kind: 'count',
    breakdowns: [kind, country, campaign],
    rows: paidRows,
    people: campaignPeople,
  },
  {
    ...paid,
    name: 'sales',
    title: words.orderMetrics.sales,
    about: words.orderMetrics.whatWasSoldWithThe,
    unit: 'money',
    kind: 'sum',
    breakdowns: [itemDimension, kind, country, taxRate, campaign],
    rows: salesRows,
    people: campaignPeople,
  },
  {
    ...paid,
    name: 'sales_tax',
    title: texts.words.tax,
    about: words.orderMetrics.theTaxOfWhatWas,
    unit: 'money',
    kind: 'sum',
    breakdowns: [itemDimension, country, taxRate],
    rows: taxRows,
  },
  {
    ...paid,
    name: 'net_revenue_by_order',
    title: words.orderMetrics.netRevenueByOrder,
    about: words.orderMetrics.whatWasPaidForOrders,
    unit: 'money',
    kind: 'sum',
    breakdowns: [country, campaign],
    rows: keptRows,
    people: campaignPeople,
  },
]
