import { listLessons } from '#src/areas/courses/index.ts'
import {
  countAttempts,
  enroll,
  findEnrollment,
  listAnswers,
  saveAnswers,
  startAttempt,
  submitAttempt,
} from '#src/areas/learning/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Database } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { findBySlug, findMemberId } from '../queries.ts'

/** A member who learns in a lesson. */
export type Learning = { readonly memberId: string; readonly courseId: string; readonly lessonId: string }

const start = async (context: TransactionContext, { memberId, lessonId }: Learning) => {
  const caller = { member: { id: memberId, role: 'member' }, clientId: undefined, grantId: undefined } as const
  const auditContext = { record: () => undefined, changed: () => undefined, requireMatch: async () => undefined }
  const learning = { ...context, ...auditContext, caller: { ...caller, scopes: new Set<string>() } }
  return { learning, attempt: await startAttempt(learning, { lesson_id: lessonId }) }
}

const enrollAndStart = async (context: TransactionContext, learner: Learning) => {
  const { memberId, courseId } = learner
  if ((await findEnrollment(context.db, context.school.id, { memberId, courseId })) === undefined)
    await enroll(context, { memberId, courseId, source: 'gift' })
  return start(context, learner)
}

// The last question is graded manually.
const submitQuiz = async (context: TransactionContext, learner: Learning): Promise<void> => {
  const { learning, attempt } = await enrollAndStart(context, learner)
  const id = attempt.id
  const { db, school } = context
  const answers = await listAnswers(db, school.id, attempt.id)
  const question = answers.at(-1)?.question_id ?? ''
  await saveAnswers(learning, id, [{ question_id: question, text: 'Of yoghurt, and a little of beer.' }])
  await submitAttempt(learning, id)
}

/**
 * Submits Dev's attempt at the quiz on starters, which waits for manual grading, and starts Ada's. Does nothing if the
 * quiz or one of them does not exist, or they have already tried it.
 */
export const createDemoAttempts = (database: Database, schoolId: string): Promise<boolean> =>
  database.transaction(schoolId, async (db, now) => {
    const demo = { db, school: await getSchool(db, schoolId), now }
    const courseId = await findBySlug(db, schoolId, 'courses', 'sourdough-from-scratch')
    const [dev, ada] = [
      await findMemberId(db, schoolId, 'dev@crumb.example'),
      await findMemberId(db, schoolId, 'ada@crumb.example'),
    ]
    if (courseId === undefined || dev === undefined || ada === undefined) return false
    if ((await countAttempts(db, schoolId, { courseId })) > 0) return false
    const lesson = (await listLessons(db, schoolId, courseId)).find(one => one.type === 'quiz')
    if (lesson === undefined) return false
    await submitQuiz(demo, { memberId: dev, courseId, lessonId: lesson.id })
    await enrollAndStart(demo, { memberId: ada, courseId, lessonId: lesson.id })
    return true
  })
