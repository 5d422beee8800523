import Type, { type Static } from 'typebox'
import { Choice, Decimal, gradings, Percentage, questionKinds } from '#src/areas/learning/quizzes/index.ts'
import { AfterQuery, PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import {
  AllowedActions,
  Closed,
  Id,
  Instant,
  Markdown,
  Nullable,
  OneOf,
  Person,
  Personal,
  Revision,
  Text,
} from '#src/kit/shapes.ts'

/** The status of an attempt. */
const attemptStatuses = ['started', 'submitted', 'timed_out', 'graded'] as const

const Points = (description: string) => Type.Number({ minimum: 0, description: `${description}, to the hundredth` })

const entry = {
  id: Id('qat'),
  course_id: Id('crs'),
  lesson_id: Id('les'),
  quiz_id: Id('quz'),
  attempt_number: Type.Integer({ minimum: 1, description: 'Which attempt at the quiz it is' }),
  status: OneOf(attemptStatuses, 'In progress; submitted or timed out, and waiting for manual grading; or graded'),
  started_at: Instant,
  expires_at: Nullable(Instant),
  submitted_at: Nullable(Instant),
  timed_out_at: Nullable(Instant),
  graded_at: Nullable(Instant),
  points_possible: Type.Integer({ minimum: 0, description: 'The points of all questions together' }),
  points: Nullable(Personal(Points('The points reached, once graded'))),
  percentage: Nullable(Personal(Percentage('The share of the possible points, rounded down'))),
  passing_percentage: Nullable(Percentage('The percentage required to pass, when the attempt started')),
  passed: Nullable(
    Personal(
      Type.Boolean({ description: 'Whether the attempt passed, once graded; null where no percentage is required' }),
    ),
  ),
}

const rest = { revision: Revision, created_at: Instant, updated_at: Instant }

/** The answer to one question: the field of its kind. */
const answer = {
  choice_ids: Type.Array(Id('cho'), { description: 'For single and multiple: the choices' }),
  text: Nullable(Personal(Text(10_000, 'Of text: the words'))),
  number: Nullable(Decimal('For number: the number, as a decimal')),
}

const Answer = Closed('QuizAnswer', answer)

const question = {
  id: Id('qst'),
  kind: OneOf(questionKinds, 'How it is answered'),
  grading: OneOf(gradings, 'Whether answers are graded automatically or manually'),
  prompt: Markdown(10_000, 'The question'),
  points_possible: Type.Integer({ minimum: 0 }),
  choices: Type.Array(Choice, { description: 'In the order of this attempt' }),
  answer: Nullable(Answer),
}

const Correct = Closed('QuizCorrectAnswer', {
  choice_ids: Type.Array(Id('cho')),
  accepted_answers: Type.Array(Type.String()),
  value: Nullable(Type.String()),
  tolerance: Nullable(Type.String()),
})

const mark = {
  points: Nullable(Personal(Points('The points of the answer; null until it is graded'))),
  feedback: Personal(Markdown(10_000, 'The feedback on the answer')),
}

const key = { correct: Correct, explanation: Markdown(10_000, 'Why that is correct') }

/** A question of one's own attempt; the correct answer and the points are there once the learner may see them. */
const OwnAttemptQuestion = Closed('OwnQuizAttemptQuestion', {
  ...question,
  ...Type.Partial(Type.Object({ ...mark, ...key })).properties,
})

/** A question of an attempt, for those who manage the course. */
const AttemptQuestion = Closed('QuizAttemptQuestion', {
  ...question,
  ...Type.Partial(Type.Object(mark)).properties,
  ...key,
})

/** One's own attempt at a quiz in a list. */
export const OwnAttemptEntry = Closed('OwnQuizAttemptEntry', { ...entry, ...rest })

/** One's own attempt at a quiz, with its questions. */
export const OwnAttempt = Closed('OwnQuizAttempt', {
  ...entry,
  questions: Type.Array(OwnAttemptQuestion),
  allowed_actions: Type.Optional(AllowedActions),
  ...rest,
})

/** A student's attempt at a quiz in a list. */
export const AttemptEntry = Closed('QuizAttemptEntry', { ...entry, student: Person, ...rest })

/** A student's attempt at a quiz, with questions, answers and the correct answers. */
export const Attempt = Closed('QuizAttempt', {
  ...entry,
  student: Person,
  questions: Type.Array(AttemptQuestion),
  allowed_actions: Type.Optional(AllowedActions),
  ...rest,
})

/** The quiz to start: by its own id or by that of its lesson. */
export const NewAttempt = Closed('NewQuizAttempt', {
  lesson_id: Type.Optional(Id('les')),
  quiz_id: Type.Optional(Id('quz')),
})

/** Answers to some questions of an attempt; those that are not named stay, and one without an answer is cleared. */
export const Answers = Closed('QuizAnswers', {
  answers: Type.Array(
    Type.Object(
      {
        question_id: Id('qst'),
        choice_ids: Type.Optional(Type.Array(Id('cho'), { maxItems: 50, uniqueItems: true })),
        text: Type.Optional(answer.text),
        number: Type.Optional(answer.number),
      },
      { additionalProperties: false },
    ),
    { minItems: 1, maxItems: 200 },
  ),
})

/** The grades of manually graded answers. */
export const Grades = Closed('QuizGrades', {
  questions: Type.Array(
    Type.Object(
      {
        question_id: Id('qst'),
        points: Type.Number({ minimum: 0, maximum: 1000, description: 'At most the points of the question' }),
        feedback: Type.Optional(Personal(Markdown(10_000, 'The feedback for the student'))),
      },
      { additionalProperties: false },
    ),
    { maxItems: 200 },
  ),
})

/** An attempt in a path. */
export const AttemptRef = Type.Object({ attempt_id: Id('qat') })

const filters = {
  ...PageQuery,
  ...SortQuery(['created_at'] as const),
  course_id: Type.Optional(Id('crs')),
  lesson_id: Type.Optional(Id('les')),
  status: Type.Optional(OneOf(attemptStatuses, 'Only this status')),
}

/** The query of a list of one's own attempts. */
export const OwnAttemptsQuery = Type.Object(filters)

/** The query of a list of attempts. */
export const AttemptsQuery = Type.Object({
  ...filters,
  ...AfterQuery,
  member_id: Type.Optional(Id('mem')),
  graded: Type.Optional(
    Type.Boolean({ description: 'false: only attempts that wait for manual grading; true: only graded' }),
  ),
})

/** One page of one's own attempts. */
export const OwnAttemptPage = PageOf(OwnAttemptEntry, 'OwnQuizAttemptPage')

/** One page of the attempts of students. */
export const AttemptPage = PageOf(AttemptEntry, 'QuizAttemptPage')

/** The answers of a body. */
export type AnswersInput = Static<typeof Answers>['answers']

/** The grades of a body. */
export type GradesInput = Static<typeof Grades>['questions']

/** The values of the query of a list of attempts. */
export type ListAttemptsParams = Static<typeof AttemptsQuery>
