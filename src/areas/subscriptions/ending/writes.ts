import { changeEnds } from '#src/areas/access/index.ts'
import { cancelSetups } from '#src/areas/payments/index.ts'
import type { Fact } from '#src/contract/fact.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { cancelOrdersOf } from '../charging/writes.ts'
import { findOpenPeriod, storePeriodState } from '../periods/queries.ts'
import type { SubscriptionRow } from '../subscription/conditions.ts'
import {
  type ChangedBy,
  checkMove,
  endOf,
  noteChange,
  saveSubscription,
  subscriptionFact,
  takeAccess,
  type Writing,
} from '../subscription/writes.ts'
import { listEntitlementsOf } from './queries.ts'

/** What a subscription no longer waits for when it has ended. */
const ENDED = {
  next_charge_at: null,
  retry_at: null,
  gives_up_at: null,
  past_due_since: null,
  paused_at: null,
  resumes_at: null,
  pause_access: null,
} as const

/** What a subscription no longer waits for when what was due is paid or waived. */
export const SETTLED = { past_due_since: null, retry_at: null, gives_up_at: null, retries: 0 } as const

const NOT_CANCELED = { cancel_at: null, canceled_at: null, cancel_reason: null } as const

const closePeriod = async ({ db, school, now }: Writing, subscriptionId: string): Promise<void> => {
  const open = await findOpenPeriod(db, school.id, subscriptionId)
  if (open !== undefined)
    await storePeriodState(db, school.id, open.id, { state: 'canceled', attempts: open.attempts, now })
}

const endsAccess = {
  access: { en: 'Ends the access that the subscription gives', pt: 'Termina o acesso dado pela assinatura' },
}

/**
 * Ends a locked subscription at once: nothing is charged again, and what it gave is taken back. Returns the facts; refuses with
 * 409 one that has ended.
 */
export const cancelNow = async (
  where: Writing,
  row: SubscriptionRow,
  {
    by,
    reason,
    orders = 'staff',
  }: { readonly by: ChangedBy; readonly reason: string | null; readonly orders?: 'buyer' | 'staff' | 'erasure' },
): Promise<{ readonly row: SubscriptionRow; readonly facts: readonly Fact[] }> => {
  checkMove(row, 'canceled')
  const { now } = where
  const stored = await saveSubscription(where, row, {
    ...ENDED,
    status: 'canceled',
    canceled_at: now,
    cancel_at: row.cancel_at !== null && row.cancel_at < now ? row.cancel_at : now,
    cancel_reason: reason,
  })
  const taken = await takeAccess(where, stored, 'The subscription was canceled.')
  await closePeriod(where, row.id)
  const orderFacts = await cancelOrdersOf(where, row.id, orders)
  await cancelSetups(where, { setupFor: row.id })
  await noteChange(where, row.id, 'canceled', by, { reason })
  return { row: stored, facts: [subscriptionFact(stored, 'canceled', { reason }, endsAccess), ...taken, ...orderFacts] }
}

const closeAll = async (where: Writing, row: SubscriptionRow): Promise<readonly Fact[]> => {
  const taken = await takeAccess(where, row, 'The subscription has ended.')
  await closePeriod(where, row.id)
  const orderFacts = await cancelOrdersOf(where, row.id, 'staff')
  await cancelSetups(where, { setupFor: row.id })
  return [...taken, ...orderFacts]
}

const moveEnd = async (where: Writing, row: SubscriptionRow): Promise<readonly Fact[]> => {
  const ids = await listEntitlementsOf(where.db, where.school.id, row.id)
  return changeEnds(
    where,
    ids.map(id => ({ id, endsAt: endOf(row) ?? null })),
  )
}

/** Ends a locked subscription without canceling it: what was to be paid is paid, or its term or its first order is over. */
export const finish = async (
  where: Writing,
  row: SubscriptionRow,
  status: 'completed' | 'expired',
): Promise<readonly Fact[]> => {
  checkMove(row, status)
  // What is paid to its end is not canceled any more, and keeps the access of its price.
  const undone = status === 'completed' && row.cancel_at !== null ? NOT_CANCELED : {}
  const stored = await saveSubscription(where, row, { ...ENDED, ...undone, status })
  // The order that completed it is being settled, and no other one is open.
  const facts = status === 'expired' ? await closeAll(where, stored) : await moveEnd(where, stored)
  await noteChange(where, row.id, status, {}, {})
  return [subscriptionFact(stored, status), ...facts]
}

/** Plans the end of a locked subscription; access ends then. Returns the facts. */
export const planCancellation = async (
  where: Writing,
  row: SubscriptionRow,
  { at, by, reason }: { readonly at: Date; readonly by: ChangedBy; readonly reason: string | null },
): Promise<{ readonly row: SubscriptionRow; readonly facts: readonly Fact[] }> => {
  checkMove(row, 'canceled')
  const stored = await saveSubscription(where, row, { cancel_at: at, canceled_at: where.now, cancel_reason: reason })
  const moved = await moveEnd(where, stored)
  await noteChange(where, row.id, 'cancel_planned', by, { at: at.toISOString(), reason })
  return { row: stored, facts: [subscriptionFact(stored, 'cancel_planned', { reason }), ...moved] }
}

/** Undoes the planned end of a locked subscription; refuses with 409 once the instant has come. Returns the facts. */
export const undoCancellation = async (
  where: Writing,
  row: SubscriptionRow,
  by: ChangedBy,
): Promise<{ readonly row: SubscriptionRow; readonly facts: readonly Fact[] }> => {
  if (row.status === 'canceled' || (row.cancel_at !== null && row.cancel_at <= where.now))
    throw new Refusal(invalidState, 'The subscription has ended. Buy it again instead.')
  if (row.cancel_at === null) return { row, facts: [] }
  const stored = await saveSubscription(where, row, NOT_CANCELED)
  const moved = await moveEnd(where, stored)
  await noteChange(where, row.id, 'cancel_undone', by, {})
  return { row: stored, facts: [subscriptionFact(stored, 'cancel_undone'), ...moved] }
}
