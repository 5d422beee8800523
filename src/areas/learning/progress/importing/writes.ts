import type { WriteContext } from '#src/contract/context.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { courseCompleted } from '../completions/writes.ts'
import { type ImportedCourse, readCourses, readDone, readImportedProgress } from './lookups.ts'
import {
  type ImportedProgress,
  insertImported,
  type LockedEnrollment,
  lockEnrollments,
  type NewCompletion,
  storeImported,
} from './queries.ts'
import { type ProgressRow, planLessons } from './rules.ts'

/** What an import of progress causes beside progress. */
type ProgressImportOptions = {
  /** Whether who completes a course by it gets the certificate of the course. */
  readonly issueCertificates: boolean
  /** Whether the person is told of the certificate. */
  readonly notify: boolean
}

/** What an import changed of one enrollment, as JSON. */
export type ProgressUndo = {
  readonly enrollmentId: string
  readonly completionIds: readonly string[]
  /** When the course was completed by it. */
  readonly completedAt: string | null
  /** The last activity before it, and as it was stored. */
  readonly activeBefore: string | null
  readonly activeAfter: string | null
}

/** The result of a row. */
export type ProgressOutcome = {
  readonly isChanged: boolean
  readonly errors?: readonly FieldError[]
  readonly undo?: ProgressUndo
}

type Importing = Pick<WriteContext, 'db' | 'school' | 'now' | 'changed' | 'record'>

type Planned = {
  readonly row: ProgressRow
  readonly completions: readonly NewCompletion[]
  readonly errors?: readonly FieldError[]
}

type State = {
  readonly enrollments: ReadonlyMap<string, LockedEnrollment>
  readonly courses: ReadonlyMap<string, ImportedCourse>
  /** The lessons that each enrollment has completed, those of earlier rows too. */
  readonly done: ReadonlyMap<string, Map<string, Date>>
}

const planRow = (row: ProgressRow, { enrollments, courses, done }: State, now: Date): Planned => {
  const enrollment = enrollments.get(row.enrollmentId)
  const course = enrollment && courses.get(enrollment.course_id)
  const completed = done.get(row.enrollmentId)
  if (enrollment === undefined || course === undefined || completed === undefined) return { row, completions: [] }
  const { lessonIds, ...errors } = planLessons(course.lessons, id => completed.has(id), row)
  const at = row.at === undefined || row.at > now ? now : row.at
  for (const id of lessonIds) completed.set(id, at)
  const { member_id: memberId, course_id: courseId } = enrollment
  const completions = lessonIds.map(lessonId => ({ id: newUuid(now.getTime()), memberId, courseId, lessonId, at }))
  return { row, completions, ...errors }
}

const latest = (instants: readonly Date[]): Date | null =>
  instants.length === 0 ? null : new Date(Math.max(...instants.map(at => at.getTime())))

// A row that says that everything is complete completes a course of which nothing is missing already, too.
const computeStored = async (
  context: Importing,
  enrollment: LockedEnrollment,
  state: State,
  planned: readonly Planned[],
): Promise<ImportedProgress | undefined> => {
  const { id, course_id: courseId, completed_at: completedAt } = enrollment
  const [course, done] = [state.courses.get(courseId), state.done.get(id)]
  const completions = planned.flatMap(one => one.completions)
  const finishes =
    completedAt === null && planned.some(({ row }) => row.isComplete === true || (row.percent ?? 0) >= 100)
  if (course === undefined || done === undefined || (completions.length === 0 && !finishes)) return undefined
  const progress = await readImportedProgress(context, enrollment, course, done)
  if (completions.length === 0 && !progress.isComplete) return undefined
  const required = course.lessons.filter(lesson => lesson.required_for_completion)
  return {
    id,
    percent: progress.percent,
    currentLessonId: progress.currentLessonId,
    completedAt:
      completedAt === null && progress.isComplete
        ? latest(required.flatMap(lesson => done.get(lesson.id) ?? []))
        : null,
    activeAt: latest(completions.map(({ at }) => at)),
  }
}

const later = (one: Date | null, other: Date | null): Date | null => latest([one, other].flatMap(at => at ?? []))

const buildOutcome = (
  { row, completions, errors }: Planned,
  enrollment: LockedEnrollment | undefined,
  stored: ImportedProgress | undefined,
): ProgressOutcome => {
  const failed = errors === undefined ? {} : { errors }
  if (enrollment === undefined || stored === undefined) return { isChanged: false, ...failed }
  const undo = {
    enrollmentId: row.enrollmentId,
    completionIds: completions.map(({ id }) => id),
    completedAt: instant(stored.completedAt),
    activeBefore: instant(enrollment.last_activity_at),
    activeAfter: instant(later(enrollment.last_activity_at, stored.activeAt)),
  }
  return { isChanged: completions.length > 0 || stored.completedAt !== null, ...failed, undo }
}

/**
 * Completes lessons that people learned elsewhere, at their own instants and whether or not they are available here yet. No mail
 * follows, and no certificate unless the options say so. Whether the caller may write to the enrollments is checked before.
 * Returns the results of the rows in order.
 */
export const importProgress = async (
  context: Importing,
  rows: readonly ProgressRow[],
  { issueCertificates, notify }: ProgressImportOptions,
): Promise<ProgressOutcome[]> => {
  const { db, school, now, changed, record } = context
  const ids = [...new Set(rows.map(({ enrollmentId }) => enrollmentId))]
  const locked = await lockEnrollments(db, school.id, ids)
  const enrollments = new Map(locked.map(one => [one.id, one]))
  const state = { enrollments, courses: await readCourses(context, locked), done: await readDone(context, locked) }
  const planned = rows.map(row => planRow(row, state, now))
  await insertImported(
    db,
    school.id,
    planned.flatMap(({ completions }) => completions),
  )
  const stored = new Map<string, ImportedProgress>()
  for (const enrollment of locked) {
    const own = planned.filter(({ row }) => row.enrollmentId === enrollment.id)
    const progress = await computeStored(context, enrollment, state, own)
    if (progress !== undefined) stored.set(enrollment.id, progress)
  }
  if (stored.size > 0) {
    await storeImported(db, school.id, [...stored.values()])
    changed({ ids: [...stored.keys()].map(id => toId('enr', id)), fields: ['completion'] })
  }
  for (const enrollment of locked) {
    const completedAt = stored.get(enrollment.id)?.completedAt
    if (!issueCertificates || completedAt == null) continue
    const { type, payload } = courseCompleted(enrollment)
    record({ type, payload: { ...payload, completed_at: completedAt.toISOString(), notify } })
  }
  return planned.map(one => buildOutcome(one, enrollments.get(one.row.enrollmentId), stored.get(one.row.enrollmentId)))
}
