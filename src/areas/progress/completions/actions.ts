import { listLessons } from '#src/areas/curriculum/index.ts'
import { type EnrollmentRow, lockEnrollmentIn } from '#src/areas/enrollments/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { readAvailability } from '../availability/actions.ts'
import { type CompletedBy, endCompletion, insertCompletion, storeProgress } from '../progress/queries.ts'
import { progressOf, seenLessons } from '../progress/rules.ts'

/** Where something is written, and who is told of it. */
export type Recording = {
  readonly db: Db
  readonly school: School
  readonly now: Date
  record(fact: Fact): void
}

/** An enrollment and a lesson of its course. */
export type LearnedIn = {
  readonly enrollment: Pick<EnrollmentRow, 'id' | 'member_id' | 'course_id'>
  readonly lesson: { readonly id: string }
}

const aboutOf = ({ id, member_id, course_id }: LearnedIn['enrollment']) => ({
  enrollment: toId('enr', id),
  course: toId('crs', course_id),
  member: toId('mem', member_id),
})

/** That a course was completed by somebody; it happens once to each enrollment. */
export const courseCompleted = (enrollment: LearnedIn['enrollment']): Fact => ({
  type: 'enrollment.completed',
  payload: aboutOf(enrollment),
})

const hold = async ({ db, school }: Recording, enrollmentId: string): Promise<EnrollmentRow> => {
  const row = await lockEnrollmentIn(db, school.id, enrollmentId, {})
  if (row === undefined) throw new Error('an enrollment is never taken away')
  return row
}

// The enrollment is held, so that of two who complete its last lessons at once one sees both.
const settle = async (context: Recording, held: EnrollmentRow): Promise<EnrollmentRow> => {
  const { db, school, record } = context
  const learning = { memberId: held.member_id, courseId: held.course_id }
  const [lessons, { at, history, byLesson }] = await Promise.all([
    listLessons(db, school.id, held.course_id),
    readAvailability(context, learning),
  ])
  const done = new Set(history.completions.filter(one => one.undone_at === null).map(one => one.lesson_id))
  const standing = progressOf(
    seenLessons(lessons),
    id => done.has(id),
    id => byLesson.get(id)?.is_open === true,
  )
  const stored = await storeProgress(db, school.id, held.id, standing)
  if (held.completed_at === null && stored.completed_at !== null) record(courseCompleted(held))
  return {
    ...held,
    ...stored,
    percent_complete: standing.percent,
    current_lesson_id: standing.currentLessonId,
    last_activity_at: at,
  }
}

/** What came of completing a lesson, or of taking that back: the enrollment as it stands, and whether anything changed. */
export type Learned = { readonly enrollment: EnrollmentRow; readonly hasChanged: boolean }

/**
 * Completes a lesson for somebody, once however often and from wherever it is said, and with the last one that is
 * required the course. Records `lesson.completed` and `enrollment.completed`, each once.
 */
export const completeAccountLesson = async (
  context: Recording,
  { enrollment, lesson, by }: LearnedIn & { readonly by: CompletedBy },
): Promise<Learned> => {
  const { db, school, now, record } = context
  const held = await hold(context, enrollment.id)
  const one = { memberId: held.member_id, courseId: held.course_id, lessonId: lesson.id }
  const made = await insertCompletion(db, school.id, { ...one, id: newUuid(now.getTime()), by })
  if (made === 0) return { enrollment: held, hasChanged: false }
  record({ type: 'lesson.completed', payload: { ...aboutOf(held), lesson: toId('les', lesson.id), by } })
  return { enrollment: await settle(context, held), hasChanged: true }
}

/**
 * Takes the completion of a lesson back. What it opened stays open, and a course that was completed stays so; how much of
 * it is done is told as it is.
 */
export const undoAccountLessonCompletion = async (
  context: Recording,
  { enrollment, lesson }: LearnedIn,
): Promise<Learned> => {
  const { db, school, record } = context
  const held = await hold(context, enrollment.id)
  const one = { memberId: held.member_id, courseId: held.course_id, lessonId: lesson.id }
  if ((await endCompletion(db, school.id, one)) === 0) return { enrollment: held, hasChanged: false }
  record({ type: 'lesson.completion_undone', payload: { ...aboutOf(held), lesson: toId('les', lesson.id) } })
  return { enrollment: await settle(context, held), hasChanged: true }
}
