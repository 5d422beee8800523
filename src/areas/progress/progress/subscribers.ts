import type { Db } from '#src/contract/db.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import { putJob } from '#src/db/jobs.ts'
import { fromId } from '#src/kit/ids.ts'
import { PROGRESS_JOB } from './jobs.ts'

/** The types of facts after which another lesson may be required than before, each with its course. */
export const LESSONS_CHANGED = [
  'outline.updated',
  'lesson.created',
  'lesson.updated',
  'lesson.archived',
  'lesson.restored',
  'section.archived',
] as const

// A new text of a lesson is a change too, but requires nothing else of anybody.
const COUNTED_FIELDS = ['status', 'required_for_completion']

const mayCount = ({ fields }: Readonly<Record<string, unknown>>): boolean =>
  !Array.isArray(fields) || fields.some(field => COUNTED_FIELDS.includes(field))

/** Plans to count the progress of the learners of a course again. */
export const planRefresh = (db: Db, schoolId: string, courseId: string, now: Date): Promise<number> =>
  putJob(db, schoolId, { kind: PROGRESS_JOB, id: courseId, dueAt: now.toISOString() })

/**
 * Has the progress in a course counted again when what it requires may have changed: the last missing lesson was removed,
 * or is optional now. A count that is running starts again.
 */
export const onLessonsChanged: FactHandler = async ({ payload }, { db, school, now }) => {
  const id = mayCount(payload) ? fromId('crs', String(payload.course)) : undefined
  if (id !== undefined) await planRefresh(db, school.id, id, now)
}
