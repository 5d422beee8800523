import { type AnswerContent, isHundredths, type QuestionContent } from '#src/areas/learning/quizzes/index.ts'
import { type FieldError, problem } from '#src/contract/problem.ts'
import type { Random } from '#src/kit/crypto.ts'
import type { AnswersInput, GradesInput } from './schema.ts'

/** Another attempt is in progress. */
export const attemptExists = problem(
  409,
  'attempt_exists',
  'An attempt at this quiz is in progress',
  'Only one attempt at a quiz can be in progress. attempt_id names it: continue it at /account/quiz-attempts/{attempt_id}, or submit it.',
)

/** All attempts were used. */
export const tooManyAttempts = problem(
  409,
  'too_many_attempts',
  'There are no attempts left',
  'All attempts that max_attempts allows were started. Only those who manage the course can allow more.',
)

/** The quiz has no questions. */
export const quizEmpty = problem(
  409,
  'quiz_empty',
  'The quiz has no questions yet',
  'A quiz can be started once it has questions.',
)

/** The attempt has ended. */
export const attemptClosed = problem(
  409,
  'attempt_closed',
  'The attempt has ended',
  'The attempt was submitted or its time is up, so its answers cannot be changed. Read it to see the result.',
)

/** The attempt is still in progress. */
export const attemptInProgress = problem(
  409,
  'attempt_in_progress',
  'The attempt is still in progress',
  'Answers are graded once the attempt was submitted or its time is up.',
)

/** The status of an attempt; one without manually graded answers is graded as soon as it ends. */
export type AttemptStatus = 'started' | 'submitted' | 'timed_out' | 'graded'

// A number below `limit`, each as likely as the others.
const randomBelow = (limit: number, random: Random): number => {
  const bound = Math.floor(0x1_0000_0000 / limit) * limit
  let drawn = bound
  while (drawn >= bound) drawn = random(4).readUInt32BE()
  return drawn % limit
}

/** A list in another order, each order as likely as the others (Fisher and Yates). */
const shuffled = <Item>(items: readonly Item[], random: Random): Item[] => {
  const list = [...items]
  for (let last = list.length - 1; last > 0; last--) {
    const other = randomBelow(last + 1, random)
    ;[list[last], list[other]] = [list[other] as Item, list[last] as Item]
  }
  return list
}

/** A question at its position in an attempt, with its choices in the order in which it shows them. */
export type QuestionSlot = {
  readonly question_id: string
  readonly version: number
  readonly position: number
  readonly shown: readonly string[]
}

type Order = { readonly shuffle_questions: boolean; readonly shuffle_choices: boolean }
type SlotQuestion = Pick<QuestionContent, 'choices'> & { readonly id: string; readonly version: number }

/** The questions of an attempt, in its own order. */
export const buildSlots = (questions: readonly SlotQuestion[], order: Order, random: Random): QuestionSlot[] =>
  (order.shuffle_questions ? shuffled(questions, random) : questions).map(({ id, version, choices }, position) => {
    const shown = choices.map(choice => choice.id)
    return { question_id: id, version, position, shown: order.shuffle_choices ? shuffled(shown, random) : shown }
  })

/** An answer to store. */
export type NewAnswer = AnswerContent & { readonly question_id: string }

const fieldError = (pointer: string, code: string, message: string): FieldError => ({ pointer, code, message })

/** The answers of a body, with the ids of their rows. */
export const buildAnswers = (input: AnswersInput): NewAnswer[] =>
  input.map(({ question_id, choice_ids = [], text = null, number = null }) => ({
    question_id: question_id,
    chosen: choice_ids,
    text_answer: text,
    number_answer: number,
  }))

const unwanted = (at: string, { kind }: Pick<QuestionContent, 'kind'>, answer: NewAnswer): FieldError[] => [
  ...(answer.chosen.length > 0 && (kind === 'text' || kind === 'number')
    ? [fieldError(`${at}/choice_ids`, 'unwanted', 'is only for single and multiple')]
    : []),
  ...(answer.text_answer !== null && kind !== 'text' ? [fieldError(`${at}/text`, 'unwanted', 'is only for text')] : []),
  ...(answer.number_answer !== null && kind !== 'number'
    ? [fieldError(`${at}/number`, 'unwanted', 'is only for number')]
    : []),
]

const errorsOfAnswer = (at: string, question: QuestionContent, answer: NewAnswer): FieldError[] => {
  const choiceIds = new Set(question.choices.map(({ id }) => id))
  const isMany = question.kind === 'single' && answer.chosen.length > 1
  return [
    ...unwanted(at, question, answer),
    ...(isMany
      ? [fieldError(`${at}/choice_ids`, 'too_many', 'must have one choice for a question of the kind single')]
      : []),
    ...answer.chosen.flatMap((id, index) =>
      choiceIds.has(id) ? [] : [fieldError(`${at}/choice_ids/${index}`, 'unknown', 'is not a choice of this question')],
    ),
  ]
}

const errorsOfIds = (ids: readonly string[], allowed: ReadonlySet<string>, at: string): FieldError[] => {
  const seen = new Set<string>()
  return ids.flatMap((id, index) => {
    const isTwice = seen.has(id)
    seen.add(id)
    const pointer = `/${at}/${index}/question_id`
    if (!allowed.has(id))
      return [
        fieldError(
          pointer,
          'unknown',
          `is not a question ${at === 'answers' ? 'of this attempt' : 'to be graded manually'}`,
        ),
      ]
    return isTwice ? [fieldError(pointer, 'twice', 'is named twice')] : []
  })
}

/** The errors of answers to the questions of an attempt; empty when they can be stored. */
export const errorsOfAnswers = (
  questions: ReadonlyMap<string, QuestionContent>,
  answers: readonly NewAnswer[],
): FieldError[] => [
  ...errorsOfIds(
    answers.map(({ question_id: id }) => id),
    new Set(questions.keys()),
    'answers',
  ),
  ...answers.flatMap((one, index) => {
    const question = questions.get(one.question_id)
    return question === undefined ? [] : errorsOfAnswer(`/answers/${index}`, question, one)
  }),
]

/** The points and feedback of a lecturer for an answer. */
export type ManualGrade = { readonly question_id: string; readonly points: number; readonly feedback: string }

/** The grades of a body, with the ids of their rows; feedback that is left out is empty. */
export const manualGrades = (input: GradesInput): ManualGrade[] =>
  input.map(({ question_id, points, feedback = '' }) => ({
    question_id: question_id,
    points,
    feedback,
  }))

/** The errors of grades; `waiting` are the manually graded questions with an answer, with their points. */
export const errorsOfGrades = (waiting: ReadonlyMap<string, number>, grades: readonly ManualGrade[]): FieldError[] => {
  const missing = [...waiting.keys()].filter(id => !grades.some(one => one.question_id === id))
  return [
    ...errorsOfIds(
      grades.map(({ question_id: id }) => id),
      new Set(waiting.keys()),
      'questions',
    ),
    ...grades.flatMap(({ question_id: id, points }, index) => {
      const max = waiting.get(id)
      if (max !== undefined && points > max)
        return [fieldError(`/questions/${index}/points`, 'too_many', `must be at most ${max}`)]
      return isHundredths(points)
        ? []
        : [fieldError(`/questions/${index}/points`, 'too_precise', 'must have at most two decimals')]
    }),
    ...(missing.length > 0
      ? [fieldError('/questions', 'missing', `misses ${missing.length} that wait for grading`)]
      : []),
  ]
}

type Ended = { readonly status: AttemptStatus; readonly passed: boolean | null }

/** Whether a learner may see the correct answers of an attempt. */
export const showsAnswers = (show: 'never' | 'after_attempt' | 'after_passing', { status, passed }: Ended): boolean => {
  if (status === 'started' || show === 'never') return false
  return show === 'after_attempt' || (status === 'graded' && passed !== false)
}

/** Whether a learner may see the points of one answer: with the correct answers, or once it was graded manually. */
export const showsGrade = (
  showsKeys: boolean,
  { grading }: Pick<QuestionContent, 'grading'>,
  { status }: Pick<Ended, 'status'>,
) => showsKeys || (grading === 'manual' && status === 'graded')
