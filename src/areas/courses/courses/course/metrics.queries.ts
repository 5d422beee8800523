import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The names of some courses, deleted ones too, by their ids. */
export const readCourseNames = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.all(sql<{ id: string; name: string }>`
    select id, name from all_courses where school_id = ${schoolId} and id = any (${ids}::uuid[])`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
