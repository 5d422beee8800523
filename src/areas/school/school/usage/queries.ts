import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** What a school's members and requests count up to. */
type UsageRow = {
  readonly as_of: Date
  readonly active: number
  readonly invited: number
  readonly suspended: number
  readonly today: string
  readonly last_30_days: string
}

/** Counts the members of a school and the requests to its API. */
export const countUsage = (db: Db, schoolId: string) =>
  db.one(sql<UsageRow>`
    with clock as materialized (select stoa.now() as now), today as (select (now at time zone 'UTC')::date as day from clock)
    select clock.now as as_of, m.active, m.invited, m.suspended, r.today, r.last_30_days
    from clock, today, lateral (
      select count(*) filter (where status = 'active')::integer as active,
        count(*) filter (where status = 'invited')::integer as invited,
        count(*) filter (where status = 'suspended')::integer as suspended
      from members where school_id = ${schoolId}
    ) m, lateral (
      select coalesce(sum(requests) filter (where u.day = today.day), 0)::text as today,
        coalesce(sum(requests), 0)::text as last_30_days
      from usage_days u where school_id = ${schoolId} and u.day > today.day - 30 and u.day <= today.day
    ) r`)
