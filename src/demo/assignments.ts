import { addAssignment, findAssignment } from '#src/areas/assignments/index.ts'
import { type LessonRow, listLessons } from '#src/areas/curriculum/index.ts'
import { enroll, findEnrollment } from '#src/areas/enrollments/index.ts'
import { insertSubmission, setExtension } from '#src/areas/submissions/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { getSchool } from '#src/db/schools.ts'
import { newUuid } from '#src/kit/ids.ts'
import { resolveTime } from '#src/kit/local-time.ts'
import { findCourseId, findMemberId } from './queries.ts'

const starter = {
  instructions: 'Feed a starter for a week. Hand in a picture of it at its highest, and *what you changed* on the way.',
  max_points: 20,
  passing_points: 12,
}

const loaf = { instructions: 'Bake a loaf of your own and tell us how you did it.', due_days_after_enrollment: 60 }

const devsWork = 'Rye flour in the evening, white in the morning: it doubled on the fifth day.'

type Where = { readonly db: Db; readonly school: School; readonly now: Date }

const enrollOnce = async (where: Where, memberId: string, courseId: string): Promise<void> => {
  if ((await findEnrollment(where.db, where.school.id, { memberId, courseId })) === undefined)
    await enroll(where, { memberId, courseId, source: 'staff' })
}

// Dev was ill and has time until later; he has handed in all the same, and nobody has looked at it yet.
const handInAsDev = async ({ db, school, now }: Where, lesson: LessonRow, memberId: string): Promise<void> => {
  const keys = { id: newUuid(now.getTime()), member_id: memberId, course_id: lesson.course_id, lesson_id: lesson.id }
  await insertSubmission(db, school.id, {
    ...keys,
    attempt_number: 1,
    text: devsWork,
    link: null,
    due_at: null,
    late: false,
  })
  const due = resolveTime({ local: '2030-03-31T23:59', time_zone: 'Europe/Lisbon' })
  if (due === undefined) return
  await setExtension(db, school.id, { memberId, lessonId: lesson.id }, { due, note: 'Was ill for a week.' })
}

/**
 * Writes the assignments of the course on sourdough in which Dev and Ada learn, and has Dev hand in his starter. Nothing
 * happens where he or the course is not, or the assignments are written.
 */
export const createDemoAssignments = (database: Database, schoolId: string): Promise<boolean> =>
  database.transaction(schoolId, async (db, now) => {
    const [dev, ada, course] = [
      await findMemberId(db, schoolId, 'dev@crumb.example'),
      await findMemberId(db, schoolId, 'ada@crumb.example'),
      await findCourseId(db, schoolId, 'sourdough-from-scratch'),
    ]
    if (dev === undefined || course === undefined) return false
    const lessons = await listLessons(db, schoolId, course)
    const [first, second] = lessons.filter(one => one.type === 'assignment')
    if (first === undefined || second === undefined) return false
    if ((await findAssignment(db, schoolId, first.id)) !== undefined) return false
    const where = { db, school: await getSchool(db, schoolId), now }
    await addAssignment(where, first.id, starter)
    await addAssignment(where, second.id, loaf)
    await enrollOnce(where, dev, course)
    if (ada !== undefined) await enrollOnce(where, ada, course)
    await handInAsDev(where, first, dev)
    return true
  })
