import { listLessons } from '#src/areas/courses/index.ts'
import { type EnrollmentRow, lockEnrollmentIn } from '#src/areas/learning/enrollments/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { WriteContext } from '#src/contract/operation.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { readAvailability } from '../availability/lookups.ts'
import { storeProgress } from '../progress/queries.ts'
import { computeProgress, seenLessons } from '../progress/rules.ts'
import { type CompletedBy, type CompletionRow, endCompletion, findCompletion, insertCompletion } from './queries.ts'

/** An enrollment and a lesson of its course. */
export type LearnedIn = {
  readonly enrollment: Pick<EnrollmentRow, 'id' | 'member_id' | 'course_id'>
  readonly lesson: { readonly id: string }
}

const buildPayload = ({ id, member_id, course_id }: LearnedIn['enrollment']) => ({
  enrollment_id: toId('enr', id),
  course_id: toId('crs', course_id),
  member_id: toId('mem', member_id),
})

/** The fact that a member completed a course; it is recorded once per enrollment. */
export const courseCompleted = (enrollment: LearnedIn['enrollment']): Fact<'enrollment.completed'> => ({
  type: 'enrollment.completed',
  payload: buildPayload(enrollment),
})

const lock = async ({ db, school }: TransactionContext, enrollmentId: string): Promise<EnrollmentRow> => {
  const row = await lockEnrollmentIn(db, school.id, enrollmentId, {})
  if (row === undefined) throw new Error('an enrollment is never deleted')
  return row
}

// The enrollment is locked, so that of two concurrent completions of its last lessons one sees both.
const readProgress = async (context: TransactionContext, locked: EnrollmentRow) => {
  const { db, school } = context
  const [lessons, { at, history, byLesson }] = await Promise.all([
    listLessons(db, school.id, locked.course_id),
    readAvailability(context, { memberId: locked.member_id, courseId: locked.course_id }),
  ])
  const done = new Set(history.completions.filter(one => one.undone_at === null).map(one => one.lesson_id))
  const progress = computeProgress(
    seenLessons(lessons),
    id => done.has(id),
    id => byLesson.get(id)?.is_open === true,
  )
  return { at, progress }
}

type Progressed = { readonly enrollment: EnrollmentRow; readonly hasCompleted: boolean }

const store = async (
  { db, school }: TransactionContext,
  locked: EnrollmentRow,
  { at, progress }: Awaited<ReturnType<typeof readProgress>>,
): Promise<Progressed> => {
  const stored = await storeProgress(db, school.id, locked.id, progress)
  const enrollment = {
    ...locked,
    ...stored,
    percent_complete: progress.percent,
    current_lesson_id: progress.currentLessonId,
    last_activity_at: at,
  }
  return { enrollment, hasCompleted: locked.completed_at === null && stored.completed_at !== null }
}

const updateProgress = async (context: TransactionContext, locked: EnrollmentRow): Promise<Progressed> =>
  store(context, locked, await readProgress(context, locked))

/** What became of a course that somebody finishes: the ids of what is missing, or the fact that it was completed just now. */
type Finished = {
  readonly enrollment: EnrollmentRow
  readonly missingIds: readonly string[]
  readonly isComplete: boolean
  readonly facts: readonly Fact[]
}

/** Completes the course of a locked enrollment, of which nothing is missing; a completed course does not change. */
export const finishCourse = async (context: TransactionContext, locked: EnrollmentRow): Promise<Finished> => {
  const unchanged = { enrollment: locked, missingIds: [], facts: [] }
  if (locked.completed_at !== null) return { ...unchanged, isComplete: true }
  const read = await readProgress(context, locked)
  const { isComplete, missingIds } = read.progress
  if (!isComplete) return { ...unchanged, isComplete, missingIds }
  const { enrollment } = await store(context, locked, read)
  return { enrollment, missingIds, isComplete, facts: [courseCompleted(locked)] }
}

/**
 * The result of completing a lesson or undoing a completion: the new enrollment and completion, and a fact if something
 * changed.
 */
export type Learned = {
  readonly enrollment: EnrollmentRow
  readonly completion: CompletionRow | undefined
  readonly facts: readonly Fact[]
}

/**
 * Completes a lesson for a member, and the course with its last required lesson. Calling it again changes nothing, unless
 * nothing is missing any more: `lesson.completed` and `enrollment.completed` are returned once.
 */
export const completeLesson = async (
  context: TransactionContext,
  { enrollment, lesson, by }: LearnedIn & { readonly by: CompletedBy },
): Promise<Learned> => {
  const locked = await lock(context, enrollment.id)
  return recordCompletion(context, locked, { lesson, by })
}

const recordCompletion = async (
  context: TransactionContext,
  locked: EnrollmentRow,
  { lesson, by }: Pick<LearnedIn, 'lesson'> & { readonly by: CompletedBy },
): Promise<Learned> => {
  const { db, school, now } = context
  const one = { memberId: locked.member_id, courseId: locked.course_id, lessonId: lesson.id }
  const completion = await insertCompletion(db, school.id, { ...one, id: newUuid(now.getTime()), by })
  // Whoever lacks nothing since a lesson was left out finishes the course with whatever they do in it next (decision 191).
  if (completion === undefined) {
    const { enrollment, facts } = await finishCourse(context, locked)
    return { enrollment, completion: await findCompletion(db, school.id, one), facts }
  }
  const completed = {
    type: 'lesson.completed' as const,
    payload: { ...buildPayload(locked), lesson_id: toId('les', lesson.id), by },
  }
  const { enrollment: progressed, hasCompleted } = await updateProgress(context, locked)
  const facts = hasCompleted ? [completed, courseCompleted(locked)] : [completed]
  return { enrollment: progressed, completion, facts }
}

type Recording = TransactionContext & Pick<WriteContext, 'record'>

/** Completes a lesson because graded work was accepted, and records the facts. */
export const completeLessonByWork = async (
  context: Recording,
  learned: LearnedIn & { readonly by: CompletedBy },
): Promise<void> => {
  const { facts } = await completeLesson(context, learned)
  for (const fact of facts) context.record(fact)
}

/** The same in an enrollment that the transaction has locked. */
export const completeLessonOfLocked = async (
  context: Recording,
  {
    enrollment,
    ...learned
  }: { readonly enrollment: EnrollmentRow; readonly by: CompletedBy } & Pick<LearnedIn, 'lesson'>,
): Promise<void> => {
  const { facts } = await recordCompletion(context, enrollment, learned)
  for (const fact of facts) context.record(fact)
}

/**
 * Undoes the completion of a lesson. Lessons that it unlocked stay unlocked, and a completed course stays completed;
 * the percentage is computed again. It completes no course of which nothing is missing (decision 191).
 */
export const undoLessonCompletion = async (
  context: TransactionContext,
  { enrollment, lesson }: LearnedIn,
): Promise<Learned> => {
  const { db, school } = context
  const locked = await lock(context, enrollment.id)
  const one = { memberId: locked.member_id, courseId: locked.course_id, lessonId: lesson.id }
  const ended = await endCompletion(db, school.id, one)
  if (ended === 0) return { enrollment: locked, completion: undefined, facts: [] }
  const undone = {
    type: 'lesson.completion_undone' as const,
    payload: { ...buildPayload(locked), lesson_id: toId('les', lesson.id) },
  }
  const { at, progress } = await readProgress(context, locked)
  const { enrollment: progressed } = await store(context, locked, { at, progress: { ...progress, isComplete: false } })
  return { enrollment: progressed, completion: undefined, facts: [undone] }
}
