import { questionKinds } from '#src/areas/learning/index.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { readPercent } from '#src/kit/typed-numbers.ts'
import { texts } from '#src/texts/index.ts'
import { box, choice, type Field, fieldsFor, percent, whole } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { coursesText } from '../courses/text.ts'
import type { Place } from './place.ts'
import { type QuestionView, type QuizView, quizPath } from './quiz-place.ts'

const { quiz: text } = texts.staff.lessons

const percentage: Field<number | null> = {
  ...percent(),
  read(form, name, { language }) {
    const typed = formField(form, name).trim()
    if (typed === '') return null
    const text = readPercent(typed, language) ?? ''
    if (!/^\d{1,3}(?:\.\d{1,2})?$/.test(text))
      refuseInvalid([{ pointer: `/${name}`, code: 'number', message: 'is no percentage' }])
    return Number(text)
  },
  write: (value, name) => [[name, String(value ?? '')]],
}

const minutes: Field<number | null> = {
  ...whole(),
  read(form, name, reader) {
    const read = whole().read(form, name, reader)
    return read === null ? null : read * 60
  },
  write: (seconds, name, reader) => whole().write(seconds === null ? null : Math.ceil(seconds / 60), name, reader),
}

/** The fields of the settings of a quiz. */
export const quizFields = fieldsFor<QuizView>()(text.fields, {
  passing_percentage: percentage,
  max_attempts: whole(),
  time_limit_seconds: minutes,
  show_answers: choice(['never', 'after_attempt', 'after_passing']),
  shuffle_questions: box(),
  shuffle_choices: box(),
})

/** The settings of a quiz as its form shows them; a new one shows the answers after each attempt. */
export const quizPairs = (context: StaffContext, quiz: QuizView | undefined): Pairs =>
  quizFields.pairs(quiz ?? { show_answers: 'after_attempt' }, context)

const excerpt = (prompt: string): string => (prompt.length > 120 ? `${prompt.slice(0, 119).trimEnd()}…` : prompt)

const moveButton = (step: 'up' | 'down', { id, revision, prompt }: QuestionView, { t }: StaffContext): Html =>
  html`<button class="sign" type="submit" name="act" value="question_${step} ${id} ${revision}" aria-label="${t(coursesText[step])}: ${excerpt(prompt)}">${step === 'up' ? '↑' : '↓'}</button>`

const questionItem = (question: QuestionView, context: StaffContext, place: Place, isLast: boolean): Html => {
  const { t } = context
  const { id, prompt, kind, points, grading, position } = question
  const facts = [t(text.kinds[kind]), t(text.points, { n: points })]
  if (grading === 'manual') facts.push(t(text.manual))
  return html`<li id="${id}" class="act"><div><a href="${quizPath(place)}/questions/${id}"><bdi>${excerpt(prompt)}</bdi></a><br>
<span class="quiet">${facts.join(' · ')}</span></div>
<div class="tools">${position > 0 && moveButton('up', question, context)}${!isLast && moveButton('down', question, context)}</div></li>
`
}

/** The questions of a quiz, with links to write more of them. */
export const renderQuestions = (context: StaffContext, place: Place, quiz: QuizView | undefined): Html => {
  const { t } = context
  const questions = quiz?.questions ?? []
  const n = questions.length
  return html`<section class="card" id="questions"><h2>${t(text.questions, { n, points: quiz?.points_possible ?? 0 })}</h2>
${
  n === 0
    ? html`<p>${t(text.none)}</p>`
    : html`<ol class="list numbered">\n${questions.map((question, index) => questionItem(question, context, place, index === n - 1))}</ol>`
}
<h3>${t(texts.words.addQuestion)}</h3>
<p class="row">${questionKinds.map(kind => html`<a class="button small" href="${quizPath(place)}/questions/new?kind=${kind}">${t(text.kinds[kind])}</a>\n`)}</p></section>`
}

/** Stores the settings of a quiz; `revision` is 0 where the page showed none. */
export const saveQuiz = async (
  { call }: StaffContext,
  { lesson }: Place,
  { quiz, body, revision }: { readonly quiz: QuizView | undefined; readonly body: object; readonly revision: number },
): Promise<void> => {
  const params = { lesson_id: lesson.id }
  if (quiz !== undefined) return call({ operation: 'updateQuiz', params, body, revision })
  return call({ operation: 'setQuiz', params, body: { ...body, questions: [] }, revision: 0 })
}

/** Moves a question by one place; the target is its id, and the revision that the page showed. */
export const moveQuestion = async (
  { call }: StaffContext,
  { lesson }: Place,
  quiz: QuizView | undefined,
  { id, revision, step }: { readonly id: string; readonly revision: number; readonly step: 1 | -1 },
): Promise<void> => {
  const at = (quiz?.questions ?? []).findIndex(question => question.id === id)
  const position = at + step
  if (at < 0 || position < 0) return
  const params = { lesson_id: lesson.id, question_id: id }
  await call({ operation: 'updateQuizQuestion', params, body: { position }, revision })
}
