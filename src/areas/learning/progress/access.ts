import { courseStates, findLesson, getCourse, type LessonRow } from '#src/areas/courses/index.ts'
import { readAccess } from '#src/areas/learning/access/index.ts'
import {
  type EnrollmentRow,
  findEnrollment,
  getStudent,
  maySeeLearners,
} from '#src/areas/learning/enrollments/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'

const noLesson = (): Refusal => new Refusal(notFound, 'There is no such lesson.')

/** A lesson, and the enrollment of a student in its course. */
export type StudentLesson = { readonly lesson: LessonRow; readonly enrollment: EnrollmentRow }

/**
 * A lesson and the enrollment of a student in its course, for staff and for those who teach it; 404 for everybody else.
 */
export const getStudentLesson = async (
  context: AsCaller,
  { student_id, lesson_id }: { readonly student_id: string; readonly lesson_id: string },
): Promise<StudentLesson> => {
  const { db, school } = context
  const { id: memberId } = await getStudent(context, student_id)
  const lesson = await findLesson(context.db, context.school.id, lesson_id)
  if (lesson === undefined || !(await maySeeLearners(context, lesson.course_id))) throw noLesson()
  const enrollment = await findEnrollment(db, school.id, { memberId, courseId: lesson.course_id })
  if (enrollment === undefined) throw noLesson()
  guardPassed(db)
  return { lesson, enrollment }
}

const findsCourse = async (context: AsCaller<Caller>, courseId: string): Promise<boolean> => {
  try {
    await getCourse(context, courseId)
    return true
  } catch (error) {
    if (error instanceof Refusal && error.problem === notFound) return false
    throw error
  }
}

// Learners cannot use a draft, whatever their entitlements; an archived course stays available to those with access.
const isPastDraft = async ({ db, school }: AsCaller<Caller>, courseId: string): Promise<boolean> => {
  const state = (await courseStates(db, school.id, [courseId])).get(courseId)
  return state === 'published' || state === 'archived'
}

/** Whether those with access can learn in a course, or the caller sees it anyway. */
export const isOpenToLearners = async (context: AsCaller<Caller>, courseId: string): Promise<boolean> =>
  (await isPastDraft(context, courseId)) || findsCourse(context, courseId)

/** A lesson that the caller may see as a learner: published, in a course that they find or were ever entitled to. */
export const getLearnersLesson = async (context: AsCaller, ref: string): Promise<LessonRow> => {
  const { db, school, caller } = context
  const lesson = await findLesson(context.db, context.school.id, ref)
  if (lesson === undefined || lesson.status !== 'published' || lesson.archived_at !== null) throw noLesson()
  const item = { type: 'course', id: lesson.course_id } as const
  const { access } = await readAccess(db, school.id, { memberId: caller.member.id, item })
  const isVisible = access.state === 'none' ? findsCourse : isOpenToLearners
  if (!(await isVisible(context, lesson.course_id))) throw noLesson()
  return lesson
}
