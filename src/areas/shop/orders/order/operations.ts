import type { Static } from 'typebox'
import type { Db } from '#src/contract/db.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, type Cells, declareFor, type ReadContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { findWords } from '#src/db/search.ts'
import { fromId, isUuid, toId } from '#src/kit/ids.ts'
import { amountCell, percentText } from '#src/kit/money.ts'
import type { OrderFilter } from './conditions.ts'
import { type OrderRow, orderList } from './list.conditions.ts'
import { type ListOrdersParams, OrdersQuery } from './list.schema.ts'
import { listTransactions } from './money.rules.ts'
import { Transactions } from './money.schema.ts'
import { readMoney } from './money.views.ts'
import { type ExportedRow, exportStatement, findOrder, type GivenRow, listGiven } from './queries.ts'
import { getPrefix, itemPrefixes } from './rules.ts'
import { Order, OrderEntitlements, OrderPage, OrderRef } from './schema.ts'
import { staffOrderViews } from './views.ts'

// The id of an item is a UUID where it has the first of the prefixes.
const parseItem = (id: string): NonNullable<OrderFilter['item']> => {
  if (isUuid(id)) return { type: 'course', id }
  for (const [type, prefix] of Object.entries(itemPrefixes)) {
    const uuid = fromId(prefix, id)
    if (uuid !== undefined) return { type, id: uuid }
  }
  throw new Error('the id of an item has one of the prefixes of the schema')
}

const readFilter = (query: ListOrdersParams): OrderFilter => ({
  words: query.q,
  statuses: query['status[in]'],
  memberId: query.member_id,
  email: query.email,
  number: query.number,
  kind: query.kind,
  itemType: query.item_type,
  item: query.item_id === undefined ? undefined : parseItem(query.item_id),
  couponId: query.coupon_id,
  subscriptionId: query.subscription_id,
  isRefunded: query.refunded,
  isDisputed: query.disputed,
  provider: query.provider,
  reference: query.provider_reference,
  createdFrom: query['created_at[gte]'],
  createdBefore: query['created_at[lt]'],
  paidFrom: query['paid_at[gte]'],
  paidBefore: query['paid_at[lt]'],
  totalFrom: query['total[gte]'],
  totalTo: query['total[lte]'],
})

const searched = async (db: Db, { words, ...rest }: OrderFilter): Promise<OrderFilter> =>
  words === undefined ? rest : { ...rest, words, found: await findWords(db, 'order', words) }

const CELLS: Cells<ExportedRow> = {
  id: row => row.id,
  number: row => row.number,
  kind: row => row.kind,
  order_status: row => row.status,
  member_id: row => toId('mem', row.member_id),
  member_name: row => row.member_name,
  email: row => row.email,
  country: row => row.billing.country,
  tax_id: row => row.billing.tax_id,
  line_id: row => toId('lin', row.line_id),
  item_type: row => row.item_type,
  item_id: row => toId(getPrefix(row.item_type), row.item_id),
  name: row => row.name,
  quantity: row => row.quantity,
  unit_amount: row => amountCell(row.unit_amount, row.currency),
  discount_amount: row => amountCell(row.discount_amount, row.currency),
  tax_percent: row => ({ decimal: percentText(row.tax_rate) }),
  tax_amount: row => amountCell(row.tax_amount, row.currency),
  amount: row => amountCell(row.amount, row.currency),
  refunded_amount: row => amountCell(row.refunded_amount, row.currency),
  currency: row => row.currency,
  paid_at: row => row.paid_at,
  created_at: row => row.created_at,
}

const expand = {
  member: { scope: 'members:read', who: 'staff', summary: 'how the buyer can be reached' },
  coupon: { scope: 'coupons:read', who: 'staff', summary: 'what the coupons of the codes take off' },
} as const

const listOrders = declareFor('staff', 'orders', {
  id: 'listOrders',
  route: 'GET /orders',
  summary: 'List orders',
  description:
    'Lists the orders of the school, newest first. As CSV it has one row for each line, with money as decimal numbers beside the currency.',
  query: OrdersQuery,
  returns: OrderPage,
  expand,
  csv: {
    cells: CELLS,
    statement: ({ school, query }) => exportStatement(school.id, readFilter(query), query.sort),
  },
  async handle(context) {
    const { db, school, query } = context
    const list = orderList(school.id, await searched(db, readFilter(query)))
    return readList(context, list, rows => staffOrderViews(context, rows))
  },
})

const one = { order_id: exampleFrom('ord', 'listOrders') }

const getOne = async ({ db, school }: AsCaller, ref: string): Promise<OrderRow> => {
  const row = await findOrder(db, school.id, { ref })
  if (row === undefined) throw new Refusal(notFound, 'There is no such order.')
  return row
}

const ACTIONS = ['getOrder', 'listOrderTransactions', 'listOrderEntitlements']

const renderView = async (context: ReadContext, row: OrderRow): Promise<Static<typeof Order>> => {
  const [view] = await staffOrderViews(context, [row])
  if (view === undefined) throw new Error('every order has a view')
  return { ...view, allowed_actions: context.allowedActions(ACTIONS) }
}

const getOrder = declareFor('staff', 'orders', {
  id: 'getOrder',
  route: 'GET /orders/:order_id',
  summary: 'Get an order',
  description: 'Returns one order, by its id or as `number:` and its number, with its lines and codes.',
  params: OrderRef,
  returns: Order,
  expand,
  example: { params: one },
  async handle(context) {
    return renderView(context, await getOne(context, context.params.order_id))
  },
})

const transactionPrefix = {
  payment: 'pay',
  fee: 'pay',
  refund: 'rfd',
  dispute: 'dsp',
  dispute_reversal: 'dsp',
} as const

const listOrderTransactions = declareFor('staff', 'orders', {
  id: 'listOrderTransactions',
  route: 'GET /orders/:order_id/transactions',
  summary: "List an order's transactions",
  description:
    'Lists the money that moved for an order, in its order: payments, fees of the provider, refunds and disputes. Without fees, amounts sum to `paid_total` less `refunded_total`, and less what is disputed. A fee is between the school and its provider: it changes nothing for the buyer, and a refund does not return it. There is none until the provider reports it.',
  params: OrderRef,
  returns: Transactions,
  example: { params: one },
  async handle(context) {
    const { id, currency } = await getOne(context, context.params.order_id)
    const all = listTransactions(await readMoney(context, id), currency)
    return { data: all.map(row => ({ ...row, id: toId(transactionPrefix[row.type], row.id), currency })) }
  },
})

const buildEnding = ({ revoked_at, ends_at, is_over, ended_by }: GivenRow) => {
  if (revoked_at !== null) return { ended_at: revoked_at, ended_by: ended_by ?? ('staff' as const) }
  return is_over ? { ended_at: ends_at, ended_by: 'expiry' as const } : { ended_at: null, ended_by: null }
}

const listOrderEntitlements = declareFor('staff', 'orders', {
  id: 'listOrderEntitlements',
  route: 'GET /orders/:order_id/entitlements',
  summary: "List an order's entitlements",
  description:
    'Lists what each line of an order gave, and what became of it. A line that gave nothing, since it was not paid or could not be given any more, has no entry.',
  params: OrderRef,
  returns: OrderEntitlements,
  example: { params: one },
  async handle(context) {
    const { db, school, params } = context
    const { id } = await getOne(context, params.order_id)
    const rows = await listGiven(db, school.id, id)
    return {
      data: rows.map(row => ({
        id: row.id,
        line_id: row.line_id,
        item: { type: row.item_type, id: toId(getPrefix(row.item_type), row.item_id) },
        starts_at: row.starts_at,
        ends_at: row.ends_at,
        ...buildEnding(row),
      })),
    }
  },
})

/** The operations by which staff read orders, in the order of the documentation. */
export const orderOperations = [listOrders, getOrder, listOrderTransactions, listOrderEntitlements]
