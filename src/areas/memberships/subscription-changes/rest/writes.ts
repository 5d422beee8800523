import { isCreditReady, useCredit } from '#src/areas/memberships/subscription-credits/index.ts'
import {
  chargingTerms,
  checkNotCharging,
  computeCodeOff,
  findPeriodByOrder,
  finish,
  giveBack,
  insertPeriod,
  lockSubscription,
  noteChange,
  periodStart,
  placeSubscriptionOrder,
  type SubscriptionRow,
  saveSubscription,
  subscriptionFact,
  taxationFor,
} from '#src/areas/memberships/subscriptions/index.ts'
import { computeOrder, findOrder, type LineRow, listLines, type OrderRow } from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { askForOrder } from '../change/ordering.writes.ts'
import { findOpenRest } from './queries.ts'
import { computeRest } from './rules.ts'

const NO_BILLING = { name: null, company: null, address: null, country: null, tax_id: null }

// As a page of a provider is open at least for.
const PAYABLE_MS = 3600 * 1000

const computeLeft = ({ price, payments_made: made }: SubscriptionRow): number =>
  price?.number_of_payments === null || price === null ? 0 : price.number_of_payments - made

const restPeriod = (row: SubscriptionRow, payments: number) => {
  if (row.price === null) throw new Error('a payment plan has a price')
  const first = row.current_number + 1
  return { from: periodStart(row, row.price, first), until: periodStart(row, row.price, first + payments) }
}

/**
 * Places one order for all that is left of a locked payment plan, or returns the one that waits already. Refuses with 409 what is
 * not a payment plan that runs, or while a payment of it is being charged.
 */
export const orderRest = async (
  context: TransactionContext,
  row: SubscriptionRow,
): Promise<{ readonly order: OrderRow; readonly facts: readonly Fact[] }> => {
  const { db, school, now } = context
  const payments = computeLeft(row)
  if (row.price === null || row.price_id === null || row.status !== 'active' || payments < 1)
    throw new Refusal(invalidState, 'Only of a payment plan that runs the rest can be paid.')
  await checkNotCharging(context, row)
  const open = await findOpenRest(db, school.id, row.id)
  const waiting = open === undefined ? undefined : await findOrder(db, school.id, { ref: open })
  if (waiting !== undefined) return { order: waiting, facts: [] }
  const terms = await chargingTerms(context, [row])
  const { amount } = row.price
  const codeOff = computeCodeOff(row, terms, amount)
  const rest = computeRest({ payments, amount, codeOff, codePayments: row.code_periods_left, credit: row.credit })
  const taxation = taxationFor(row, terms)
  const discount = rest.codeOff + rest.creditUsed
  const { lines, totals } = computeOrder(
    [{ unitAmount: rest.whole, quantity: 1, discount, taxClass: row.tax_class }],
    taxation,
  )
  const [line] = lines
  if (line === undefined) throw new Error('an order has the amounts of its line')
  const placed = await placeSubscriptionOrder(context, row, {
    kind: 'instalment',
    priceId: row.price_id,
    price: row.price,
    access: row.access,
    line,
    totals,
    taxation,
    billing: row.billing ?? NO_BILLING,
    codeOff: rest.codeOff,
    creditUsed: rest.creditUsed,
    held: rest.creditUsed,
    period: restPeriod(row, payments),
    expiresAt: new Date(now.getTime() + PAYABLE_MS),
  })
  return askForOrder(context, row, placed, false)
}

// The order was for what was left then, and nothing has been paid of that since.
const isStillOwed = (row: SubscriptionRow, line: LineRow): boolean =>
  row.price !== null &&
  row.status === 'active' &&
  computeLeft(row) > 0 &&
  line.period_from?.getTime() === restPeriod(row, computeLeft(row)).from.getTime() &&
  line.period_until?.getTime() === restPeriod(row, computeLeft(row)).until.getTime()

/** Whether the order of all that is left of a plan is for what is left now; undefined for the order of one period. */
export const isRestPayable = async (context: TransactionContext, order: OrderRow): Promise<boolean | undefined> => {
  const { db, school } = context
  if (order.subscription_id === null || (await findPeriodByOrder(db, school.id, order.id)) !== undefined)
    return undefined
  const row = await lockSubscription(context, order.subscription_id)
  const [line] = await listLines(db, school.id, [order.id])
  return (
    row !== undefined &&
    line !== undefined &&
    isStillOwed(row, line) &&
    (await isCreditReady(context, row, { orderId: order.id, amount: line.credit_amount }))
  )
}

// Each payment has its period; the order and its amount are those of the first, since an order pays once.
const payPeriods = async (
  { db, school, now }: TransactionContext,
  row: SubscriptionRow,
  order: OrderRow,
  line: LineRow,
) => {
  const { price } = row
  if (price === null) throw new Error('a payment plan has a price')
  const numbers = Array.from({ length: computeLeft(row) }, (_, index) => row.current_number + 1 + index)
  for (const number of numbers) {
    const isFirst = number === row.current_number + 1
    const paid = isFirst
      ? { amount: order.total, credit_used: line.credit_amount, order_id: order.id }
      : { amount: 0, credit_used: 0, order_id: null }
    const [from, until] = [periodStart(row, price, number), periodStart(row, price, number + 1)]
    const period = {
      id: newUuid(now.getTime()),
      subscription_id: row.id,
      number,
      period_from: from,
      period_until: until,
    }
    await insertPeriod(
      db,
      school.id,
      { ...period, ...paid, currency: order.currency, state: 'paid', attempts: isFirst ? 1 : 0 },
      now,
    )
  }
  return { current_number: row.current_number + numbers.length }
}

/** Completes a payment plan whose rest was paid; no facts when that was not owed any more, so that the money goes back. */
export const settleRest = async (
  context: TransactionContext,
  order: OrderRow,
  line: LineRow,
): Promise<readonly Fact[]> => {
  const { db, school } = context
  if (order.kind !== 'instalment' || order.subscription_id === null) return []
  const row = await lockSubscription(context, order.subscription_id)
  if (row === undefined || (await findPeriodByOrder(db, school.id, order.id)) !== undefined) return []
  const used = isStillOwed(row, line)
    ? await useCredit(context, row, { orderId: order.id, amount: line.credit_amount })
    : undefined
  if (used === undefined) return giveBack(context, row, order)
  const paid = await payPeriods(context, row, order, line)
  const payments_made = row.price?.number_of_payments ?? row.payments_made
  const stored = await saveSubscription(context, row, { payments_made, ...paid })
  await noteChange(context, row.id, 'rest_paid', { memberId: row.member_id }, { order_id: toId('ord', order.id) })
  const fact = subscriptionFact(stored, 'rest_paid', { order_id: toId('ord', order.id) })
  return [fact, ...used, ...(await finish(context, stored, 'completed'))]
}
