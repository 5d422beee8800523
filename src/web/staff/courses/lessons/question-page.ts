import { randomUUID } from 'node:crypto'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { area, choose, type FormState, line } from '../../forms/fields.ts'
import { valuesIn } from '../../forms/values.ts'
import { inputs } from '../../pages/fields.ts'
import { coursePage } from '../courses/frame.ts'
import { courseRefusals, coursesText } from '../courses/text.ts'
import { aboveLesson } from './place.ts'
import { type QuestionKind, rowsOf } from './question-form.ts'
import { type QuestionView, type QuizPlace, quizPath } from './quiz-place.ts'
import { quizText as text } from './quiz-text.ts'

type QuestionShown = {
  readonly place: QuizPlace
  /** Undefined for a new one. */
  readonly question: QuestionView | undefined
  readonly kind: QuestionKind
  readonly typed: Pairs
  readonly refusal: Refusal | undefined
}

const choiceRow = (index: number, state: FormState, kind: QuestionKind, { t }: StaffContext): Html => {
  const n = index + 1
  const id = formField(state.typed, `choice_id_${index}`)
  const isCorrect = valuesIn(state.typed, 'correct').includes(String(index))
  const type = kind === 'single' ? 'radio' : 'checkbox'
  const label = t(text.choice, { n })
  return html`<div class="choice"><input type="${type}" name="correct" value="${index}" aria-label="${t(text.correct, { n })}"${isCorrect && html` checked`}><input type="text" name="choice_${index}" maxlength="1000" value="${formField(state.typed, `choice_${index}`)}" aria-label="${label}" placeholder="${label}">${id !== '' && hidden({ [`choice_id_${index}`]: id })}</div>
`
}

const choicesPart = (state: FormState, kind: QuestionKind, context: StaffContext): Html => {
  const { t } = context
  const rows = rowsOf(state.typed)
  const error = state.errors.get('choices') ?? [...state.errors].find(([name]) => name.startsWith('choices_'))?.[1]
  return html`<fieldset${error !== undefined && html` aria-describedby="choices-error"`}><legend>${t(text.choices)}</legend>
<p class="quiet">${t(kind === 'single' ? text.choicesSingle : text.choicesMultiple)}</p>
${error !== undefined && html`<p class="field-error" id="choices-error">${error}</p>`}
${hidden({ rows })}${Array.from({ length: rows }, (_, index) => choiceRow(index, state, kind, context))}
<button class="plain" type="submit" name="act" value="more" formnovalidate>${t(text.more)}</button></fieldset>`
}

const answerPart = (state: FormState, kind: QuestionKind, context: StaffContext): Html => {
  const { t } = context
  if (kind === 'single' || kind === 'multiple') return choicesPart(state, kind, context)
  if (kind === 'number')
    return html`<div class="pair">${line(state, { name: 'value', label: t(text.value), attributes: inputs.amount })}
${line(state, { name: 'tolerance', label: t(text.tolerance), attributes: inputs.amount })}</div>`
  const gradings = Object.entries(text.gradings).map(([value, phrase]) => ({ value, label: t(phrase) }))
  return html`${choose(state, { name: 'grading', label: t(text.grading) }, gradings)}
${area(state, { name: 'accepted_answers', label: t(text.accepted), hint: t(text.acceptedHint) })}`
}

const questionForm = (state: FormState, context: StaffContext, { question, kind, refusal }: QuestionShown): Html => {
  const { t, request, token } = context
  const typedRevision = formField(state.typed, 'revision')
  const isStale = refusal?.problem.code === 'precondition_failed' || typedRevision === ''
  const about: Readonly<Record<string, string | number>> =
    question === undefined
      ? { form_key: formField(state.typed, 'form_key') || randomUUID() }
      : { revision: isStale ? question.revision : typedRevision }
  const inside = html`${hidden(about)}<button class="unseen" type="submit" name="act" value="save" tabindex="-1" aria-hidden="true"></button>${area(state, { name: 'prompt', label: t(text.prompt), attributes: html`maxlength="10000" required` })}
${answerPart(state, kind, context)}
${line(state, { name: 'points', label: t(text.pointsLabel), attributes: inputs.number })}
${area(state, { name: 'explanation', label: t(text.explanation), attributes: html`maxlength="10000"` })}
<div class="buttons row"><button class="main" type="submit" name="act" value="save">${t(coursesText.save)}</button>
<button type="submit" name="act" value="next">${t(text.saveAndAdd)}</button></div>`
  const query = question === undefined ? `?kind=${kind}` : ''
  return formOf(`${request.path}${query}`, token, inside)
}

const removal = (context: StaffContext, { question }: QuestionShown): Html | false => {
  const { t, request, token } = context
  if (question === undefined) return false
  const inside = html`${hidden({ act: 'remove', revision: question.revision })}<p class="quiet">${t(text.removeAbout)}</p><button type="submit">${t(text.remove)}</button>`
  return html`<details class="card"><summary>${t(text.remove)}</summary>${formOf(request.path, token, inside)}</details>`
}

/** The form of a question. */
export const questionPage = (context: StaffContext, view: QuestionShown): Promise<Reply> => {
  const { t, language } = context
  const { place, question, kind, typed, refusal } = view
  const errors = errorsIn(refusal, language, text.errors)
  const quiz = { href: quizPath(place), name: t(text.title, { name: place.lesson.name }) }
  const number = question === undefined ? '' : String(question.position + 1)
  const title = question === undefined ? t(text.newQuestion) : t(text.question, { n: number })
  return coursePage(context, {
    title,
    above: [...aboveLesson(context, place), quiz],
    refusal,
    notice: noticeFor(refusal, language, { errors, fields: [...errors.keys()], refusals: courseRefusals }),
    body: html`<p class="quiet">${t(text.kinds[kind])}</p>
${questionForm({ typed, errors }, context, view)}
${removal(context, view)}`,
  })
}
