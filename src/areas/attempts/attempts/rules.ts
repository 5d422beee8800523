import { type AnswerContent, type AskedQuestion, isHundredths } from '#src/areas/quizzes/index.ts'
import { type FieldError, problem } from '#src/contract/problem.ts'
import type { Random } from '#src/kit/crypto.ts'
import { fromId } from '#src/kit/ids.ts'
import type { AnswersInput, GradesInput } from './schema.ts'

/** Another attempt is under way. */
export const attemptExists = problem(
  409,
  'attempt_exists',
  'An attempt at this quiz is under way',
  'One attempt at a quiz is under way at a time. attempt_id names it: go on with it at /account/quiz-attempts/{attempt_id}, or submit it.',
)

/** All attempts were used. */
export const tooManyAttempts = problem(
  409,
  'too_many_attempts',
  'There are no attempts left',
  'The quiz may be tried as often as max_attempts says, and all of these attempts were begun. Only those who run the course can allow more.',
)

/** The quiz has no questions. */
export const quizEmpty = problem(
  409,
  'quiz_empty',
  'The quiz has no questions yet',
  'A quiz can be begun once those who run the course have given it questions.',
)

/** The attempt has ended. */
export const attemptClosed = problem(
  409,
  'attempt_closed',
  'The attempt has ended',
  'The attempt was submitted, or its time is up, and its answers stay as they are. Read it to see what came of it.',
)

/** The attempt is still under way. */
export const attemptInProgress = problem(
  409,
  'attempt_in_progress',
  'The attempt is still under way',
  'Answers are graded once the attempt was submitted or its time is up.',
)

/** How far an attempt has got. */
export type AttemptStatus = 'started' | 'submitted' | 'timed_out' | 'graded'

// Decision 50. An attempt without manually graded answers is graded as soon as it ends.
const MOVES: Readonly<Record<AttemptStatus, readonly AttemptStatus[]>> = {
  started: ['submitted', 'timed_out', 'graded'],
  submitted: ['graded'],
  timed_out: ['graded'],
  graded: [],
}

/** Whether an attempt may go from one status to another. */
export const mayMove = (from: AttemptStatus, to: AttemptStatus): boolean => MOVES[from].includes(to)

// A number below `below`, each as likely as the others.
const below = (limit: number, random: Random): number => {
  const most = Math.floor(0x1_0000_0000 / limit) * limit
  let drawn = most
  while (drawn >= most) drawn = random(4).readUInt32BE()
  return drawn % limit
}

/** A list in another order, each order as likely as the others (Fisher and Yates). */
export const shuffled = <Thing>(things: readonly Thing[], random: Random): Thing[] => {
  const list = [...things]
  for (let last = list.length - 1; last > 0; last--) {
    const other = below(last + 1, random)
    ;[list[last], list[other]] = [list[other] as Thing, list[last] as Thing]
  }
  return list
}

/** A question in its place in an attempt, with its choices in the order in which it shows them. */
export type Seat = {
  readonly question_id: string
  readonly version: number
  readonly position: number
  readonly shown: readonly string[]
}

type Order = { readonly shuffle_questions: boolean; readonly shuffle_choices: boolean }
type Asking = Pick<AskedQuestion, 'choices'> & { readonly id: string; readonly version: number }

/** What an attempt asks, in its own order. */
export const seatsOf = (questions: readonly Asking[], order: Order, random: Random): Seat[] =>
  (order.shuffle_questions ? shuffled(questions, random) : questions).map(({ id, version, choices }, position) => {
    const shown = choices.map(choice => choice.id)
    return { question_id: id, version, position, shown: order.shuffle_choices ? shuffled(shown, random) : shown }
  })

/** An answer as it is to be stored. */
export type GivenAnswer = AnswerContent & { readonly question_id: string }

const fault = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

/** The answers of a body, with the ids of their rows. */
export const givenAnswers = (said: AnswersInput): GivenAnswer[] =>
  said.map(({ question_id, choice_ids = [], text = null, number = null }) => ({
    question_id: fromId('qst', question_id) ?? '',
    chosen: choice_ids.map(id => fromId('cho', id) ?? ''),
    text_answer: text,
    number_answer: number,
  }))

const unwanted = (at: string, { kind }: Pick<AskedQuestion, 'kind'>, given: GivenAnswer): FieldError[] => [
  ...(given.chosen.length > 0 && (kind === 'text' || kind === 'number')
    ? [fault(`${at}/choice_ids`, 'unwanted', 'go with single and multiple')]
    : []),
  ...(given.text_answer !== null && kind !== 'text' ? [fault(`${at}/text`, 'unwanted', 'goes with text')] : []),
  ...(given.number_answer !== null && kind !== 'number' ? [fault(`${at}/number`, 'unwanted', 'goes with number')] : []),
]

const faultsOfAnswer = (at: string, asked: AskedQuestion, given: GivenAnswer): FieldError[] => {
  const known = new Set(asked.choices.map(({ id }) => id))
  const isMany = asked.kind === 'single' && given.chosen.length > 1
  return [
    ...unwanted(at, asked, given),
    ...(isMany ? [fault(`${at}/choice_ids`, 'too_many', 'is one choice of a single')] : []),
    ...given.chosen.flatMap((id, index) =>
      known.has(id) ? [] : [fault(`${at}/choice_ids/${index}`, 'unknown', 'is no choice of this question')],
    ),
  ]
}

const faultsOfIds = (ids: readonly string[], known: ReadonlySet<string>, at: string): FieldError[] => {
  const met = new Set<string>()
  return ids.flatMap((id, index) => {
    const isTwice = met.has(id)
    met.add(id)
    const pointer = `/${at}/${index}/question_id`
    if (!known.has(id))
      return [
        fault(pointer, 'unknown', `is no question ${at === 'answers' ? 'of this attempt' : 'to be graded by hand'}`),
      ]
    return isTwice ? [fault(pointer, 'twice', 'is named twice')] : []
  })
}

/** What is wrong with answers to the questions of an attempt; empty when they can be stored. */
export const faultsOfAnswers = (
  asked: ReadonlyMap<string, AskedQuestion>,
  given: readonly GivenAnswer[],
): FieldError[] => [
  ...faultsOfIds(
    given.map(({ question_id: id }) => id),
    new Set(asked.keys()),
    'answers',
  ),
  ...given.flatMap((one, index) => {
    const question = asked.get(one.question_id)
    return question === undefined ? [] : faultsOfAnswer(`/answers/${index}`, question, one)
  }),
]

/** What a lecturer gave to an answer. */
export type GivenMark = { readonly question_id: string; readonly points: number; readonly feedback: string }

/** The marks of a body, with the ids of their rows; feedback that is left out is none. */
export const givenMarks = (said: GradesInput): GivenMark[] =>
  said.map(({ question_id, points, feedback = '' }) => ({
    question_id: fromId('qst', question_id) ?? '',
    points,
    feedback,
  }))

/** What is wrong with marks; `waiting` are the questions that somebody has to read, with their points. */
export const faultsOfMarks = (waiting: ReadonlyMap<string, number>, given: readonly GivenMark[]): FieldError[] => {
  const missing = [...waiting.keys()].filter(id => !given.some(one => one.question_id === id))
  return [
    ...faultsOfIds(
      given.map(({ question_id: id }) => id),
      new Set(waiting.keys()),
      'questions',
    ),
    ...given.flatMap(({ question_id: id, points }, index) => {
      const most = waiting.get(id)
      if (most !== undefined && points > most)
        return [fault(`/questions/${index}/points`, 'too_many', `are at most ${most}`)]
      return isHundredths(points) ? [] : [fault(`/questions/${index}/points`, 'too_precise', 'have two decimals')]
    }),
    ...(missing.length > 0
      ? [fault('/questions', 'missing', `leave out ${missing.length} that wait to be graded`)]
      : []),
  ]
}

type Ended = { readonly status: AttemptStatus; readonly passed: boolean | null }

/** Whether a learner may see what was right in an attempt that has ended. */
export const showsAnswers = (show: 'never' | 'after_attempt' | 'after_passing', { status, passed }: Ended): boolean => {
  if (status === 'started' || show === 'never') return false
  return show === 'after_attempt' || (status === 'graded' && passed !== false)
}

/** Whether a learner may see what one answer was worth: with all that is right, or since somebody read it for them. */
export const showsMark = (
  isShown: boolean,
  { grading }: Pick<AskedQuestion, 'grading'>,
  { status }: Pick<Ended, 'status'>,
) => isShown || (grading === 'manual' && status === 'graded')
