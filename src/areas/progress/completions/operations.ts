import type { Static } from 'typebox'
import { exampleFrom } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import { getStudentLesson } from '../access.ts'
import { StudentLessonRef } from '../availability/schema.ts'
import { completionView } from '../progress/actions.ts'
import { LessonCompletion } from '../progress/schema.ts'
import {
  completeAccountLesson,
  type Learned,
  type LearnedIn,
  type Recording,
  undoAccountLessonCompletion,
} from './actions.ts'

const feeding = {
  student_id: exampleFrom('mem', 'listStudents', { having: { name: 'Dev Patel' } }),
  lesson_id: exampleFrom('les', 'listLessons', { having: { name: 'Feeding' } }),
}

type Writing = Recording & {
  changed(change: { ids: string[]; fields: string[]; revision: number; memberId: string }): void
  record(fact: Parameters<Recording['record']>[0]): void
}

const tell = async (
  context: Writing,
  { lesson }: LearnedIn,
  { enrollment, hasChanged }: Learned,
): Promise<Static<typeof LessonCompletion>> => {
  const { revision, member_id: memberId, id } = enrollment
  const ids = [toId('enr', id), toId('les', lesson.id)]
  if (hasChanged) context.changed({ ids, fields: ['completion'], revision, memberId })
  return completionView(context, enrollment, lesson.id)
}

const completeStudentLesson = operation({
  id: 'completeStudentLesson',
  route: 'PUT /students/:student_id/lessons/:lesson_id/completion',
  summary: 'Complete a lesson for a student',
  description:
    'Marks a lesson as completed for a student, including quizzes, assignments and lessons that are not open to them yet.',
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
  params: StudentLessonRef,
  returns: LessonCompletion,
  example: { params: feeding },
  async handle(context) {
    const known = await getStudentLesson(context, context.params)
    return tell(context, known, await completeAccountLesson(context, { ...known, by: 'staff' }))
  },
})

const undoStudentLessonCompletion = operation({
  id: 'undoStudentLessonCompletion',
  route: 'DELETE /students/:student_id/lessons/:lesson_id/completion',
  summary: 'Undo a lesson completion',
  description:
    "Removes a student's completion of a lesson. Lessons that it opened stay open, and a completed course stays completed; `percent_complete` shows the current share.",
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
  params: StudentLessonRef,
  returns: LessonCompletion,
  example: { params: feeding },
  async handle(context) {
    const known = await getStudentLesson(context, context.params)
    return tell(context, known, await undoAccountLessonCompletion(context, known))
  },
})

/** The operations of completions, in the order of the documentation. */
export const completionOperations = [completeStudentLesson, undoStudentLessonCompletion]
