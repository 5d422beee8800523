import type { Static } from 'typebox'
import type { ResourceChange } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import type { LessonCompletion } from '../progress/schema.ts'
import type { Learned } from './writes.ts'

/** Whether a member has completed a lesson, with their progress in its course. */
export const completionView = (
  { enrollment, completion }: Learned,
  lessonId: string,
): Static<typeof LessonCompletion> => ({
  lesson_id: lessonId,
  enrollment_id: enrollment.id,
  completed_at: completion?.completed_at ?? null,
  completed_by: completion?.completed_by ?? null,
  percent_complete: enrollment.percent_complete,
  course_completed_at: enrollment.completed_at,
  current_lesson_id: enrollment.current_lesson_id,
})

/** The audit entry of a completion that changed. */
export const completionChange = ({ enrollment }: Learned, lessonId: string): ResourceChange => ({
  ids: [toId('enr', enrollment.id), toId('les', lessonId)],
  fields: ['completion'],
  revision: enrollment.revision,
  memberId: enrollment.member_id,
})
