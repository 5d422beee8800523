import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { OccurrenceRow, OccurrenceTime } from './queries.ts'

/** The kind of job that notices the end of an occurrence. */
export const END_JOB = 'occurrence_end'

/** The kind of job that finds instants again by a new edition of the time zones, with the id of the school. */
export const ZONES_JOB = 'occurrence_zones'

/** Marks an occurrence that took place as ended; undefined when it did not, or is marked. */
export const markEnded = (
  db: Db,
  schoolId: string,
  id: string,
): Promise<{ event_id: string; now: Date; revision: number } | undefined> =>
  db.first(sql<{ event_id: string; now: Date; revision: number }>`
    with clock as materialized (select stoa.now() as now)
    update occurrences o set ended_at = (select now from clock)
    from events ev
    where o.school_id = ${schoolId} and o.id = ${id} and o.status = 'scheduled' and o.ended_at is null
      and o.ends_at <= (select now from clock)
      and ev.school_id = o.school_id and ev.id = o.event_id and ev.status = 'published' and ev.deleted_at is null
    returning o.event_id, (select now from clock) as now, o.revision`)

/** An occurrence whose instants were found by another edition of the time zones. */
type FoundBefore = Pick<
  OccurrenceRow,
  'id' | 'event_id' | 'starts_local' | 'time_zone' | 'duration_minutes' | 'starts_at'
>

/** Occurrences that are not over and whose instants were found by another edition, locked, at most `most`. */
export const lockFoundBefore = (db: Db, schoolId: string, zones: string, most: number) =>
  db.all(sql<FoundBefore>`
    select o.id, o.event_id, o.starts_local, o.time_zone, o.duration_minutes, o.starts_at from occurrences o
    where o.school_id = ${schoolId} and o.zones <> ${zones} and o.status = 'scheduled' and o.ends_at > (select stoa.now())
    order by o.id limit ${most} for no key update`)

/** Stores the edition by which the instants of an occurrence were found, and what they are if they moved. */
export const storeFound = async (
  db: Db,
  schoolId: string,
  id: string,
  { starts_at: startsAt, ends_at: endsAt }: Pick<OccurrenceTime, 'starts_at' | 'ends_at'>,
  { zones, isMoved }: { readonly zones: string; readonly isMoved: boolean },
): Promise<{ now: Date; revision: number }> =>
  db.one(sql<{ now: Date; revision: number }>`
    with clock as materialized (select stoa.now() as now)
    update occurrences set zones = ${zones}, starts_at = ${startsAt}, ends_at = ${endsAt},
      sequence = sequence + ${isMoved ? 1 : 0}::integer, revision = revision + ${isMoved ? 1 : 0}::integer,
      updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${id}
    returning updated_at as now, revision`)

/** Deletes the jobs that notice the ends of some occurrences. */
export const deleteJobs = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.run(sql`delete from jobs where school_id = ${schoolId} and kind = ${END_JOB} and id = any (${ids}::uuid[])`)
