import { type LessonRow, listLessons } from '#src/areas/courses/index.ts'
import {
  addAssignment,
  completeLessonByWork,
  enroll,
  findAssignment,
  findEnrollment,
  insertSubmission,
  setExtension,
  storeDecision,
} from '#src/areas/learning/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { newUuid } from '#src/kit/ids.ts'
import { dayAt, daysAfter } from '#src/kit/local-time.ts'
import { backdate, DAY } from '../clock.ts'
import { findBySlug, findMemberId } from '../queries.ts'
import type { Learning } from './attempts.ts'

const starter = {
  instructions: 'Feed a starter for a week. Hand in a picture of it at its highest, and *what you changed* on the way.',
  max_points: 20,
  passing_points: 12,
}

const loaf = { instructions: 'Bake a loaf of your own and tell us how you did it.', due_days_after_enrollment: 60 }

const baguette = {
  instructions: 'Bake four baguettes and hand in a picture of their cuts. Which of the five opened best, and why?',
  max_points: 10,
  passing_points: 5,
}

const ZONE = 'Europe/Lisbon'

const devsWork = 'Rye flour in the evening, white in the morning: it doubled on the fifth day.'

const enrollOnce = async (context: TransactionContext, memberId: string, courseId: string): Promise<void> => {
  if ((await findEnrollment(context.db, context.school.id, { memberId, courseId })) === undefined)
    await enroll(context, { memberId, courseId, source: 'staff' })
}

// Dev was ill and has a deadline extension; he has submitted anyway, and his work is not graded yet.
const submitAsDev = async (
  { db, school, now }: TransactionContext,
  lesson: LessonRow,
  { memberId, isShown }: { readonly memberId: string; readonly isShown: boolean },
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
  // The schools of the tests have the same day at every start.
  const day = isShown ? daysAfter(dayAt(now, ZONE), 10) : '2030-03-31'
  const due = { local: `${day}T23:59`, time_zone: ZONE }
  await setExtension(db, school.id, { memberId, lessonId: lesson.id }, { due, note: 'Was ill for a week.' })
}

const WORKS = [
  'It doubled on day six. I moved it next to the boiler, and since then it rises by noon.',
  'A minha massa-mãe cheira a iogurte. Dou-lhe centeio à noite e trigo de manhã.',
  'Mine smelled of cheese until the fourth day; I went on feeding it, as the lesson says, and now it floats.',
  'La primera vez quedó plano. La segunda esperé una hora más, y la miga se abrió.',
]

const FEEDBACK = [
  'A lively one. Feed it at the same hour each day, and give it a name.',
  'Very good. Try half of the water next week: it will be milder.',
  'Well observed. The next loaf may go into the oven a little earlier.',
]

const DAYS_TO_GRADE = 2

type Work = Learning & { readonly graderId: string; readonly index: number; readonly minutes: number }

/** Hands in work for an assignment so many minutes ago; a baker accepts it two days later, which completes the lesson. */
export const handIn = async (context: TransactionContext, lesson: LessonRow, work: Work): Promise<void> => {
  const { school } = context
  const { memberId, courseId, graderId, index, minutes } = work
  const then = await backdate(context, minutes)
  const id = newUuid(then.now.getTime())
  const keys = { id, member_id: memberId, course_id: courseId, lesson_id: lesson.id, attempt_number: 1 }
  const text = WORKS[index % WORKS.length] ?? ''
  await insertSubmission(then.db, school.id, { ...keys, text, link: null, due_at: null, late: false })
  const assignment = await findAssignment(then.db, school.id, lesson.id)
  const enrollment = await findEnrollment(then.db, school.id, { memberId, courseId })
  if (minutes < DAYS_TO_GRADE * DAY || assignment === undefined || enrollment === undefined) return
  const graded = await backdate(context, minutes - DAYS_TO_GRADE * DAY)
  const { max_points, passing_points } = assignment
  const feedback = FEEDBACK[index % FEEDBACK.length] ?? null
  const grade = { max_points, passing_points, points: max_points - (index % 3), accepted: true, feedback }
  await storeDecision(graded.db, school.id, { id, revision: 1 }, { status: 'graded', graderId, ...grade })
  await completeLessonByWork({ ...graded, record: () => undefined }, { enrollment, lesson, by: 'assignment' })
}

// Only the demo for people has this course.
const addBaguette = async (context: TransactionContext): Promise<void> => {
  const { db, school } = context
  const course = await findBySlug(db, school.id, 'courses', 'baguettes-at-home')
  const lessons = course === undefined ? [] : await listLessons(db, school.id, course)
  for (const lesson of lessons) if (lesson.type === 'assignment') await addAssignment(context, lesson.id, baguette)
}

/**
 * Writes the assignments of the sourdough course in which Dev and Ada are enrolled, and submits Dev's starter. Does
 * nothing if he or the course does not exist, or the assignments were already written.
 */
export const createDemoAssignments = (database: Database, schoolId: string, isShown: boolean): Promise<boolean> =>
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
    await addBaguette(demo)
    await enrollOnce(demo, dev, course)
    if (ada !== undefined) await enrollOnce(demo, ada, course)
    await submitAsDev(demo, first, { memberId: dev, isShown })
    return true
  })
