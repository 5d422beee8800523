import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** Whether an id is that of a member who was not removed. */
export const isMember = async (db: Db, schoolId: string, id: string): Promise<boolean> =>
  (await db.first(sql`
    select from members where school_id = ${schoolId} and id = ${id} and status in ('active', 'invited')`)) !==
  undefined
