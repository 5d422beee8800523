import type { Database } from '#src/contract/db.ts'
import { finishGuide } from './queries.ts'

/** Marks the guide for the first run as done, since the demo data has all that it leads to. */
export const finishDemoGuide = (database: Database, schoolId: string): Promise<number> =>
  database.transaction(schoolId, db => finishGuide(db, schoolId))
