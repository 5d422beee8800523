import Type, { type Static } from 'typebox'
import type { SignedIn } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, declareFor, type WriteContext } from '#src/contract/operation.ts'
import { PageQuery } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { Id, OneOf } from '#src/kit/shapes.ts'
import { type OrderRow, orderList } from '../order/list.conditions.ts'
import { findOrder, lockOrder } from '../order/queries.ts'
import { shownStatuses } from '../order/rules.ts'
import { Order, OrderPage, OrderRef } from '../order/schema.ts'
import { orderViews, ownOrderView } from '../order/views.ts'
import { cancelPending, isRenewal } from '../settlement/writes.ts'

const pending = { having: { status: 'pending', kind: 'checkout' } }
const own = { order_id: exampleFrom('ord', 'listAccountOrders', pending) }

const OwnOrdersQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(OneOf(shownStatuses, 'Only this status')),
  subscription_id: Type.Optional({ ...Id('sub'), description: 'Only orders of this subscription' }),
})

const listAccountOrders = declareFor('self', 'account', {
  id: 'listAccountOrders',
  route: 'GET /account/orders',
  summary: 'List your orders',
  description: 'Lists your orders, newest first, with their lines and how to pay those that wait for payment.',
  query: OwnOrdersQuery,
  returns: OrderPage,
  handle(context) {
    const { school, caller, query } = context
    const statuses = query.status === undefined ? undefined : [query.status]
    const { subscription_id: subscriptionId } = query
    const list = orderList(school.id, { memberId: caller.member.id, statuses, subscriptionId })
    return readList(context, list, rows => orderViews(context, rows))
  },
})

// What its buyer can do with an order in each status.
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  pending: ['updateAccountOrderBilling', 'cancelAccountOrder', 'createAccountOrderPayment'],
  failed: ['createAccountOrderPayment'],
}

const noOrder = (): Refusal => new Refusal(notFound, 'There is no such order.')

const getAccountOrder = declareFor('self', 'account', {
  id: 'getAccountOrder',
  route: 'GET /account/orders/:order_id',
  summary: 'Get your order',
  description:
    'Returns one of your orders, by its id or as `number:` and its number. `payment.page_url` is where you pay it; read the order again to learn whether it was paid.',
  params: OrderRef,
  returns: Order,
  example: { params: own },
  async handle(context) {
    const { db, school, caller, params, allowedActions } = context
    const row = await findOrder(db, school.id, { ref: params.order_id, memberId: caller.member.id })
    if (row === undefined) throw noOrder()
    const actions = ['getAccountOrder', ...(ACTIONS[row.status] ?? [])]
    return { ...(await ownOrderView(context, row)), allowed_actions: allowedActions(actions) }
  },
})

const lockOwnOrder = async ({ db, school, caller }: AsCaller, ref: string): Promise<OrderRow> => {
  const row = await lockOrder(db, school.id, { ref, memberId: caller.member.id })
  if (row === undefined) throw noOrder()
  return row
}

const storedView = async (context: WriteContext<SignedIn>, id: string): Promise<Static<typeof Order>> => {
  const row = await findOrder(context.db, context.school.id, { ref: id })
  if (row === undefined) throw new Error('an order that was written is there')
  return ownOrderView(context, row)
}

const cancelAccountOrder = declareFor('self', 'account', {
  id: 'cancelAccountOrder',
  route: 'DELETE /account/orders/:order_id',
  summary: 'Cancel your order',
  description:
    'Cancels an order of yours that waits for payment, and gives back its places and discounts at once. Money that arrives later still pays it.',
  ifMatch: 'honoured',
  params: OrderRef,
  returns: Order,
  fails: [invalidState],
  example: { params: own },
  async handle(context) {
    const { params, requireMatch, changed, record } = context
    const row = await lockOwnOrder(context, params.order_id)
    await requireMatch(row.revision, () => ownOrderView(context, row))
    if (row.status === 'canceled') return ownOrderView(context, row)
    if (row.status !== 'pending') throw new Refusal(invalidState, `The order is ${row.status} and not pending.`)
    if (isRenewal(row))
      throw new Refusal(invalidState, 'The order is of a subscription. Cancel the subscription instead.')
    for (const fact of await cancelPending(context, row, 'buyer')) record(fact)
    const view = await storedView(context, row.id)
    changed({
      ids: [toId('ord', row.id)],
      fields: ['status'],
      revision: view.revision,
      memberId: row.member_id,
    })
    return view
  },
})

/** The operations on the caller's own orders, in the order of the documentation. */
export const accountOrderOperations = [listAccountOrders, getAccountOrder, cancelAccountOrder]
