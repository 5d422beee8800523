import type { Static } from 'typebox'
import type { LessonRow } from '#src/areas/curriculum/index.ts'
import { getOpenLesson, type Looking } from '#src/areas/curriculum/index.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import type { ResolvedTime } from '#src/kit/local-time.ts'
import { type AssignmentRow, copyAssignments, findAssignment, setAssignment } from './queries.ts'
import { type AssignmentValues, renderInstructions, shownInstructions, valuesOf } from './rules.ts'
import type { Assignment, AssignmentInput } from './schema.ts'

/** The assignment of a lesson that the caller may read; refuses when nobody has written one. */
export const getReadAssignment = async (looking: Looking, ref: string) => {
  const { lesson, runs } = await getOpenLesson(looking, ref)
  const row = await findAssignment(looking.db, looking.school.id, lesson.id)
  if (row === undefined) throw new Refusal(notFound, 'There is nothing to hand in for this lesson.')
  return { lesson, row, runs }
}

const dueView = ({ due_local: local, due_time_zone: zone, due_at: at }: AssignmentRow) =>
  local === null || zone === null || at === null ? null : { local, time_zone: zone, utc: at.toISOString() }

/** An assignment as it is shown. */
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

const dueOf = (row: AssignmentRow): ResolvedTime | null => {
  const { due_local: local, due_time_zone: zone, due_at: at, due_zones: zones } = row
  return local === null || zone === null || at === null || zones === null ? null : { local, time_zone: zone, at, zones }
}

/** What is stored of an assignment, to be compared with what is said of it. */
export const storedValues = (row: AssignmentRow): AssignmentValues => ({
  instructions: row.instructions,
  instructions_html: row.instructions_html,
  instructions_allowed: row.instructions_allowed,
  due: dueOf(row),
  due_days: row.due_days,
  late: row.late,
  max_points: row.max_points,
  passing_points: row.passing_points,
  kinds: row.kinds,
  max_files: row.max_files,
  max_resubmissions: row.max_resubmissions,
  required: row.required,
})

/** Writes the assignment of a lesson that has none. */
export const addAssignment = (
  { db, school, now }: { readonly db: Db; readonly school: Pick<School, 'id'>; readonly now: Date },
  lessonId: string,
  said: AssignmentInput,
): Promise<AssignmentRow> =>
  setAssignment(
    db,
    school.id,
    { id: newUuid(now.getTime()), lessonId },
    valuesOf(said, renderInstructions(said.instructions)),
  )

/** Gives lessons the assignments of those they are copies of. */
export const copyAssignmentsOf = (
  { db, school }: { readonly db: Db; readonly school: Pick<School, 'id'> },
  pairs: readonly { readonly from: string; readonly into: string }[],
  now: Date,
): Promise<number> =>
  copyAssignments(
    db,
    school.id,
    pairs.map(pair => ({ ...pair, id: newUuid(now.getTime()) })),
  )

/** Whether an assignment's lesson is completed only by work that was accepted; so it is until somebody says otherwise. */
export const needsAcceptedWork = async (db: Db, schoolId: string, lesson: LessonRow): Promise<boolean> =>
  (await findAssignment(db, schoolId, lesson.id))?.required ?? true
