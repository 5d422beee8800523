import { type buildViewer, seenCourses } from '#src/areas/courses/courses/index.ts'
import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { lessonsCommentedFor } from './subjects.conditions.ts'

/** The names of those of some lessons that a viewer manages, or that are published in a course that the viewer finds. */
export const listSeenLessonNames = (
  db: Db,
  schoolId: string,
  viewer: ReturnType<typeof buildViewer>,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> =>
  db.all(sql<{ id: string; name: string }>`
    select l.id, l.name from lessons l
    where l.school_id = ${schoolId} and l.id = any (${ids}::uuid[]) and (l.id in (${lessonsCommentedFor(schoolId, viewer)})
      or l.status = 'published' and l.archived_at is null and l.course_id in (${seenCourses(schoolId, viewer)}))`)
