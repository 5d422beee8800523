import type { Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** What groups of a school open and opened, with the periods in which they did. For the statements of later areas. */
export const groupOpenings = (schoolId: string): Statement =>
  sql`select group_id, item_type, item_id, opened_at, closed_at from group_items where school_id = ${schoolId}`
