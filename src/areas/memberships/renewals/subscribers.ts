import {
  findSubscription,
  listMemberSubscriptions,
  lockSubscription,
  runningStatuses,
  type SubscriptionRow,
  schedule,
  subscriptionFact,
} from '#src/areas/memberships/subscriptions/index.ts'
import type { SchoolContext, TransactionContext } from '#src/contract/context.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import { recordFacts } from '#src/db/audit.ts'
import { putJob } from '#src/db/jobs.ts'
import { fromId } from '#src/kit/ids.ts'
import { noticeAt, TRIAL_JOB } from './trials/jobs.ts'

const planNotice = async ({ db, school }: SchoolContext, row: SubscriptionRow): Promise<void> => {
  const dueAt = noticeAt(row)
  if (dueAt !== undefined) await putJob(db, school.id, { kind: TRIAL_JOB, id: row.id, dueAt })
}

/** Plans the notice about a trial that began or was moved. */
export const onTrial: FactHandler<'subscription.trial_started' | 'subscription.charge_moved'> = async (
  { payload },
  { db, school },
) => {
  const id = fromId('sub', payload.subscription_id)
  const row = id === undefined ? undefined : await findSubscription(db, school.id, { id })
  if (row !== undefined) await planNotice({ db, school }, row)
}

const rescheduled = async (payload: { readonly member_id: string }, context: TransactionContext) => {
  const { db, school } = context
  const memberId = fromId('mem', payload.member_id)
  const rows = memberId === undefined ? [] : await listMemberSubscriptions(db, school.id, memberId, runningStatuses)
  for (const { id } of rows) {
    const row = await lockSubscription(context, id)
    if (row !== undefined) await schedule(context, row)
  }
  return rows
}

/** Lets the renewals of a member who was suspended wait, and says so to the staff. */
export const onSuspended: FactHandler<'member.suspended'> = async ({ payload }, where) => {
  const rows = await rescheduled(payload, where)
  const { db, school, now } = where
  await recordFacts(
    db,
    { schoolId: school.id, now },
    rows.map(row => subscriptionFact(row, 'renewal_waits')),
  )
}

/** Goes on with the renewals of a member who was reinstated, and with the notices of trials that have not ended meanwhile. */
export const onReinstated: FactHandler<'member.reinstated'> = async ({ payload }, where) => {
  const rows = await rescheduled(payload, where)
  for (const row of rows.filter(({ trial_end: end }) => end !== null && end > where.now)) await planNotice(where, row)
}
