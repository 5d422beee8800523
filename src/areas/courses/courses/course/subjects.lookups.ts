import type { Caller } from '#src/contract/caller.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { Subject, SubjectView } from '#src/contract/subject.ts'
import { hasLearned } from '../hooks.ts'
import { listTeachers } from '../lecturers/queries.ts'
import { buildViewer } from './access.ts'
import { type CourseRow, findCourseRow } from './queries.ts'
import { listSeenNames } from './subjects.queries.ts'

type Asking = { readonly caller: Caller }

/** Who answers for a course, and whether a caller learns in it. */
export const peopleOfCourse = async (
  { db, school }: SchoolContext,
  course: Pick<CourseRow, 'id'>,
  { member }: Caller,
): Promise<Pick<SubjectView, 'lecturerIds' | 'isLearner'>> => {
  const [lecturerIds, learned] = await Promise.all([
    listTeachers(db, school.id, course.id),
    member && hasLearned.call({ memberId: member.id, courseId: course.id }, { db, school }),
  ])
  return { lecturerIds, isLearner: learned?.includes(true) ?? false }
}

/** A course as a subject of comments; undefined unless the caller finds it. */
export const courseSubject = async (
  context: SchoolContext,
  { type, id, caller }: Subject & Asking,
): Promise<SubjectView | undefined> => {
  if (type !== 'course') return undefined
  const course = await findCourseRow(context.db, context.school.id, buildViewer(caller), id)
  if (course === undefined) return undefined
  const { name, slug, comments } = course
  return { name, comments, path: `/courses/${slug}`, ...(await peopleOfCourse(context, course, caller)) }
}

/** The names of those of some subjects that are courses which the caller finds. */
export const courseSubjectNames = async (
  { db, school }: SchoolContext,
  { subjects, caller }: Asking & { readonly subjects: readonly Subject[] },
): Promise<ReadonlyMap<string, string>> => {
  const ids = subjects.filter(({ type }) => type === 'course').map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const rows = await listSeenNames(db, school.id, buildViewer(caller), ids)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
