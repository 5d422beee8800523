import type { Static } from 'typebox'
import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { localAt } from '#src/kit/local-time.ts'
import { canManageEvent } from '../event/access.ts'
import { attendedOccurrences, occurrenceSeats, type Seats } from '../hooks.ts'
import type { Dated } from './access.ts'
import type { OccurrenceRow } from './queries.ts'
import type { Occurrence } from './schema.ts'

const NONE: Seats = { taken: 0, waiting: 0 }

const readSeats = async ({ db, school }: AsCaller<Caller>, occurrenceIds: readonly string[]) => {
  const all = occurrenceIds.length === 0 ? [] : await occurrenceSeats.call({ occurrenceIds }, { school, db })
  return (id: string): Seats => Object.assign({}, NONE, ...all.map(one => one.get(id)))
}

const lineView = (row: OccurrenceRow, { taken, waiting }: Seats): Static<typeof Occurrence> => ({
  id: row.id,
  event_id: row.event_id,
  starts_at: { local: row.starts_local, time_zone: row.time_zone, utc: row.starts_at },
  ends_at: { local: localAt(row.ends_at, row.time_zone), time_zone: row.time_zone, utc: row.ends_at },
  duration_minutes: row.duration_minutes,
  capacity: row.capacity,
  seats_taken: taken,
  seats_left: row.capacity === null ? null : Math.max(0, row.capacity - taken),
  waiting,
  status: row.status,
  cancellation_reason: row.cancellation_reason,
  ended: row.is_ended,
  live: row.is_live,
  sequence: row.sequence,
  has_recording: row.recording_url !== null,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** Occurrences of a list, without the addresses that only those have who are registered. */
export const occurrenceLines = async (
  context: AsCaller<Caller>,
  rows: readonly OccurrenceRow[],
): Promise<Static<typeof Occurrence>[]> => {
  const seats = await readSeats(
    context,
    rows.map(({ id }) => id),
  )
  return rows.map(row => lineView(row, seats(row.id)))
}

/** Whether a caller may have the addresses of an occurrence: its hosts, staff, and those with a confirmed seat. */
const mayJoin = async ({ db, school, caller }: AsCaller<Caller>, { occurrence, event }: Dated): Promise<boolean> => {
  if (canManageEvent(caller, event)) return true
  if (caller.member === undefined || occurrence.status === 'cancelled') return false
  const asked = { memberId: caller.member.id, occurrenceIds: [occurrence.id] }
  return (await attendedOccurrences.call(asked, { school, db })).flat().length > 0
}

/** One occurrence for a caller, with its addresses for those who may have them. */
export const occurrenceView = async (context: AsCaller<Caller>, dated: Dated): Promise<Static<typeof Occurrence>> => {
  const { occurrence, event } = dated
  const seats = await readSeats(context, [occurrence.id])
  const line = lineView(occurrence, seats(occurrence.id))
  if (!(await mayJoin(context, dated))) return line
  return { ...line, meeting_url: event.meeting_url, recording_url: occurrence.recording_url }
}
