import type { Static } from 'typebox'
import { Attempt } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { readDecimal } from '#src/kit/typed-numbers.ts'
import { texts } from '#src/texts/index.ts'
import { markdown } from '#src/web/markdown.ts'
import {
  doneIn,
  factList,
  field,
  folded,
  form,
  hidden,
  inputs,
  noticeFor,
  page,
  readDone,
  revisionIn,
  shownAgain,
  textArea,
} from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { addressWith } from '../../teaching/lists.ts'
import { type Names, namesFor, personName } from '../../teaching/names.ts'
import { attemptOutcome } from './entries.ts'
import { gradingRefusals, gradingText as text } from './text.ts'
import { courseIn, nextPath, pathAfter } from './waiting.ts'

const { attempt: attemptText } = texts.staff.grading

type AttemptShown = Encoded<Static<typeof Attempt>>
type Question = AttemptShown['questions'][number]

type AttemptView = {
  readonly context: TeacherContext
  readonly attempt: AttemptShown
  readonly names: Names
  /** The address of what waits next. */
  readonly next: string | undefined
  /** What was refused just now, with what was typed. */
  readonly refused: { readonly refusal: Refusal; readonly form: Pairs } | undefined
}

const pointsField = (questionId: string): string => `points_${questionId}`

const feedbackField = (questionId: string): string => `feedback_${questionId}`

// A person grades the answer to a question; an answer that is missing has no points.
const isManual = ({ grading, answer }: Question): boolean => grading === 'manual' && answer !== null

const renderFacts = ({ attempt, names, context }: AttemptView): Html => {
  const { t, language } = context
  const time = (instant: string | null) => (instant === null ? undefined : context.time(instant))
  const percent = attempt.passing_percentage
  return factList([
    [t(text.student), personName(attempt.student, context)],
    [t(texts.words.lesson), `${names.lesson(attempt.lesson_id)} · ${names.course(attempt.course_id)}`],
    [t(text.submitted), time(attempt.submitted_at)],
    [t(text.timedOut), time(attempt.timed_out_at)],
    [t(texts.words.quiz), percent === null ? undefined : t(text.pass, { percent })],
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

const answered = (question: Question, { context: { t } }: AttemptView): Html => {
  const answer = answerText(question)
  if (answer === undefined) return html`<p class="quiet">${t(attemptText.noAnswer)}</p>`
  return html`<h4>${t(attemptText.answer)}</h4>
<p class="lines given" dir="auto">${answer}</p>`
}

const renderModel = ({ explanation }: Question, { context: { t } }: AttemptView): Html | false =>
  explanation.trim() !== '' &&
  html`<details><summary>${t(attemptText.explanation)}</summary>
<div class="prose">${markdown(5, explanation)}</div>
</details>`

const typed = ({ refused }: AttemptView, name: string, before: string): string =>
  refused === undefined ? before : formField(refused.form, name)

const renderHead = (n: number, question: Question, { context: { t } }: AttemptView): Html =>
  html`<h3 id="q${n}">${t(attemptText.question, { n })} <span class="quiet">${t(attemptText.worth, { points: question.points_possible })}</span></h3>
<div class="prose">${markdown(4, question.prompt)}</div>`

const manualQuestion = (question: Question, n: number, view: AttemptView): Html => {
  const { t } = view.context
  const { id, points_possible: max, points, feedback } = question
  return html`<section class="card" aria-labelledby="q${n}">
${renderHead(n, question, view)}
${answered(question, view)}
${renderModel(question, view)}
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
${renderHead(n, question, view)}
${answered(question, view)}
${correct !== undefined && html`<h4>${t(attemptText.correct)}</h4>\n<p class="lines" dir="auto">${correct}</p>`}
<p class="quiet">${t(text.points, { points: formatNumber(points ?? 0, language), max: formatNumber(max, language) })}</p>
</section>
`
}

const buttons = ({ next, context: { t } }: AttemptView): Html => {
  const [first, second] = next === undefined ? (['grade'] as const) : (['grade_next', 'grade'] as const)
  return html`<p class="quiet">${t(text.mail)}</p>
<div class="buttons row"><button class="main" type="submit" name="act" value="${first}">${t(first === 'grade' ? text.save : text.saveNext)}</button>
${second !== undefined && html`<button type="submit" name="act" value="${second}">${t(text.save)}</button>`}</div>`
}

type Numbered = { readonly question: Question; readonly n: number }

const gradeForm = (manual: readonly Numbered[], view: AttemptView): Html => {
  const { attempt, context } = view
  const { t, request, form } = context
  const action = addressWith(request.path, { course_id: courseIn(context) })
  const inside = html`${hidden({ revision: attempt.revision })}
${manual.map(({ question, n }) => manualQuestion(question, n, view))}
${buttons(view)}`
  return html`<h2>${t(attemptText.manual)}</h2>
${form(inside, action)}`
}

const renderQuestions = (view: AttemptView): Html => {
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
<h2>${t(texts.words.answers)}</h2>
${rest}`
}

const readAttempt = ({ call, params }: TeacherContext): Promise<AttemptShown> =>
  call({ operation: 'getQuizAttempt', params: { attempt_id: params.id ?? '' }, returns: Attempt })

// The answers that a person grades, and below those that were graded automatically.
const showAttempt = async (context: TeacherContext, refused?: AttemptView['refused']): Promise<Reply> => {
  const { t, language, request } = context
  const attempt = await readAttempt(context)
  const [names, next] = await Promise.all([namesFor(context, [attempt]), nextPath(context, 'attempts', attempt.id)])
  const view = { context, attempt, names, next, refused }
  const n = attempt.attempt_number
  const name = personName(attempt.student, context)
  return context.frame({
    isWide: true,
    title: t(n === 1 ? attemptText.title : attemptText.titleAgain, { name, n }),
    notice: doneIn(text.done, readDone(request), language),
    ...noticeFor(refused?.refusal, language, { said: gradingRefusals }),
    body: html`${renderFacts(view)}
${renderQuestions(view)}
${next !== undefined && html`<p><a href="${next}" rel="next">${t(text.skip)}</a></p>`}`,
  })
}

const pointsIn = (typed: string, index: number, language: Language): number => {
  const points = readDecimal(typed, language) ?? ''
  if (!/^\d{1,4}(?:\.\d{1,2})?$/.test(points))
    refuseInvalid([{ pointer: `/questions/${index}/points`, code: 'number', message: 'is not a number of points' }])
  return Number(points)
}

const gradesIn = (form: Pairs, questions: readonly string[], language: Language) =>
  questions.map((id, index) => ({
    question_id: id,
    points: pointsIn(formField(form, pointsField(id)).trim(), index, language),
    feedback: formField(form, feedbackField(id)).replaceAll('\r\n', '\n').trim(),
  }))

const grade = async (context: TeacherContext, form: Pairs): Promise<void> => {
  const attempt = await readAttempt(context)
  const body = {
    questions: gradesIn(
      form,
      attempt.questions.filter(isManual).map(({ id }) => id),
      context.language,
    ),
  }
  const params = { attempt_id: attempt.id }
  await context.call({ operation: 'gradeQuizAttempt', params, body, revision: revisionIn(form) })
}

/** GET and POST /staff/grading/attempts/:id: an attempt at a quiz, and the grades of its answers. */
export const attemptGrading = [
  page('GET /staff/grading/attempts/:id', teachers, context => showAttempt(context)),
  form('POST /staff/grading/attempts/:id', teachers, async (context, typed) => {
    const act = formField(typed, 'act')
    if (act !== 'grade' && act !== 'grade_next') throw new Refusal(formRefused, 'The form has no valid action.')
    return shownAgain(
      async () => {
        await grade(context, typed)
        return pathAfter(context, 'attempts', act)
      },
      refusal => showAttempt(context, { refusal, form: typed }),
    )
  }),
]
