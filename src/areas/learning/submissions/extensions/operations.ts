import type { LessonRow } from '#src/areas/courses/index.ts'
import { assignmentExample, errorsOfLocalTime, notAnAssignment } from '#src/areas/learning/assignments/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { toInstant } from '#src/kit/local-time.ts'
import { getStudentAssignment } from './access.ts'
import { deleteExtension, findExtension, lockExtension, setExtension } from './queries.ts'
import { Extension, ExtensionRef, NewExtension } from './schema.ts'
import { extensionView } from './views.ts'

const ACTIONS = ['getExtension', 'setExtension', 'deleteExtension']

const example = {
  params: {
    student_id: exampleFrom('mem', 'listSubmissions', { having: { 'student.name': 'Dev Patel' }, at: 'student.id' }),
    lesson_id: assignmentExample.lesson_id,
  },
}

const none = (): Refusal => new Refusal(notFound, 'The student has no extension for this lesson.')

const getExtension = declareFor('lecturer_of', 'students', {
  id: 'getExtension',
  route: 'GET /students/:student_id/assignments/:lesson_id/extension',
  summary: "Get a student's deadline extension",
  description: 'Returns the deadline that one student has instead of that of the assignment.',
  params: ExtensionRef,
  returns: Extension,
  fails: [notAnAssignment],
  example,
  async handle(context) {
    const { db, school, allowedActions } = context
    const row = await findExtension(db, school.id, await getStudentAssignment(context, context.params))
    if (row === undefined) throw none()
    return { ...extensionView(row), allowed_actions: allowedActions(ACTIONS) }
  },
})

const grantExtension = declareFor('lecturer_of', 'students', {
  id: 'setExtension',
  route: 'PUT /students/:student_id/assignments/:lesson_id/extension',
  summary: 'Set a deadline extension',
  description:
    'Gives one student another deadline for an assignment, earlier or later. It applies to submissions made from now on.',
  ifMatch: 'honoured',
  params: ExtensionRef,
  body: NewExtension,
  returns: Extension,
  fails: [notAnAssignment],
  example: {
    ...example,
    body: { due_at: { local: '2030-04-07T23:59', time_zone: 'Europe/Lisbon' }, note: 'Was ill for a week.' },
  },
  async handle(context) {
    const { db, school, body, requireMatch, changed, record } = context
    const pair = await getStudentAssignment(context, context.params)
    refuseInvalid(errorsOfLocalTime('/due_at', body.due_at))
    const { due_at: due } = body
    const before = await lockExtension(db, school.id, pair)
    if (before !== undefined) await requireMatch(before.revision, () => extensionView(before))
    const note = body.note ?? null
    if (before?.due_local === due.local && before.due_time_zone === due.time_zone && before.note === note)
      return extensionView(before)
    const row = await setExtension(db, school.id, pair, { due, note })
    const about = buildAbout(pair)
    changed({
      ids: [about.member_id, about.lesson_id],
      fields: ['extension'],
      revision: row.revision,
      memberId: pair.memberId,
    })
    record({ type: 'extension.granted', payload: { ...about, due_at: toInstant(due).toISOString() } })
    return extensionView(row)
  },
})

const buildAbout = ({ memberId, lesson }: { readonly memberId: string; readonly lesson: LessonRow }) => ({
  member_id: toId('mem', memberId),
  lesson_id: toId('les', lesson.id),
  course_id: toId('crs', lesson.course_id),
})

const withdrawExtension = declareFor('lecturer_of', 'students', {
  id: 'deleteExtension',
  route: 'DELETE /students/:student_id/assignments/:lesson_id/extension',
  summary: 'Remove a deadline extension',
  description: 'Makes the deadline of the assignment apply to a student again.',
  ifMatch: 'honoured',
  params: ExtensionRef,
  returns: undefined,
  fails: [notAnAssignment],
  example,
  async handle(context) {
    const { db, school, requireMatch, changed, record } = context
    const pair = await getStudentAssignment(context, context.params)
    const before = await lockExtension(db, school.id, pair)
    if (before === undefined) throw none()
    await requireMatch(before.revision, () => extensionView(before))
    await deleteExtension(db, school.id, pair)
    const about = buildAbout(pair)
    changed({ ids: [about.member_id, about.lesson_id], fields: ['extension'], memberId: pair.memberId })
    record({ type: 'extension.deleted', payload: about })
  },
})

/** The operations of deadline extensions, in the order of the documentation. */
export const extensionOperations = [getExtension, grantExtension, withdrawExtension]
