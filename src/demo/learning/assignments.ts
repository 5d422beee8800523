import { type LessonRow, listLessons } from '#src/areas/courses/index.ts'
import {
  addAssignment,
  enroll,
  findAssignment,
  findEnrollment,
  insertSubmission,
  setExtension,
} from '#src/areas/learning/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { newUuid } from '#src/kit/ids.ts'
import { findBySlug, findMemberId } from '../queries.ts'

const starter = {
  instructions: 'Feed a starter for a week. Hand in a picture of it at its highest, and *what you changed* on the way.',
  max_points: 20,
  passing_points: 12,
}

const loaf = { instructions: 'Bake a loaf of your own and tell us how you did it.', due_days_after_enrollment: 60 }

const devsWork = 'Rye flour in the evening, white in the morning: it doubled on the fifth day.'

const enrollOnce = async (context: TransactionContext, memberId: string, courseId: string): Promise<void> => {
  if ((await findEnrollment(context.db, context.school.id, { memberId, courseId })) === undefined)
    await enroll(context, { memberId, courseId, source: 'staff' })
}

// Dev was ill and has a deadline extension; he has submitted anyway, and his work is not graded yet.
const submitAsDev = async (
  { db, school, now }: TransactionContext,
  lesson: LessonRow,
  memberId: string,
): Promise<void> => {
  const keys = { id: newUuid(now.getTime()), member_id: memberId, course_id: lesson.course_id, lesson_id: lesson.id }
  await insertSubmission(db, school.id, {
    ...keys,
    attempt_number: 1,
    text: devsWork,
    link: null,
    due_at: null,
    late: false,
  })
  const due = { local: '2030-03-31T23:59', time_zone: 'Europe/Lisbon' }
  await setExtension(db, school.id, { memberId, lessonId: lesson.id }, { due, note: 'Was ill for a week.' })
}

/**
 * Writes the assignments of the sourdough course in which Dev and Ada are enrolled, and submits Dev's starter. Does
 * nothing if he or the course does not exist, or the assignments were already written.
 */
export const createDemoAssignments = (database: Database, schoolId: string): Promise<boolean> =>
  database.transaction(schoolId, async (db, now) => {
    const [dev, ada, course] = [
      await findMemberId(db, schoolId, 'dev@crumb.example'),
      await findMemberId(db, schoolId, 'ada@crumb.example'),
      await findBySlug(db, schoolId, 'courses', 'sourdough-from-scratch'),
    ]
    if (dev === undefined || course === undefined) return false
    const lessons = await listLessons(db, schoolId, course)
    const [first, second] = lessons.filter(one => one.type === 'assignment')
    if (first === undefined || second === undefined) return false
    if ((await findAssignment(db, schoolId, first.id)) !== undefined) return false
    const demo = { db, school: await getSchool(db, schoolId), now }
    await addAssignment(demo, first.id, starter)
    await addAssignment(demo, second.id, loaf)
    await enrollOnce(demo, dev, course)
    if (ada !== undefined) await enrollOnce(demo, ada, course)
    await submitAsDev(demo, first, dev)
    return true
  })
