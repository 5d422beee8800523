import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { Viewer } from './queries.ts'
import { seenCourses } from './subjects.conditions.ts'

/** The names of those of some courses that a viewer finds. */
export const listSeenNames = (
  db: Db,
  schoolId: string,
  viewer: Viewer,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> =>
  db.all(sql<{ id: string; name: string }>`
    select id, name from courses
    where school_id = ${schoolId} and id = any (${ids}::uuid[]) and id in (${seenCourses(schoolId, viewer)})`)
