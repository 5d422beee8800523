import { fill } from '#src/contract/language.ts'
import { formatDuration } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import type { ShownAgain } from '../lesson-acts.ts'
import type { LearnContext } from '../parts.ts'
import type { AttemptEntry, OwnQuiz, QuizView } from '../quiz.ts'
import { quizText as text } from '../quiz-text.ts'
import { attemptForm } from './attempt.ts'
import { chooseOutcome, formatScore, renderResult } from './result.ts'

type QuizPart = {
  readonly context: LearnContext
  /** The address of the lesson. */
  readonly action: string
  readonly own: OwnQuiz
  /** Whether the person may start an attempt, as far as their access is concerned. */
  readonly learns: boolean
  readonly again: ShownAgain | undefined
}

const formatUsed = (attempts: readonly AttemptEntry[], { max_attempts: max }: QuizView, { t }: LearnContext): string =>
  max === null ? t(text.unlimited) : t(text.attempts, { used: attempts.length, max })

const renderRules = (quiz: QuizView, { context, own }: QuizPart): Html => {
  const { t, language } = context
  const { passing_percentage: pass, time_limit_seconds: limit } = quiz
  const rules = [
    `${fill(text.questions, language, { n: quiz.question_count })}, ${fill(text.points, language, { n: quiz.points_possible })}`,
    pass === null ? t(text.noPass) : t(text.pass, { percent: pass }),
    limit === null ? undefined : t(text.limit, { time: formatDuration(limit, language) }),
    formatUsed(own.attempts, quiz, context),
  ]
  return html`<ul class="rules">
${rules.flatMap(rule => (rule === undefined ? [] : [html`<li>${rule}</li>\n`]))}</ul>`
}

const renderStart = (quiz: QuizView, { context, action, own: { attempts }, learns }: QuizPart): Html | false => {
  const { t, form } = context
  const { max_attempts: max, question_count: questions, time_limit_seconds: limit } = quiz
  if (questions === 0) return html`<p class="quiet">${t(text.empty)}</p>`
  if (!learns) return false
  if (max !== null && attempts.length >= max) return html`<p class="quiet">${t(text.noneLeft)}</p>`
  const hasPassed = attempts.some(({ passed }) => passed === true)
  const label = t(attempts.length === 0 ? text.start : text.again)
  return html`${limit !== null && html`<p class="quiet">${t(text.startHint)}</p>`}
${form(html`<input type="hidden" name="act" value="start"><button type="submit"${!hasPassed && html` class="main"`}>${label}</button>`, action)}`
}

const renderAbout = (part: QuizPart): Html => {
  const { context, own } = part
  const { t } = context
  if (own.quiz === undefined) return html`<p class="nothing">${t(text.empty)}</p>`
  return html`<section class="box" aria-labelledby="about">
<h2 id="about">${t(text.about)}</h2>
${renderRules(own.quiz, part)}
${renderStart(own.quiz, part)}
</section>`
}

const attemptItem = (attempt: AttemptEntry, { context, action, own }: QuizPart): Html => {
  const { t } = context
  const { attempt_number: n, id } = attempt
  return html`<li><span>${t(text.attempt, { n })}</span> <span class="quiet">${[t(chooseOutcome(attempt)), formatScore(attempt, context)].filter(one => one !== undefined).join(', ')}</span> ${
    id === own.shown?.id
      ? html`<span></span>`
      : html`<a href="${action}?attempt=${id}" aria-label="${t(text.lookAt, { n })}">${t(text.look)}</a>`
  }</li>
`
}

const attemptList = (part: QuizPart): Html | false =>
  part.own.attempts.length > 1 &&
  html`<section aria-labelledby="attempts">
<h2 class="part" id="attempts">${part.context.t(text.yourAttempts)}</h2>
<ul class="rows">
${part.own.attempts.map(one => attemptItem(one, part))}</ul>
</section>`

/** A quiz: the attempt in progress, or its rules, the result of an attempt and the others. */
export const quizPart = (part: QuizPart): Html => {
  const { context, action, own, again } = part
  const { shown } = own
  if (shown?.status === 'started') return attemptForm({ context, action, attempt: shown, again })
  return html`${renderAbout(part)}
${shown !== undefined && renderResult(own.quiz, shown, context)}
${attemptList(part)}`
}
