import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { checkNotCharging } from '../periods/lookups.ts'
import { secondAt, zonesEdition } from '../rules.ts'
import type { SubscriptionRow } from '../subscription/conditions.ts'
import {
  type ChangedBy,
  checkMove,
  giveAccess,
  noteChange,
  saveSubscription,
  subscriptionFact,
  takeAccess,
} from '../subscription/writes.ts'

type Pause = {
  readonly resumesAt: Date | null
  readonly access: 'stop' | 'keep'
  readonly by: ChangedBy
}

/** Refuses an instant of resuming that is not later than now. */
export const checkResumption = (resumesAt: Date | null, now: Date): void => {
  if (resumesAt !== null && resumesAt <= now)
    refuseInvalid([{ pointer: '/resumes_at', code: 'future', message: 'must be later than now' }])
}

/** Pauses a locked subscription, so that nothing is charged; returns the facts. */
export const pauseSubscription = async (
  where: TransactionContext,
  row: SubscriptionRow,
  { resumesAt, access, by }: Pause,
): Promise<{ readonly row: SubscriptionRow; readonly facts: readonly Fact[] }> => {
  checkMove(row, 'paused')
  await checkNotCharging(where, row)
  const stored = await saveSubscription(where, row, {
    ...{ status: 'paused', paused_at: where.now, resumes_at: resumesAt, pause_access: access },
  })
  const taken = access === 'stop' ? await takeAccess(where, stored, 'The subscription is paused.') : []
  await noteChange(where, row.id, 'paused', by, { access, resumes_at: resumesAt?.toISOString() ?? null })
  return { row: stored, facts: [subscriptionFact(stored, 'paused', { access }), ...taken] }
}

// Who paused beyond what was paid begins a new period now.
const nextCharge = ({ next_charge_at: next, anchor_zone: zone, current_number }: SubscriptionRow, now: Date) =>
  next === null || next > now || zone === null
    ? {}
    : {
        ...{ next_charge_at: now, anchor_local: secondAt(now, zone), anchor_zone: zone },
        ...{ anchor_number: current_number + 1, zones: zonesEdition },
      }

/** Resumes a locked subscription that was paused, with access and charges; returns the facts. */
export const resumeSubscription = async (
  where: TransactionContext,
  row: SubscriptionRow,
  by: ChangedBy,
): Promise<{ readonly row: SubscriptionRow; readonly facts: readonly Fact[] }> => {
  if (row.status !== 'paused') return { row, facts: [] }
  const stored = await saveSubscription(where, row, {
    ...{ status: 'active', paused_at: null, resumes_at: null, pause_access: null },
    ...nextCharge(row, where.now),
  })
  const given = row.pause_access === 'stop' ? await giveAccess(where, stored) : []
  await noteChange(where, row.id, 'resumed', by, {})
  return { row: stored, facts: [subscriptionFact(stored, 'resumed'), ...given] }
}
