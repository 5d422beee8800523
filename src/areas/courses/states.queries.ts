import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { CourseRow } from './queries.ts'

/** The status of some courses that were not deleted. */
export const courseStates = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CourseRow['status']>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.all(sql<Pick<CourseRow, 'id' | 'status'>>`
    select id, status from courses where school_id = ${schoolId} and id = any (${ids}::uuid[]) and deleted_at is null`)
  return new Map(rows.map(({ id, status }) => [id, status]))
}
