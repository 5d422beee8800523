import type { Db } from '#src/contract/db.ts'
import type { FactHandler, RecordedFact } from '#src/contract/fact.ts'
import { putJob } from '#src/db/jobs.ts'
import { fromId } from '#src/kit/ids.ts'
import { PROGRESS_JOB } from './jobs.ts'

/** The types of facts that can change which lessons a course requires; each names the course. */
export const LESSONS_CHANGED = [
  'outline.updated',
  'lesson.created',
  'lesson.updated',
  'lesson.archived',
  'lesson.restored',
  'section.archived',
] as const

type ChangedLessons = RecordedFact<(typeof LESSONS_CHANGED)[number]>

// A new text is also a change of a lesson, but it does not change what the course requires.
const COUNTED_FIELDS = ['status', 'required_for_completion']

const mayCount = (payload: ChangedLessons['payload']): boolean =>
  !('fields' in payload) || payload.fields.some(field => COUNTED_FIELDS.includes(field))

/** Plans the job that computes the progress of the learners of a course again. */
export const planRefresh = (db: Db, schoolId: string, courseId: string, now: Date): Promise<number> =>
  putJob(db, schoolId, { kind: PROGRESS_JOB, id: courseId, dueAt: now })

/**
 * Computes the progress in a course again when its requirements may have changed, for example because the last missing
 * lesson was removed or is now optional. A running job starts again.
 */
export const onLessonsChanged: FactHandler<ChangedLessons['type']> = async ({ payload }, { db, school, now }) => {
  const id = mayCount(payload) ? fromId('crs', payload.course_id) : undefined
  if (id !== undefined) await planRefresh(db, school.id, id, now)
}
