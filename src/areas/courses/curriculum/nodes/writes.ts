import { putInBin } from '#src/areas/school/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { archiveNodes, type OutlineRow, putLessons, putSections, touchOutline } from './queries.ts'
import type { PlannedLesson, PlannedSection } from './rules.ts'

/** Sections and lessons that a member archives. */
type Archiving = { readonly ids: readonly string[]; readonly memberId: string }

/** Archives sections and lessons of a course that is locked; the lessons are in the bin then. */
export const archive = async (
  { db, school }: SchoolContext,
  courseId: string,
  { ids, memberId }: Archiving,
): Promise<void> => {
  const lessons = await archiveNodes(db, school.id, courseId, ids)
  const things = lessons.map(({ id, name }) => ({ kind: 'lesson', id, name, courseId }) as const)
  await putInBin(db, school.id, memberId, things)
}

/** The sections and lessons of a course to be stored, the ids of those that change, and of those that a member archives. */
type PlannedNodes = {
  readonly sections: readonly PlannedSection[]
  readonly lessons: readonly PlannedLesson[]
  readonly touched: readonly string[]
  readonly archived?: Archiving | undefined
}

/** Stores the sections and lessons of a course that is locked, and returns the new revision of its outline. */
export const storeNodes = async (
  context: SchoolContext,
  courseId: string,
  { sections, lessons, touched, archived }: PlannedNodes,
): Promise<OutlineRow> => {
  const { db, school } = context
  await putSections(db, school.id, courseId, sections, touched)
  await putLessons(db, school.id, courseId, lessons, touched)
  if (archived !== undefined) await archive(context, courseId, archived)
  return touchOutline(db, school.id, courseId)
}
