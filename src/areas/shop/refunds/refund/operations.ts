import {
  type LineRow,
  listLines,
  listRefundLines,
  listRefundNotes,
  lockPaidOrder,
  Order,
  OrderRef,
  type OrderRow,
  Refund,
  type RefundView,
  refundView,
  staffOrder,
  storeSums,
} from '#src/areas/shop/orders/index.ts'
import { refundTooLarge } from '#src/areas/shop/payments/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type Cells, declareFor, operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound, refuseInvalid } from '#src/contract/problems.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { amountCell } from '#src/kit/money.ts'
import { lockedMoney, refundDecided } from '../hooks.ts'
import { findListedRefund, type ListedRefund, type RefundFilter, refundList } from './queries.ts'
import { errorsOfPlan, listParts } from './rules.ts'
import { RefundInput, RefundPage, RefundRef, RefundsQuery } from './schema.ts'
import { beginRefund } from './writes.ts'

const CELLS: Cells<ListedRefund> = {
  id: row => row.id,
  order_id: row => row.order_id,
  order_number: row => row.number,
  amount_decimal: row => amountCell(row.amount, row.currency),
  currency: row => row.currency,
  reason: row => row.reason,
  state: row => row.state,
  reference: row => row.reference,
  created_at: row => row.created_at,
  settled_at: row => row.settled_at,
}

const renderViews = async ({ db, school }: SchoolContext, rows: readonly ListedRefund[]): Promise<RefundView[]> => {
  const orderIds = rows.map(row => row.order_id)
  const [lines, notes] = await Promise.all([
    listRefundLines(db, school.id, orderIds),
    listRefundNotes(db, school.id, orderIds),
  ])
  const linesOf = Map.groupBy(lines, line => line.refund_id)
  return rows.map(row => {
    const { currency } = row
    return refundView(row, { currency, lines: linesOf.get(row.id) ?? [], note: notes.get(row.id) ?? null })
  })
}

type Query = {
  readonly order_id?: string | undefined
  readonly state?: RefundFilter['state']
  readonly reason?: RefundFilter['reason']
  readonly 'created_at[gte]'?: Date | undefined
  readonly 'created_at[lt]'?: Date | undefined
}

const readFilter = (query: Query): RefundFilter => ({
  orderId: query.order_id,
  state: query.state,
  reason: query.reason,
  createdFrom: query['created_at[gte]'],
  createdBefore: query['created_at[lt]'],
})

const listRefunds = declareFor('staff', 'orders', {
  id: 'listRefunds',
  route: 'GET /refunds',
  summary: 'List refunds',
  description: 'Lists the refunds of all orders, the latest first, with what of each is for which line.',
  query: RefundsQuery,
  returns: RefundPage,
  csv: {
    cells: CELLS,
    statement: ({ school, query }) => listStatement(refundList(school.id, readFilter(query)), query.sort),
  },
  handle(context) {
    const { school, query } = context
    return readList(context, refundList(school.id, readFilter(query)), rows => renderViews(context, rows))
  },
})

const getRefund = declareFor('staff', 'orders', {
  id: 'getRefund',
  route: 'GET /refunds/:refund_id',
  summary: 'Get a refund',
  description: 'Returns one refund.',
  params: RefundRef,
  returns: Refund,
  example: { params: { refund_id: exampleFrom('rfd', 'listRefunds') } },
  async handle(context) {
    const row = await findListedRefund(context.db, context.school.id, context.params.refund_id)
    const [view] = row === undefined ? [] : await renderViews(context, [row])
    if (view === undefined) throw new Refusal(notFound, 'There is no such refund.')
    return view
  },
})

// The lines as if what cannot go back had gone back already.
const withoutLocked = async (
  { db, school }: SchoolContext,
  order: OrderRow,
  lines: readonly LineRow[],
): Promise<readonly LineRow[]> => {
  const locked = (await lockedMoney.call({ order, lines }, { db, school })).flat()
  return lines.map(line => {
    const amount = locked.find(({ lineId }) => lineId === line.id)?.amount ?? 0
    return { ...line, refunded_amount: line.refunded_amount + amount }
  })
}

const refundOrder = operation({
  id: 'refundOrder',
  summary: 'Refund an order',
  description:
    'Pays back all that is left of an order, lines, quantities of lines, or a free amount. For each line the money and the access are two decisions: by default access ends when nothing of the line is left. What was credited to a subscription and used since cannot go back; what of the credit stands is taken back first.',
  who: 'staff',
  mode: 'write',
  proof: 'recent',
  params: OrderRef,
  body: RefundInput,
  returns: Order,
  fails: [invalidState, refundTooLarge],
  example: {
    params: { order_id: 'number:ORD-3' },
    body: { amount: 100, reason: 'requested' },
  },
  async handle(context) {
    const { db, school, now, params, body, requireMatch, changed, record } = context
    const order = await lockPaidOrder(context, params.order_id)
    if (order === undefined) throw new Refusal(notFound, 'There is no such order.')
    await requireMatch(order.revision, () => staffOrder(context, order.id))
    if (order.status !== 'paid') throw new Refusal(invalidState, `The order is ${order.status} and not paid.`)
    const lines = await listLines(db, school.id, [order.id])
    const refundable = await withoutLocked(context, order, lines)
    const errors = errorsOfPlan(lines, body)
    if (body.amount !== undefined && body.lines !== undefined)
      errors.push({ pointer: '/amount', code: 'unwanted', message: 'does not go with lines' })
    refuseInvalid(errors)
    const parts = listParts(refundable, body).map(part => ({
      ...part,
      line: lines.find(({ id }) => id === part.line.id) ?? part.line,
    }))
    if (parts.length === 0) throw new Refusal(refundTooLarge, 'Nothing is left to refund.', { members: { left: 0 } })
    // The refunds of an order are part of it, also while they are on their way.
    await storeSums(db, school.id, order.id, { paid: order.paid_total, refunded: order.refunded_total, now })
    const before = (await refundDecided.call({ order, parts, now }, { db, school })).flat()
    const { facts, ids } = await beginRefund(context, order, { parts, reason: body.reason, note: body.note })
    changed({
      ids: [toId('ord', order.id), ...ids.map(id => toId('rfd', id))],
      fields: Object.keys(body),
      memberId: order.member_id,
    })
    for (const fact of [...before, ...facts]) record(fact)
    return staffOrder(context, order.id)
  },
})

/** The operations of refunds, in the order of the documentation. */
export const refundOperations = [listRefunds, getRefund, refundOrder]
