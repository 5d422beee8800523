import type { Static } from 'typebox'
import { getCourse } from '#src/areas/courses/index.ts'
import { accessRequired, findLesson, type LessonRow } from '#src/areas/curriculum/index.ts'
import { requireLearning } from '#src/areas/enrollments/index.ts'
import { isThereToLearn } from '#src/areas/progress/index.ts'
import { findAsked, findQuiz, findQuizOfLesson, listAsked, type QuizRow } from '#src/areas/quizzes/index.ts'
import type { Caller, SignedIn } from '#src/contract/caller.ts'
import type { Fact } from '#src/contract/fact.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody, notFound } from '#src/contract/problems.ts'
import { putJob } from '#src/db/jobs.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { ownView } from '../attempts/actions.ts'
import {
  type AnswerRow,
  type AttemptRow,
  findAttempt,
  insertAttempt,
  listAnswers,
  listAttemptsAt,
  storeAnswers,
} from '../attempts/queries.ts'
import {
  attemptClosed,
  attemptExists,
  faultsOfAnswers,
  type GivenAnswer,
  givenAnswers,
  quizEmpty,
  seatsOf,
  tooManyAttempts,
} from '../attempts/rules.ts'
import type { AnswersInput, NewAttempt, OwnAttempt } from '../attempts/schema.ts'
import { aboutAttempt, closeAttempt, holdAttempt, type Recording } from '../closing/actions.ts'
import { ATTEMPT_JOB } from '../closing/queries.ts'

/** What somebody who learns writes with. */
export type Learning = Recording & { readonly caller: SignedIn }

type Looking = Pick<Recording, 'db' | 'school'> & { readonly caller: Caller }

const nothing = (): Refusal => new Refusal(notFound, 'There is no such quiz.')
const noAttempt = (): Refusal => new Refusal(notFound, 'There is no such attempt.')

const isFound = (looking: Looking, courseId: string): Promise<boolean> =>
  getCourse(looking, toId('crs', courseId)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal && error.problem === notFound) return false
      throw error
    },
  )

const getQuizToLearn = async (
  looking: Looking,
  { lesson_id: lesson, quiz_id: quiz }: Static<typeof NewAttempt>,
): Promise<{ readonly quiz: QuizRow; readonly lesson: LessonRow }> => {
  const { db, school } = looking
  if ((lesson === undefined) === (quiz === undefined))
    throw new Refusal(invalidBody, 'Say which quiz: by its own id, or by that of its lesson.', {
      errors: [{ pointer: '', code: 'one_of', message: 'has either lesson_id or quiz_id' }],
    })
  const row =
    lesson === undefined
      ? await findQuiz(db, school.id, fromId('quz', quiz ?? '') ?? '')
      : await findQuizOfLesson(db, school.id, fromId('les', lesson) ?? '')
  const of = row === undefined ? undefined : await findLesson(db, school.id, row.lesson_id)
  if (row === undefined || of === undefined || of.archived_at !== null || of.status !== 'published') throw nothing()
  if (!(await isThereToLearn(looking, row.course_id))) throw nothing()
  return { quiz: row, lesson: of }
}

// A course that somebody can neither use nor find has no quiz for them.
const requireToLearn = async (context: Learning, lesson: { readonly id: string; readonly course_id: string }) => {
  try {
    return await requireLearning(context, { memberId: context.caller.member.id, lesson })
  } catch (error) {
    const isKeptOut = error instanceof Refusal && error.problem === accessRequired
    if (isKeptOut && !(await isFound(context, lesson.course_id))) throw nothing()
    throw error
  }
}

const refuseOpen = (attempts: readonly AttemptRow[]): void => {
  const open = attempts.find(one => one.status === 'started')
  if (open === undefined) return
  throw new Refusal(attemptExists, 'An attempt at this quiz is under way.', {
    members: { attempt_id: toId('qat', open.id) },
  })
}

const checkLeft = ({ max_attempts: most }: QuizRow, used: number): void => {
  if (most !== null && used >= most)
    throw new Refusal(tooManyAttempts, `The quiz may be tried ${most} times.`, { members: { max_attempts: most } })
}

// What the clock ended is settled before the next attempt begins.
const settleLate = async (context: Learning, attempts: readonly AttemptRow[]): Promise<void> => {
  for (const attempt of attempts.filter(one => !one.is_settled))
    await closeAttempt(context, await holdAttempt(context, attempt), { onlyLate: true })
}

type Beginning = { readonly memberId: string; readonly quiz: QuizRow; readonly attempt_number: number }

// Nobody waits in line: of those who begin at once the number is taken by one.
const begin = async (context: Learning, { memberId, quiz, attempt_number }: Beginning): Promise<AttemptRow> => {
  const { db, school, now } = context
  const questions = await listAsked(db, school.id, quiz.id)
  if (questions.length === 0) throw new Refusal(quizEmpty, 'The quiz has no questions yet.')
  const id = newUuid(now.getTime())
  const pointsPossible = questions.reduce((sum, { points }) => sum + points, 0)
  const seats = seatsOf(questions, quiz, systemRandom)
  const made = await insertAttempt(db, school.id, { id, quiz, attempt_number, memberId, pointsPossible, seats })
  if (made === undefined) {
    refuseOpen(await listAttemptsAt(db, school.id, { memberId, quizId: quiz.id }))
    throw new Refusal(attemptExists, 'Another attempt at this quiz was begun at the same moment.')
  }
  if (made.expires_at !== null)
    await putJob(db, school.id, { kind: ATTEMPT_JOB, id, dueAt: made.expires_at.toISOString() })
  return getAttemptRow(context, id)
}

const getAttemptRow = async ({ db, school }: Learning, id: string): Promise<AttemptRow> => {
  const row = await findAttempt(db, school.id, id)
  if (row === undefined) throw new Error('an attempt that was stored is not there')
  return row
}

/** That an attempt was begun. */
export const attemptStarted = (attempt: AttemptRow): Fact => ({
  type: 'quiz_attempt.started',
  payload: aboutAttempt(attempt),
})

/** Begins an attempt at a quiz for the caller, as often and as many at a time as the quiz allows. */
export const startAttempt = async (context: Learning, said: Static<typeof NewAttempt>): Promise<AttemptRow> => {
  const { db, school, caller } = context
  const memberId = caller.member.id
  const { quiz, lesson } = await getQuizToLearn(context, said)
  await requireToLearn(context, lesson)
  const before = await listAttemptsAt(db, school.id, { memberId, quizId: quiz.id })
  refuseOpen(before)
  checkLeft(quiz, before.length)
  await settleLate(context, before)
  return begin(context, { memberId, quiz, attempt_number: (before.at(-1)?.attempt_number ?? 0) + 1 })
}

/** The caller's own attempt that a path names. */
export const getOwnAttempt = async (
  { db, school, caller }: Omit<Looking, 'caller'> & { caller: SignedIn },
  ref: string,
) => {
  const row = await findAttempt(db, school.id, fromId('qat', ref) ?? '')
  if (row === undefined || row.member_id !== caller.member.id) throw noAttempt()
  return row
}

/** Those operations that the state of an own attempt allows. */
export const ownActionsOf = ({ status }: AttemptRow): string[] => [
  'getAccountQuizAttempt',
  ...(status === 'started' ? ['setAccountQuizAnswers', 'submitAccountQuizAttempt'] : []),
]

const isSame = (one: GivenAnswer, other: AnswerRow | undefined): boolean =>
  other !== undefined &&
  one.text_answer === other.text_answer &&
  one.number_answer === other.number_answer &&
  one.chosen.toSorted().join() === other.chosen.toSorted().join()

/** Saves answers to some questions of the caller's attempt; the others stay. Gives what it was and what it is now. */
export const saveAnswers = async (
  context: Learning & { requireMatch(revision: number, current: () => unknown): Promise<void> },
  ref: string,
  said: AnswersInput,
): Promise<{ readonly before: AttemptRow; readonly attempt: AttemptRow }> => {
  const { db, school, requireMatch } = context
  const found = await getOwnAttempt(context, ref)
  const attempt = await holdAttempt(context, found)
  await requireMatch(attempt.revision, () => ownView(context, attempt))
  if (attempt.status !== 'started') throw new Refusal(attemptClosed, `The attempt is ${attempt.status}.`)
  await requireToLearn(context, { id: attempt.lesson_id, course_id: attempt.course_id })
  const answers = await listAnswers(db, school.id, attempt.id)
  const given = givenAnswers(said)
  const errors = faultsOfAnswers(await findAsked(db, school.id, answers), given)
  if (errors.length > 0) throw new Refusal(invalidBody, 'Some answers are not allowed.', { errors })
  const anew = given.filter(
    one =>
      !isSame(
        one,
        answers.find(answer => answer.question_id === one.question_id),
      ),
  )
  if (anew.length === 0) return { before: attempt, attempt }
  if ((await storeAnswers(db, school.id, attempt.id, anew)) === 0)
    throw new Refusal(attemptClosed, 'The time of the attempt is up.')
  return { before: attempt, attempt: await getOwnAttempt(context, ref) }
}

/** Hands in the caller's attempt, or settles it when its time is up; one that has ended stays as it is. */
export const submitAttempt = async (
  context: Learning & { requireMatch(revision: number, current: () => unknown): Promise<void> },
  ref: string,
): Promise<AttemptRow> => {
  const found = await getOwnAttempt(context, ref)
  // What has ended does not change by this, so nobody has to wait in line to hear it.
  const attempt = found.is_settled ? found : await holdAttempt(context, found)
  await context.requireMatch(attempt.revision, () => ownView(context, attempt))
  if (attempt.is_settled) return attempt
  if (attempt.status === 'started')
    await requireToLearn(context, { id: attempt.lesson_id, course_id: attempt.course_id })
  await closeAttempt(context, attempt, { onlyLate: false })
  return getOwnAttempt(context, ref)
}

/** One's own attempt as it is answered, with what can be done with it. */
export const ownAnswer = async (
  context: Looking & { allowedActions(ids: readonly string[]): string[] },
  row: AttemptRow,
): Promise<Static<typeof OwnAttempt>> => ({
  ...(await ownView(context, row)),
  allowed_actions: context.allowedActions(ownActionsOf(row)),
})
