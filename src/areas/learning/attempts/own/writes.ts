import type { Static } from 'typebox'
import { listQuestionContents, type QuizRow } from '#src/areas/learning/quizzes/index.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { putJob } from '#src/db/jobs.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { type AttemptContent, buildContent, readContent } from '../attempts/lookups.ts'
import { type AttemptRow, insertAttempt, listAttemptsAt, storeAnswers } from '../attempts/queries.ts'
import {
  attemptClosed,
  attemptExists,
  buildAnswers,
  buildSlots,
  errorsOfAnswers,
  quizEmpty,
  tooManyAttempts,
} from '../attempts/rules.ts'
import type { AnswersInput, NewAttempt } from '../attempts/schema.ts'
import { ATTEMPT_JOB } from '../closing/queries.ts'
import { type AttemptWrite, closeAttempt, lockWithEnrollment } from '../closing/writes.ts'
import { getOwnAttempt, getQuizToLearn, requireToLearn } from './access.ts'
import { isSameAnswer, withAnswers } from './rules.ts'
import { ownView } from './views.ts'

type Learning = AttemptWrite & Pick<WriteContext, 'caller'>
type Changing = Learning & Pick<WriteContext, 'requireMatch'>

/** An attempt as it is now, with its content where that was read. */
type OwnAttemptState = { readonly attempt: AttemptRow; readonly content?: AttemptContent }

const refuseInProgress = (attempts: readonly AttemptRow[]): void => {
  const started = attempts.find(one => one.status === 'started')
  if (started === undefined) return
  throw new Refusal(attemptExists, 'An attempt at this quiz is in progress.', {
    members: { attempt_id: toId('qat', started.id) },
  })
}

const checkLeft = ({ max_attempts: max }: QuizRow, used: number): void => {
  if (max !== null && used >= max)
    throw new Refusal(tooManyAttempts, `The quiz may be tried ${max} times.`, { members: { max_attempts: max } })
}

// The end of attempts whose time is up is stored before the next attempt starts.
const closeOverdue = async (context: Learning, attempts: readonly AttemptRow[]): Promise<void> => {
  for (const attempt of attempts.filter(one => !one.is_settled))
    await closeAttempt(context, await lockWithEnrollment(context, attempt), { onlyLate: true })
}

type Start = { readonly memberId: string; readonly quiz: QuizRow; readonly attempt_number: number }

// No lock: of several that start at the same time one takes the number.
const start = async (context: Learning, { memberId, quiz, attempt_number }: Start) => {
  const { db, school, now } = context
  const questions = await listQuestionContents(db, school.id, quiz.id)
  if (questions.length === 0) throw new Refusal(quizEmpty, 'The quiz has no questions yet.')
  const id = newUuid(now.getTime())
  const pointsPossible = questions.reduce((sum, { points }) => sum + points, 0)
  const slots = buildSlots(questions, quiz, systemRandom)
  const attempt = await insertAttempt(db, school.id, { id, quiz, attempt_number, memberId, pointsPossible, slots })
  if (attempt === undefined) {
    refuseInProgress(await listAttemptsAt(db, school.id, { memberId, quizId: quiz.id }))
    throw new Refusal(attemptExists, 'Another attempt at this quiz was started at the same moment.')
  }
  if (attempt.expires_at !== null) await putJob(db, school.id, { kind: ATTEMPT_JOB, id, dueAt: attempt.expires_at })
  const unanswered = { chosen: [], text_answer: null, number_answer: null, points: null, feedback: null }
  const answers = slots.map(slot => ({ ...slot, ...unanswered }))
  return { attempt, content: buildContent(answers, new Map(questions.map(question => [question.id, question]))) }
}

/** Starts an attempt at a quiz for the caller, with its content; refuses more attempts than the quiz allows. */
export const startOwnAttempt = async (
  context: Learning,
  input: Static<typeof NewAttempt>,
): Promise<Required<OwnAttemptState>> => {
  const { db, school, caller } = context
  const memberId = caller.member.id
  const { quiz, lesson } = await getQuizToLearn(context, input)
  await requireToLearn(context, lesson)
  const before = await listAttemptsAt(db, school.id, { memberId, quizId: quiz.id })
  refuseInProgress(before)
  checkLeft(quiz, before.length)
  await closeOverdue(context, before)
  return start(context, { memberId, quiz, attempt_number: (before.at(-1)?.attempt_number ?? 0) + 1 })
}

/** The same; returns the attempt alone. */
export const startAttempt = async (context: Learning, input: Static<typeof NewAttempt>): Promise<AttemptRow> =>
  (await startOwnAttempt(context, input)).attempt

/** Saves answers to some questions of the caller's attempt; the others stay. */
export const saveAnswers = async (
  context: Changing,
  ref: string,
  input: AnswersInput,
): Promise<Required<OwnAttemptState> & { readonly hasChanged: boolean }> => {
  const { db, school, requireMatch } = context
  const { attempt } = await lockWithEnrollment(context, await getOwnAttempt(context, ref))
  await requireMatch(attempt.revision, () => ownView(context, attempt))
  if (attempt.status !== 'started') throw new Refusal(attemptClosed, `The attempt is ${attempt.status}.`)
  await requireToLearn(context, { id: attempt.lesson_id, course_id: attempt.course_id })
  const content = await readContent(context, attempt)
  const questions = new Map(content.questions.map(({ answer, question }) => [answer.question_id, question]))
  const answers = buildAnswers(input)
  refuseInvalid(errorsOfAnswers(questions, answers), 'Some answers are not allowed.')
  const changes = answers.filter(one => !isSameAnswer(content, one))
  if (changes.length === 0) return { attempt, content, hasChanged: false }
  const stored = await storeAnswers(db, school.id, attempt.id, changes)
  if (stored === undefined) throw new Refusal(attemptClosed, 'The time of the attempt is up.')
  return { attempt: stored, content: withAnswers(content, changes), hasChanged: true }
}

/** Submits the caller's attempt, or ends it when its time is up; one that has ended stays as it is. */
export const submitAttempt = async (context: Changing, ref: string): Promise<OwnAttemptState> => {
  const found = await getOwnAttempt(context, ref)
  // An attempt that has ended is not changed by this, so nobody waits for its lock.
  const locked = found.is_settled ? { attempt: found, enrollment: undefined } : await lockWithEnrollment(context, found)
  const { attempt } = locked
  await context.requireMatch(attempt.revision, () => ownView(context, attempt))
  if (attempt.is_settled) return { attempt }
  if (attempt.status === 'started')
    await requireToLearn(context, { id: attempt.lesson_id, course_id: attempt.course_id })
  return (await closeAttempt(context, locked, { onlyLate: false })) ?? { attempt: await getOwnAttempt(context, ref) }
}
