import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

const MAX_DATES = 500

/** Those of some occurrences for which a member has a confirmed seat. */
export const listAttended = async (
  db: Db,
  schoolId: string,
  memberId: string,
  occurrenceIds: readonly string[],
): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select distinct occurrence_id as id from registrations
      where school_id = ${schoolId} and member_id = ${memberId} and occurrence_id = any (${occurrenceIds}::uuid[])
        and status in ('confirmed', 'checked_in')`)
  ).map(({ id }) => id)

/** The dates that a member is or was registered for and that end after an instant; those of which no seat is left are cancelled. */
export const listCalendarDates = async (
  db: Db,
  schoolId: string,
  memberId: string,
  endsAfter: Date,
): Promise<{ readonly occurrenceId: string; readonly isCancelled: boolean }[]> =>
  (
    await db.all(sql<{ id: string; is_cancelled: boolean }>`
      select o.id, not bool_or(r.status in ('confirmed', 'checked_in')) as is_cancelled
      from registrations r
      join occurrences o on o.school_id = ${schoolId} and o.id = r.occurrence_id and o.ends_at > ${endsAfter}
      where r.school_id = ${schoolId} and r.member_id = ${memberId} and r.confirmed_at is not null
      group by o.id, o.starts_at order by o.starts_at, o.id limit ${MAX_DATES}`)
  ).map(({ id, is_cancelled: isCancelled }) => ({ occurrenceId: id, isCancelled }))
