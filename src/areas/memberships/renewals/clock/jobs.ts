import { clockNow } from '#src/areas/learning/index.ts'
import {
  type ClockStep,
  cancelNow,
  dueAt,
  findSubscription,
  finish,
  lockSubscription,
  periodStart,
  RENEWAL_JOB,
  resumeSubscription,
  type SubscriptionRow,
  saveSubscription,
  schedule,
  stepAt,
  zonesEdition,
} from '#src/areas/memberships/subscriptions/index.ts'
import { findOrder } from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { recordWorkerChange } from '#src/db/audit.ts'
import { putJob } from '#src/db/jobs.ts'
import { getSchool } from '#src/db/schools.ts'
import { toId } from '#src/kit/ids.ts'
import { chargeNext } from '../charging/writes.ts'
import { giveUp, retryPeriod } from '../dunning/writes.ts'

type Run = (context: TransactionContext, row: SubscriptionRow) => Promise<readonly Fact[]>

// A transfer takes as long as the school says, and money that is on its way is not turned away.
const isAwaited = async (
  { db, school, now }: TransactionContext,
  { order_id: id }: SubscriptionRow,
): Promise<boolean> => {
  const order = id === null ? undefined : await findOrder(db, school.id, { ref: id })
  return (
    order?.status === 'processing' ||
    (order?.status === 'pending' && order.expires_at !== null && order.expires_at > now)
  )
}

const steps: Readonly<Record<ClockStep, Run>> = {
  expire: async (context, row) => ((await isAwaited(context, row)) ? [] : finish(context, row, 'expired')),
  cancel: async (context, row) => (await cancelNow(context, row, { by: {}, reason: row.cancel_reason })).facts,
  // A term that ends while the subscription is not active ends it in the same way as a cancellation.
  end: async (context, row) =>
    row.status === 'active'
      ? finish(context, row, 'expired')
      : (await cancelNow(context, row, { by: {}, reason: 'term_ended' })).facts,
  resume: async (context, row) => (await resumeSubscription(context, row, {})).facts,
  charge: chargeNext,
  retry: retryPeriod,
  give_up: giveUp,
}

// A later edition of the time zones may have moved the next period.
const movedByZones = (row: SubscriptionRow, now: Date): Date | undefined => {
  if (row.zones === null || row.zones === zonesEdition || row.price === null || row.next_charge_at === null)
    return undefined
  const start = periodStart(row, row.price, row.current_number + 1)
  return row.next_charge_at <= now && start > now ? start : undefined
}

const run = async (context: TransactionContext, row: SubscriptionRow): Promise<readonly Fact[]> => {
  const moved = movedByZones(row, context.now)
  if (moved !== undefined) {
    await saveSubscription(context, row, { next_charge_at: moved, zones: zonesEdition })
    return []
  }
  const step = stepAt(row, context.now)
  if (step !== undefined) return steps[step](context, row)
  await schedule(context, row)
  return []
}

const AGAIN_MS = 3600 * 1000

// What could not be done is tried again later, and never in a circle.
const planAgain = async (
  { db, school, now }: TransactionContext,
  before: SubscriptionRow,
): Promise<SubscriptionRow | undefined> => {
  const row = await findSubscription(db, school.id, { id: before.id })
  const due = row && dueAt(row)
  if (row?.revision === before.revision && due !== undefined && due <= now)
    await putJob(db, school.id, { kind: RENEWAL_JOB, id: row.id, dueAt: new Date(now.getTime() + AGAIN_MS) })
  return row
}

/**
 * Does what is due of the subscription of a job, in the transaction that settles the job: of two workers one does it. One
 * step at a time, so that two periods that are due after a long pause are charged one after the other.
 */
export const runRenewal: JobHandler = async ({ schoolId, id }) => ({
  againIn: undefined,
  settle: async db => {
    const where = { db, school: await getSchool(db, schoolId), now: await clockNow(db) }
    const row = await lockSubscription(where, id)
    if (row === undefined) return
    const facts = await run(where, row)
    const after = await planAgain(where, row)
    if (after === undefined || after.revision === row.revision) return
    const at = { schoolId, now: where.now, operation: 'renewSubscription' }
    const { revision, member_id: memberId } = after
    await recordWorkerChange(db, at, { ids: [toId('sub', id)], fields: ['status'], revision, memberId }, facts)
  },
})
