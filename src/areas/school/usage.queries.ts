import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** What a school's members and requests count up to. */
export type UsageRow = {
  readonly as_of: Date
  readonly active: number
  readonly invited: number
  readonly suspended: number
  readonly today: string
  readonly last_30_days: string
}

/** Counts the members of a school and the requests to its API. */
export const countUsage = (db: Db, schoolId: string): Promise<UsageRow> =>
  db.one(sql<UsageRow>`
    with moment as materialized (select stoa.now() as now, (stoa.now() at time zone 'UTC')::date as day)
    select now as as_of, m.active, m.invited, m.suspended, r.today, r.last_30_days
    from moment, lateral (
      select count(*) filter (where status = 'active')::integer as active,
        count(*) filter (where status = 'invited')::integer as invited,
        count(*) filter (where status = 'suspended')::integer as suspended
      from members where school_id = ${schoolId}
    ) m, lateral (
      select coalesce(sum(requests) filter (where day = moment.day), 0)::text as today,
        coalesce(sum(requests), 0)::text as last_30_days
      from usage_days where school_id = ${schoolId} and day > moment.day - 30 and day <= moment.day
    ) r`)
