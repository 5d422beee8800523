import { clockNow } from '#src/areas/learning/index.ts'
import {
  lockSubscription,
  type SubscriptionRow,
  saveSubscription,
  subscriptionFact,
} from '#src/areas/memberships/subscriptions/index.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { recordFacts } from '#src/db/audit.ts'
import { getSchool } from '#src/db/schools.ts'

/** The kind of the job that says that a trial ends soon. */
export const TRIAL_JOB = 'trial_notice'

const NOTICE_MS = 3 * 24 * 3600 * 1000

/** When somebody is told that a trial ends: three days before; undefined for a shorter trial and where nothing follows. */
export const noticeAt = ({ status, trial_end: end, cancel_at, started_at }: SubscriptionRow): Date | undefined => {
  if (status !== 'trialing' || end === null || cancel_at !== null) return undefined
  const at = new Date(end.getTime() - NOTICE_MS)
  return started_at !== null && at > started_at ? at : undefined
}

/** Says once that the trial of a subscription ends soon, unless it was canceled or moved meanwhile. */
export const noticeTrial: JobHandler = async ({ schoolId, id }) => ({
  againIn: undefined,
  settle: async db => {
    const where = { db, school: await getSchool(db, schoolId), now: await clockNow(db) }
    const row = await lockSubscription(where, id)
    const at = row && noticeAt(row)
    if (row === undefined || at === undefined || row.trial_noticed_at !== null || at > where.now) return
    // The charge waits with the member, so nothing is said of it.
    if (row.member_status === 'suspended') return
    await saveSubscription(where, row, { trial_noticed_at: where.now })
    await recordFacts(db, { schoolId, now: where.now }, [subscriptionFact(row, 'trial_ends')])
  },
})
