import { rollUpAll } from '#src/areas/analytics/index.ts'
import type { Database } from '#src/contract/db.ts'

/** Rolls up the metrics of the demo data, whose rows have no facts. */
export const rollUpDemo = (database: Database, schoolId: string): Promise<void> => rollUpAll(database, schoolId)
