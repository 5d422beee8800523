import { getOpenLesson, type LessonRow } from '#src/areas/courses/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { type AssignmentRow, findAssignment } from './queries.ts'

/**
 * The assignment of the lesson of a path, for those who may read the lesson now; refuses with 404 where there is none.
 */
export const getOpenAssignment = async (
  context: AsCaller<Caller>,
  ref: string,
): Promise<{ lesson: LessonRow; assignment: AssignmentRow; canManage: boolean }> => {
  const { lesson, canManage } = await getOpenLesson(context, ref)
  const assignment = await findAssignment(context.db, context.school.id, lesson.id)
  if (assignment === undefined) throw new Refusal(notFound, 'The lesson has no assignment.')
  return { lesson, assignment, canManage }
}
