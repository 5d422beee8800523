import { Attempt } from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { readDecimal } from '#src/kit/typed-numbers.ts'
import { doneOf, redirect } from '#src/web/page/index.ts'
import { revisionOf } from '../../form-fields.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'
import { namesFor } from '../../teaching/names.ts'
import { type TeachingVisit, teachingForm, teachingPage } from '../../teaching/visit.ts'
import { perform, refusalFor } from '../../visit.ts'
import { type AttemptView, attemptPage, feedbackField, isManual, pointsField } from './attempt-page.ts'
import { nextPath } from './waiting.ts'

const getAttempt = (visit: TeachingVisit) =>
  perform(visit, {
    operation: 'getQuizAttempt',
    params: { attempt_id: visit.request.params.id ?? '' },
    returns: Attempt,
  })

const pageOf = async (visit: TeachingVisit, refused?: AttemptView['refused']): Promise<Reply> => {
  const attempt = await getAttempt(visit)
  const [names, next] = await Promise.all([namesFor(visit, [attempt]), nextPath(visit, 'attempts', attempt.id)])
  return attemptPage({ visit, attempt, names, next, refused, done: doneOf(visit.request) })
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

const grade = async (visit: TeachingVisit, form: Pairs): Promise<void> => {
  const attempt = await getAttempt(visit)
  const body = {
    questions: gradesIn(
      form,
      attempt.questions.filter(isManual).map(({ id }) => id),
      visit.language,
    ),
  }
  const params = { attempt_id: attempt.id }
  await perform(visit, { operation: 'gradeQuizAttempt', params, body, revision: revisionOf(form) })
}

const submit = async (visit: TeachingVisit, form: Pairs): Promise<Reply> => {
  const act = formField(form, 'act')
  if (act !== 'grade' && act !== 'grade_next') throw new Refusal(formRefused, 'The form has no valid action.')
  const refusal = await refusalFor(grade(visit, form))
  if (refusal !== undefined) return pageOf(visit, { refusal, form })
  const own = addressWith(visit.request.path, { course_id: visit.query.get('course_id') ?? '' })
  const id = visit.request.params.id ?? ''
  const next = act === 'grade' ? own : ((await nextPath(visit, 'attempts', id)) ?? '/staff/grading')
  return redirect(`${next}${next.includes('?') ? '&' : '?'}done=graded`)
}

/** GET and POST /staff/grading/attempts/:id: an attempt at a quiz, and the grades of its answers. */
export const attemptGrading: StaffSection = {
  // The queue leads to each of them.
  entries: [],
  endpoints: parts => [
    teachingPage('GET /staff/grading/attempts/:id', parts, visit => pageOf(visit)),
    teachingForm('POST /staff/grading/attempts/:id', parts, submit),
  ],
}
