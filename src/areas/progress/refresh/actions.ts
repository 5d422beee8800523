import { listLessons } from '#src/areas/curriculum/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import type { JobHandler, JobOutcome } from '#src/contract/job.ts'
import { recordFacts } from '#src/db/facts.ts'
import { putJob } from '#src/db/jobs.ts'
import { fromId } from '#src/kit/ids.ts'
import { courseCompleted } from '../completions/actions.ts'
import { lockEnrollmentsOf, refreshProgress } from '../progress/queries.ts'
import { seenLessons } from '../progress/rules.ts'

/** The kind of work that brings the enrollments of a course up to what it requires now; its id is the course's. */
export const PROGRESS_JOB = 'course_progress'

const AT_ONCE = 1000
// Well below the time for which a worker's claim holds.
const PATIENCE_MS = 200_000
const SOON_SECONDS = 1

/** The kinds of facts after which another lesson may be required than before, each with the course it tells of. */
export const LESSONS_CHANGED = [
  'outline.updated',
  'lesson.created',
  'lesson.updated',
  'lesson.archived',
  'lesson.restored',
  'section.archived',
] as const

// A new sentence in a text is told as a change too, and requires nothing else of anybody.
const COUNTING = ['status', 'required_for_completion']

const mayCount = ({ fields }: Readonly<Record<string, unknown>>): boolean =>
  !Array.isArray(fields) || fields.some(field => COUNTING.includes(field))

/** Counts again how far the learners of a course are. */
export const count = (db: Db, schoolId: string, courseId: string, now: Date): Promise<number> =>
  putJob(db, schoolId, { kind: PROGRESS_JOB, id: courseId, dueAt: now.toISOString() })

/**
 * Has the enrollments of a course counted anew when what it requires may have changed: a lesson that was the last one
 * missing is gone, or optional now. Counting that is under way begins again.
 */
export const onLessonsChanged: FactHandler = async ({ payload }, { db, school, now }) => {
  const id = mayCount(payload) ? fromId('crs', String(payload.course)) : undefined
  if (id !== undefined) await count(db, school.id, id, now)
}

type Batch = { readonly schoolId: string; readonly courseId: string; readonly after: string | undefined }

// Held first and counted then, in a statement that sees what was completed meanwhile.
const refresh = async (db: Db, now: Date, { schoolId, courseId, after }: Batch): Promise<string | undefined> => {
  const enrollmentIds = await lockEnrollmentsOf(db, schoolId, courseId, { after, most: AT_ONCE })
  const lessons = seenLessons(await listLessons(db, schoolId, courseId))
  const changed = await refreshProgress(db, schoolId, {
    enrollmentIds,
    requiredIds: lessons.filter(one => one.required_for_completion).map(({ id }) => id),
    publishedIds: lessons.map(({ id }) => id),
  })
  const completed = changed.filter(one => one.has_completed).map(one => ({ ...one, course_id: courseId }))
  await recordFacts(db, { schoolId, now }, completed.map(courseCompleted))
  return enrollmentIds.length < AT_ONCE ? undefined : enrollmentIds.at(-1)
}

const done = (againIn: number | undefined): JobOutcome => ({ againIn, settle: async () => undefined })

/** Counts the enrollments of a course anew, a thousand in a transaction; what is right already is left alone. */
export const createProgressRefresh =
  (database: Database): JobHandler =>
  async ({ schoolId, id: courseId }) => {
    const end = performance.now() + PATIENCE_MS
    let after: string | undefined
    do {
      if (performance.now() > end) return done(SOON_SECONDS)
      const batch = { schoolId, courseId, after }
      after = await database.transaction(schoolId, (db, now) => refresh(db, now, batch))
    } while (after !== undefined)
    return done(undefined)
  }
