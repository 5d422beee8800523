import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { FoundRefund, Outcome } from '#src/contract/payments.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { refundChanged, type Settled } from '../hooks.ts'
import type { PaymentRow } from '../payments/queries.ts'
import { lockRefundRow, type RefundRow, storeRefund } from './queries.ts'
import { isRefundOver, refundMoves } from './rules.ts'

const listFacts = ({ id, payment_id, order_id, state, failure_code }: RefundRow): Fact[] => {
  if (state !== 'succeeded' && state !== 'failed') return []
  const payload = { refund_id: toId('rfd', id), payment_id: toId('pay', payment_id), order_id: toId('ord', order_id) }
  return state === 'succeeded'
    ? [{ type: 'refund.succeeded', payload }]
    : [{ type: 'refund.failed', payload: { ...payload, code: failure_code } }]
}

/** Settles a locked refund of a locked payment, and tells the order when its state has changed. */
export const applyRefund = async (
  { db, school, now }: TransactionContext,
  payment: PaymentRow,
  row: RefundRow,
  outcome: Pick<Outcome, 'state' | 'refs' | 'failure'>,
): Promise<Settled> => {
  const state = refundMoves[row.state][outcome.state]
  if (state === undefined) return { facts: [], ids: [] }
  const values = { id: row.id, state, failure_code: state === 'failed' ? (outcome.failure?.code ?? 'failed') : null }
  const refund = await storeRefund(db, school.id, values, { hasEnded: isRefundOver(state), ref: outcome.refs[0], now })
  const orderFacts = await refundChanged.call({ refund, payment, before: row.state, now }, { db, school })
  return { facts: [...listFacts(refund), ...orderFacts.flat()], ids: [toId('rfd', refund.id)] }
}

/** Settles those refunds that are ours; others were made at the provider. */
export const applyFoundRefunds = async (
  context: TransactionContext,
  payment: PaymentRow,
  refunds: readonly FoundRefund[],
): Promise<Settled> => {
  const facts: Fact[] = []
  const ids: string[] = []
  for (const found of refunds) {
    const id = found.refundId === undefined ? undefined : fromId('rfd', found.refundId)
    const row = id === undefined ? undefined : await lockRefundRow(context.db, context.school.id, id)
    if (row?.payment_id !== payment.id) continue
    const settled = await applyRefund(context, payment, row, found)
    facts.push(...settled.facts)
    ids.push(...settled.ids)
  }
  return { facts, ids }
}
