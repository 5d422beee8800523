import type { LessonRow } from '#src/areas/courses/index.ts'
import { firstStart, readAccess } from '#src/areas/learning/access/index.ts'
import { type AssignmentRow, dueInstant } from '#src/areas/learning/assignments/index.ts'
import { listTimeZones } from '#src/areas/school/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { findExtension } from '../extensions/queries.ts'
import { extendedDue } from '../extensions/views.ts'
import { dueMoment } from './rules.ts'

type Learner = { readonly memberId: string; readonly lesson: Pick<LessonRow, 'id' | 'course_id'> }

/** The deadline of an assignment for a learner, with their extension; null: none. */
export const readDue = async (
  { db, school }: SchoolContext,
  learner: Learner,
  assignment: AssignmentRow,
): Promise<Date | null> => {
  const { memberId, lesson } = learner
  const extension = await findExtension(db, school.id, { memberId, lessonId: lesson.id })
  const extended = extension && extendedDue(extension).utc
  const due = { due_at: dueInstant(assignment), due_days: assignment.due_days }
  if (extended !== undefined || due.due_days === null)
    return dueMoment(due, { extended, start: undefined, zone: undefined })
  const item = { type: 'course', id: lesson.course_id } as const
  const [{ entitlements }, zones] = await Promise.all([
    readAccess(db, school.id, { memberId, item }),
    listTimeZones(db, school.id),
  ])
  return dueMoment(due, { extended, start: firstStart(entitlements), zone: zones.at(-1)?.time_zone })
}
