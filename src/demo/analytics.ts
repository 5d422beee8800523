import { rollUpAll } from '#src/areas/analytics/index.ts'
import type { Database } from '#src/contract/db.ts'
import { addViews } from './queries.ts'

/** Has posts and forms read on each of the last days. */
export const createDemoViews = (database: Database, schoolId: string): Promise<number> =>
  database.statements(schoolId, db => addViews(db, schoolId))

/** Rolls up the metrics of the demo data, whose rows have no facts. */
export const rollUpDemo = (database: Database, schoolId: string): Promise<void> => rollUpAll(database, schoolId)
