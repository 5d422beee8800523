import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound } from '#src/contract/problems.ts'
import { computeSum, MAX_AMOUNT } from '#src/kit/money.ts'
import type { PaymentRow } from '../payments/queries.ts'
import type { PaymentState } from '../payments/rules.ts'
import { lockOrderPayment, storeChange } from '../payments/settling.writes.ts'
import { sumOfRefunds } from '../refunds/queries.ts'
import { findReceipt, insertReceipt, type ReceiptRow, storeUndone } from './queries.ts'

const DAY_MS = 24 * 3600 * 1000

const stateWith = ({ state, amount }: PaymentRow, paid: number): PaymentState => {
  if (paid >= amount) return 'succeeded'
  // What was received in part is still awaited, also after an order ended: only staff know what the money was for.
  return state === 'succeeded' ? 'open' : state
}

const withReceived = async (context: TransactionContext, row: PaymentRow, amount: number): Promise<readonly Fact[]> => {
  const paid_amount = computeSum([row.paid_amount, amount])
  if (paid_amount > MAX_AMOUNT) throw new Refusal(invalidState, 'More than the largest amount would be received.')
  const after = { ...row, paid_amount, paid_currency: row.currency, state: stateWith(row, paid_amount) }
  return (await storeChange(context, row, after)).facts
}

const lockManual = async (context: TransactionContext, id: string): Promise<PaymentRow> => {
  const row = await lockOrderPayment(context, id)
  if (row === undefined) throw new Refusal(notFound, 'There is no such payment.')
  if (row.provider !== 'manual')
    throw new Refusal(invalidState, `The payment is by ${row.provider}, which reports by itself what arrives.`)
  return row
}

/** What staff confirm: an amount in minor units, and the day on which it arrived, such as `2026-11-23`. */
type Received = { readonly paymentId: string; readonly amount: number; readonly receivedOn: string }

/**
 * Confirms that a bank transfer or a payment in person arrived, in part or whole, also after the order ended; tells the
 * order. Returns the facts to record. Refuses with 409 payments of other providers.
 */
export const confirmReceived = async (
  context: TransactionContext,
  { paymentId, amount, receivedOn }: Received,
): Promise<{ readonly receipt: ReceiptRow; readonly facts: readonly Fact[] }> => {
  const { db, school, now } = context
  const row = await lockManual(context, paymentId)
  const receipt = await insertReceipt(db, school.id, now, { payment_id: row.id, amount, received_on: receivedOn })
  return { receipt, facts: await withReceived(context, row, amount) }
}

/**
 * Undoes a confirmation within a day of it, as long as nothing of the payment was refunded; tells the order. Returns the
 * facts to record. Refuses with 409 later.
 */
export const undoReceived = async (
  context: TransactionContext,
  { receiptId }: { readonly receiptId: string },
): Promise<readonly Fact[]> => {
  const { db, school, now } = context
  const receipt = await findReceipt(db, school.id, receiptId)
  if (receipt === undefined) throw new Refusal(notFound, 'There is no such receipt.')
  const row = await lockManual(context, receipt.payment_id)
  if (now.getTime() - receipt.created_at.getTime() > DAY_MS)
    throw new Refusal(invalidState, 'A confirmation can be undone within a day. Refund the payment instead.')
  if ((await sumOfRefunds(db, school.id, row.id)) > 0)
    throw new Refusal(invalidState, 'A part of the payment was refunded, so its confirmation cannot be undone.')
  if ((await storeUndone(db, school.id, receipt.id, now)) === 0)
    throw new Refusal(invalidState, 'The confirmation was undone before.')
  return withReceived(context, row, -receipt.amount)
}
