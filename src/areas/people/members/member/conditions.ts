import type { Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The id and the name of the member in a column, as one value. For the statements of later areas. */
export const buildPerson = (schoolId: string, memberId: Statement): Statement => sql`(
  select jsonb_build_object('id', m.id, 'name', m.name) from members m
  where m.school_id = ${schoolId} and m.id = ${memberId})`
