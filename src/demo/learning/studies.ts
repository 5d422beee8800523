import { type LessonRow, listLessons } from '#src/areas/courses/index.ts'
import { completeLessonByWork, courseLook, issue } from '#src/areas/learning/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { backdate, DAY } from '../clock.ts'
import { learners } from '../people/learners.ts'
import { people } from '../people/people.ts'
import { findMemberId } from '../queries.ts'
import { handIn } from './assignments.ts'
import { tryQuiz } from './attempts.ts'
import { type LearnerEnrollment, listEnrollments } from './queries.ts'

// A learner does something for a course every one to three days; some finish it, others give up.
const PACE = [1, 3, 2, 2, 1, 3]
const LESSONS = [99, 3, 99, 5, 1, 7, 99, 2]

const GRADED_WITHIN = 2 * DAY

type Student = { readonly enrollment: LearnerEnrollment; readonly index: number; readonly graderId: string }

const study = async (
  context: TransactionContext,
  { lesson, minutes }: { readonly lesson: LessonRow; readonly minutes: number },
  { enrollment, index, graderId }: Student,
): Promise<void> => {
  const learned = { memberId: enrollment.member_id, courseId: enrollment.course_id, lessonId: lesson.id }
  if (lesson.type === 'assignment') return handIn(context, lesson, { ...learned, graderId, index, minutes })
  if (lesson.type === 'quiz') return tryQuiz(context, learned, { index, minutes })
  const then = await backdate(context, minutes)
  await completeLessonByWork({ ...then, record: () => undefined }, { enrollment, lesson, by: 'self' })
}

const certify = async (context: TransactionContext, { enrollment }: Student): Promise<void> => {
  const { member_id: memberId, course_id: courseId, name } = enrollment
  const look = await courseLook(context, courseId)
  if (look !== undefined) await issue(context, look, { courseId, memberId, source: 'completion', name })
}

const learn = async (context: TransactionContext, lessons: readonly LessonRow[], student: Student): Promise<void> => {
  const { enrollment, index } = student
  const pace = PACE[index % PACE.length] ?? 1
  const count = LESSONS[index % LESSONS.length] ?? 0
  // Always at another hour of the day.
  const at = (step: number): number => enrollment.minutes - 30 - step * pace * DAY - ((index * 7 + step * 3) % 5) * 47
  const done = lessons.filter((_, step) => step < count && at(step) > 0)
  for (const [step, lesson] of done.entries()) await study(context, { lesson, minutes: at(step) }, student)
  const minutes = at(done.length - 1) - GRADED_WITHIN
  if (done.length > 0 && done.length === lessons.length && minutes > 0)
    await certify(await backdate(context, minutes), student)
}

// What the people who can sign in have done of a course since they enrolled.
const BEGUN = [
  { email: people.dev.email, slug: 'sourdough-from-scratch', names: ['What lives in it', 'Feeding', 'Mix and fold'] },
  { email: people.eli.email, slug: 'first-loaf', names: ['Weigh and stir', 'Let it rise'] },
]

const beginCourses = async (context: TransactionContext): Promise<void> => {
  const { db, school } = context
  const enrollments = await listEnrollments(db, school.id, [people.dev.email, people.eli.email])
  for (const { email, slug, names } of BEGUN) {
    const enrollment = enrollments.find(one => one.email === email && one.slug === slug)
    const lessons = enrollment === undefined ? [] : await listLessons(db, school.id, enrollment.course_id)
    for (const lesson of lessons.filter(({ name }) => names.includes(name))) {
      const then = await backdate(context, (9 - 2 * names.indexOf(lesson.name)) * DAY)
      if (enrollment !== undefined)
        await completeLessonByWork({ ...then, record: () => undefined }, { enrollment, lesson, by: 'self' })
    }
  }
}

/**
 * Has the learners of the demo study what they are enrolled in, lessons, quizzes and assignments, over the weeks since they
 * enrolled, and gives those who finish a course their certificate; Dev and Eli are in the middle of one.
 */
export const createDemoStudies = (database: Database, schoolId: string): Promise<void> =>
  database.transaction(schoolId, async (db, now) => {
    const context = { db, school: await getSchool(db, schoolId), now }
    const graderId = await findMemberId(db, schoolId, people.carla.email)
    if (graderId === undefined) return
    const emails = learners.map(({ email }) => email)
    const lessons = new Map<string, readonly LessonRow[]>()
    for (const [index, enrollment] of (await listEnrollments(db, schoolId, emails)).entries()) {
      const { course_id: id } = enrollment
      if (!lessons.has(id)) {
        const all = await listLessons(db, schoolId, id)
        lessons.set(
          id,
          all.filter(({ type, status }) => status === 'published' && type !== 'live'),
        )
      }
      await learn(context, lessons.get(id) ?? [], { enrollment, index, graderId })
    }
    await beginCourses(context)
  })
