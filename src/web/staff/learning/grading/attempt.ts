import { Attempt } from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { readDecimal } from '#src/kit/typed-numbers.ts'
import { doneOf, form, page, redirect, refusalFor, revisionIn } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'
import { namesFor } from '../../teaching/names.ts'
import { type AttemptView, attemptPage, feedbackField, isManual, pointsField } from './attempt-page.ts'
import { nextPath } from './waiting.ts'

const getAttempt = (context: TeacherContext) =>
  context.call({
    operation: 'getQuizAttempt',
    params: { attempt_id: context.request.params.id ?? '' },
    returns: Attempt,
  })

const pageOf = async (context: TeacherContext, refused?: AttemptView['refused']): Promise<Reply> => {
  const attempt = await getAttempt(context)
  const [names, next] = await Promise.all([namesFor(context, [attempt]), nextPath(context, 'attempts', attempt.id)])
  return attemptPage({ context, attempt, names, next, refused, done: doneOf(context.request) })
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
  const attempt = await getAttempt(context)
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

const submit = async (context: TeacherContext, form: Pairs): Promise<Reply> => {
  const act = formField(form, 'act')
  if (act !== 'grade' && act !== 'grade_next') throw new Refusal(formRefused, 'The form has no valid action.')
  const refusal = await refusalFor(grade(context, form))
  if (refusal !== undefined) return pageOf(context, { refusal, form })
  const own = addressWith(context.request.path, { course_id: context.query.get('course_id') ?? '' })
  const id = context.request.params.id ?? ''
  const next = act === 'grade' ? own : ((await nextPath(context, 'attempts', id)) ?? '/staff/grading')
  return redirect(`${next}${next.includes('?') ? '&' : '?'}done=graded`)
}

/** GET and POST /staff/grading/attempts/:id: an attempt at a quiz, and the grades of its answers. */
export const attemptGrading: StaffSection = {
  // The queue leads to each of them.
  entries: [],
  pages: [
    page('GET /staff/grading/attempts/:id', teachers, context => pageOf(context)),
    form('POST /staff/grading/attempts/:id', teachers, submit),
  ],
}
