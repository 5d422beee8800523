import type { Static } from 'typebox'
import { getCourse, isLecturerOf, lockOwnCourse } from '#src/areas/courses/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import type { ResolvedTime } from '#src/kit/zoned-time.ts'
import { findLesson, type LessonRow } from '../queries.ts'
import { lessonsOpen } from '../questions.ts'
import { type AssignmentRow, copyAssignments, findAssignment, putAssignment } from './queries.ts'
import { type AssignmentValues, renderInstructions, shownInstructions, valuesOf } from './rules.ts'
import type { Assignment, AssignmentSaid } from './schema.ts'

type Looking = { readonly db: Db; readonly school: School; readonly caller: Caller }

const nothing = (): Refusal => new Refusal(notFound, 'There is no such lesson, or nothing to hand in for it.')

/** Whether a caller runs the course of a lesson: staff, and those who teach it. */
export const runsLesson = async ({ db, school, caller }: Looking, { course_id: courseId }: LessonRow) =>
  isStaff(caller) || (caller.member !== undefined && (await isLecturerOf(db, school, caller.member.id, courseId)))

// A preview is open to whoever finds the course, the rest to whom it is open now.
const isOpenTo = async (looking: Looking, lesson: LessonRow): Promise<boolean> => {
  const { db, school, caller } = looking
  if (lesson.status !== 'published' || caller.member === undefined) return false
  if (lesson.preview)
    return getCourse(looking, toId('crs', lesson.course_id)).then(
      () => true,
      () => false,
    )
  const asked = { memberId: caller.member.id, courseId: lesson.course_id, lessonIds: [lesson.id] }
  const answers = await lessonsOpen.ask(asked, { db, school })
  return answers.some(answer => answer.get(lesson.id)?.is_open === true)
}

const findLive = async ({ db, school }: Looking, ref: string): Promise<LessonRow> => {
  const lesson = await findLesson(db, school.id, fromId('les', ref) ?? '')
  if (lesson === undefined || lesson.archived_at !== null) throw nothing()
  return lesson
}

/** The lesson a path names with its assignment, for those who may read the lesson. */
export const getReadAssignment = async (looking: Looking, ref: string) => {
  const lesson = await findLive(looking, ref)
  if (!((await runsLesson(looking, lesson)) || (await isOpenTo(looking, lesson)))) throw nothing()
  const row = await findAssignment(looking.db, looking.school.id, lesson.id)
  if (row === undefined) throw nothing()
  return { lesson, row }
}

/** The lesson a path names, its course held, for those who run it; one that is hidden from the caller is not there. */
export const lockOwnLesson = async (looking: Looking, ref: string): Promise<LessonRow> => {
  const lesson = await findLive(looking, ref)
  const runs = await runsLesson(looking, lesson)
  if (!runs && lesson.status !== 'published') throw nothing()
  await lockOwnCourse(looking, toId('crs', lesson.course_id)).catch((error: unknown) => {
    throw error instanceof Refusal && error.problem === notFound ? nothing() : error
  })
  return lesson
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
  said: AssignmentSaid,
): Promise<AssignmentRow> =>
  putAssignment(
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
