import Type from 'typebox'
import { lockEnrollmentIn } from '#src/areas/learning/enrollments/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { Phrase } from '#src/contract/language.ts'
import { declareFor, type ReadContext, type ResourceChange } from '#src/contract/operation.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { isSameInstant } from '#src/kit/instant.ts'
import { texts } from '#src/texts/index.ts'
import { getStudentLesson, type StudentLesson } from '../access.ts'
import { type CourseAvailability, readAvailability } from './lookups.ts'
import { endOverride, findOverride, insertOverride } from './queries.ts'
import { AtQuery, NewAvailability, StudentLessonAvailability, StudentLessonRef } from './schema.ts'
import { studentAvailabilityView } from './views.ts'

const example = {
  student_id: exampleFrom('mem', 'listStudents', { having: { name: 'Dev Patel' } }),
  lesson_id: exampleFrom('les', 'listLessons', { having: { name: 'Feeding' } }),
}

const readLessonAvailability = (
  { db, school }: ReadContext,
  { lesson, enrollment }: StudentLesson,
  at?: Date,
): Promise<CourseAvailability> =>
  readAvailability(
    { db, school },
    { memberId: enrollment.member_id, courseId: lesson.course_id, lessonIds: [lesson.id], at },
  )

const buildKey = ({ lesson, enrollment }: StudentLesson) => ({
  memberId: enrollment.member_id,
  courseId: lesson.course_id,
  lessonId: lesson.id,
})

const buildFact = (
  type: 'lesson.availability_updated' | 'lesson.availability_deleted',
  { lesson, enrollment }: StudentLesson,
  access: Phrase,
): Fact => ({
  type,
  payload: {
    enrollment_id: toId('enr', enrollment.id),
    course_id: toId('crs', lesson.course_id),
    member_id: toId('mem', enrollment.member_id),
    lesson_id: toId('les', lesson.id),
  },
  effects: { access },
})

const buildChange = ({ lesson, enrollment }: StudentLesson): ResourceChange => ({
  ids: [toId('mem', enrollment.member_id), toId('les', lesson.id)],
  fields: ['opening'],
  memberId: enrollment.member_id,
})

const getStudentAvailability = declareFor('lecturer_of', 'students', {
  id: 'getStudentLessonAvailability',
  route: 'GET /students/:student_id/lessons/:lesson_id/availability',
  summary: "Get a student's lesson availability",
  description:
    'Says when a lesson is available to a student, and why. For the past, the answer is what was recorded; for the future, it follows from the current rules.',
  params: StudentLessonRef,
  query: Type.Object(AtQuery),
  returns: StudentLessonAvailability,
  example: { params: example },
  async handle(context) {
    const { at } = context.query
    const lesson = await getStudentLesson(context, context.params)
    const [availability, override] = await Promise.all([
      readLessonAvailability(context, lesson, at === undefined ? undefined : new Date(at)),
      findOverride(context.db, context.school.id, buildKey(lesson)),
    ])
    return studentAvailabilityView(lesson, availability, override)
  },
})

const setStudentAvailability = declareFor('lecturer_of', 'students', {
  id: 'setStudentLessonAvailability',
  route: 'PUT /students/:student_id/lessons/:lesson_id/availability',
  summary: 'Unlock a lesson for a student',
  description:
    'Makes a lesson available to one student now, or from `opens_at` on, unless its schedule unlocks it earlier. The student still needs access to the course.',
  params: StudentLessonRef,
  body: NewAvailability,
  returns: StudentLessonAvailability,
  example: { params: example, body: {} },
  async handle(context) {
    const { db, school, body, now, changed, record } = context
    const lesson = await getStudentLesson(context, context.params)
    await lockEnrollmentIn(db, school.id, lesson.enrollment.id, {})
    const before = await findOverride(db, school.id, buildKey(lesson))
    const isSame =
      body.opens_at === undefined ? before && before.opens_at <= now : isSameInstant(before?.opens_at, body.opens_at)
    if (isSame === true) return studentAvailabilityView(lesson, await readLessonAvailability(context, lesson), before)
    if (before !== undefined) await endOverride(db, school.id, buildKey(lesson))
    const override = await insertOverride(
      db,
      school.id,
      { ...buildKey(lesson), id: newUuid(now.getTime()) },
      body.opens_at,
    )
    changed(buildChange(lesson))
    record(
      buildFact(
        'lesson.availability_updated',
        lesson,
        texts.learning.progress.availability.operations.setStudentAvailability.makesTheLessonAvailableTo,
      ),
    )
    return studentAvailabilityView(lesson, await readLessonAvailability(context, lesson), override)
  },
})

const deleteStudentAvailability = declareFor('lecturer_of', 'students', {
  id: 'deleteStudentLessonAvailability',
  route: 'DELETE /students/:student_id/lessons/:lesson_id/availability',
  summary: "Remove a student's availability exception",
  description: 'Removes the exception made for one student. A lesson that is already available stays available.',
  params: StudentLessonRef,
  returns: StudentLessonAvailability,
  example: { params: example },
  async handle(context) {
    const { db, school, changed, record } = context
    const lesson = await getStudentLesson(context, context.params)
    await lockEnrollmentIn(db, school.id, lesson.enrollment.id, {})
    if ((await endOverride(db, school.id, buildKey(lesson))) > 0) {
      changed(buildChange(lesson))
      record(
        buildFact(
          'lesson.availability_deleted',
          lesson,
          texts.learning.progress.availability.operations.deleteStudentAvailability.theLessonFollowsItsSchedule,
        ),
      )
    }
    return studentAvailabilityView(lesson, await readLessonAvailability(context, lesson), undefined)
  },
})

/** The operations of availability, in the order of the documentation. */
export const availabilityOperations = [getStudentAvailability, setStudentAvailability, deleteStudentAvailability]
