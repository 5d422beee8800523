import type { Database } from '#src/contract/db.ts'
import type { JobHandler, JobOutcome } from '#src/contract/job.ts'
import type { Sweep } from '#src/contract/sweep.ts'

const MOST = 1000
const DAY_SECONDS = 24 * 3600
const SOON_SECONDS = 60
// Well below the duration of a worker's claim.
const PATIENCE_MS = 200_000

const again = (againIn: number): JobOutcome => ({ againIn, settle: async () => undefined })

/** Sweeps a school once a day, in statements of a bounded size, each on its own. */
export const createSweeping =
  (database: Database, sweeps: readonly Sweep[]): JobHandler =>
  async ({ schoolId }) => {
    const end = performance.now() + PATIENCE_MS
    for (const sweep of sweeps) {
      let after: string | undefined
      do {
        if (performance.now() > end) return again(SOON_SECONDS)
        after = await database.statements(schoolId, db => sweep(db, schoolId, { most: MOST, after }))
      } while (after !== undefined)
    }
    return again(DAY_SECONDS)
  }
