import { findMember } from '#src/areas/people/index.ts'
import { checkoutRefusals, placeOrder } from '#src/areas/shop/checkouts/index.ts'
import {
  cancelPending,
  endLines,
  givenLines,
  isRenewal,
  listLines,
  lockPaidOrder,
  Order,
  OrderRef,
  type OrderRow,
  readMoney,
  staffOrder,
  storeNote,
} from '#src/areas/shop/orders/index.ts'
import { askPayment, confirmReceived, listPaymentReceipts, undoReceived } from '#src/areas/shop/payments/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import type { Fact } from '#src/contract/fact.ts'
import { operation, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound, refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { dayAt } from '#src/kit/local-time.ts'
import { texts } from '#src/texts/index.ts'
import { invoiceOrder } from '../invoicing/writes.ts'
import { readZone } from './queries.ts'
import { BuyerRef, OrderNote, OutsideOrder, ReceivedInput } from './schema.ts'

type Context = WriteContext<Caller>

const aboutOrder = ({ id, member_id }: Pick<OrderRow, 'id' | 'member_id'>) => ({
  order_id: toId('ord', id),
  member_id: toId('mem', member_id),
})

const getLocked = async (context: Context, ref: string): Promise<OrderRow> => {
  const order = await lockPaidOrder(context, ref)
  if (order === undefined) throw new Refusal(notFound, 'There is no such order.')
  await context.requireMatch(order.revision, () => staffOrder(context, order.id))
  return order
}

const done = (context: Context, order: OrderRow, fields: readonly string[], facts: readonly Fact[] = []) => {
  context.changed({ ids: [toId('ord', order.id)], fields, memberId: order.member_id })
  for (const fact of facts) context.record(fact)
  return staffOrder(context, order.id)
}

const wrongState = ({ status }: OrderRow, wanted: string): Refusal =>
  new Refusal(invalidState, `The order is ${status} and not ${wanted}.`)

// A transfer may arrive for every order, also for one whose buyer had begun to pay otherwise.
const manualPayment = async (context: Context, order: OrderRow): Promise<{ id: string; facts: readonly Fact[] }> => {
  const { payments } = await readMoney(context, order.id)
  const found = payments.findLast(({ provider }) => provider === 'manual')
  if (found !== undefined) return { id: found.id, facts: [] }
  const { id: orderId, member_id: memberId, total: amount, currency } = order
  return askPayment(context, { orderId, memberId, provider: 'manual', amount, currency, isReceived: true })
}

type Received = { readonly amount?: number | undefined; readonly received_on?: string | undefined }

const receive = async (context: Context, order: OrderRow, input: Received): Promise<readonly Fact[]> => {
  const missing = order.total - order.paid_total
  const { amount = missing, received_on } = input
  if (amount <= 0) throw new Refusal(invalidState, 'Nothing is missing; send the amount that arrived.')
  const today = dayAt(context.now, await readZone(context.db, context.school.id))
  if (received_on !== undefined && received_on > today)
    refuseInvalid([{ pointer: '/received_on', code: 'future', message: 'is not over yet' }])
  const payment = await manualPayment(context, order)
  const received = { paymentId: payment.id, amount, receivedOn: received_on ?? today }
  const { facts } = await confirmReceived(context, received)
  return [...payment.facts, ...facts]
}

// The first order of the demo.
const one = { order_id: 'number:ORD-1' }

const confirmPayment = operation({
  id: 'confirmPayment',
  summary: 'Confirm a transfer',
  description:
    'Confirms that money for an order arrived by bank transfer or in person, in part or whole, also after the order ended. An order is paid once the whole total has arrived; what arrives beyond it is paid back.',
  who: 'staff',
  mode: 'write',
  proof: 'recent',
  params: OrderRef,
  body: ReceivedInput,
  returns: Order,
  fails: [invalidState],
  example: { params: one, body: { amount: 100 } },
  async handle(context) {
    const order = await getLocked(context, context.params.order_id)
    const facts = await receive(context, order, context.body)
    return done(context, order, ['payments'], facts)
  },
})

const unconfirmPayment = operation({
  id: 'unconfirmPayment',
  summary: 'Undo the confirmation of a transfer',
  description:
    'Undoes the latest confirmation, within a day and while nothing was refunded and no later period of its subscription was asked for. An order that is no longer paid waits for payment again, and what it gave is suspended until then.',
  who: 'staff',
  mode: 'write',
  proof: 'recent',
  params: OrderRef,
  returns: Order,
  fails: [invalidState],
  example: { params: one },
  async handle(context) {
    const order = await getLocked(context, context.params.order_id)
    const { payments } = await readMoney(context, order.id)
    const ids = payments.filter(({ provider }) => provider === 'manual').map(({ id }) => id)
    const receipts = await listPaymentReceipts(context.db, context.school.id, ids)
    const last = receipts
      .filter(({ undone_at }) => undone_at === null)
      .toSorted((one, other) => one.created_at.getTime() - other.created_at.getTime())
      .at(-1)
    if (last === undefined) throw new Refusal(invalidState, 'No transfer of the order was confirmed.')
    const facts = await undoReceived(context, { receiptId: last.id })
    return done(context, order, ['payments'], facts)
  },
})

const cancelOrder = operation({
  id: 'cancelOrder',
  summary: 'Cancel an order',
  description: 'Cancels an order that waits for payment, and gives back its places and discounts at once.',
  who: 'staff',
  mode: 'write',
  params: OrderRef,
  returns: Order,
  fails: [invalidState],
  example: { params: one },
  async handle(context) {
    const order = await getLocked(context, context.params.order_id)
    if (order.status !== 'pending') throw wrongState(order, 'pending')
    if (isRenewal(order))
      throw new Refusal(invalidState, 'The order is of a subscription. Cancel the subscription, or waive the period.')
    const facts = await cancelPending(context, order, 'staff')
    return done(context, order, ['status'], facts)
  },
})

const recordOutsideOrder = operation({
  id: 'recordOutsideOrder',
  summary: 'Record an order that was paid elsewhere',
  description:
    'Records what a member bought and paid elsewhere, at the prices of the school: it is paid at once and gives access. An invoice is issued unless you say that it was elsewhere.',
  who: 'staff',
  mode: 'write',
  proof: 'recent',
  params: BuyerRef,
  body: OutsideOrder,
  returns: Order,
  fails: checkoutRefusals,
  example: {
    params: { member_id: 'external:invited-1' },
    body: {
      items: [
        {
          price_id: exampleFrom('prc', 'listCourses', {
            having: { slug: 'sourdough-from-scratch' },
            at: 'primary_price.id',
          }),
        },
      ],
    },
  },
  async handle(context) {
    const { db, school, params, body } = context
    const { items, billing, received_on, invoice = true, note } = body
    const member = await findMember(db, school.id, params.member_id)
    if (member === undefined || member.status === 'deleted') throw new Refusal(notFound, 'There is no such member.')
    const memberId = member.id
    const input = { items, allow_duplicate: true, ...(billing === undefined ? {} : { billing }) }
    const { order, facts } = await placeOrder(context, { memberId, input, clientId: undefined, isOutside: true })
    if (note !== undefined) await storeNote(db, school.id, order.id, note)
    const received = order.total === 0 ? [] : await receive(context, order, { received_on })
    const invoiced = await invoiceOrder(context, order.id, { isWanted: invoice })
    return done(context, order, Object.keys(body), [...facts, ...received, ...invoiced])
  },
})

const resendReceipt = operation({
  id: 'resendReceipt',
  summary: 'Send a receipt again',
  description: 'Mails the receipt of a paid order to its buyer again.',
  who: 'staff',
  mode: 'write',
  params: OrderRef,
  returns: Order,
  fails: [invalidState],
  example: { params: { order_id: 'number:ORD-3' } },
  async handle(context) {
    const order = await getLocked(context, context.params.order_id)
    if (order.status !== 'paid') throw wrongState(order, 'paid')
    const effects = texts.shop.refunds.staff.operations.resendReceipt.mailsThePersonAReceipt
    const fact = { type: 'order.receipt_resent' as const, payload: aboutOrder(order), effects }
    return done(context, order, [], [fact])
  },
})

const noteOrder = operation({
  id: 'noteOrder',
  summary: 'Note something on an order',
  description: 'Stores a note on an order that only staff see, or removes it.',
  who: 'staff',
  mode: 'write',
  params: OrderRef,
  body: OrderNote,
  returns: Order,
  example: { params: one, body: { note: 'Paid at the door' } },
  async handle(context) {
    const { db, school, params, body } = context
    const order = await getLocked(context, params.order_id)
    if (order.note === body.note) return staffOrder(context, order.id)
    await storeNote(db, school.id, order.id, body.note)
    const fact = { type: 'order.noted' as const, payload: aboutOrder(order) }
    return done(context, order, ['note'], [fact])
  },
})

const acceptDispute = operation({
  id: 'acceptDispute',
  summary: 'Accept a dispute',
  description:
    'Ends what an order with an open dispute gave, without waiting for the decision of the bank. The money is decided by the bank alone.',
  who: 'staff',
  mode: 'write',
  proof: 'recent',
  params: OrderRef,
  returns: Order,
  fails: [invalidState],
  example: { params: one },
  async handle(context) {
    const { db, school, params } = context
    const order = await getLocked(context, params.order_id)
    const { disputes } = await readMoney(context, order.id)
    if (disputes.every(({ state }) => state !== 'open'))
      throw new Refusal(invalidState, 'The order has no open dispute.')
    const lines = givenLines(await listLines(db, school.id, [order.id]))
    if (lines.length === 0) return staffOrder(context, order.id)
    const fact = { type: 'dispute.accepted' as const, payload: aboutOrder(order) }
    return done(context, order, ['dispute'], [fact, ...(await endLines(context, lines, 'dispute'))])
  },
})

/** What staff decide about orders; no app can call these operations. */
export const staffOperations = [
  confirmPayment,
  unconfirmPayment,
  cancelOrder,
  recordOutsideOrder,
  resendReceipt,
  noteOrder,
  acceptDispute,
]
