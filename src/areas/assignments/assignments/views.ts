import type { Static } from 'typebox'
import type { LessonRow } from '#src/areas/curriculum/index.ts'
import { toId } from '#src/kit/ids.ts'
import type { AssignmentRow } from './queries.ts'
import { shownInstructions } from './rules.ts'
import type { Assignment } from './schema.ts'

const dueView = ({ due_local: local, due_time_zone: zone, due_at: at }: AssignmentRow) =>
  local === null || zone === null || at === null ? null : { local, time_zone: zone, utc: at.toISOString() }

/** An assignment with its instructions as HTML. */
export const assignmentView = (row: AssignmentRow, lesson: LessonRow): Static<typeof Assignment> => ({
  id: toId('asg', row.id),
  lesson_id: toId('les', lesson.id),
  course_id: toId('crs', lesson.course_id),
  instructions: row.instructions,
  instructions_html: shownInstructions(row),
  due_at: dueView(row),
  due_days_after_enrollment: row.due_days,
  late: row.late,
  max_points: row.max_points,
  passing_points: row.passing_points,
  kinds: [...row.kinds],
  max_files: row.max_files,
  max_resubmissions: row.max_resubmissions,
  required: row.required,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
