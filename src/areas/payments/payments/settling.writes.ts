import { isDeepStrictEqual } from 'node:util'
import type { Fact } from '#src/contract/fact.ts'
import type { HookPlace } from '#src/contract/hook.ts'
import type { FoundPayment, Outcome } from '#src/contract/payments.ts'
import { recordWorkerChange } from '#src/db/audit.ts'
import { toId } from '#src/kit/ids.ts'
import { applyDisputes } from '../disputes/writes.ts'
import { lockOrder, paymentChanged, type Settled, type SettlingPlace } from '../hooks.ts'
import { applyFoundRefunds } from '../refunds/settling.writes.ts'
import { findPayment, lockPaymentRow, type PaymentRow, storeSettled } from './queries.ts'
import { hasEnded, moneyReceived, type SettledValues, settledBy } from './rules.ts'

/** Nothing has changed. */
const unchanged: Settled = { facts: [], ids: [] }

/** The order and then the payment, locked until the transaction ends; undefined when there is no such payment. */
export const lockPayment = async ({ db, school }: HookPlace, id: string): Promise<PaymentRow | undefined> => {
  const found = await findPayment(db, school.id, id)
  if (found === undefined) return undefined
  await lockOrder.call({ orderId: found.order_id }, { db, school })
  return lockPaymentRow(db, school.id, id)
}

const factsOf = (row: PaymentRow, before: PaymentRow): Fact[] => {
  const payload = { payment: toId('pay', row.id), order: toId('ord', row.order_id) }
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
  { db, school, now }: SettlingPlace,
  before: PaymentRow,
  after: PaymentRow,
  ref?: string,
): Promise<Settled> => {
  const isKnown = ref === undefined || before.reference !== null
  if (isKnown && isDeepStrictEqual(before, after)) return unchanged
  const payment = await storeSettled(db, school.id, after, { hasEnded: hasEnded(after), ref, now })
  const received = after.paid_amount - before.paid_amount
  if (received === 0 && after.state === before.state) return unchanged
  const orderFacts = await paymentChanged.call({ payment, before: before.state, received, now }, { db, school })
  return { facts: [...factsOf(payment, before), ...orderFacts.flat()], ids: [toId('pay', payment.id)] }
}

const differs = (row: PaymentRow, found: FoundPayment): SettledValues['difference'] =>
  row.difference ??
  (found.refunds.some(({ refundId, state }) => refundId === undefined && state === 'succeeded') ? 'refunds' : null)

/** Settles a locked payment by an answer of its provider about the payment alone. */
export const applyOutcome = (place: SettlingPlace, row: PaymentRow, outcome: Outcome): Promise<Settled> => {
  const settled = settledBy(row, outcome)
  // What is asked of the provider ends with the payment.
  return storeChange(place, row, { ...settled, ending_at: hasEnded(settled) ? null : row.ending_at }, outcome.ref)
}

/** Settles a locked payment with its refunds and disputes by all that its provider knows. */
export const applyFound = async (place: SettlingPlace, row: PaymentRow, found: FoundPayment): Promise<Settled> => {
  const settled = settledBy(row, found)
  const ending_at = hasEnded(settled) ? null : row.ending_at
  const difference = differs(settled, found)
  const changed = await storeChange(place, row, { ...settled, ending_at, difference }, found.ref)
  // What the order did last, such as numbering its invoice, stays the last statement.
  if (found.refunds.length === 0 && found.disputes.length === 0) return changed
  const payment = await lockPaymentRow(place.db, place.school.id, row.id)
  if (payment === undefined) return unchanged
  const parts = [
    changed,
    await applyFoundRefunds(place, payment, found.refunds),
    await applyDisputes(place, payment, found.disputes),
  ]
  return { facts: parts.flatMap(({ facts }) => facts), ids: parts.flatMap(({ ids }) => ids) }
}

/** Records what was settled without a person: by the worker, or because a page was opened. */
export const recordSettled = async ({ db, school, now }: SettlingPlace, { facts, ids }: Settled): Promise<void> => {
  if (ids.length === 0) return
  const at = { schoolId: school.id, now, operation: 'settlePayment' }
  await recordWorkerChange(db, at, { ids, fields: ['state'] }, facts)
}
