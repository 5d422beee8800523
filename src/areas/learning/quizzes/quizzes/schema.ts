import Type, { type Static } from 'typebox'
import { MergePatch } from '#src/kit/patch.ts'
import { Closed, Id, Nullable, OneOf, Recorded } from '#src/kit/shapes.ts'
import { QuestionInput, QuizQuestion } from '../questions/schema.ts'

/** When learners see the correct answers. */
const answerShowings = ['never', 'after_attempt', 'after_passing'] as const

/** The maximum number of questions of a quiz. */
export const MAX_QUESTIONS = 200

/** A percentage from 0 to 100 with at most two decimals. */
export const Percentage = (description: string) => Type.Number({ minimum: 0, maximum: 100, description })

const settings = {
  passing_percentage: Nullable(
    Percentage('What has to be reached to pass, with at most two decimals; null: submitting it completes the lesson'),
  ),
  max_attempts: Nullable(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'How often one may try; null: as often as one likes' }),
  ),
  shuffle_questions: Type.Boolean({ description: 'Whether each attempt has its own order of questions' }),
  shuffle_choices: Type.Boolean({ description: 'Whether each attempt has its own order of choices' }),
  time_limit_seconds: Nullable(
    Type.Integer({ minimum: 10, maximum: 604_800, description: 'How long an attempt may take; null: any time' }),
  ),
  show_answers: OneOf(
    answerShowings,
    'When learners see the correct answers, the explanations and the points of each question',
  ),
}

/** The quiz of a lesson: its settings for learners, and its questions for those who manage the course. */
export const Quiz = Closed('Quiz', {
  id: Id('quz'),
  course_id: Id('crs'),
  lesson_id: Id('les'),
  ...settings,
  question_count: Type.Integer({ minimum: 0, description: 'How many questions are asked' }),
  points_possible: Type.Integer({ minimum: 0, description: 'The points of all questions together' }),
  questions: Type.Optional(
    Type.Array(QuizQuestion, { description: 'With their correct answers; only for those who manage the course' }),
  ),
  ...Recorded,
})

/** A whole new quiz: the questions in their order, and the settings that change. */
export const NewQuiz = Closed('NewQuiz', {
  ...Type.Partial(Type.Object(settings)).properties,
  questions: Type.Array(QuestionInput, { maxItems: MAX_QUESTIONS }),
})

/** The lesson of a quiz in a path. */
export const QuizRef = Type.Object({ lesson_id: Id('les') })

/** The values of a new quiz. */
export type QuizInput = Static<typeof NewQuiz>

/** A change of a quiz's settings. */
export const QuizChanges = MergePatch(Type.Object(settings), 'QuizChanges')
