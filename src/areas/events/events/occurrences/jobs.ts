import type { JobParts } from '#src/contract/area.ts'
import type { Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { recordWorkerChange } from '#src/db/audit.ts'
import { putJob } from '#src/db/jobs.ts'
import { toId } from '#src/kit/ids.ts'
import { zonesEdition } from '#src/kit/local-time.ts'
import { END_JOB, lockFoundBefore, markEnded, storeFound, ZONES_JOB } from './jobs.queries.ts'
import { timeAgain } from './rules.ts'

const DAY_SECONDS = 24 * 3600
const SOON_SECONDS = 1
const BATCH = 100

/** Records that an occurrence is over, in the transaction that settles the job. */
const endOccurrence: JobHandler = async ({ schoolId, id }) => ({
  againIn: undefined,
  settle: async db => {
    const ended = await markEnded(db, schoolId, id)
    if (ended === undefined) return
    const occurrence = toId('occ', id)
    const { now, revision, event_id: eventId } = ended
    await recordWorkerChange(
      db,
      { schoolId, now, operation: 'endOccurrence' },
      { ids: [occurrence], fields: ['ended'], revision },
      [{ type: 'occurrence.ended', payload: { occurrence_id: occurrence, event_id: toId('evt', eventId) } }],
    )
  },
})

type Found = Awaited<ReturnType<typeof lockFoundBefore>>[number]

// The local time stays, and the instant may move.
const findAgain = async (db: Db, schoolId: string, row: Found, zones: string): Promise<void> => {
  const time = timeAgain(row)
  const isMoved = time.starts_at.getTime() !== row.starts_at.getTime()
  const { now, revision } = await storeFound(db, schoolId, row.id, time, { zones, isMoved })
  if (!isMoved) return
  await putJob(db, schoolId, { kind: END_JOB, id: row.id, dueAt: time.ends_at })
  const occurrence = toId('occ', row.id)
  await recordWorkerChange(
    db,
    { schoolId, now, operation: 'rescheduleOccurrence' },
    { ids: [occurrence], fields: ['starts_at'], revision },
    [
      {
        type: 'occurrence.rescheduled',
        payload: { occurrence_id: occurrence, event_id: toId('evt', row.event_id), by: 'time_zones' },
      },
    ],
  )
}

/** Finds the instants of occurrences again once a day, where another edition of the time zones found them. */
const createFindingAgain =
  ({ database }: JobParts): JobHandler =>
  async ({ schoolId }) => {
    const zones = zonesEdition()
    const found = await database.transaction(schoolId, async db => {
      const rows = await lockFoundBefore(db, schoolId, zones, BATCH)
      for (const row of rows) await findAgain(db, schoolId, row, zones)
      return rows.length
    })
    return { againIn: found === BATCH ? SOON_SECONDS : DAY_SECONDS, settle: async () => undefined }
  }

/** The jobs of occurrences. */
export const occurrenceJobs = { [END_JOB]: () => endOccurrence, [ZONES_JOB]: createFindingAgain }
