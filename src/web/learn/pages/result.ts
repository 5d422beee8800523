import type { Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { inSchool, markdown } from '#src/web/site/index.ts'
import type { LearnContext } from '../parts.ts'
import type { AttemptEntry, AttemptView, QuizView } from '../quiz.ts'
import { quizText as text } from '../quiz-text.ts'
import { choiceText, type Question, questionHead } from './question.ts'

/** What became of an attempt, in a few words. */
export const chooseOutcome = ({ status, passed }: AttemptEntry): Phrase => {
  if (status === 'started') return text.resultStarted
  if (status !== 'graded') return text.resultWaiting
  if (passed === null) return text.resultDone
  return passed ? text.resultPassed : text.resultFailed
}

/** The points of an attempt, once it is graded. */
export const formatScore = (
  { points, points_possible: possible, percentage }: AttemptEntry,
  { t }: LearnContext,
): string | undefined =>
  points === null || percentage === null ? undefined : t(text.score, { points, possible, percent: percentage })

const renderChoices = ({ choices, answer, correct }: Question, context: LearnContext): Html => {
  const { t } = context
  const chosen = new Set(answer?.choice_ids)
  const right = new Set(correct?.choice_ids)
  return html`<ul class="review-choices">
${choices.map(
  ({ id, text: words }) =>
    html`<li${right.has(id) && html` class="is-right"`}>${choiceText(words, context)}${chosen.has(id) && html` <span class="badge">${t(text.chosen)}</span>`}${right.has(id) && html` <span class="right">${t(text.correctAnswer)}</span>`}</li>\n`,
)}</ul>`
}

const solution = ({ kind, correct }: Question, { t }: LearnContext): string | undefined => {
  if (correct === undefined) return undefined
  if (kind === 'text') return correct.accepted_answers.length === 0 ? undefined : correct.accepted_answers.join(' / ')
  const { value, tolerance } = correct
  if (value === null) return undefined
  return tolerance === null || /^-?0(?:\.0+)?$/.test(tolerance) ? value : t(text.within, { value, tolerance })
}

const renderWritten = (question: Question, context: LearnContext): Html => {
  const { t } = context
  const { answer } = question
  const given = answer?.text ?? answer?.number
  const expected = solution(question, context)
  return html`<p class="given"><span class="quiet">${t(text.yourAnswer)}:</span> ${given === null || given === undefined ? t(text.noAnswer) : html`<bdi>${given}</bdi>`}</p>
${expected !== undefined && html`<p><span class="quiet">${t(text.correctAnswer)}:</span> <bdi>${expected}</bdi></p>`}`
}

const renderPoints = ({ points, points_possible: possible }: Question, { t }: LearnContext): Html | false => {
  if (points === null || points === undefined) return false
  const word = possible > 0 && points >= possible ? text.correct : points === 0 ? text.wrong : undefined
  return html`<p class="points">${word !== undefined && html`<strong>${t(word)}</strong> · `}${points} / ${possible}</p>`
}

const renderReview = (question: Question, n: number, all: number, context: LearnContext): Html => {
  const { t } = context
  const { kind, explanation = '', feedback = '' } = question
  const isChoice = kind === 'single' || kind === 'multiple'
  return html`<div class="question">
${questionHead(question, { n, all }, context)}
${isChoice ? renderChoices(question, context) : renderWritten(question, context)}
${renderPoints(question, context)}
${feedback !== '' && html`<div class="feedback"><p class="quiet">${t(text.feedback)}</p><div class="prose typed" dir="auto">${markdown(4, feedback)}</div></div>`}
${explanation !== '' && html`<div class="feedback"><p class="quiet">${t(text.explanation)}</p><div class="prose"${inSchool(context)}>${markdown(4, explanation)}</div></div>`}
</div>
`
}

const whyHidden = ({ show_answers: show }: QuizView, { questions, status }: AttemptView): Phrase | undefined => {
  if (questions.some(({ correct }) => correct !== undefined) || status !== 'graded') return undefined
  return show === 'never' ? text.hidden : show === 'after_passing' ? text.hiddenYet : undefined
}

/** An attempt that has ended: its result, and its questions with what the person may see of the answers. */
export const renderResult = (quiz: QuizView | undefined, attempt: AttemptView, context: LearnContext): Html => {
  const { t } = context
  const score = formatScore(attempt, context)
  const hidden = quiz && whyHidden(quiz, attempt)
  const all = attempt.questions.length
  return html`<section class="quiz" aria-labelledby="result">
<h2 id="result">${t(text.result, { n: attempt.attempt_number })}</h2>
<p class="result-words" role="status"><strong>${t(chooseOutcome(attempt))}</strong>${score !== undefined && html` <span>${score}</span>`}</p>
${hidden !== undefined && html`<p class="quiet">${t(hidden)}</p>`}
${attempt.questions.map((question, index) => renderReview(question, index + 1, all, context))}
</section>`
}
