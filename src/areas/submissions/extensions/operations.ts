import type { Static } from 'typebox'
import { assignmentExample, faultsOfLocal, notAnAssignment } from '#src/areas/assignments/index.ts'
import type { LessonRow } from '#src/areas/curriculum/index.ts'
import { getStudentLesson } from '#src/areas/progress/index.ts'
import type { SignedIn } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import { resolveTime } from '#src/kit/local-time.ts'
import { deleteExtension, type ExtensionRow, findExtension, lockExtension, setExtension } from './queries.ts'
import { Extension, ExtensionRef, NewExtension } from './schema.ts'

type Reading = {
  readonly db: Db
  readonly school: School
  readonly caller: SignedIn
  readonly params: Static<typeof ExtensionRef>
}

const ACTIONS = ['getExtension', 'setExtension', 'deleteExtension']

const example = {
  params: {
    student_id: exampleFrom('mem', 'listSubmissions', { having: { 'student.name': 'Dev Patel' }, at: 'student.id' }),
    lesson_id: assignmentExample.lesson_id,
  },
}

// A student of the course of a lesson, for those who look after the course; for everybody else there is none.
const getPair = async (context: Reading) => {
  const { lesson, enrollment } = await getStudentLesson(context, context.params)
  if (lesson.type !== 'assignment') throw new Refusal(notAnAssignment, `This lesson is made of ${lesson.type}.`)
  return { memberId: enrollment.member_id, lessonId: lesson.id, lesson }
}

const viewOf = (row: ExtensionRow): Static<typeof Extension> => ({
  student_id: toId('mem', row.member_id),
  lesson_id: toId('les', row.lesson_id),
  due_at: { local: row.due_local, time_zone: row.due_time_zone, utc: row.due_at.toISOString() },
  note: row.note,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

const none = (): Refusal => new Refusal(notFound, 'The student has no extension for this lesson.')

const getExtension = operation({
  id: 'getExtension',
  route: 'GET /students/:student_id/assignments/:lesson_id/extension',
  summary: "Get a student's deadline extension",
  description: 'Returns the deadline that one student has instead of that of the assignment.',
  scope: 'students:read',
  who: 'lecturer_of',
  mode: 'read',
  params: ExtensionRef,
  returns: Extension,
  fails: [notAnAssignment],
  example,
  async handle(context) {
    const { db, school, allowedActions } = context
    const row = await findExtension(db, school.id, await getPair(context))
    if (row === undefined) throw none()
    return { ...viewOf(row), allowed_actions: allowedActions(ACTIONS) }
  },
})

const grantExtension = operation({
  id: 'setExtension',
  route: 'PUT /students/:student_id/assignments/:lesson_id/extension',
  summary: 'Set a deadline extension',
  description:
    'Gives one student another deadline for an assignment, earlier or later. It applies to submissions made from now on.',
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
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
    const pair = await getPair(context)
    refuseInvalid(faultsOfLocal('/due_at', body.due_at))
    const due = resolveTime(body.due_at)
    if (due === undefined) throw new Error('a local time without faults is an instant')
    const before = await lockExtension(db, school.id, pair)
    if (before !== undefined) await requireMatch(before.revision, () => viewOf(before))
    const note = body.note ?? null
    if (before?.due_local === due.local && before.due_time_zone === due.time_zone && before.note === note)
      return viewOf(before)
    const row = await setExtension(db, school.id, pair, { due, note })
    const about = aboutOf(pair)
    changed({
      ids: [about.member, about.lesson],
      fields: ['extension'],
      revision: row.revision,
      memberId: pair.memberId,
    })
    record({ type: 'extension.granted', payload: { ...about, due_at: due.at.toISOString() } })
    return viewOf(row)
  },
})

const aboutOf = ({ memberId, lesson }: { readonly memberId: string; readonly lesson: LessonRow }) => ({
  member: toId('mem', memberId),
  lesson: toId('les', lesson.id),
  course: toId('crs', lesson.course_id),
})

const withdrawExtension = operation({
  id: 'deleteExtension',
  route: 'DELETE /students/:student_id/assignments/:lesson_id/extension',
  summary: 'Remove a deadline extension',
  description: 'Makes the deadline of the assignment apply to a student again.',
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: ExtensionRef,
  returns: undefined,
  fails: [notAnAssignment],
  example,
  async handle(context) {
    const { db, school, requireMatch, changed, record } = context
    const pair = await getPair(context)
    const before = await lockExtension(db, school.id, pair)
    if (before === undefined) throw none()
    await requireMatch(before.revision, () => viewOf(before))
    await deleteExtension(db, school.id, pair)
    const about = aboutOf(pair)
    changed({ ids: [about.member, about.lesson], fields: ['extension'], memberId: pair.memberId })
    record({ type: 'extension.deleted', payload: about })
  },
})

/** More time for one student, in the order of the documentation. */
export const extensionOperations = [getExtension, grantExtension, withdrawExtension]
