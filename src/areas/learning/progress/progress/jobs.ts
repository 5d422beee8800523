import { listLessons } from '#src/areas/courses/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { JobHandler, JobOutcome } from '#src/contract/job.ts'
import { lockCourseEnrollments, refreshProgress } from './queries.ts'
import { requiredIds, seenLessons } from './rules.ts'

/** The kind of job that computes the progress in a course again; its id is that of the course. */
export const PROGRESS_JOB = 'course_progress'

const BATCH_SIZE = 1000
// Well below the time after which a worker loses its claim.
const MAX_RUN_MS = 200_000
const RETRY_SECONDS = 1

type Batch = { readonly schoolId: string; readonly courseId: string; readonly after: string | undefined }

// The rows are locked before the next statement computes the progress, so that it sees concurrent completions.
const refresh = async (db: Db, { schoolId, courseId, after }: Batch): Promise<string | undefined> => {
  const enrollmentIds = await lockCourseEnrollments(db, schoolId, courseId, { after, limit: BATCH_SIZE })
  const lessons = seenLessons(await listLessons(db, schoolId, courseId))
  await refreshProgress(db, schoolId, {
    enrollmentIds,
    requiredIds: requiredIds(lessons),
    publishedIds: lessons.map(({ id }) => id),
  })
  return enrollmentIds.length < BATCH_SIZE ? undefined : enrollmentIds.at(-1)
}

const done = (againIn: number | undefined): JobOutcome => ({ againIn, settle: async () => undefined })

/** Computes the progress in a course again, a thousand enrollments per transaction; correct rows do not change. */
export const createProgressRefresh =
  (database: Database): JobHandler =>
  async ({ schoolId, id: courseId }) => {
    const end = performance.now() + MAX_RUN_MS
    let after: string | undefined
    do {
      if (performance.now() > end) return done(RETRY_SECONDS)
      const batch = { schoolId, courseId, after }
      after = await database.transaction(schoolId, db => refresh(db, batch))
    } while (after !== undefined)
    return done(undefined)
  }
