import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { EventRow } from '../event/queries.ts'

/** A date as a calendar shows it. */
export type CalendarRow = Pick<EventRow, 'name' | 'slug' | 'description' | 'location' | 'meeting_url'> & {
  readonly id: string
  readonly starts_at: Date
  readonly ends_at: Date
  readonly time_zone: string
  readonly sequence: number
  readonly is_cancelled: boolean
  readonly updated_at: Date
}

const columns = sql`o.id, ev.name, ev.slug, ev.description, ev.location, ev.meeting_url, o.starts_at, o.ends_at, o.time_zone,
  o.sequence, o.status = 'cancelled' as is_cancelled, greatest(o.updated_at, ev.updated_at) as updated_at`

const from = (schoolId: string): Statement => sql`occurrences o
  join events ev on ev.school_id = o.school_id and ev.id = o.event_id and ev.deleted_at is null and ev.status <> 'draft'
  where o.school_id = ${schoolId}`

/** The dates of public events that end after an instant, the earliest first. */
export const listPublicDates = (
  db: Db,
  schoolId: string,
  { endsAfter, rows }: { readonly endsAfter: Date; readonly rows: number },
) =>
  db.all(sql<CalendarRow>`
    select ${columns} from ${from(schoolId)} and ev.visibility = 'public' and o.ends_at > ${endsAfter}
    order by o.starts_at, o.id limit ${rows}`)

/** A date of a public event; no row where there is none. */
export const findPublicDate = (db: Db, schoolId: string, id: string) =>
  db.all(sql<CalendarRow>`
    select ${columns} from ${from(schoolId)} and ev.visibility = 'public' and o.id = ${id}`)

/** Some dates by their ids, the earliest first. */
export const listDatesById = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.all(sql<CalendarRow>`
    select ${columns} from ${from(schoolId)} and o.id = any (${ids}::uuid[]) order by o.starts_at, o.id`)

/** The dates that end after an instant and that a member hosts, the earliest first. */
export const listHosted = (
  db: Db,
  schoolId: string,
  memberId: string,
  { endsAfter, rows }: { readonly endsAfter: Date; readonly rows: number },
) =>
  db.all(sql<CalendarRow>`
    select ${columns} from ${from(schoolId)} and o.ends_at > ${endsAfter} and exists (
      select from event_lecturers el join lecturers l on l.school_id = el.school_id and l.id = el.lecturer_id
      where el.school_id = ${schoolId} and el.event_id = ev.id and l.member_id = ${memberId})
    order by o.starts_at, o.id limit ${rows}`)

/** How often the feed of a member was revoked; undefined when they are not an active member. */
export const findCounter = async (db: Db, schoolId: string, memberId: string): Promise<number | undefined> =>
  (
    await db.first(sql<{ counter: number }>`
      select coalesce(f.counter, 0) as counter
      from members m left join calendar_feeds f on f.school_id = m.school_id and f.member_id = m.id
      where m.school_id = ${schoolId} and m.id = ${memberId} and m.status = 'active'`)
  )?.counter

/** Makes every address of a member's feed that was given out before void; returns the new counter. */
export const raiseCounter = async (db: Db, schoolId: string, memberId: string): Promise<number> =>
  (
    await db.one(sql<{ counter: number }>`
      insert into calendar_feeds as f (school_id, member_id, counter, updated_at)
      values (${schoolId}, ${memberId}, 1, (select stoa.now()))
      on conflict (school_id, member_id) do update set counter = f.counter + 1, updated_at = excluded.updated_at
      returning counter`)
  ).counter

/** Forgets that a member had a feed. */
export const deleteFeed = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`delete from calendar_feeds where school_id = ${schoolId} and member_id = ${memberId}`)
