import { type CourseRow, findArchivedCourse, getCourse } from '#src/areas/courses/courses/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { type LessonAvailability, lessonAvailability } from './hooks.ts'

/** The availability of lessons of a course to the caller, by the ids of the lessons; of all when none are named. */
export const findAvailability = async (
  { db, school, caller }: AsCaller<Caller>,
  courseId: string,
  lessonIds?: readonly string[],
): Promise<ReadonlyMap<string, LessonAvailability>> => {
  if (caller.member === undefined) return new Map()
  const input = { memberId: caller.member.id, courseId, ...(lessonIds === undefined ? {} : { lessonIds }) }
  return new Map((await lessonAvailability.call(input, { db, school })).flatMap(found => [...found]))
}

/** Whether an error is a refusal with 404. */
export const isNotFound = (error: unknown): boolean => error instanceof Refusal && error.problem === notFound

/** The result, or undefined where it is refused with 404. */
export const unlessNotFound = async <Found>(result: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await result
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

// Archiving ends the sale of a course, and not the access of those who have it.
const findArchivedWithAccess = async (context: AsCaller<Caller>, ref: string): Promise<CourseRow | undefined> => {
  if (context.caller.member === undefined) return undefined
  const course = await findArchivedCourse(context, ref)
  if (course === undefined) return undefined
  const availability = await findAvailability(context, course.id)
  return [...availability.values()].some(({ reason }) => reason !== 'no_access') ? course : undefined
}

/** The course of a path for those who may read its curriculum; refuses others with 404. */
export const readCourse = async (context: AsCaller<Caller>, ref: string): Promise<CourseRow> => {
  try {
    return await getCourse(context, ref)
  } catch (error) {
    const archived = isNotFound(error) ? await findArchivedWithAccess(context, ref) : undefined
    if (archived === undefined) throw error
    return archived
  }
}
