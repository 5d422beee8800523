import type { Database, Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { ensureJob } from '#src/db/jobs.ts'
import { getSchool } from '#src/db/schools.ts'
import { listMetrics } from '../lookups.ts'
import { hasDirty, lockState, rollUp, storeState, takeDirty } from './queries.ts'
import { splitChunks } from './rules.ts'

/** The kind of the job that rolls up what has changed. */
export const METRIC_JOB = 'metric'

// So many quarters are rolled up in one transaction.
const MAX_QUARTERS = 100

/** Creates the job of a school, unless it is there: what happens within seconds is rolled up at once. */
export const planRollUp = (db: Db, schoolId: string): Promise<number> =>
  ensureJob(db, schoolId, { kind: METRIC_JOB, id: schoolId, seconds: 2 })

// Marks are taken before rows are read: what commits in between is marked again.
const rollUpDirty = async (db: Db, schoolId: string): Promise<boolean> => {
  const [school, asOf] = await Promise.all([getSchool(db, schoolId), lockState(db, schoolId)])
  const dirty = await takeDirty(db, schoolId, MAX_QUARTERS)
  for (const metric of await listMetrics({ db, school })) {
    const quarters = dirty.filter(({ source }) => metric.sources.includes(source)).map(({ at }) => at)
    for (const chunk of splitChunks(quarters)) await rollUp(db, schoolId, metric, chunk)
  }
  if (dirty.length === MAX_QUARTERS) return true
  await storeState(db, schoolId, asOf)
  return false
}

/** Rolls up the dirty quarters of a school. A mark that is added while the job ends gets a job of its own. */
export const createRollUp =
  (database: Database): JobHandler =>
  async ({ schoolId }) => {
    const isLeft = await database.transaction(schoolId, db => rollUpDirty(db, schoolId))
    return {
      againIn: isLeft ? 0 : undefined,
      settle: async db => {
        if (!isLeft && (await hasDirty(db, schoolId))) await planRollUp(db, schoolId)
      },
    }
  }

/** Rolls up everything that is dirty now. */
export const rollUpAll = async (database: Database, schoolId: string): Promise<void> => {
  const isLeft = await database.transaction(schoolId, db => rollUpDirty(db, schoolId))
  if (isLeft) await rollUpAll(database, schoolId)
}
