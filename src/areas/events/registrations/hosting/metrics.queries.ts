import type { Db, Statement } from '#src/contract/db.ts'
import type { MetricRange, MetricRow } from '#src/contract/metric.ts'
import { sql } from '#src/db/sql.ts'

const dates = sql`jsonb_build_object('event', 'evt:' || r.event_id, 'occurrence', 'occ:' || r.occurrence_id)`

/** The registrations that were made in a range, whatever became of them. */
export const madeRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select r.created_at as at, 1 as value, ${dates} as dims from registrations r
  where r.school_id = ${schoolId} and r.created_at >= ${from} and r.created_at < ${until}`

/** Who was checked in in a range, without check-ins that were undone. */
export const checkedInRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select r.checked_in_at as at, 1 as value, ${dates} as dims from registrations r
  where r.school_id = ${schoolId} and r.checked_in_at >= ${from} and r.checked_in_at < ${until}`

/** The registrations that were cancelled in a range, and by whom. */
export const cancelledRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select r.cancelled_at as at, 1 as value, ${dates} || jsonb_build_object('cancelled_by', r.cancelled_by) as dims
  from registrations r
  where r.school_id = ${schoolId} and r.cancelled_at >= ${from} and r.cancelled_at < ${until}`

/** Who was registered for the dates that ended in a range, and was not checked in. */
export const missedRows = (schoolId: string, { from, until }: MetricRange): Statement<MetricRow> => sql<MetricRow>`
  select o.ended_at as at, 1 as value, ${dates} as dims
  from occurrences o join registrations r on r.school_id = o.school_id and r.occurrence_id = o.id and r.status = 'confirmed'
  where o.school_id = ${schoolId} and o.ended_at >= ${from} and o.ended_at < ${until} and o.status = 'scheduled'`

type NameRow = { readonly id: string; readonly name: string }

const namesIn = async (db: Db, statement: Statement<NameRow>): Promise<ReadonlyMap<string, string>> =>
  new Map((await db.all(statement)).map(({ id, name }) => [id, name]))

/** The names of some events, deleted ones too, by their ids. */
export const eventNames = (db: Db, schoolId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
  namesIn(db, sql<NameRow>`select id, name from events where school_id = ${schoolId} and id = any (${ids}::uuid[])`)

/** When some dates of events begin, in local time, by their ids. */
export const occurrenceNames = (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  namesIn(
    db,
    sql<NameRow>`select id, replace(left(starts_local, 16), 'T', ' ') as name from occurrences
      where school_id = ${schoolId} and id = any (${ids}::uuid[])`,
  )
