import Type from 'typebox'
import { listUsableProviders } from '#src/areas/school/index.ts'
import { findOrder, lockPaidOrder, Order, OrderRef, type OrderRow, ownOrderView } from '#src/areas/shop/orders/index.ts'
import { amountNotChargeable, listFittingProviders, providerNotUsable } from '#src/areas/shop/payments/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { soldOut } from '#src/contract/offer.ts'
import { type AsCaller, declareFor } from '#src/contract/operation.ts'
import { ProviderName } from '#src/contract/payment-providers.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { Closed } from '#src/kit/shapes.ts'
import { codeRefused, tooManyPendingOrders } from '../checkout/rules.ts'
import { chargeForOrder } from './rules.ts'
import { askToPay } from './writes.ts'

const NewPayment = Closed('NewPayment', {
  provider: Type.Optional(
    ProviderName("How to pay; by default the school's first provider that can charge the amount"),
  ),
})

const chosen = async (context: AsCaller, order: OrderRow, wanted: string | undefined): Promise<string> => {
  const usable = await listUsableProviders(context.db, context.school)
  const fitting = wanted === undefined ? await listFittingProviders(context, chargeForOrder(order)) : []
  // One that cannot charge the amount says so.
  const found = fitting[0] ?? usable.find(({ name }) => wanted === undefined || name === wanted)
  if (found !== undefined) return found.name
  const none = 'The school accepts no payments now.'
  throw new Refusal(providerNotUsable, wanted === undefined ? none : `Payments by ${wanted} are not accepted here.`)
}

const createAccountOrderPayment = declareFor('self', 'account', {
  id: 'createAccountOrderPayment',
  route: 'POST /account/orders/:order_id/payments',
  summary: 'Pay your order',
  description:
    'Asks for the payment of an order of yours that waits for it, or whose payment failed, and keeps its places for as long as that takes. Nothing is charged: you pay on the page at `payment.page_url`, or by a transfer with the number of the order.',
  idempotency: 'required',
  locationPath: '/account/orders',
  params: OrderRef,
  body: NewPayment,
  returns: Order,
  status: 201,
  fails: [invalidState, providerNotUsable, amountNotChargeable, tooManyPendingOrders, soldOut, codeRefused],
  example: {
    params: { order_id: exampleFrom('ord', 'listAccountOrders', { having: { status: 'pending' } }) },
    body: {},
  },
  async handle(context) {
    const { db, school, caller, params, body, changed, record } = context
    const found = await findOrder(db, school.id, { ref: params.order_id, memberId: caller.member.id })
    const order = found && (await lockPaidOrder(context, found.id))
    if (order?.member_id !== caller.member.id) throw new Refusal(notFound, 'There is no such order.')
    const provider = await chosen(context, order, body.provider)
    const { facts, paymentId } = await askToPay(context, order, { provider })
    for (const fact of facts) record(fact)
    const row = await findOrder(db, school.id, { ref: order.id })
    if (row === undefined) throw new Error('an order that was written is there')
    const ids = [toId('ord', order.id), toId('pay', paymentId)]
    changed({ ids, fields: ['payments'], revision: row.revision, memberId: order.member_id })
    return ownOrderView(context, row)
  },
})

/** The operations of paying an order. */
export const payingOperations = [createAccountOrderPayment]
