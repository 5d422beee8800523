import type { SchoolContext } from '#src/contract/context.ts'
import { archiveNodes, type OutlineRow, putLessons, putSections, touchOutline } from './queries.ts'
import type { PlannedLesson, PlannedSection } from './rules.ts'

/** The sections and lessons of a course to be stored, the ids of those that change, and of those to be archived. */
type PlannedNodes = {
  readonly sections: readonly PlannedSection[]
  readonly lessons: readonly PlannedLesson[]
  readonly touched: readonly string[]
  readonly archived: readonly string[]
}

/** Stores the sections and lessons of a course that is locked, and returns the new revision of its outline. */
export const storeNodes = async (
  { db, school }: SchoolContext,
  courseId: string,
  { sections, lessons, touched, archived }: PlannedNodes,
): Promise<OutlineRow> => {
  await putSections(db, school.id, courseId, sections, touched)
  await putLessons(db, school.id, courseId, lessons, touched)
  if (archived.length > 0) await archiveNodes(db, school.id, courseId, archived)
  return touchOutline(db, school.id, courseId)
}
