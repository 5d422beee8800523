import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { FoundDispute } from '#src/contract/payments.ts'
import { toId } from '#src/kit/ids.ts'
import { disputeChanged, type Settled } from '../hooks.ts'
import type { PaymentRow } from '../payments/queries.ts'
import { type DisputeRow, listDisputes, storeDispute } from './queries.ts'

// Answers come in any order: one that says "open" of a decided dispute is old.
const isNew = (found: FoundDispute, before: DisputeRow | undefined): boolean =>
  before === undefined || (before.state !== found.state && found.state !== 'open')

const buildFact = (dispute: DisputeRow): Fact => ({
  type: dispute.state === 'open' ? 'dispute.opened' : 'dispute.closed',
  payload: {
    dispute_id: toId('dsp', dispute.id),
    payment_id: toId('pay', dispute.payment_id),
    order_id: toId('ord', dispute.order_id),
    state: dispute.state,
  },
})

/** Stores the disputes of a locked payment as the provider has them, and tells the order of each that has changed. */
export const applyDisputes = async (
  { db, school, now }: TransactionContext,
  payment: PaymentRow,
  disputes: readonly FoundDispute[],
): Promise<Settled> => {
  if (disputes.length === 0) return { facts: [], ids: [] }
  const earlier = new Map((await listDisputes(db, school.id, payment.id)).map(one => [one.reference, one]))
  const facts: Fact[] = []
  const ids: string[] = []
  for (const found of disputes) {
    const before = earlier.get(found.ref)
    if (!isNew(found, before)) continue
    const dispute = await storeDispute(db, school.id, payment, { found, now })
    const orderFacts = await disputeChanged.call({ dispute, payment, before: before?.state, now }, { db, school })
    facts.push(buildFact(dispute), ...orderFacts.flat())
    ids.push(toId('dsp', dispute.id))
  }
  return { facts, ids }
}
