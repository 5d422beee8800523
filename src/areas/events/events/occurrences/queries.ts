import type { Db, Recorded } from '#src/contract/db.ts'
import { instantKey, type List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'

/** A dated time of an event. */
export type OccurrenceRow = Recorded & {
  readonly id: string
  readonly event_id: string
  readonly rule_local: string
  readonly starts_local: string
  readonly time_zone: string
  readonly duration_minutes: number
  readonly starts_at: Date
  readonly ends_at: Date
  readonly capacity: number | null
  readonly status: 'scheduled' | 'cancelled'
  readonly cancellation_reason: string | null
  readonly sequence: number
  readonly recording_url: string | null
  readonly is_ended: boolean
  readonly is_live: boolean
  readonly changed_in: string
}

const columns = sql`o.id, o.event_id, o.rule_local, o.starts_local, o.time_zone, o.duration_minutes, o.starts_at, o.ends_at,
  o.capacity, o.status, o.cancellation_reason, o.sequence, o.recording_url, o.revision, o.changed_in, o.created_at,
  o.updated_at, o.ends_at <= (select now from clock) as is_ended,
  o.status = 'scheduled' and o.starts_at <= (select now from clock) and o.ends_at > (select now from clock) as is_live`

const clock = sql`with clock as materialized (select stoa.now() as now)`

/** Which occurrences are meant; what is undefined does not matter. */
type OccurrenceFilter = {
  readonly eventId: string
  readonly status?: OccurrenceRow['status'] | undefined
  readonly isEnded?: boolean | undefined
  readonly startsFrom?: Date | undefined
  readonly startsBefore?: Date | undefined
}

/** The occurrences of an event, the earliest first. */
export const occurrenceList = (schoolId: string, filter: OccurrenceFilter): List<OccurrenceRow> => ({
  columns,
  from: sql`occurrences o`,
  where: joinConditions(
    sql`o.school_id = ${schoolId} and o.event_id = ${filter.eventId}`,
    when(filter.status, status => sql`o.status = ${status}`),
    when(filter.isEnded, is => sql`(o.ends_at <= (select now from clock)) = ${is}`),
    when(filter.startsFrom, at => sql`o.starts_at >= ${at}`),
    when(filter.startsBefore, at => sql`o.starts_at < ${at}`),
  ),
  id: sql`o.id`,
  keys: { starts_at: instantKey(sql`o.starts_at`, row => row.starts_at) },
  sort: 'starts_at',
  changedIn: sql`o.changed_in`,
  hasClock: true,
})

/** Some occurrences by their ids, the earliest first. */
export const listOccurrencesById = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.all(sql<OccurrenceRow>`
    ${clock} select ${columns} from occurrences o
    where o.school_id = ${schoolId} and o.id = any (${ids}::uuid[]) order by o.starts_at, o.id`)

/** Every occurrence of an event, the earliest first. */
export const listEventOccurrences = (db: Db, schoolId: string, eventId: string) =>
  db.all(sql<OccurrenceRow>`
    ${clock} select ${columns} from occurrences o
    where o.school_id = ${schoolId} and o.event_id = ${eventId} order by o.starts_at, o.id`)

/** An occurrence of an event that is not deleted, whoever may see it. */
export const findOccurrenceRow = (db: Db, schoolId: string, id: string) =>
  db.first(sql<OccurrenceRow>`
    ${clock} select ${columns} from occurrences o
    join events ev on ev.school_id = o.school_id and ev.id = o.event_id and ev.deleted_at is null
    where o.school_id = ${schoolId} and o.id = ${id}`)

/**
 * Locks some occurrences in the order of their ids, so that nobody else counts or changes their seats until the transaction
 * ends; their values are read afterwards.
 */
export const lockOccurrenceRows = async (db: Db, schoolId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select o.id from occurrences o where o.school_id = ${schoolId} and o.id = any (${ids}::uuid[])
      order by o.id for no key update`)
  ).map(({ id }) => id)

/** When an occurrence takes place. */
export type OccurrenceTime = Pick<
  OccurrenceRow,
  'starts_local' | 'time_zone' | 'duration_minutes' | 'starts_at' | 'ends_at'
>

/** A new occurrence. */
export type NewOccurrence = OccurrenceTime & { readonly id: string; readonly rule_local: string }

/** Stores the new occurrences of an event, found by an edition of the time zones. */
export const insertOccurrences = (
  db: Db,
  schoolId: string,
  event: { readonly id: string; readonly capacity: number | null },
  rows: readonly NewOccurrence[],
  zones: string,
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into occurrences (school_id, id, event_id, rule_local, starts_local, time_zone, duration_minutes, starts_at,
      ends_at, zones, capacity, status, created_at, updated_at)
    select ${schoolId}::uuid, r.id, ${event.id}::uuid, r.rule_local, r.starts_local, r.time_zone, r.duration_minutes,
      r.starts_at, r.ends_at, ${zones}, ${event.capacity}::integer, 'scheduled', clock.now, clock.now
    from clock, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, rule_local text, starts_local text,
      time_zone text, duration_minutes integer, starts_at timestamptz, ends_at timestamptz)`)

/** Deletes occurrences for which nobody ever registered. */
export const deleteOccurrences = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.run(sql`delete from occurrences where school_id = ${schoolId} and id = any (${ids}::uuid[])`)

/** Stores another time of an occurrence, which raises its sequence. */
export const storeTime = (db: Db, schoolId: string, id: string, time: OccurrenceTime, zones: string) =>
  db.run(sql`
    update occurrences set starts_local = ${time.starts_local}, time_zone = ${time.time_zone},
      duration_minutes = ${time.duration_minutes}, starts_at = ${time.starts_at}, ends_at = ${time.ends_at},
      zones = ${zones}, sequence = sequence + 1, ended_at = null, revision = revision + 1,
      updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id} and status = 'scheduled'`)

/** Stores the local time that stands for an occurrence in the rule of its event. */
export const storeRuleLocal = (db: Db, schoolId: string, id: string, local: string) =>
  db.run(sql`update occurrences set rule_local = ${local} where school_id = ${schoolId} and id = ${id}`)

/** Cancels occurrences that are scheduled, which raises their sequences; returns their ids. */
export const cancelOccurrences = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
  reason: string,
): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      with clock as materialized (select stoa.now() as now)
      update occurrences set status = 'cancelled', cancelled_at = (select now from clock), cancellation_reason = ${reason},
        sequence = sequence + 1, revision = revision + 1, updated_at = (select now from clock)
      where school_id = ${schoolId} and id = any (${ids}::uuid[]) and status = 'scheduled'
      returning id`)
  ).map(({ id }) => id)

/** Stores the seats of the occurrences of an event that are not over; returns the ids of those that have more seats now. */
export const storeCapacity = async (
  db: Db,
  schoolId: string,
  eventId: string,
  capacity: number | null,
): Promise<string[]> =>
  (
    await db.all(sql<{ id: string; has_more: boolean }>`
      with clock as materialized (select stoa.now() as now),
      before as (
        select b.id, b.capacity from occurrences b
        where b.school_id = ${schoolId} and b.event_id = ${eventId} and b.status = 'scheduled'
          and b.ends_at > (select now from clock) and b.capacity is distinct from ${capacity}::integer)
      update occurrences o set capacity = ${capacity}::integer, revision = o.revision + 1,
        updated_at = (select now from clock)
      from before b where o.school_id = ${schoolId} and o.id = b.id
      returning o.id, coalesce(b.capacity < o.capacity, o.capacity is null) as has_more`)
  ).flatMap(({ id, has_more: hasMore }) => (hasMore ? [id] : []))

/** Stores the recording of an occurrence. */
export const storeRecording = (db: Db, schoolId: string, id: string, url: string | null) =>
  db.run(sql`
    update occurrences set recording_url = ${url}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id}`)
