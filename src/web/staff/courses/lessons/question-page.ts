import { randomUUID } from 'node:crypto'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
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

const choiceRow = (index: number, state: FormState, kind: QuestionKind, { language }: StaffContext): Html => {
  const n = index + 1
  const id = formField(state.typed, `choice_id_${index}`)
  const isCorrect = valuesIn(state.typed, 'correct').includes(String(index))
  const type = kind === 'single' ? 'radio' : 'checkbox'
  const label = fill(text.choice, language, { n })
  return html`<div class="choice"><input type="${type}" name="correct" value="${index}" aria-label="${fill(text.correct, language, { n })}"${isCorrect && html` checked`}><input type="text" name="choice_${index}" maxlength="1000" value="${formField(state.typed, `choice_${index}`)}" aria-label="${label}" placeholder="${label}">${id !== '' && hidden({ [`choice_id_${index}`]: id })}</div>
`
}

const choicesPart = (state: FormState, kind: QuestionKind, context: StaffContext): Html => {
  const { language } = context
  const rows = rowsOf(state.typed)
  const error = state.errors.get('choices') ?? [...state.errors].find(([name]) => name.startsWith('choices_'))?.[1]
  return html`<fieldset${error !== undefined && html` aria-describedby="choices-error"`}><legend>${fill(text.choices, language)}</legend>
<p class="quiet">${fill(kind === 'single' ? text.choicesSingle : text.choicesMultiple, language)}</p>
${error !== undefined && html`<p class="field-error" id="choices-error">${error}</p>`}
${hidden({ rows })}${Array.from({ length: rows }, (_, index) => choiceRow(index, state, kind, context))}
<button class="plain" type="submit" name="act" value="more" formnovalidate>${fill(text.more, language)}</button></fieldset>`
}

const answerPart = (state: FormState, kind: QuestionKind, context: StaffContext): Html => {
  const { language } = context
  if (kind === 'single' || kind === 'multiple') return choicesPart(state, kind, context)
  if (kind === 'number')
    return html`<div class="pair">${line(state, { name: 'value', label: fill(text.value, language), attributes: inputs.amount })}
${line(state, { name: 'tolerance', label: fill(text.tolerance, language), attributes: inputs.amount })}</div>`
  const gradings = Object.entries(text.gradings).map(([value, phrase]) => ({ value, label: fill(phrase, language) }))
  return html`${choose(state, { name: 'grading', label: fill(text.grading, language) }, gradings)}
${area(state, { name: 'accepted_answers', label: fill(text.accepted, language), hint: fill(text.acceptedHint, language) })}`
}

const questionForm = (state: FormState, context: StaffContext, { question, kind, refusal }: QuestionShown): Html => {
  const { language, request, token } = context
  const typedRevision = formField(state.typed, 'revision')
  const isStale = refusal?.problem.code === 'precondition_failed' || typedRevision === ''
  const about: Readonly<Record<string, string | number>> =
    question === undefined
      ? { form_key: formField(state.typed, 'form_key') || randomUUID() }
      : { revision: isStale ? question.revision : typedRevision }
  const inside = html`${hidden(about)}<button class="unseen" type="submit" name="act" value="save" tabindex="-1" aria-hidden="true"></button>${area(state, { name: 'prompt', label: fill(text.prompt, language), attributes: html`maxlength="10000" required` })}
${answerPart(state, kind, context)}
${line(state, { name: 'points', label: fill(text.pointsLabel, language), attributes: inputs.number })}
${area(state, { name: 'explanation', label: fill(text.explanation, language), attributes: html`maxlength="10000"` })}
<div class="buttons row"><button class="main" type="submit" name="act" value="save">${fill(coursesText.save, language)}</button>
<button type="submit" name="act" value="next">${fill(text.saveAndAdd, language)}</button></div>`
  const query = question === undefined ? `?kind=${kind}` : ''
  return formOf(`${request.path}${query}`, token, inside)
}

const removal = (context: StaffContext, { question }: QuestionShown): Html | false => {
  const { language, request, token } = context
  if (question === undefined) return false
  const inside = html`${hidden({ act: 'remove', revision: question.revision })}<p class="quiet">${fill(text.removeAbout, language)}</p><button type="submit">${fill(text.remove, language)}</button>`
  return html`<details class="card"><summary>${fill(text.remove, language)}</summary>${formOf(request.path, token, inside)}</details>`
}

/** The form of a question. */
export const questionPage = (context: StaffContext, view: QuestionShown): Promise<Reply> => {
  const { language } = context
  const { place, question, kind, typed, refusal } = view
  const errors = errorsIn(refusal, language, text.errors)
  const quiz = { href: quizPath(place), name: fill(text.title, language, { name: place.lesson.name }) }
  const number = question === undefined ? '' : String(question.position + 1)
  const title = question === undefined ? fill(text.newQuestion, language) : fill(text.question, language, { n: number })
  return coursePage(context, {
    title,
    above: [...aboveLesson(context, place), quiz],
    refusal,
    notice: noticeFor(refusal, language, { errors, fields: [...errors.keys()], refusals: courseRefusals }),
    body: html`<p class="quiet">${fill(text.kinds[kind], language)}</p>
${questionForm({ typed, errors }, context, view)}
${removal(context, view)}`,
  })
}
