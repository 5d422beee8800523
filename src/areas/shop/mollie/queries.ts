import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The instant by the clock of the database. */
export const readClock = async (db: Db): Promise<Date> =>
  (await db.one(sql<{ now: Date }>`select stoa.now() as now`)).now
