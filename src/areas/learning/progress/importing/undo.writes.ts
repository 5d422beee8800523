import type { Undone } from '#src/areas/people/index.ts'
import type { WriteContext } from '#src/contract/context.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { certificatesGiven } from '../completions/hooks.ts'
import { readCourses, readDone, readImportedProgress } from './lookups.ts'
import {
  deleteImported,
  type LockedEnrollment,
  lockEnrollments,
  type RevertedProgress,
  storeReverted,
} from './queries.ts'
import type { ProgressUndo } from './writes.ts'

type Undoing = Pick<WriteContext, 'db' | 'school' | 'changed'>

// Whoever has a certificate of a course that the import completed keeps what it is for.
const listCertified = async (
  { db, school }: Undoing,
  enrollments: ReadonlyMap<string, LockedEnrollment>,
  undos: readonly ProgressUndo[],
): Promise<ReadonlySet<string>> => {
  const completed = undos.flatMap(({ enrollmentId, completedAt }) =>
    completedAt === null ? [] : (enrollments.get(enrollmentId) ?? []),
  )
  if (completed.length === 0) return new Set()
  const pairs = completed.map(one => ({ memberId: one.member_id, courseId: one.course_id }))
  const given = new Set((await certificatesGiven.call({ pairs }, { db, school })).flat())
  return new Set(completed.filter(one => given.has(`${one.member_id} ${one.course_id}`)).map(({ id }) => id))
}

// Each stored what the one before it had left; rows of one piece have the same two.
const readActivity = ([last, ...earlier]: readonly ProgressUndo[]): Pick<RevertedProgress, 'before' | 'after'> => ({
  after: last?.activeAfter ?? null,
  before: earlier.reduce(
    (before, { activeBefore, activeAfter }) => (activeAfter === before ? activeBefore : before),
    last?.activeBefore ?? null,
  ),
})

/**
 * Removes the completions that an import stored, and computes the progress of their enrollments again; what people completed
 * themselves stays. The last are first. Returns what became of each, in order.
 */
export const undoProgress = async (context: Undoing, undos: readonly ProgressUndo[]): Promise<Undone[]> => {
  const { db, school, changed } = context
  const locked = await lockEnrollments(db, school.id, [...new Set(undos.map(({ enrollmentId }) => enrollmentId))])
  const enrollments = new Map(locked.map(one => [one.id, one]))
  const certified = await listCertified(context, enrollments, undos)
  const open = undos.filter(({ enrollmentId: id }) => enrollments.has(id) && !certified.has(id))
  await deleteImported(
    db,
    school.id,
    open.flatMap(({ completionIds }) => completionIds),
  )
  const rest = locked.filter(({ id }) => open.some(({ enrollmentId }) => enrollmentId === id))
  const [courses, done] = [await readCourses(context, rest), await readDone(context, rest)]
  const reverted: RevertedProgress[] = []
  for (const enrollment of rest) {
    const own = open.filter(({ enrollmentId }) => enrollmentId === enrollment.id)
    const [course, completed] = [courses.get(enrollment.course_id), done.get(enrollment.id)]
    if (course === undefined || completed === undefined) continue
    const progress = await readImportedProgress(context, enrollment, course, completed)
    const wasCompleted = own.some(({ completedAt: at }) => at !== null && at === instant(enrollment.completed_at))
    reverted.push({
      id: enrollment.id,
      percent: progress.percent,
      currentLessonId: completed.size === 0 ? null : progress.currentLessonId,
      isReopened: wasCompleted && !progress.isComplete,
      ...readActivity(own),
    })
  }
  if (reverted.length > 0) {
    await storeReverted(db, school.id, reverted)
    changed({ ids: reverted.map(({ id }) => toId('enr', id)), fields: ['completion'] })
  }
  return undos.map(({ enrollmentId: id }) => {
    if (certified.has(id)) return { status: 'kept', reason: 'in_use' }
    return enrollments.has(id) ? { status: 'undone' } : { status: 'kept', reason: 'gone' }
  })
}
