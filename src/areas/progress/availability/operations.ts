import type { Static } from 'typebox'
import Type from 'typebox'
import type { LessonRow } from '#src/areas/curriculum/index.ts'
import { type EnrollmentRow, lockEnrollmentIn } from '#src/areas/enrollments/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import type { Phrase } from '#src/contract/language.ts'
import { operation } from '#src/contract/operation.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { getStudentLesson } from '../access.ts'
import { openingView, restsOn } from '../progress/actions.ts'
import { readAvailability } from './actions.ts'
import { endOverride, findOverride, insertOverride } from './queries.ts'
import { AtQuery, NewOpening, StudentLessonOpening, StudentLessonRef } from './schema.ts'

type Where = Parameters<typeof readAvailability>[0]
type Known = { readonly lesson: LessonRow; readonly enrollment: EnrollmentRow }

const example = {
  student_id: exampleFrom('mem', 'listStudents', { having: { name: 'Dev Patel' } }),
  lesson_id: exampleFrom('les', 'listLessons', { having: { name: 'Feeding' } }),
}

const viewOf = async (
  where: Where,
  { lesson, enrollment }: Known,
  at?: Date,
): Promise<Static<typeof StudentLessonOpening>> => {
  const memberId = enrollment.member_id
  const asked = { memberId, courseId: lesson.course_id, lessonIds: [lesson.id], at }
  const [{ at: instant, now, byLesson }, override] = await Promise.all([
    readAvailability(where, asked),
    findOverride(where.db, where.school.id, { memberId, lessonId: lesson.id }),
  ])
  return {
    student_id: toId('mem', memberId),
    lesson_id: toId('les', lesson.id),
    ...openingView(byLesson.get(lesson.id)),
    override:
      override === undefined
        ? null
        : { opens_at: override.opens_at.toISOString(), set_at: override.set_at.toISOString() },
    at: instant.toISOString(),
    basis: restsOn(instant, now),
  }
}

const happened = (type: string, { lesson, enrollment }: Known, access: Phrase) => ({
  type,
  payload: {
    enrollment: toId('enr', enrollment.id),
    course: toId('crs', lesson.course_id),
    member: toId('mem', enrollment.member_id),
    lesson: toId('les', lesson.id),
  },
  effects: { access },
})

const told = ({ lesson, enrollment }: Known) => ({
  ids: [toId('mem', enrollment.member_id), toId('les', lesson.id)],
  fields: ['opening'],
  memberId: enrollment.member_id,
})

const getStudentOpening = operation({
  id: 'getStudentLessonAvailability',
  route: 'GET /students/:student_id/lessons/:lesson_id/availability',
  summary: "Get a student's lesson opening",
  description:
    'Says when a lesson opens to a student, and why. For the past, the answer is what was recorded; for the future, it follows from the current rules.',
  scope: 'students:read',
  who: 'lecturer_of',
  mode: 'read',
  params: StudentLessonRef,
  query: Type.Object(AtQuery),
  returns: StudentLessonOpening,
  example: { params: example },
  async handle(context) {
    const { at } = context.query
    const known = await getStudentLesson(context, context.params)
    return viewOf(context, known, at === undefined ? undefined : new Date(at))
  },
})

const putStudentOpening = operation({
  id: 'setStudentLessonAvailability',
  route: 'PUT /students/:student_id/lessons/:lesson_id/availability',
  summary: 'Open a lesson to a student',
  description:
    'Opens a lesson to one student now, or from `opens_at` on, unless its schedule opens it earlier. The student still needs access to the course.',
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
  params: StudentLessonRef,
  body: NewOpening,
  returns: StudentLessonOpening,
  example: { params: example, body: {} },
  async handle(context) {
    const { db, school, body, now, changed, record } = context
    const known = await getStudentLesson(context, context.params)
    const { lesson, enrollment } = known
    const one = { memberId: enrollment.member_id, courseId: lesson.course_id, lessonId: lesson.id }
    await lockEnrollmentIn(db, school.id, enrollment.id, {})
    const before = await findOverride(db, school.id, one)
    const isSo =
      body.opens_at === undefined ? before && before.opens_at <= now : before?.opens_at.toISOString() === body.opens_at
    if (isSo === true) return viewOf(context, known)
    await endOverride(db, school.id, one)
    await insertOverride(db, school.id, { ...one, id: newUuid(now.getTime()) }, body.opens_at)
    changed(told(known))
    record(
      happened('lesson.availability_updated', known, {
        en: 'Opens the lesson to the student',
        pt: 'Abre a aula ao aluno',
      }),
    )
    return viewOf(context, known)
  },
})

const deleteStudentOpening = operation({
  id: 'deleteStudentLessonAvailability',
  route: 'DELETE /students/:student_id/lessons/:lesson_id/availability',
  summary: "Remove a student's lesson opening",
  description: 'Removes the exception made for one student. A lesson that is already open stays open.',
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
  params: StudentLessonRef,
  returns: StudentLessonOpening,
  example: { params: example },
  async handle(context) {
    const { db, school, changed, record } = context
    const known = await getStudentLesson(context, context.params)
    const { lesson, enrollment } = known
    await lockEnrollmentIn(db, school.id, enrollment.id, {})
    const ended = await endOverride(db, school.id, { memberId: enrollment.member_id, lessonId: lesson.id })
    if (ended === 0) return viewOf(context, known)
    changed(told(known))
    record(
      happened('lesson.availability_deleted', known, {
        en: 'The lesson opens to the student by its rule again; if it was open, it stays open',
        pt: 'A aula volta a abrir ao aluno pela sua regra; se já estava aberta, continua aberta',
      }),
    )
    return viewOf(context, known)
  },
})

/** The operations of openings, in the order of the documentation. */
export const availabilityOperations = [getStudentOpening, putStudentOpening, deleteStudentOpening]
