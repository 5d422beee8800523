import { fill, type Language } from '#src/contract/language.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatInput, formatTime } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { fieldOf } from '../answers.rules.ts'
import { formOf } from '../frame.ts'
import type { ShownAgain } from '../lesson-acts.ts'
import type { AttemptView } from '../quiz.ts'
import { quizText as text } from '../quiz-text.ts'
import type { Visit } from '../visit.ts'
import { choiceText, type Question, questionHead } from './question.ts'

type AttemptForm = {
  readonly visit: Visit
  readonly action: string
  readonly attempt: AttemptView
  /** What was typed, where the form is shown again. */
  readonly again: ShownAgain | undefined
}

const choicesIn = ({ id, answer }: Question, form: Pairs | undefined): ReadonlySet<string> =>
  new Set(
    form === undefined
      ? (answer?.choice_ids ?? [])
      : form.filter(([name]) => name === fieldOf(id)).map(([, value]) => value),
  )

const choices = (question: Question, { visit, again }: AttemptForm): Html => {
  const chosen = choicesIn(question, again?.form)
  const type = question.kind === 'single' ? 'radio' : 'checkbox'
  return html`${question.kind === 'multiple' && html`<p class="quiet">${fill(text.chooseMany, visit.language)}</p>`}<div class="choices">
${question.choices.map(
  ({ id, text: words }) =>
    html`<label class="choice"><input type="${type}" name="${fieldOf(question.id)}" value="${id}"${chosen.has(id) && html` checked`}>${choiceText(words, visit)}</label>\n`,
)}</div>`
}

const typed = ({ id, answer, kind }: Question, form: Pairs | undefined, language: Language): string =>
  form === undefined
    ? kind === 'text'
      ? (answer?.text ?? '')
      : formatInput(answer?.number ?? null, language)
    : formField(form, fieldOf(id))

const written = (question: Question, n: number, { visit: { language }, again }: AttemptForm): Html => {
  const { id, kind, grading } = question
  const error = again?.errors.get(id)
  const about = html` name="${fieldOf(id)}" aria-labelledby="q${n} q${n}-text" aria-describedby="q${n}-hint"${error !== undefined && html` aria-invalid="true"`}`
  const hint = kind === 'number' ? text.number : grading === 'manual' ? text.byHand : text.yourAnswer
  const field =
    kind === 'number'
      ? html`<input type="text" inputmode="decimal" maxlength="40" autocomplete="off" class="short"${about} value="${typed(question, again?.form, language)}">`
      : html`<textarea rows="${grading === 'manual' ? 6 : 2}" maxlength="10000"${about}>\n${typed(question, again?.form, language)}</textarea>`
  return html`<p class="quiet" id="q${n}-hint">${error !== undefined && html`<strong class="mistake">${fill(error === 'number' ? text.notNumber : text.tooLong, language)}</strong> `}${fill(hint, language)}</p>
${field}`
}

const questionOf = (question: Question, n: number, form: AttemptForm): Html => {
  const all = form.attempt.questions.length
  const isChoice = question.kind === 'single' || question.kind === 'multiple'
  return html`<div class="question"${isChoice && html` role="${question.kind === 'single' ? 'radiogroup' : 'group'}" aria-labelledby="q${n} q${n}-text"`}>
${questionHead(question, { n, all }, form.visit)}
${isChoice ? choices(question, form) : written(question, n, form)}
</div>
`
}

// The first button is the one that Enter presses, and saving can be repeated.
const buttons = ({ visit: { language }, again }: AttemptForm): Html =>
  html`<div class="actions"><button type="submit" name="act" value="save">${fill(text.save, language)}</button> <button type="submit" class="main" name="act" value="submit">${fill(again?.isSure ? text.submitAnyway : text.submit, language)}</button></div>`

/** The form of an attempt in progress: its questions with the answers so far, and until when there is time. */
export const attemptForm = (form: AttemptForm): Html => {
  const { visit, action, attempt, again } = form
  const { language, timeZone } = visit
  const { expires_at: until, questions, id, attempt_number: number } = attempt
  return html`<section class="quiz" aria-labelledby="attempt">
<h2 id="attempt">${fill(text.attempt, language, { n: number })}</h2>
${until !== null && html`<p class="notice time-left"><time datetime="${until}">${fill(text.endsAt, language, { time: formatTime(until, timeZone, language) })}</time></p>`}
${formOf(
  visit,
  action,
  html`<input type="hidden" name="attempt" value="${id}">
${again?.isSure === true && html`<input type="hidden" name="sure" value="1">\n`}${questions.map((question, index) => questionOf(question, index + 1, form))}
${buttons(form)}`,
)}
</section>`
}
