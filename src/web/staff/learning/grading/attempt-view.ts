import type { Static } from 'typebox'
import type { Attempt } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { formField } from '#src/kit/form.ts'
import { formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { markdown } from '#src/web/markdown.ts'
import { type Again, factList, field, inputs, TAKE_THEIRS, textArea } from '#src/web/page/index.ts'
import type { TeacherContext } from '../../audience.ts'
import type { Names } from '../../teaching/names.ts'
import { plainEditor } from '../../texts/index.ts'
import { attemptOutcome } from './entries.ts'
import { linkPerson, quoteButton } from './parts.ts'
import { gradingText as text } from './text.ts'
import type { Neighbours } from './waiting.ts'

const { attempt: attemptText } = texts.staff.grading

/** An attempt at a quiz, with its questions and answers. */
export type AttemptShown = Encoded<Static<typeof Attempt>>
/** One of its questions, with the answer. */
export type Question = AttemptShown['questions'][number]

/** What the page of an attempt shows. */
export type AttemptView = {
  readonly context: TeacherContext
  readonly attempt: AttemptShown
  readonly names: Names
  readonly neighbours: Neighbours
  /** What was typed just now, and what was refused. */
  readonly again: Again | undefined
}

/** The field for the points of an answer. */
export const pointsField = (questionId: string): string => `points_${questionId}`

/** The field for the feedback on an answer. */
export const feedbackField = (questionId: string): string => `feedback_${questionId}`

/** Whether a person grades the answer to a question; an answer that is missing has no points. */
export const isManual = ({ grading, answer }: Question): boolean => grading === 'manual' && answer !== null

/** Whose attempt it is, when it ended, and what came of it. */
export const renderFacts = ({ attempt, names, context }: AttemptView): Html => {
  const { t, language } = context
  const time = (instant: string | null) => (instant === null ? undefined : context.time(instant))
  const percent = attempt.passing_percentage
  return html`<section class="card" aria-label="${t(text.student)}">
${factList([
  [t(text.student), linkPerson(attempt.student, context)],
  [t(texts.words.lesson), `${names.lesson(attempt.lesson_id)} · ${names.course(attempt.course_id)}`],
  [t(text.submitted), time(attempt.submitted_at)],
  [t(text.timedOut), time(attempt.timed_out_at)],
  [t(texts.words.quiz), percent === null ? undefined : t(text.pass, { percent })],
  [t(text.grade), attempt.status === 'graded' ? attemptOutcome(attempt, language) : undefined],
])}</section>
`
}

const choiceTexts = ({ choices }: Question, ids: readonly string[]): string =>
  choices
    .filter(({ id }) => ids.includes(id))
    .map(({ text: words }) => words)
    .join(', ')

/** What was answered, in words; undefined where nothing was. */
export const answerText = (question: Question): string | undefined => {
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

const givenId = (questionId: string): string => `given_${questionId}`

const answered = (question: Question, { context: { t } }: AttemptView): Html => {
  const answer = answerText(question)
  if (answer === undefined) return html`<p class="quiet">${t(attemptText.noAnswer)}</p>`
  return html`<h4>${t(attemptText.answer)}</h4>
<p class="lines given" dir="auto" id="${givenId(question.id)}">${answer}</p>`
}

const renderModel = ({ explanation }: Question, { context: { t } }: AttemptView): Html | false =>
  explanation.trim() !== '' &&
  html`<details><summary>${t(attemptText.explanation)}</summary>
<div class="prose">${markdown(5, explanation)}</div>
</details>`

const typedIn = ({ again }: AttemptView, name: string, stored: string): string =>
  again === undefined || again.act === TAKE_THEIRS ? stored : formField(again.typed, name)

const renderHead = (n: number, question: Question, { context: { t } }: AttemptView): Html =>
  html`<h3 id="q${n}">${t(attemptText.question, { n })} <span class="quiet">${t(attemptText.worth, { points: question.points_possible })}</span></h3>
<div class="prose">${markdown(4, question.prompt)}</div>`

/** A question whose answer a person grades, with the fields for it. */
export const manualQuestion = (question: Question, n: number, view: AttemptView): Html => {
  const { t } = view.context
  const { id, points_possible: max, points, feedback } = question
  const name = feedbackField(id)
  return html`<section class="card" aria-labelledby="q${n}"><div class="split grading">
<div class="stack">${renderHead(n, question, view)}
${answered(question, view)}
<p>${quoteButton({ from: givenId(id), into: name, label: t(text.quote) })}</p>
${renderModel(question, view)}</div>
<div class="stack beside">${field({
    name: pointsField(id),
    label: t(text.pointsField, { max }),
    value: typedIn(view, pointsField(id), String(points ?? '')),
    attributes: html`${inputs.amount} aria-describedby="q${n}"`,
  })}
${textArea({
  name,
  label: t(text.answerFeedback),
  value: typedIn(view, name, feedback ?? ''),
  attributes: html`class="code" maxlength="10000"${plainEditor(name)}`,
})}</div></div>
</section>
`
}

/** A question that was graded automatically, with what is correct. */
export const automaticQuestion = (question: Question, n: number, view: AttemptView): Html => {
  const { t, language } = view.context
  const correct = correctText(question)
  const { points, points_possible: max } = question
  return html`<section class="stack" aria-labelledby="q${n}">
${renderHead(n, question, view)}
${answered(question, view)}
${correct !== undefined && html`<h4>${t(attemptText.correct)}</h4>\n<p class="lines" dir="auto">${correct}</p>`}
<p class="quiet">${t(text.points, { points: formatNumber(points ?? 0, language), max: formatNumber(max, language) })}</p>
</section>
`
}
