import type { LessonRow } from '#src/areas/courses/index.ts'
import type { Db } from '#src/contract/db.ts'
import { findAssignment } from './queries.ts'

/**
 * Whether a lesson of the type assignment is completed only by accepted work; true until its assignment says otherwise.
 */
export const needsAcceptedWork = async (db: Db, schoolId: string, lesson: LessonRow): Promise<boolean> =>
  (await findAssignment(db, schoolId, lesson.id))?.required ?? true
