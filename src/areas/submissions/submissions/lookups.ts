import { accessOf, firstStart } from '#src/areas/access/index.ts'
import type { AssignmentRow } from '#src/areas/assignments/index.ts'
import type { LessonRow } from '#src/areas/curriculum/index.ts'
import { listTimeZones } from '#src/areas/school/index.ts'
import type { HookPlace } from '#src/contract/hook.ts'
import { findExtension } from '../extensions/queries.ts'
import { dueMoment } from './rules.ts'

type Learner = { readonly memberId: string; readonly lesson: Pick<LessonRow, 'id' | 'course_id'> }

/** The deadline of an assignment for a learner, with their extension; null: none. */
export const dueOf = async (
  { db, school }: HookPlace,
  learner: Learner,
  assignment: AssignmentRow,
): Promise<Date | null> => {
  const { memberId, lesson } = learner
  const extension = await findExtension(db, school.id, { memberId, lessonId: lesson.id })
  const extended = extension?.due_at
  if (extended !== undefined || assignment.due_days === null)
    return dueMoment(assignment, { extended, start: undefined, zone: undefined })
  const item = { type: 'course', id: lesson.course_id } as const
  const [{ entitlements }, zones] = await Promise.all([
    accessOf(db, school.id, { memberId, item }),
    listTimeZones(db, school.id),
  ])
  return dueMoment(assignment, { extended, start: firstStart(entitlements), zone: zones.at(-1)?.time_zone })
}
