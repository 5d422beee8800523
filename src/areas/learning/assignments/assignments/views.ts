import type { Static } from 'typebox'
import type { LessonRow } from '#src/areas/courses/index.ts'
import { toInstant } from '#src/kit/local-time.ts'
import type { AssignmentRow } from './queries.ts'
import { buildDue, instructionsHtml } from './rules.ts'
import type { Assignment } from './schema.ts'

const dueView = (row: AssignmentRow) => {
  const due = buildDue(row)
  return due === null ? null : { ...due, utc: toInstant(due) }
}

/** An assignment with its instructions as HTML. */
export const assignmentView = (row: AssignmentRow, lesson: LessonRow): Static<typeof Assignment> => ({
  id: row.id,
  lesson_id: lesson.id,
  course_id: lesson.course_id,
  instructions: row.instructions,
  instructions_html: instructionsHtml(row),
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
  created_at: row.created_at,
  updated_at: row.updated_at,
})
