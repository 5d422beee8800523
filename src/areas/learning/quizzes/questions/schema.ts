import Type, { type Static } from 'typebox'
import { Closed, HOW_TO_SHOW, Id, Instant, Line, Markdown, Nullable, OneOf, Revision, Words } from '#src/kit/shapes.ts'

/** How a question is answered. */
export const questionKinds = ['single', 'multiple', 'text', 'number'] as const

/** Who decides what an answer is worth. */
export const gradings = ['automatic', 'manual'] as const

/** The maximum number of choices of a question. */
const MAX_CHOICES = 50

/** A number of any precision, written out; compared exactly and never rounded. */
export const Decimal = (description: string) =>
  Type.String({ pattern: '^-?(0|[1-9][0-9]{0,14})([.][0-9]{1,10})?$', maxLength: 27, description })

const kind = OneOf(questionKinds, 'single: one choice; multiple: any of them; text: in words; number')
const choiceText = Words(1000, `What can be chosen; ${HOW_TO_SHOW}`)
const is_correct = Type.Boolean({ description: 'Whether the choice is correct' })

/** Something to choose, as learners see it. */
export const Choice = Closed('QuizChoice', { id: Id('cho'), text: choiceText })

const plain = {
  prompt: Words(10_000, `What is asked; ${HOW_TO_SHOW}`),
  points: Type.Integer({ minimum: 0, maximum: 1000, description: 'The points of a correct answer; 1 by default' }),
  grading: OneOf(gradings, 'manual: a lecturer grades the answer; only for text'),
  accepted_answers: Type.Array(Line(200, 'A correct answer'), {
    maxItems: 100,
    description: 'For text: the correct answers, compared without regard to case, accents and spaces',
  }),
  value: Nullable(Decimal('For number: the correct answer')),
  tolerance: Nullable(Decimal('For number: how far an answer may differ from the value; 0 by default')),
  explanation: Markdown(10_000, 'The explanation of the correct answer that learners see afterwards'),
}

/** A question with its correct answers, for those who manage the course. */
export const QuizQuestion = Closed('QuizQuestion', {
  id: Id('qst'),
  kind,
  ...plain,
  choices: Type.Array(Closed('QuizKeyedChoice', { ...Choice.properties, is_correct })),
  position: Type.Integer({ minimum: 0, description: 'The place in the quiz' }),
  version: Type.Integer({ minimum: 1, description: 'Raised by every change but of the place; attempts keep theirs' }),
  revision: Revision,
  created_at: Instant,
  updated_at: Instant,
})

const settings = {
  ...plain,
  choices: Type.Array(
    Type.Object({ id: Type.Optional(Id('cho')), text: choiceText, is_correct }, { additionalProperties: false }),
    {
      maxItems: MAX_CHOICES,
      description: 'For single and multiple, in order; a choice with an id is kept, one without is created',
    },
  ),
}

/** The fields of a question; one that is left out stays. */
const questionSettings = Type.Partial(Type.Object(settings)).properties

const position = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 10_000, description: 'The place in the quiz, from 0; at the end by default' }),
)

/** A new question. */
export const NewQuizQuestion = Closed('NewQuizQuestion', { ...questionSettings, kind, prompt: plain.prompt, position })

/** A change of a question; its kind stays. */
export const QuizQuestionChanges = Closed('QuizQuestionChanges', { ...questionSettings, position })

/** A question of a whole quiz; with an id it is kept or moved, without one it is created. */
export const QuestionInput = Type.Object(
  { id: Type.Optional(Id('qst')), kind: Type.Optional(kind), ...questionSettings },
  { additionalProperties: false },
)

/** A question in a path. */
export const QuestionRef = Type.Object({ lesson_id: Id('les'), question_id: Id('qst') })

/** The values of a question. */
export type QuestionInputValues = Omit<Static<typeof QuestionInput>, 'id'>
