import { accessRequired, type LessonAvailability, lessonLocked, whyLocked } from '#src/areas/courses/index.ts'
import type { Access } from '#src/areas/learning/access/index.ts'
import { whyNot } from '#src/areas/learning/enrollments/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { Refusal } from '#src/contract/problem.ts'
import { instant } from '#src/kit/instant.ts'
import { readAvailability } from './lookups.ts'

const refuseLocked = (access: Access, availability: LessonAvailability | undefined): void => {
  if (access.state !== 'active') throw new Refusal(accessRequired, whyNot(access))
  if (availability?.is_open === true) return
  throw new Refusal(
    lessonLocked,
    availability === undefined ? 'The lesson is not available yet.' : whyLocked(availability),
    { members: { opens_at: instant(availability?.opens_at) } },
  )
}

/**
 * Refuses with 403 a member who may not use the course of a lesson now, or for whom the lesson is locked; writes
 * nothing.
 */
export const checkAvailable = async (
  context: SchoolContext,
  memberId: string,
  lesson: { readonly id: string; readonly course_id: string },
): Promise<void> => {
  const query = { memberId, courseId: lesson.course_id, lessonIds: [lesson.id] }
  const { access, byLesson } = await readAvailability(context, query)
  refuseLocked(access, byLesson.get(lesson.id))
}
