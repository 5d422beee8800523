import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The time zone of a school. */
export const readZone = async (db: Db, schoolId: string): Promise<string> =>
  (await db.one(sql<{ time_zone: string }>`select time_zone from schools where id = ${schoolId}`)).time_zone
