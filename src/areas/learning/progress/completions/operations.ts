import { CourseRef, listLessons, lockOwnCourse } from '#src/areas/courses/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { fillEach } from '#src/contract/language.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { recordFacts } from '#src/db/audit.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { getStudentLesson } from '../access.ts'
import { StudentLessonRef } from '../availability/schema.ts'
import { completeReady } from '../progress/queries.ts'
import { requiredIds, seenLessons } from '../progress/rules.ts'
import { CourseCompletions, LessonCompletion } from '../progress/schema.ts'
import { certificatesDue } from './hooks.ts'
import { completionChange, completionView } from './views.ts'
import { completeLesson, courseCompleted, undoLessonCompletion } from './writes.ts'

const feeding = {
  student_id: exampleFrom('mem', 'listStudents', { having: { name: 'Dev Patel' } }),
  lesson_id: exampleFrom('les', 'listLessons', { having: { name: 'Feeding' } }),
}

const completeStudentLesson = declareFor('lecturer_of', 'students', {
  id: 'completeStudentLesson',
  route: 'PUT /students/:student_id/lessons/:lesson_id/completion',
  summary: 'Complete a lesson for a student',
  description:
    'Marks a lesson as completed for a student, including quizzes, assignments and lessons that are not available to them yet.',
  params: StudentLessonRef,
  returns: LessonCompletion,
  example: { params: feeding },
  async handle(context) {
    const { changed, record } = context
    const { lesson, enrollment } = await getStudentLesson(context, context.params)
    const learned = await completeLesson(context, { lesson, enrollment, by: 'staff' })
    if (learned.facts.length > 0) changed(completionChange(learned, lesson.id))
    for (const fact of learned.facts) record(fact)
    return completionView(learned, lesson.id)
  },
})

const undoStudentLessonCompletion = declareFor('lecturer_of', 'students', {
  id: 'undoStudentLessonCompletion',
  route: 'DELETE /students/:student_id/lessons/:lesson_id/completion',
  summary: 'Undo a lesson completion',
  description:
    "Removes a student's completion of a lesson. Lessons that it unlocked stay available, and a completed course stays completed; `percent_complete` shows the current share.",
  params: StudentLessonRef,
  returns: LessonCompletion,
  example: { params: feeding },
  async handle(context) {
    const { changed, record } = context
    const { lesson, enrollment } = await getStudentLesson(context, context.params)
    const learned = await undoLessonCompletion(context, { lesson, enrollment })
    if (learned.facts.length > 0) changed(completionChange(learned, lesson.id))
    for (const fact of learned.facts) record(fact)
    return completionView(learned, lesson.id)
  },
})

const BATCH_SIZE = 1000

// In batches, so that no statement takes long; each person is completed once.
const completeAll = async ({ db, school, now }: WriteContext, courseId: string): Promise<string[]> => {
  const required = requiredIds(seenLessons(await listLessons(db, school.id, courseId)))
  const memberIds: string[] = []
  if (required.length === 0) return memberIds
  for (let after: string | undefined; ; ) {
    const page = { after, limit: BATCH_SIZE }
    const rows = await completeReady(db, school.id, { courseId, requiredIds: required }, page)
    await recordFacts(
      db,
      { schoolId: school.id, now },
      rows.map(row => courseCompleted({ ...row, course_id: courseId })),
    )
    memberIds.push(...rows.map(row => row.member_id))
    after = rows.at(-1)?.id
    if (rows.length < BATCH_SIZE) return memberIds
  }
}

const completeCourseForAll = declareFor('staff', 'students', {
  id: 'createCourseCompletions',
  route: 'POST /courses/:course_id/completions',
  summary: 'Complete a course for everybody',
  description:
    'Completes a course for everybody at 100 % who has not finished it, such as after a lesson was left out, and issues their certificates. `dry_run` returns how many people and certificates that would be; a completion stays. If they are others when it is approved, it fails with `conflict`.',
  section: 'courses',
  status: 200,
  confirm: 'person',
  confirmsAsShown: true,
  params: CourseRef,
  returns: CourseCompletions,
  example: { params: { course_id: 'slug:first-loaf' } },
  async handle(context) {
    const { db, school, params, changed, record, requireMatch, waiveConfirmation } = context
    const { id: courseId } = await lockOwnCourse(context, params.course_id)
    const memberIds = await completeAll(context, courseId)
    // A page says how many people it showed, since they have no revision.
    await requireMatch(memberIds.length, async () => undefined)
    const counts = await Promise.all(await certificatesDue.call({ courseId, memberIds }, { db, school }))
    const certificates = counts.reduce((sum, count) => sum + count, 0)
    const course = toId('crs', courseId)
    const people = memberIds.length
    if (people === 0) waiveConfirmation()
    else {
      changed({ ids: [course], fields: ['completed_at'] })
      record({
        type: 'course.completed_for_students',
        payload: { course_id: course, student_count: people, certificate_count: certificates },
        effects: {
          mail: fillEach(texts.learning.progress.completions.operations.completed, { people, certificates }),
        },
      })
    }
    return { course_id: courseId, completed_count: people, certificate_count: certificates }
  },
})

/** The operations of completions, in the order of the documentation. */
export const completionOperations = [completeStudentLesson, undoStudentLessonCompletion, completeCourseForAll]
