import { accessOf } from '#src/areas/access/index.ts'
import { courseStates, getCourse } from '#src/areas/courses/index.ts'
import { findLesson, type LessonRow } from '#src/areas/curriculum/index.ts'
import { type EnrollmentRow, findEnrollment, getStudent, isLookingAfter } from '#src/areas/enrollments/index.ts'
import type { Caller, SignedIn } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { fromId, toId } from '#src/kit/ids.ts'

type Looking = { readonly db: Db; readonly school: School; readonly caller: Caller }

const nothing = (): Refusal => new Refusal(notFound, 'There is no such lesson.')

const findNamed = ({ db, school }: Looking, ref: string): Promise<LessonRow | undefined> => {
  const id = fromId('les', ref)
  return id === undefined ? Promise.resolve(undefined) : findLesson(db, school.id, id)
}

/** A lesson and what a student learns in its course, for staff and for those who teach it; 404 for everybody else. */
export const getStudentLesson = async (
  looking: Looking & { readonly caller: SignedIn },
  { student_id, lesson_id }: { readonly student_id: string; readonly lesson_id: string },
): Promise<{ readonly lesson: LessonRow; readonly enrollment: EnrollmentRow }> => {
  const { db, school } = looking
  const { id: memberId } = await getStudent(looking, student_id)
  const lesson = await findNamed(looking, lesson_id)
  if (lesson === undefined || !(await isLookingAfter(looking, lesson.course_id))) throw nothing()
  const enrollment = await findEnrollment(db, school.id, { memberId, courseId: lesson.course_id })
  if (enrollment === undefined) throw nothing()
  return { lesson, enrollment }
}

const isSeenCourse = async (looking: Looking, courseId: string): Promise<boolean> => {
  try {
    await getCourse(looking, toId('crs', courseId))
    return true
  } catch (error) {
    if (error instanceof Refusal && error.problem === notFound) return false
    throw error
  }
}

// A draft is nobody's to learn in, whoever was entitled to it before; what is archived is kept by who may use it.
const isPastDraft = async ({ db, school }: Looking, courseId: string): Promise<boolean> => {
  const state = (await courseStates(db, school.id, [courseId])).get(courseId)
  return state === 'published' || state === 'archived'
}

/** Whether a course is there to be learned in by those who may use it, or seen by the caller anyway. */
export const isThereToLearn = async (looking: Looking, courseId: string): Promise<boolean> =>
  (await isPastDraft(looking, courseId)) || isSeenCourse(looking, courseId)

/** A lesson that the caller may know of as a learner: published, in a course they find or were ever entitled to. */
export const getLearnersLesson = async (
  looking: Looking & { readonly caller: SignedIn },
  ref: string,
): Promise<LessonRow> => {
  const { db, school, caller } = looking
  const lesson = await findNamed(looking, ref)
  if (lesson === undefined || lesson.status !== 'published' || lesson.archived_at !== null) throw nothing()
  const item = { type: 'course', id: lesson.course_id } as const
  const { access } = await accessOf(db, school.id, { memberId: caller.member.id, item })
  const isKnown = access.state === 'none' ? isSeenCourse : isThereToLearn
  if (!(await isKnown(looking, lesson.course_id))) throw nothing()
  return lesson
}
