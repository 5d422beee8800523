import { type Dimension, type Metric, namesById } from '#src/contract/metric.ts'
import { campaignPeople, itemNames, keptRows, paidRows, placedRows, salesRows, taxRows } from './metrics.queries.ts'

/** What was bought. */
export const itemDimension: Dimension = {
  name: 'item',
  title: { en: 'Item', pt: 'Artigo' },
  prefixes: ['crs', 'dpr', 'mpl', 'tkt'],
  names: namesById(itemNames),
}
const country: Dimension = { name: 'country', title: { en: 'Country', pt: 'País' } }
const taxRate: Dimension = { name: 'tax_rate', title: { en: 'Tax rate (%)', pt: 'Taxa de imposto (%)' } }
const campaign: Dimension = { name: 'campaign', title: { en: 'Campaign', pt: 'Campanha' }, isFolded: true }
const kind: Dimension = {
  name: 'kind',
  title: { en: 'Kind', pt: 'Tipo' },
  labels: {
    checkout: { en: 'purchase', pt: 'compra' },
    renewal: { en: 'renewal', pt: 'renovação' },
    instalment: { en: 'instalment', pt: 'prestação' },
    plan_change: { en: 'change of plan', pt: 'mudança de plano' },
    outside: { en: 'sold elsewhere', pt: 'vendido fora' },
  },
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
    title: { en: 'Orders placed', pt: 'Encomendas feitas' },
    about: { en: 'Orders that were placed, paid or not', pt: 'Encomendas feitas, pagas ou não' },
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
    title: { en: 'Orders paid', pt: 'Encomendas pagas' },
    about: { en: 'Orders that were paid', pt: 'Encomendas que foram pagas' },
    unit: 'count',
    kind: 'count',
    breakdowns: [kind, country, campaign],
    rows: paidRows,
    people: campaignPeople,
  },
  {
    ...paid,
    name: 'sales',
    title: { en: 'Sales', pt: 'Vendas' },
    about: {
      en: 'What was sold with the orders that were paid, tax included, before refunds',
      pt: 'O que foi vendido nas encomendas pagas, com imposto, antes de reembolsos',
    },
    unit: 'money',
    kind: 'sum',
    breakdowns: [itemDimension, kind, country, taxRate, campaign],
    rows: salesRows,
    people: campaignPeople,
  },
  {
    ...paid,
    name: 'sales_tax',
    title: { en: 'Tax', pt: 'Imposto' },
    about: { en: 'The tax of what was sold, before refunds', pt: 'O imposto do que foi vendido, antes de reembolsos' },
    unit: 'money',
    kind: 'sum',
    breakdowns: [itemDimension, country, taxRate],
    rows: taxRows,
  },
  {
    ...paid,
    name: 'net_revenue_by_order',
    title: { en: 'Net revenue by order', pt: 'Receita líquida por encomenda' },
    about: {
      en: 'What was paid for orders less what was refunded of them since, when the order was paid',
      pt: 'O que foi pago por encomendas menos o que delas foi reembolsado, na data do pagamento',
    },
    unit: 'money',
    kind: 'sum',
    breakdowns: [country, campaign],
    rows: keptRows,
    people: campaignPeople,
  },
]
