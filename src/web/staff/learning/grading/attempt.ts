import { Attempt } from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { appendQuotation } from '#src/kit/quotation.ts'
import { readDecimal } from '#src/kit/typed-numbers.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  folded,
  form,
  hiddenFor,
  noticeFor,
  page,
  renderConflict,
  revisionIn,
  shownAgain,
  TAKE_THEIRS,
} from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { addressWith } from '../../teaching/lists.ts'
import { namesFor, personName } from '../../teaching/names.ts'
import {
  type AttemptShown,
  type AttemptView,
  answerText,
  automaticQuestion,
  feedbackField,
  isManual,
  manualQuestion,
  pointsField,
  type Question,
  renderFacts,
} from './attempt-view.ts'
import { decideButtons, enterButton, FORM, linkNeighbours, renderKeyList, sayDone } from './parts.ts'
import { gradingRefusals, gradingText as text } from './text.ts'
import { courseIn, findNeighbours, pathAfter } from './waiting.ts'

const { attempt: attemptText } = texts.staff.grading

type Numbered = { readonly question: Question; readonly n: number }

// The points and the feedback of each answer, and what is stored of them.
const listFields = (manual: readonly Numbered[], { t }: TeacherContext) =>
  manual.flatMap(({ question: { id, points, feedback, points_possible: max }, n }) => {
    const about = t(attemptText.question, { n })
    return [
      { name: pointsField(id), label: `${about}: ${t(text.pointsField, { max })}`, stored: String(points ?? '') },
      { name: feedbackField(id), label: `${about}: ${t(texts.words.feedback)}`, stored: feedback ?? '' },
    ]
  })

const renderBoth = (manual: readonly Numbered[], { again, context }: AttemptView): Html | false => {
  if (again === undefined || again.act === '') return false
  const all = listFields(manual, context)
  return renderConflict(context, {
    ...again,
    keep: again.act,
    stored: all.map(({ name, stored }) => [name, stored]),
    fields: {
      differences: ({ typed }) =>
        all
          .map(({ name, label, stored: theirs }) => ({
            label,
            mine: formField(typed, name).replaceAll('\r\n', '\n').trim(),
            theirs,
          }))
          .filter(({ mine, theirs }) => mine !== theirs),
    },
    within: FORM,
  })
}

const gradeForm = (manual: readonly Numbered[], view: AttemptView): Html => {
  const { attempt, context, neighbours, again } = view
  const { t, request, form } = context
  const action = addressWith(request.path, { course_id: courseIn(context) })
  const shown = again?.act === TAKE_THEIRS ? undefined : again
  const inside = html`${enterButton}${hiddenFor({ typed: shown?.typed ?? [], refusal: shown?.refusal }, attempt.revision)}
<div class="stack">${manual.map(({ question, n }) => manualQuestion(question, n, view))}</div>
<p class="quiet">${t(text.mail)}</p>
<div class="save"><span class="state" role="status">&nbsp;</span><span class="row">${decideButtons(context, neighbours, false)}</span></div>`
  return html`${renderBoth(manual, view)}<h2>${t(attemptText.manual)}</h2>
${form(inside, action, { id: FORM, draft: 'grade', isUnsaved: shown !== undefined })}
${renderKeyList(context)}`
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
<section class="card" aria-labelledby="answers"><h2 id="answers">${t(texts.words.answers)}</h2>
${rest}</section>`
}

const readAttempt = ({ call, params }: TeacherContext): Promise<AttemptShown> =>
  call({ operation: 'getQuizAttempt', params: { attempt_id: params.id ?? '' }, returns: Attempt })

// The answers that a person grades, and below those that were graded automatically.
const showAttempt = async (context: TeacherContext, again?: Again): Promise<Reply> => {
  const { t, language } = context
  const attempt = await readAttempt(context)
  const [names, neighbours] = await Promise.all([
    namesFor(context, [attempt]),
    findNeighbours(context, { kind: 'attempts', ...attempt }),
  ])
  const view = { context, attempt, names, neighbours, again }
  const n = attempt.attempt_number
  const name = personName(attempt.student, context)
  const waits = attempt.status === 'submitted' || attempt.status === 'timed_out'
  return context.frame({
    isWide: true,
    hasCards: true,
    title: t(n === 1 ? attemptText.title : attemptText.titleAgain, { name, n }),
    actions: linkNeighbours(context, neighbours),
    notice: again === undefined ? sayDone(context, neighbours, waits) : undefined,
    ...noticeFor(again?.refusal, language, { said: gradingRefusals }),
    scripts: ['grading'],
    body: html`<div class="stack">${renderQuestions(view)}
${renderFacts(view)}</div>`,
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

const grade = async (context: TeacherContext, form: Pairs): Promise<AttemptShown> => {
  const attempt = await readAttempt(context)
  const body = {
    questions: gradesIn(
      form,
      attempt.questions.filter(isManual).map(({ id }) => id),
      context.language,
    ),
  }
  const call = { operation: 'gradeQuizAttempt', params: { attempt_id: attempt.id }, body, returns: Attempt }
  return context.call({ ...call, revision: revisionIn(form) })
}

const quote = async (context: TeacherContext, typed: Pairs): Promise<Pairs> => {
  const { questions } = await readAttempt(context)
  const name = formField(typed, 'put')
  const question = questions.find(({ id }) => feedbackField(id) === name)
  if (question === undefined) return typed
  const feedback = appendQuotation(formField(typed, name).replaceAll('\r\n', '\n'), answerText(question) ?? '')
  return [...typed.filter(([key]) => key !== name), [name, feedback]]
}

/** GET and POST /staff/grading/attempts/:id: an attempt at a quiz, and the grades of its answers. */
export const attemptGrading = [
  page('GET /staff/grading/attempts/:id', teachers, context => showAttempt(context)),
  form('POST /staff/grading/attempts/:id', teachers, async (context, typed) => {
    const act = formField(typed, 'act')
    if (formField(typed, 'put') !== '') return showAttempt(context, { act: '', typed: await quote(context, typed) })
    if (act === TAKE_THEIRS) return showAttempt(context, { act, typed })
    if (act !== 'save' && act !== 'save_next') throw new Refusal(formRefused, 'The form has no valid action.')
    return shownAgain(
      async () => pathAfter(context, { kind: 'attempts', ...(await grade(context, typed)) }, act),
      refusal => showAttempt(context, { act, typed, refusal }),
    )
  }),
]
