import type { Static } from 'typebox'
import type { Attempt } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { markdown } from '#src/web/markdown.ts'
import { doneIn, formOf, framed, hidden, timeOf } from '#src/web/page/index.ts'
import type { TeacherContext } from '../../audience.ts'
import { field, folded, inputs, textArea } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import { addressWith } from '../../teaching/lists.ts'
import { type Names, personName } from '../../teaching/names.ts'
import { facts } from '../../teaching/parts.ts'
import { attemptText } from './attempt-text.ts'
import { attemptOutcome } from './entries.ts'
import { gradingRefusals, gradingText as text } from './text.ts'

type AttemptShown = Encoded<Static<typeof Attempt>>
type Question = AttemptShown['questions'][number]

/** What the page shows. */
export type AttemptView = {
  readonly context: TeacherContext
  readonly attempt: AttemptShown
  readonly names: Names
  /** The address of what waits next. */
  readonly next: string | undefined
  readonly done: string
  /** What was refused just now, with what was typed. */
  readonly refused: { readonly refusal: Refusal; readonly form: Pairs } | undefined
}

/** The name of the field with the points of a question. */
export const pointsField = (questionId: string): string => `points_${questionId}`

/** The name of the field with the feedback on the answer to a question. */
export const feedbackField = (questionId: string): string => `feedback_${questionId}`

/** Whether a person grades the answer to a question: an answer that is missing has no points. */
export const isManual = ({ grading, answer }: Question): boolean => grading === 'manual' && answer !== null

const factsOf = ({ attempt, names, context }: AttemptView): Html => {
  const { t, language, viewer } = context
  const time = (instant: string | null) => (instant === null ? undefined : timeOf(new Date(instant), language, viewer))
  const percent = attempt.passing_percentage
  return facts([
    [t(text.student), personName(attempt.student, context)],
    [t(text.lesson), `${names.lesson(attempt.lesson_id)} · ${names.course(attempt.course_id)}`],
    [t(text.submitted), time(attempt.submitted_at)],
    [t(text.timedOut), time(attempt.timed_out_at)],
    [t(attemptText.rule), percent === null ? undefined : t(text.pass, { percent })],
    [t(text.grade), attempt.status === 'graded' ? attemptOutcome(attempt, language) : undefined],
  ])
}

const choiceTexts = ({ choices }: Question, ids: readonly string[]): string =>
  choices
    .filter(({ id }) => ids.includes(id))
    .map(({ text: words }) => words)
    .join(', ')

const answerText = (question: Question): string | undefined => {
  const { answer } = question
  if (answer === null) return undefined
  if (answer.choice_ids.length > 0) return choiceTexts(question, answer.choice_ids)
  return answer.text ?? answer.number ?? undefined
}

const correctText = (question: Question): string | undefined => {
  const { choice_ids: ids, accepted_answers: accepted, value, tolerance } = question.correct
  if (ids.length > 0) return choiceTexts(question, ids)
  if (accepted.length > 0) return accepted.join(', ')
  if (value === null) return undefined
  return tolerance === null || Number(tolerance) === 0 ? value : `${value} ± ${tolerance}`
}

const answered = (question: Question, { context: { language } }: AttemptView): Html => {
  const answer = answerText(question)
  if (answer === undefined) return html`<p class="quiet">${fill(attemptText.noAnswer, language)}</p>`
  return html`<h4>${fill(attemptText.answer, language)}</h4>
<p class="lines given" dir="auto">${answer}</p>`
}

const modelOf = ({ explanation }: Question, { context: { language } }: AttemptView): Html | false =>
  explanation.trim() !== '' &&
  html`<details><summary>${fill(attemptText.explanation, language)}</summary>
<div class="prose">${markdown(5, explanation)}</div>
</details>`

const typed = ({ refused }: AttemptView, name: string, before: string): string =>
  refused === undefined ? before : formField(refused.form, name)

const headOf = (n: number, question: Question, { context: { language } }: AttemptView): Html =>
  html`<h3 id="q${n}">${fill(attemptText.question, language, { n })} <span class="quiet">${fill(question.points_possible === 1 ? attemptText.worthOne : attemptText.worth, language, { points: question.points_possible })}</span></h3>
<div class="prose">${markdown(4, question.prompt)}</div>`

const manualQuestion = (question: Question, n: number, view: AttemptView): Html => {
  const { t } = view.context
  const { id, points_possible: max, points, feedback } = question
  return html`<section class="card" aria-labelledby="q${n}">
${headOf(n, question, view)}
${answered(question, view)}
${modelOf(question, view)}
${field({
  name: pointsField(id),
  label: t(text.pointsField, { max }),
  value: typed(view, pointsField(id), String(points ?? '')),
  attributes: html`${inputs.amount} aria-describedby="q${n}"`,
})}
${textArea({
  name: feedbackField(id),
  label: t(text.answerFeedback),
  value: typed(view, feedbackField(id), feedback ?? ''),
  attributes: html`maxlength="10000"`,
})}
</section>
`
}

const automaticQuestion = (question: Question, n: number, view: AttemptView): Html => {
  const { t, language } = view.context
  const correct = correctText(question)
  const { points, points_possible: max } = question
  return html`<section aria-labelledby="q${n}">
${headOf(n, question, view)}
${answered(question, view)}
${correct !== undefined && html`<h4>${t(attemptText.correct)}</h4>\n<p class="lines" dir="auto">${correct}</p>`}
<p class="quiet">${t(text.points, { points: formatNumber(points ?? 0, language), max: formatNumber(max, language) })}</p>
</section>
`
}

const buttons = ({ next, context: { language } }: AttemptView): Html => {
  const [first, second] = next === undefined ? (['grade'] as const) : (['grade_next', 'grade'] as const)
  return html`<p class="quiet">${fill(text.mail, language)}</p>
<div class="buttons row"><button class="main" type="submit" name="act" value="${first}">${fill(first === 'grade' ? text.save : text.saveNext, language)}</button>
${second !== undefined && html`<button type="submit" name="act" value="${second}">${fill(text.save, language)}</button>`}</div>`
}

type Numbered = { readonly question: Question; readonly n: number }

const gradeForm = (manual: readonly Numbered[], view: AttemptView): Html => {
  const { attempt, context } = view
  const { t, request, token } = context
  const action = addressWith(request.path, { course_id: context.query.get('course_id') ?? '' })
  const inside = html`${hidden({ revision: attempt.revision })}
${manual.map(({ question, n }) => manualQuestion(question, n, view))}
${buttons(view)}`
  return html`<h2>${t(attemptText.manual)}</h2>
${formOf(action, token, inside)}`
}

const questionsOf = (view: AttemptView): Html => {
  const { attempt, context } = view
  const { t } = context
  const numbered = attempt.questions.map((question, index) => ({ question, n: index + 1 }))
  const manual = attempt.status === 'started' ? [] : numbered.filter(({ question }) => isManual(question))
  const others = numbered.filter(one => !manual.includes(one))
  const rest = html`${others.map(({ question, n }) => automaticQuestion(question, n, view))}`
  if (manual.length > 0)
    return html`${gradeForm(manual, view)}
${others.length > 0 && folded(t(attemptText.automatic, { n: others.length }), rest)}`
  return html`${attempt.status === 'started' && html`<p class="note">${t(attemptText.started)}</p>`}
<h2>${t(attemptText.answers)}</h2>
${rest}`
}

/** An attempt at a quiz: the answers that a person grades, and below those that were graded automatically. */
export const attemptPage = (view: AttemptView): Reply => {
  const { context, attempt, next, done, refused } = view
  const { t, language, request } = context
  const notice =
    refused === undefined
      ? { notice: doneIn(text.done, done, language) }
      : refusedIn(refused.refusal, language, gradingRefusals)
  const n = attempt.attempt_number
  const name = personName(attempt.student, context)
  return framed({
    school: request.school,
    language,
    isWide: true,
    title: t(n === 1 ? attemptText.title : attemptText.titleAgain, { name, n }),
    ...notice,
    body: html`${factsOf(view)}
${questionsOf(view)}
${next !== undefined && html`<p><a href="${next}" rel="next">${t(text.skip)}</a></p>`}
<p class="quiet"><a href="${addressWith('/staff/grading', { course_id: context.query.get('course_id') ?? '' })}">${t(text.back)}</a></p>`,
  })
}
