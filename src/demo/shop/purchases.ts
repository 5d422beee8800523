import {
  actOn,
  applyAnswer,
  askToPay,
  beginPayment,
  beginRefund,
  confirmReceived,
  EXPIRY_JOB,
  expireUnpaid,
  findOrder,
  listLines,
  lookUp,
  type OrderRow,
  type PaymentParts,
  placeOrder,
  type TestAction,
} from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import { dropJob } from '#src/db/jobs.ts'
import { dayAt } from '#src/kit/local-time.ts'
import { findMemberId } from '../queries.ts'
import { findPaidId, findPriceId } from './queries.ts'

const inTransaction = <T>(
  { database, school }: PaymentParts,
  work: (context: TransactionContext) => Promise<T>,
): Promise<T> => database.transaction(school.id, (db, now) => work({ db, school, now }))

/** What a member of the demo buys. */
export type Purchase = {
  readonly email: string
  /** The slugs of courses and products; of what is paid again and again with `/payment_plan`, `/month` or `/year` behind it. */
  readonly of: readonly string[]
  readonly code?: string
}

/** What happens in the shop so many minutes ago, with the clock of that time. */
export type Visit = { readonly minutes: number; run(then: PaymentParts): Promise<unknown> }

const findNamed = async <T>(found: Promise<T | undefined>, name: string): Promise<T> => {
  const value = await found
  if (value === undefined) throw new Error(`the demo has no ${name}`)
  return value
}

/** Places an order as the page of the checkout does. */
export const placePurchase = (parts: PaymentParts, { email, of, code }: Purchase): Promise<OrderRow> =>
  inTransaction(parts, async context => {
    const { db, school } = context
    const memberId = await findNamed(findMemberId(db, school.id, email), email)
    const items: { price_id: string }[] = []
    for (const slug of of) items.push({ price_id: await findNamed(findPriceId(db, school.id, slug), slug) })
    const input = { items, allow_duplicate: true, ...(code === undefined ? {} : { codes: [code] }) }
    return (await placeOrder(context, { memberId, input, clientId: undefined, page: '/checkout' })).order
  })

/** Asks for the payment of an order, which then waits; returns its id. */
export const askForPayment = (parts: PaymentParts, { id }: OrderRow, provider: string): Promise<string> =>
  inTransaction(parts, async context => {
    const order = await findNamed(findOrder(context.db, context.school.id, { ref: id }), id)
    return (await askToPay(context, order, { provider })).paymentId
  })

// Its page stays open for half an hour.
const PAGE_MS = 30 * 60_000

/** Pays an order as a buyer does on the page of a test payment, and then as the job that asks what became of it. */
export const payByTest = async (
  parts: PaymentParts,
  order: OrderRow,
  actions: readonly TestAction[],
): Promise<void> => {
  const { school } = parts
  const paymentId = await askForPayment(parts, order, 'test')
  const page = `${school.siteOrigin}/account/orders/${order.number}`
  const begun = await beginPayment(parts, {
    paymentId,
    reference: order.number,
    description: school.name,
    returnUrl: page,
    cancelUrl: page,
    endsAt: await inTransaction(parts, async ({ now }) => new Date(now.getTime() + PAGE_MS)),
    locale: 'en',
  })
  const ref = 'redirect' in begun ? (begun.redirect.split('/').at(-1) ?? '') : ''
  for (const action of actions) {
    await actOn(parts, ref, action)
    const answer = await findNamed(lookUp(parts, paymentId), paymentId)
    await inTransaction(parts, context => applyAnswer(context, paymentId, answer))
  }
}

/** Pays an order by a transfer that staff confirm. */
export const payByTransfer = async (parts: PaymentParts, order: OrderRow): Promise<void> => {
  const paymentId = await askForPayment(parts, order, 'manual')
  await inTransaction(parts, context =>
    confirmReceived(context, { paymentId, amount: order.total, receivedOn: dayAt(context.now, 'UTC') }),
  )
}

/** Refunds the last line of the newest order that a member paid, with its access. */
export const refundLast = (parts: PaymentParts, email: string): Promise<unknown> =>
  inTransaction(parts, async context => {
    const { db, school } = context
    const id = await findNamed(findPaidId(db, school.id, email), email)
    const paid = await findNamed(findOrder(db, school.id, { ref: id }), id)
    const lines = (await listLines(db, school.id, [paid.id])).slice(-1)
    const whole = lines.map(line => ({ line, quantity: line.quantity, amount: line.amount, endsAccess: true }))
    return beginRefund(context, paid, { parts: whole, reason: 'requested' })
  })

/** Expires an order that nobody paid, as the job does. */
export const expireOrder = (parts: PaymentParts, { id }: OrderRow): Promise<void> =>
  inTransaction(parts, async ({ db, school }) => {
    await (await expireUnpaid({ kind: EXPIRY_JOB, schoolId: school.id, id, attempt: 1 })).settle(db)
    await dropJob(db, school.id, EXPIRY_JOB, id)
  })
