import { questionKinds } from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { box, choose, type FormState, line } from '../../forms/fields.ts'
import { inputs } from '../../pages/fields.ts'
import { coursePage } from '../courses/frame.ts'
import { courseRefusals, coursesText } from '../courses/text.ts'
import { aboveLesson } from './place.ts'
import { type QuestionView, type QuizPlace, quizPath } from './quiz-place.ts'
import { quizText as text } from './quiz-text.ts'

type Again = { readonly form: Pairs; readonly refusal: Refusal }

const numberText = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : String(value)

const formOfQuiz = ({ quiz }: QuizPlace): Pairs => {
  const limit = quiz?.time_limit_seconds ?? null
  return [
    ['passing_percentage', numberText(quiz?.passing_percentage)],
    ['max_attempts', numberText(quiz?.max_attempts)],
    ['time_limit_seconds', limit === null ? '' : String(Math.ceil(limit / 60))],
    ['show_answers', quiz?.show_answers ?? 'after_attempt'],
    ['shuffle_questions', quiz?.shuffle_questions ? 'yes' : ''],
    ['shuffle_choices', quiz?.shuffle_choices ? 'yes' : ''],
  ]
}

const excerpt = (prompt: string): string => (prompt.length > 120 ? `${prompt.slice(0, 119).trimEnd()}…` : prompt)

const move = (step: 'up' | 'down', { id, revision, prompt }: QuestionView, { t }: StaffContext): Html =>
  html`<button form="order" class="sign" name="do" value="${step} ${id} ${revision}" aria-label="${t(coursesText[step])}: ${excerpt(prompt)}">${step === 'up' ? '↑' : '↓'}</button>`

const questionItem = (question: QuestionView, context: StaffContext, place: QuizPlace, isLast: boolean): Html => {
  const { t } = context
  const { id, prompt, kind, points, grading, position } = question
  const facts = [t(text.kinds[kind]), t(text.points, { n: points })]
  if (grading === 'manual') facts.push(t(text.manual))
  return html`<li id="${id}" class="outline-lesson"><div><a href="${quizPath(place)}/questions/${id}"><bdi>${excerpt(prompt)}</bdi></a>
<span class="quiet">${facts.join(' · ')}</span></div>
<div class="tools">${position > 0 && move('up', question, context)}${!isLast && move('down', question, context)}</div></li>
`
}

const questionsPart = (context: StaffContext, place: QuizPlace): Html => {
  const { t, token } = context
  const questions = place.quiz?.questions ?? []
  const points = place.quiz?.points_possible ?? 0
  return html`<h2 id="questions">${t(text.questions, { n: questions.length, points })}</h2>
<form id="order" method="post" action="${quizPath(place)}">${hidden({ token })}</form>
${
  questions.length === 0
    ? html`<p>${t(text.none)}</p>`
    : html`<ol class="list numbered">\n${questions.map((question, index) => questionItem(question, context, place, index === questions.length - 1))}</ol>`
}
<h3>${t(text.add)}</h3>
<p class="choices">${questionKinds.map(kind => html`<a class="button" href="${quizPath(place)}/questions/new?kind=${kind}">${t(text.kinds[kind])}</a>\n`)}</p>`
}

const settingsForm = (context: StaffContext, place: QuizPlace, again: Again | undefined): Html => {
  const { t, language, token } = context
  const isAgain = again !== undefined && formField(again.form, 'act') === 'settings'
  const state: FormState = isAgain
    ? { typed: again.form, errors: errorsIn(again.refusal, language, text.errors) }
    : { typed: formOfQuiz(place), errors: new Map() }
  const shows = Object.entries(text.shows).map(([value, phrase]) => ({ value, label: t(phrase) }))
  const inside = html`${hidden({ act: 'settings', revision: place.quiz?.revision ?? 0 })}<div class="pair">${line(state, { name: 'passing_percentage', label: t(text.passing), hint: t(text.passingHint), attributes: inputs.amount })}
${line(state, { name: 'max_attempts', label: t(text.attempts), hint: t(text.attemptsHint), attributes: inputs.number })}
${line(state, { name: 'time_limit_seconds', label: t(text.limit), hint: t(text.limitHint), attributes: inputs.number })}</div>
${choose(state, { name: 'show_answers', label: t(text.show) }, shows)}
${box(state, { name: 'shuffle_questions', label: t(text.shuffleQuestions) })}
${box(state, { name: 'shuffle_choices', label: t(text.shuffleChoices) })}
<div class="buttons row"><button type="submit">${t(coursesText.save)}</button></div>`
  return html`<h2>${t(text.settings)}</h2>\n${formOf(quizPath(place), token, inside)}`
}

/** The page of a quiz: its questions in their order, and its settings. */
export const quizPage = (context: StaffContext, place: QuizPlace, again: Again | undefined): Promise<Reply> => {
  const { t, language } = context
  const { course, lesson } = place
  const errors = errorsIn(again?.refusal, language, text.errors)
  const fields = ['passing_percentage', 'max_attempts', 'time_limit_seconds']
  return coursePage(context, {
    title: t(text.title, { name: lesson.name }),
    above: aboveLesson(context, place, true),
    refusal: again?.refusal,
    notice: noticeFor(again?.refusal, language, { errors, fields, refusals: courseRefusals }),
    body: html`<p class="course-head"><a href="/learn/${course.slug}/${lesson.id}">${t(coursesText.asStudent)}</a></p>
${questionsPart(context, place)}
${settingsForm(context, place, again)}`,
  })
}
