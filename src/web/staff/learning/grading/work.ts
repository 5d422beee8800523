import type { Static } from 'typebox'
import { Assignment, Submission, SubmissionPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { readWhole } from '#src/kit/typed-numbers.ts'
import {
  doneOf,
  type FormFile,
  type FormWithFiles,
  fileForm,
  page,
  redirect,
  refusalFor,
  revisionIn,
} from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { storeFile } from '../../files/uploads/index.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'
import { namesFor } from '../../teaching/names.ts'
import { type KeptFile, keptIn } from './feedback-files.ts'
import { nextPath } from './waiting.ts'
import { type WorkView, workPage } from './work-page.ts'

type Work = Encoded<Static<typeof Submission>>

const getWork = (context: TeacherContext): Promise<Work> => {
  const params = { submission_id: context.request.params.id ?? '' }
  return context.call({ operation: 'getSubmission', params, returns: Submission })
}

// The assignment of a lesson that was removed may be gone.
const findAssignment = async (context: TeacherContext, lessonId: string) => {
  try {
    const params = { lesson_id: lessonId }
    return await context.call({ operation: 'getAssignment', params, returns: Assignment })
  } catch (error) {
    if (error instanceof Refusal && error.problem === notFound) return undefined
    throw error
  }
}

const allOf = async (context: TeacherContext, { student, lesson_id }: Work) => {
  const query: Pairs = [
    ['member_id', student.id],
    ['lesson_id', lesson_id],
    ['sort', '-created_at'],
    ['limit', '100'],
  ]
  return (await context.call({ operation: 'listSubmissions', query, returns: SubmissionPage })).data
}

const pageOf = async (context: TeacherContext, refused?: WorkView['refused']): Promise<Reply> => {
  const work = await getWork(context)
  const [assignment, all, names, next] = await Promise.all([
    findAssignment(context, work.lesson_id),
    allOf(context, work),
    namesFor(context, [work]),
    nextPath(context, 'works', work.id),
  ])
  return workPage({ context, work, assignment, all, names, next, refused, done: doneOf(context.request) })
}

const pointsIn = (form: Pairs): number => {
  const typed = formField(form, 'points').trim()
  const points = readWhole(typed, 5)
  if (points === undefined) refuseInvalid([{ pointer: '/points', code: 'integer', message: 'is not a whole number' }])
  return points ?? 0
}

const textIn = (form: Pairs): string => formField(form, 'feedback').replaceAll('\r\n', '\n').trim()

// A decision replaces the feedback and its files, so those that stay are sent again.
const callOf = (form: Pairs, fileIds: readonly string[]): Pick<PageCall<undefined>, 'operation' | 'body'> => {
  const feedback = textIn(form)
  switch (formField(form, 'act')) {
    case 'return':
      return { operation: 'returnSubmission', body: { feedback, file_ids: fileIds } }
    case 'grade':
    case 'grade_next': {
      const body = { points: pointsIn(form), feedback: feedback === '' ? null : feedback, file_ids: fileIds }
      return { operation: 'gradeSubmission', body }
    }
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

const upload = async (context: TeacherContext, file: FormFile): Promise<KeptFile> => {
  const person = context.person
  return { id: await storeFile(context.parts, person, file, 'submission'), name: file.name }
}

const decide = async (context: TeacherContext, form: Pairs, files: readonly KeptFile[]): Promise<void> => {
  const call = callOf(
    form,
    files.map(({ id }) => id),
  )
  const params = { submission_id: context.request.params.id ?? '' }
  await context.call({ ...call, params, revision: revisionIn(form) })
}

const submit = async (context: TeacherContext, { form, files: sent }: FormWithFiles): Promise<Reply> => {
  const files = [...keptIn(form)]
  const refusal = await refusalFor(
    (async () => {
      // What was uploaded stays with the form, so that nothing has to be chosen again.
      for (const file of sent) files.push(await upload(context, file))
      await decide(context, form, files)
    })(),
  )
  if (refusal !== undefined) return pageOf(context, { refusal, form, files })
  const id = context.request.params.id ?? ''
  const act = formField(form, 'act')
  const own = addressWith(context.request.path, { course_id: context.query.get('course_id') ?? '' })
  const next = act === 'grade' ? own : ((await nextPath(context, 'works', id)) ?? '/staff/grading')
  return redirect(`${next}${next.includes('?') ? '&' : '?'}done=${act === 'return' ? 'returned' : 'graded'}`)
}

/** GET and POST /staff/grading/works/:id: work for an assignment, its grade, or its return. */
export const workGrading: StaffSection = {
  // The queue leads to each of them.
  entries: [],
  pages: [
    page('GET /staff/grading/works/:id', teachers, context => pageOf(context)),
    fileForm('POST /staff/grading/works/:id', teachers, submit),
  ],
}
