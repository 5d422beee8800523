import { exampleFrom } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { getStudentLesson } from '../access.ts'
import { StudentLessonRef } from '../availability/schema.ts'
import { LessonCompletion } from '../progress/schema.ts'
import { completionChange, completionView } from './views.ts'
import { completeLesson, undoLessonCompletion } from './writes.ts'

const feeding = {
  student_id: exampleFrom('mem', 'listStudents', { having: { name: 'Dev Patel' } }),
  lesson_id: exampleFrom('les', 'listLessons', { having: { name: 'Feeding' } }),
}

const completeStudentLesson = operation({
  id: 'completeStudentLesson',
  route: 'PUT /students/:student_id/lessons/:lesson_id/completion',
  summary: 'Complete a lesson for a student',
  description:
    'Marks a lesson as completed for a student, including quizzes, assignments and lessons that are not available to them yet.',
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
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

const undoStudentLessonCompletion = operation({
  id: 'undoStudentLessonCompletion',
  route: 'DELETE /students/:student_id/lessons/:lesson_id/completion',
  summary: 'Undo a lesson completion',
  description:
    "Removes a student's completion of a lesson. Lessons that it unlocked stay available, and a completed course stays completed; `percent_complete` shows the current share.",
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
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

/** The operations of completions, in the order of the documentation. */
export const completionOperations = [completeStudentLesson, undoStudentLessonCompletion]
