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
  context: TransactionContext,
  row: SubscriptionRow,
  { resumesAt, access, by }: Pause,
): Promise<{ readonly row: SubscriptionRow; readonly facts: readonly Fact[] }> => {
  checkMove(row, 'paused')
  await checkNotCharging(context, row)
  const stored = await saveSubscription(context, row, {
    status: 'paused',
    paused_at: context.now,
    resumes_at: resumesAt,
    pause_access: access,
  })
  const taken = access === 'stop' ? await takeAccess(context, stored, 'The subscription is paused.') : []
  await noteChange(context, row.id, 'paused', by, { access, resumes_at: resumesAt?.toISOString() ?? null })
  return { row: stored, facts: [subscriptionFact(stored, 'paused', { access }), ...taken] }
}

// Who paused beyond what was paid begins a new period now.
const nextCharge = ({ next_charge_at: next, anchor_zone: zone, current_number }: SubscriptionRow, now: Date) =>
  next === null || next > now || zone === null
    ? {}
    : {
        next_charge_at: now,
        anchor_local: secondAt(now, zone),
        anchor_zone: zone,
        anchor_number: current_number + 1,
        zones: zonesEdition,
      }

/** Resumes a locked subscription that was paused, with access and charges; returns the facts. */
export const resumeSubscription = async (
  context: TransactionContext,
  row: SubscriptionRow,
  by: ChangedBy,
): Promise<{ readonly row: SubscriptionRow; readonly facts: readonly Fact[] }> => {
  if (row.status !== 'paused') return { row, facts: [] }
  const stored = await saveSubscription(context, row, {
    status: 'active',
    paused_at: null,
    resumes_at: null,
    pause_access: null,
    ...nextCharge(row, context.now),
  })
  const given = row.pause_access === 'stop' ? await giveAccess(context, stored) : []
  await noteChange(context, row.id, 'resumed', by, {})
  return { row: stored, facts: [subscriptionFact(stored, 'resumed'), ...given] }
}
