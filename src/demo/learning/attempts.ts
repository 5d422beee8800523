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
import { backdate, DAY } from '../clock.ts'
import { findBySlug, findMemberId } from '../queries.ts'
import { listQuestionKeys, type QuestionKey } from './queries.ts'

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

const WORDS = [
  'Of yoghurt.',
  'Cheira a maçã e vinagre.',
  'Like beer, and a little like bananas.',
  'Riecht nach Joghurt.',
]

const buildAnswer = ({ id, kind, choices, correct, value, accepted }: QuestionKey, isRight: boolean, index: number) => {
  if (kind === 'number') return { question_id: id, number: isRight ? (value ?? '0') : '120' }
  if (kind === 'text')
    return { question_id: id, text: (isRight ? accepted[0] : undefined) ?? WORDS[index % WORDS.length] ?? '' }
  const wrong = choices.filter(choice => !correct.includes(choice)).slice(0, 1)
  return { question_id: id, choice_ids: isRight ? correct : wrong }
}

const GRADED_WITHIN = 14 * DAY

/** Has a member try a quiz so many minutes ago; every third answers one of its questions wrongly. What a baker would have graded by now is left out. */
export const tryQuiz = async (
  context: TransactionContext,
  learner: Learning,
  { index, minutes }: { readonly index: number; readonly minutes: number },
): Promise<void> => {
  const keys = await listQuestionKeys(context.db, context.school.id, learner.lessonId)
  const isGradedByHand = keys.some(({ kind, accepted }) => kind === 'text' && accepted.length === 0)
  if (isGradedByHand && minutes > GRADED_WITHIN) return
  const { learning, attempt } = await start(await backdate(context, minutes), learner)
  const answers = keys.map((key, place) => buildAnswer(key, index % 3 !== 0 || place > 0, index))
  await saveAnswers(learning, attempt.id, answers)
  await submitAttempt(learning, attempt.id)
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
