import { readProviderStanding } from '#src/areas/school/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { isOnline } from '#src/contract/payment-providers.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { putJob } from '#src/db/jobs.ts'
import { toId } from '#src/kit/ids.ts'
import { sumOfDisputes } from '../disputes/queries.ts'
import type { PaymentRow } from '../payments/queries.ts'
import { moneyRefunded, refundTooLarge } from '../payments/rules.ts'
import { lockOrderPayment } from '../payments/settling.writes.ts'
import { insertRefund, type RefundRow, sumOfRefunds } from './queries.ts'
import { byTransfer, type RefundReason } from './rules.ts'
import { applyRefund } from './settling.writes.ts'

/** The kind of the job that makes the call for a refund. */
export const REFUND_JOB = 'refund'

/** How much of a locked payment can be refunded, in minor units. */
const leftToRefund = async ({ db, school }: TransactionContext, { id, paid_amount }: PaymentRow): Promise<number> => {
  const [refunded, disputed] = [await sumOfRefunds(db, school.id, id), await sumOfDisputes(db, school.id, id)]
  return Math.max(0, paid_amount - refunded - disputed)
}

const buildFact = ({ id, payment_id, order_id, amount }: RefundRow, currency: string): Fact => ({
  type: 'refund.begun',
  payload: { refund_id: toId('rfd', id), payment_id: toId('pay', payment_id), order_id: toId('ord', order_id) },
  effects: { money: moneyRefunded(amount, currency) },
})

/**
 * Begins a refund of a payment, in minor units of what arrived. The job calls the provider; staff transfer what none pays back, such
 * as of one that was removed since, and that counts as done. Returns the facts to record. Refuses with 409 more than is left.
 */
export const askRefund = async (
  context: TransactionContext,
  { paymentId, amount, reason }: { readonly paymentId: string; readonly amount: number; readonly reason: RefundReason },
): Promise<{ readonly id: string; readonly facts: readonly Fact[] }> => {
  const { db, school, now } = context
  const payment = await lockOrderPayment(context, paymentId)
  if (payment === undefined) throw new Refusal(notFound, 'There is no such payment.')
  const left = await leftToRefund(context, payment)
  if (amount > left) throw new Refusal(refundTooLarge, 'More than is left would be refunded.', { members: { left } })
  const refund = await insertRefund(db, school.id, now, {
    payment_id: payment.id,
    order_id: payment.order_id,
    amount,
    reason,
  })
  const fact = buildFact(refund, payment.paid_currency ?? payment.currency)
  if (isOnline(payment.provider) && !(await readProviderStanding(context, payment)).isGone) {
    await putJob(db, school.id, { kind: REFUND_JOB, id: refund.id, dueAt: now })
    return { id: refund.id, facts: [fact] }
  }
  const { facts } = await applyRefund(context, payment, refund, byTransfer)
  return { id: refund.id, facts: [fact, ...facts] }
}
