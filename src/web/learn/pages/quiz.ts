import { fill } from '#src/contract/language.ts'
import { formatDuration } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { counted } from '#src/web/site/index.ts'
import { formOf } from '../frame.ts'
import type { ShownAgain } from '../lesson-acts.ts'
import type { AttemptEntry, OwnQuiz, QuizView } from '../quiz.ts'
import { quizText as text } from '../quiz-text.ts'
import type { Visit } from '../visit.ts'
import { attemptForm } from './attempt.ts'
import { outcomeOf, resultOf, scoreOf } from './result.ts'

type QuizPart = {
  readonly visit: Visit
  /** The address of the lesson. */
  readonly action: string
  readonly own: OwnQuiz
  /** Whether the person may start an attempt, as far as their access is concerned. */
  readonly learns: boolean
  readonly again: ShownAgain | undefined
}

const usedOf = (attempts: readonly AttemptEntry[], { max_attempts: max }: QuizView, { language }: Visit): string =>
  max === null ? fill(text.unlimited, language) : fill(text.attempts, language, { used: attempts.length, max })

const rulesOf = (quiz: QuizView, { visit, own }: QuizPart): Html => {
  const { language } = visit
  const { passing_percentage: pass, time_limit_seconds: limit } = quiz
  const rules = [
    `${counted(text.questions, quiz.question_count, language)}, ${counted(text.points, quiz.points_possible, language)}`,
    pass === null ? fill(text.noPass, language) : fill(text.pass, language, { percent: pass }),
    limit === null ? undefined : fill(text.limit, language, { time: formatDuration(limit, language) }),
    usedOf(own.attempts, quiz, visit),
  ]
  return html`<ul class="rules">
${rules.flatMap(rule => (rule === undefined ? [] : [html`<li>${rule}</li>\n`]))}</ul>`
}

const startOf = (quiz: QuizView, { visit, action, own: { attempts }, learns }: QuizPart): Html | false => {
  const { language } = visit
  const { max_attempts: max, question_count: questions, time_limit_seconds: limit } = quiz
  if (questions === 0) return html`<p class="quiet">${fill(text.empty, language)}</p>`
  if (!learns) return false
  if (max !== null && attempts.length >= max) return html`<p class="quiet">${fill(text.noneLeft, language)}</p>`
  const hasPassed = attempts.some(({ passed }) => passed === true)
  const label = fill(attempts.length === 0 ? text.start : text.again, language)
  return html`${limit !== null && html`<p class="quiet">${fill(text.startHint, language)}</p>`}
${formOf(visit, action, html`<input type="hidden" name="act" value="start"><button type="submit"${!hasPassed && html` class="main"`}>${label}</button>`)}`
}

const aboutOf = (part: QuizPart): Html => {
  const { visit, own } = part
  const { language } = visit
  if (own.quiz === undefined) return html`<p class="nothing">${fill(text.empty, language)}</p>`
  return html`<section class="box" aria-labelledby="about">
<h2 id="about">${fill(text.about, language)}</h2>
${rulesOf(own.quiz, part)}
${startOf(own.quiz, part)}
</section>`
}

const attemptItem = (attempt: AttemptEntry, { visit, action, own }: QuizPart): Html => {
  const { language } = visit
  const { attempt_number: n, id } = attempt
  return html`<li><span>${fill(text.attempt, language, { n })}</span> <span class="quiet">${[fill(outcomeOf(attempt), language), scoreOf(attempt, visit)].filter(one => one !== undefined).join(', ')}</span> ${
    id === own.shown?.id
      ? html`<span></span>`
      : html`<a href="${action}?attempt=${id}" aria-label="${fill(text.lookAt, language, { n })}">${fill(text.look, language)}</a>`
  }</li>
`
}

const attemptList = (part: QuizPart): Html | false =>
  part.own.attempts.length > 1 &&
  html`<section aria-labelledby="attempts">
<h2 class="part" id="attempts">${fill(text.yourAttempts, part.visit.language)}</h2>
<ul class="rows">
${part.own.attempts.map(one => attemptItem(one, part))}</ul>
</section>`

/** A quiz: the attempt in progress, or its rules, the result of an attempt and the others. */
export const quizPart = (part: QuizPart): Html => {
  const { visit, action, own, again } = part
  const { shown } = own
  if (shown?.status === 'started') return attemptForm({ visit, action, attempt: shown, again })
  return html`${aboutOf(part)}
${shown !== undefined && resultOf(own.quiz, shown, visit)}
${attemptList(part)}`
}
