import type { Static } from 'typebox'
import { notAnAssignment } from '#src/areas/learning/assignments/index.ts'
import { getStudentLesson } from '#src/areas/learning/progress/index.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import type { ExtensionRef } from './schema.ts'

/** A student and an assignment of their course, for those who manage the course; refuses with 404 otherwise. */
export const getStudentAssignment = async (as: AsCaller, params: Static<typeof ExtensionRef>) => {
  const { lesson, enrollment } = await getStudentLesson(as, params)
  guardPassed(as.db)
  if (lesson.type !== 'assignment') throw new Refusal(notAnAssignment, `The lesson has the type ${lesson.type}.`)
  return { memberId: enrollment.member_id, lessonId: lesson.id, lesson }
}
