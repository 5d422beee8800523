import { isDeepStrictEqual } from 'node:util'
import type { SchoolContext, TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { FoundPayment, FoundRefund, Outcome } from '#src/contract/payments.ts'
import { recordWorkerChange } from '#src/db/audit.ts'
import { toId } from '#src/kit/ids.ts'
import { applyDisputes } from '../disputes/writes.ts'
import { lockSetup, orderLock, paymentChanged, type Settled } from '../hooks.ts'
import { keepMethod } from '../methods/writes.ts'
import { insertReferences } from '../references/queries.ts'
import { listLostRefunds } from '../refunds/queries.ts'
import { applyFoundRefunds } from '../refunds/settling.writes.ts'
import { findPayment, lockPaymentRow, type PaymentRow, type StoredPayment, storeSettled } from './queries.ts'
import { hasEnded, moneyReceived, type SettledValues, settledBy } from './rules.ts'

/** Nothing has changed. */
const unchanged: Settled = { facts: [], ids: [] }

/** Whether a payment is of an order, and not one of nothing that only saves a method. */
export const isOfOrder = (row: StoredPayment | undefined): row is PaymentRow =>
  row !== undefined && row.order_id !== null

/**
 * The order, or what a method is saved for, and then the payment, locked until the transaction ends; undefined when there is no
 * such payment.
 */
export const lockPayment = async ({ db, school }: SchoolContext, id: string): Promise<StoredPayment | undefined> => {
  const found = await findPayment(db, school.id, id)
  if (found === undefined) return undefined
  if (found.order_id !== null) await orderLock.call({ orderId: found.order_id }, { db, school })
  if (found.setup_for !== null) await lockSetup.call({ setupFor: found.setup_for }, { db, school })
  return lockPaymentRow(db, school.id, id)
}

/** The same for a payment of an order; undefined for one that only saves a method. */
export const lockOrderPayment = async (context: SchoolContext, id: string): Promise<PaymentRow | undefined> => {
  const row = await lockPayment(context, id)
  return isOfOrder(row) ? row : undefined
}

const listFacts = (row: PaymentRow, before: StoredPayment): Fact[] => {
  const payload = { payment_id: toId('pay', row.id), order_id: toId('ord', row.order_id) }
  const received = row.paid_amount - before.paid_amount
  const failed = row.state === 'failed' && before.state !== 'failed'
  return [
    ...(received === 0
      ? []
      : [
          {
            type: received < 0 ? ('payment.receipt_undone' as const) : ('payment.received' as const),
            payload,
            effects: { money: moneyReceived(received, row.paid_currency ?? row.currency) },
          },
        ]),
    ...(failed ? [{ type: 'payment.failed' as const, payload: { ...payload, code: row.failure_code } }] : []),
  ]
}

/** Stores a locked payment as it is now, and tells the order when the state or the amount that arrived has changed. */
export const storeChange = async (
  { db, school, now }: TransactionContext,
  before: StoredPayment,
  after: StoredPayment,
  refs: readonly string[] = [],
): Promise<Settled> => {
  const [ref] = refs
  const added = refs.filter(one => one !== before.reference)
  if (added.length > 0) await insertReferences(db, school.id, before, added)
  const isKnown = ref === undefined || before.reference !== null
  if (isKnown && isDeepStrictEqual(before, after)) return unchanged
  const payment = await storeSettled(db, school.id, after, { hasEnded: hasEnded(after), ref, now })
  const received = after.paid_amount - before.paid_amount
  if (received === 0 && after.state === before.state) return unchanged
  const ids = [toId('pay', payment.id)]
  if (!isOfOrder(payment)) return { facts: [], ids }
  const orderFacts = await paymentChanged.call({ payment, before: before.state, received, now }, { db, school })
  return { facts: [...listFacts(payment, before), ...orderFacts.flat()], ids }
}

// What went back without us, or after it had counted as lost, is not in our books.
const isNotOurs = ({ refundId, state }: FoundRefund, lost: readonly string[]): boolean =>
  state === 'succeeded' && (refundId === undefined || lost.includes(refundId))

const differs = async (
  { db, school }: TransactionContext,
  row: StoredPayment,
  { refunds }: FoundPayment,
): Promise<SettledValues['difference']> => {
  if (row.difference !== null || refunds.length === 0) return row.difference
  const lost = (await listLostRefunds(db, school.id, row.id)).map(({ id }) => toId('rfd', id))
  return refunds.some(one => isNotOurs(one, lost)) ? 'refunds' : null
}

// What is asked of the provider ends with the payment, and who is a customer there from now on is noted, to be forgotten one day.
const after = (row: StoredPayment, outcome: Outcome): StoredPayment => {
  const settled = settledBy(row, outcome)
  const customer_ref = row.customer_ref ?? outcome.saved?.customerRef ?? null
  return { ...settled, customer_ref, ending_at: hasEnded(settled) ? null : row.ending_at }
}

// The order is told last: it finds the method that was saved, and what it does last, such as numbering its invoice, stays so.
const settle = async (
  context: TransactionContext,
  row: StoredPayment,
  settled: StoredPayment,
  outcome: Outcome,
): Promise<Settled> => {
  const facts = await keepMethod(context, settled, outcome)
  const changed = await storeChange(context, row, settled, outcome.refs)
  return { ...changed, facts: [...facts, ...changed.facts] }
}

/** Settles a locked payment by an answer of its provider about the payment alone. */
export const applyOutcome = (context: TransactionContext, row: StoredPayment, outcome: Outcome): Promise<Settled> =>
  settle(context, row, after(row, outcome), outcome)

/** Settles a locked payment with its refunds and disputes by all that its provider knows. */
export const applyFound = async (
  context: TransactionContext,
  row: StoredPayment,
  found: FoundPayment,
): Promise<Settled> => {
  const settled = after(row, found)
  const difference = await differs(context, settled, found)
  const changed = await settle(context, row, { ...settled, difference }, found)
  // What the order did last, such as numbering its invoice, stays the last statement.
  if (found.refunds.length === 0 && found.disputes.length === 0) return changed
  const payment = await lockPaymentRow(context.db, context.school.id, row.id)
  if (!isOfOrder(payment)) return changed
  const parts = [
    changed,
    await applyFoundRefunds(context, payment, found.refunds),
    await applyDisputes(context, payment, found.disputes),
  ]
  return { facts: parts.flatMap(({ facts }) => facts), ids: parts.flatMap(({ ids }) => ids) }
}

/** Records what was settled without a person: by the worker, or because a page was opened. */
export const recordSettled = async (
  { db, school, now }: TransactionContext,
  { facts, ids }: Settled,
): Promise<void> => {
  if (ids.length === 0 && facts.length === 0) return
  const at = { schoolId: school.id, now, operation: 'settlePayment' }
  await recordWorkerChange(db, at, { ids, fields: ['state'] }, facts)
}
