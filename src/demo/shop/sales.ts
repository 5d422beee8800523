import {
  actOn,
  addCodes,
  addCoupon,
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
import { people } from '../people/people.ts'
import { findMemberId } from '../queries.ts'
import { findPriceId } from './queries.ts'

const inTransaction = <T>(
  { database, school }: PaymentParts,
  work: (context: TransactionContext) => Promise<T>,
): Promise<T> => database.transaction(school.id, (db, now) => work({ db, school, now }))

type Purchase = {
  readonly by: keyof typeof people
  /** The slugs of courses and products; of what is paid again and again with `/payment_plan`, `/month` or `/year` behind it. */
  readonly of: readonly string[]
  readonly code?: string
  /** How long ago it was placed. */
  readonly minutesAgo?: number
}

const findNamed = async <T>(found: Promise<T | undefined>, name: string): Promise<T> => {
  const value = await found
  if (value === undefined) throw new Error(`the demo has no ${name}`)
  return value
}

const place = (parts: PaymentParts, { by, of, code, minutesAgo = 0 }: Purchase): Promise<OrderRow> =>
  inTransaction(parts, async ({ db, school, now }) => {
    const { email } = people[by]
    const memberId = await findNamed(findMemberId(db, school.id, email), email)
    const items: { price_id: string }[] = []
    for (const slug of of) items.push({ price_id: await findNamed(findPriceId(db, school.id, slug), slug) })
    const at = new Date(now.getTime() - minutesAgo * 60_000)
    const input = { items, allow_duplicate: true, ...(code === undefined ? {} : { codes: [code] }) }
    return (await placeOrder({ db, school, now: at }, { memberId, input, clientId: undefined, page: '/checkout' }))
      .order
  })

const ask = (parts: PaymentParts, { id }: OrderRow, provider: string): Promise<string> =>
  inTransaction(parts, async context => {
    const order = await findNamed(findOrder(context.db, context.school.id, { ref: id }), id)
    return (await askToPay(context, order, { provider })).paymentId
  })

// Its page stays open for half an hour.
const PAGE_MS = 30 * 60_000

// As a buyer does on the page of a test payment, and then as the job that asks what became of it.
const byTest = async (parts: PaymentParts, order: OrderRow, actions: readonly TestAction[]): Promise<void> => {
  const { school } = parts
  const paymentId = await ask(parts, order, 'test')
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

const byTransfer = async (parts: PaymentParts, order: OrderRow): Promise<void> => {
  const paymentId = await ask(parts, order, 'manual')
  await inTransaction(parts, context =>
    confirmReceived(context, { paymentId, amount: order.total, receivedOn: dayAt(context.now, 'UTC') }),
  )
}

// The last so many lines, with their access.
const refundLines = (parts: PaymentParts, { id }: OrderRow, count: number): Promise<unknown> =>
  inTransaction(parts, async context => {
    const paid = await findNamed(findOrder(context.db, context.school.id, { ref: id }), id)
    const lines = (await listLines(context.db, context.school.id, [id])).slice(-count)
    const whole = lines.map(line => ({ line, quantity: line.quantity, amount: line.amount, endsAccess: true }))
    return beginRefund(context, paid, { parts: whole, reason: 'requested' })
  })

const expire = (parts: PaymentParts, { id }: OrderRow): Promise<void> =>
  inTransaction(parts, async ({ db, school }) => {
    await (await expireUnpaid({ kind: EXPIRY_JOB, schoolId: school.id, id, attempt: 1 })).settle(db)
    await dropJob(db, school.id, EXPIRY_JOB, id)
  })

const addFriends = (parts: PaymentParts): Promise<void> =>
  inTransaction(parts, async context => {
    const coupon = await addCoupon(context, { name: 'Friends of the bakery', kind: 'percent', percent_off: '100' })
    await addCodes({ db: context.db, schoolId: context.school.id, now: context.now }, coupon, { code: 'FRIENDS' })
  })

const STARTER = 'keep-your-starter-alive'
const BAGUETTES = 'baguettes-at-home'
const CROISSANTS = 'croissants-layer-by-layer'
const WORKBOOK = 'sourdough-workbook'

/**
 * Sells courses, a digital product, memberships and a payment plan, so that the demo has an order in every state: placed and paid as
 * buyers do, by test payments and bank transfers, with their invoices and credit notes. One membership is in its trial.
 */
export const createDemoSales = async (parts: PaymentParts): Promise<void> => {
  await expire(parts, await place(parts, { by: 'carla', of: [WORKBOOK], minutesAgo: 60 }))
  await byTest(parts, await place(parts, { by: 'dev', of: [STARTER, WORKBOOK] }), ['pay'])
  await byTest(parts, await place(parts, { by: 'eli', of: [BAGUETTES], code: 'WELCOME-10' }), ['pay'])
  await byTest(parts, await place(parts, { by: 'carla', of: [CROISSANTS] }), ['pay', 'dispute'])
  await byTest(parts, await place(parts, { by: 'femi', of: [CROISSANTS] }), ['decline_finally'])
  const some = await place(parts, { by: 'femi', of: [STARTER, WORKBOOK] })
  await byTransfer(parts, some)
  await refundLines(parts, some, 1)
  const all = await place(parts, { by: 'eli', of: [CROISSANTS] })
  await byTransfer(parts, all)
  await refundLines(parts, all, 1)
  await byTest(parts, await place(parts, { by: 'eli', of: ['bakers-club/year'] }), ['pay'])
  await byTest(parts, await place(parts, { by: 'femi', of: ['bakers-club/month'] }), ['pay'])
  await byTest(parts, await place(parts, { by: 'carla', of: ['sourdough-from-scratch/payment_plan'] }), ['pay'])
  await addFriends(parts)
  await place(parts, { by: 'ben', of: [STARTER], code: 'FRIENDS' })
  await ask(parts, await place(parts, { by: 'dev', of: [CROISSANTS] }), 'manual')
  await ask(parts, await place(parts, { by: 'femi', of: [BAGUETTES] }), 'test')
}
