import type { Db } from '#src/contract/db.ts'
import { buildAssignments, buildValues, columnNames } from '#src/db/columns.ts'
import { putLinks } from '#src/db/links.ts'
import { sql } from '#src/db/sql.ts'
import { defineStatus } from '#src/db/status.ts'
import { fold } from '#src/kit/text.ts'
import { eventLecturers } from './conditions.ts'
import { type EventDates, type EventValues, storedColumns } from './queries.ts'

/** What is stored of an event, with the words by which it is found. */
type StoredEvent = EventValues & { readonly words: string }

// Arrays and objects of JSON are parameters of their own type.
const asStored = ({ location, questions, ...event }: EventValues) => ({
  ...event,
  location: location && JSON.stringify(location),
  questions: JSON.stringify(questions),
})

/** Stores a new draft. */
export const insertEvent = async (
  db: Db,
  schoolId: string,
  {
    id,
    authorId,
    dates,
    ...event
  }: StoredEvent & {
    readonly id: string
    readonly authorId: string | undefined
    readonly dates: EventDates
  },
): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into events (school_id, id, ${columnNames(storedColumns)}, starts_local, time_zone, duration_minutes,
      recurrence, name_folded, body_words, author_id, status, created_at, updated_at)
    values (${schoolId}, ${id}, ${buildValues(asStored(event), storedColumns)}, ${dates.starts_local}, ${dates.time_zone},
      ${dates.duration_minutes}, ${dates.recurrence && JSON.stringify(dates.recurrence)}, ${fold(event.name)},
      ${event.words}, ${authorId ?? null}, 'draft', (select now from clock), (select now from clock))`)
  await storeHosts(db, schoolId, id, event.lecturer_ids)
}

/** Stores the hosts of an event. */
export const storeHosts = (db: Db, schoolId: string, id: string, lecturerIds: readonly string[]): Promise<number> =>
  putLinks(db, schoolId, eventLecturers, id, lecturerIds)

/** Stores a changed event, except its hosts, as its next revision. */
export const storeEvent = (db: Db, schoolId: string, id: string, event: StoredEvent): Promise<number> =>
  db.run(sql`
    update events set ${buildAssignments(asStored(event), storedColumns)}, name_folded = ${fold(event.name)},
      body_words = ${event.words}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

/** Stores when an event takes place, as its next revision. */
export const storeDates = (db: Db, schoolId: string, id: string, dates: EventDates) =>
  db.run(sql`
    update events set starts_local = ${dates.starts_local}, time_zone = ${dates.time_zone},
      duration_minutes = ${dates.duration_minutes},
      recurrence = ${dates.recurrence && JSON.stringify(dates.recurrence)}::jsonb, revision = revision + 1,
      updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)

/** The status of events; one for which people are registered is cancelled for good. */
export const eventStatus = defineStatus({
  table: sql`events`,
  fact: 'event',
  prefix: 'evt',
  id: 'Event',
  sets: sql`cancelled_at = case when next.status = 'cancelled' then clock.now end`,
})

/** Marks an event as deleted; its slug and external id are free again. */
export const markDeleted = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update events set image_file_id = null, deleted_at = (select now from clock), revision = revision + 1,
      updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id} and deleted_at is null`)
