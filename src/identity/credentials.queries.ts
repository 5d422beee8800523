import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** Whether a member can sign in with a password. */
export const hasPassword = async (db: Db, schoolId: string, memberId: string): Promise<boolean> =>
  (await db.first(sql`
    select from credentials where school_id = ${schoolId} and member_id = ${memberId} and kind = 'password'`)) !==
  undefined
