import type { JobParts } from '#src/contract/area.ts'
import type { Database } from '#src/contract/db.ts'
import type { JobHandler, JobOutcome } from '#src/contract/job.ts'
import { recordFacts } from '#src/db/audit.ts'
import { lockSchool } from '#src/db/schools.ts'
import { clearSales, endClearing, readClearing } from './queries.ts'

/** The kind of the job that deletes what a test school sold. */
export const CLEAR_JOB = 'clear_test_sales'

const BATCH_SIZE = 100
const STEPS = 50
const SOON_SECONDS = 1

const endIn = (againIn: number | undefined): JobOutcome => ({ againIn, settle: async () => undefined })

// Against the lock of the school nobody can place an order, so the last look is the last.
const finish = (database: Database, schoolId: string): Promise<boolean> =>
  database.transaction(schoolId, async (db, now) => {
    await lockSchool(db, schoolId)
    if ((await clearSales(db, schoolId, BATCH_SIZE)) !== 0) return false
    await endClearing(db, schoolId)
    await recordFacts(db, { schoolId, now }, [{ type: 'school.test_sales_cleared', payload: {} }])
    return true
  })

/** Deletes what a test school sold, each step in a transaction of its own, and opens selling again after the last one. */
export const createClearing =
  ({ database }: JobParts): JobHandler =>
  async ({ schoolId }) => {
    for (let step = 0; step < STEPS; step++) {
      const { is_clearing } = await database.statements(schoolId, db => readClearing(db, schoolId))
      if (!is_clearing) return endIn(undefined)
      const count = await database.transaction(schoolId, db => clearSales(db, schoolId, BATCH_SIZE))
      if (count === null) return endIn(SOON_SECONDS)
      if (count === 0 && (await finish(database, schoolId))) return endIn(undefined)
    }
    return endIn(0)
  }
