import type { TransactionContext } from '#src/contract/context.ts'
import type { Db } from '#src/contract/db.ts'
import { ensureJob, putJob } from '#src/db/jobs.ts'
import { newUuid } from '#src/kit/ids.ts'
import { zonesEdition } from '#src/kit/local-time.ts'
import { END_JOB, ZONES_JOB } from './jobs.queries.ts'
import { insertOccurrences, type NewOccurrence, type OccurrenceTime } from './queries.ts'

/** Has the worker notice the end of an occurrence. */
export const scheduleEnd = (db: Db, schoolId: string, id: string, dueAt: Date): Promise<number> =>
  putJob(db, schoolId, { kind: END_JOB, id, dueAt })

type Of = { readonly id: string; readonly capacity: number | null }

/** Stores new occurrences of an event, each with the job that notices its end. */
export const addOccurrences = async (
  { db, school, now }: TransactionContext,
  event: Of,
  times: readonly (OccurrenceTime & { readonly rule_local: string })[],
): Promise<NewOccurrence[]> => {
  const { id: schoolId } = school
  const rows = times.map(time => ({ ...time, id: newUuid(now.getTime()) }))
  if (rows.length === 0) return rows
  await insertOccurrences(db, schoolId, event, rows, zonesEdition())
  for (const { id, ends_at: dueAt } of rows) await scheduleEnd(db, schoolId, id, dueAt)
  await ensureJob(db, schoolId, { kind: ZONES_JOB, id: schoolId, seconds: 24 * 3600 })
  return rows
}
