import type { Language } from '#src/contract/language.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatInput } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { hidden } from '#src/web/page/index.ts'
import { nameField } from '../answers.rules.ts'
import type { ShownAgain } from '../lesson-acts.ts'
import type { LearnContext } from '../parts.ts'
import type { AttemptView } from '../quiz.ts'
import { quizText as text } from '../quiz-text.ts'
import { choiceText, type Question, questionHead } from './question.ts'

type AttemptForm = {
  readonly context: LearnContext
  readonly action: string
  readonly attempt: AttemptView
  /** What was typed, where the form is shown again. */
  readonly again: ShownAgain | undefined
}

const choicesIn = ({ id, answer }: Question, form: Pairs | undefined): ReadonlySet<string> =>
  new Set(
    form === undefined
      ? (answer?.choice_ids ?? [])
      : form.filter(([name]) => name === nameField(id)).map(([, value]) => value),
  )

const choices = (question: Question, { context, again }: AttemptForm): Html => {
  const chosen = choicesIn(question, again?.form)
  const type = question.kind === 'single' ? 'radio' : 'checkbox'
  return html`${question.kind === 'multiple' && html`<p class="quiet">${context.t(text.chooseMany)}</p>`}<div class="choices">
${question.choices.map(
  ({ id, text: words }) =>
    html`<label class="choice"><input type="${type}" name="${nameField(question.id)}" value="${id}"${chosen.has(id) && html` checked`}>${choiceText(words, context)}</label>\n`,
)}</div>`
}

const typed = ({ id, answer, kind }: Question, form: Pairs | undefined, language: Language): string =>
  form === undefined
    ? kind === 'text'
      ? (answer?.text ?? '')
      : formatInput(answer?.number ?? null, language)
    : formField(form, nameField(id))

const written = (question: Question, n: number, { context: { t, language }, again }: AttemptForm): Html => {
  const { id, kind, grading } = question
  const error = again?.errors.get(id)
  const about = html` name="${nameField(id)}" aria-labelledby="q${n} q${n}-text" aria-describedby="q${n}-hint"${error !== undefined && html` aria-invalid="true"`}`
  const hint = kind === 'number' ? text.number : grading === 'manual' ? text.byHand : text.yourAnswer
  const field =
    kind === 'number'
      ? html`<input type="text" inputmode="decimal" maxlength="40" autocomplete="off" class="short"${about} value="${typed(question, again?.form, language)}">`
      : html`<textarea rows="${grading === 'manual' ? 6 : 2}" maxlength="10000"${about}>\n${typed(question, again?.form, language)}</textarea>`
  return html`<p class="quiet" id="q${n}-hint">${error !== undefined && html`<strong class="mistake">${t(error === 'number' ? text.notNumber : text.tooLong)}</strong> `}${t(hint)}</p>
${field}`
}

const renderQuestion = (question: Question, n: number, form: AttemptForm): Html => {
  const all = form.attempt.questions.length
  const isChoice = question.kind === 'single' || question.kind === 'multiple'
  return html`<div class="question"${isChoice && html` role="${question.kind === 'single' ? 'radiogroup' : 'group'}" aria-labelledby="q${n} q${n}-text"`}>
${questionHead(question, { n, all }, form.context)}
${isChoice ? choices(question, form) : written(question, n, form)}
</div>
`
}

// The first button is the one that Enter presses, and saving can be repeated.
const buttons = ({ context: { t }, again }: AttemptForm): Html =>
  html`<div class="actions"><button type="submit" name="act" value="save">${t(text.save)}</button> <button type="submit" class="main" name="act" value="submit">${t(again?.isSure ? text.submitAnyway : text.submit)}</button></div>`

/** The form of an attempt in progress: its questions with the answers so far, and until when there is time. */
export const attemptForm = (form: AttemptForm): Html => {
  const { context, action, attempt, again } = form
  const { t, time } = context
  const { expires_at: until, questions, id, attempt_number: number } = attempt
  return html`<section class="quiz" aria-labelledby="attempt">
<h2 id="attempt">${t(text.attempt, { n: number })}</h2>
${until !== null && html`<p class="notice time-left"><time datetime="${until}">${t(text.endsAt, { time: time(until) })}</time></p>`}
${context.form(
  html`${hidden({ attempt: id })}${again?.isSure === true && hidden({ sure: 1 })}${questions.map((question, index) => renderQuestion(question, index + 1, form))}
${buttons(form)}`,
  action,
)}
</section>`
}
