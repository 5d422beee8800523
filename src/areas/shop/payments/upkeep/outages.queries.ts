import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

// Fewer may be a short outage, after which the same calls succeed.
const REPORTED_FAILURES = 5

/** Counts a failed call; whether it is to be reported: the fifth in a row or a later one, at most once a day. */
export const countFailure = async (db: Db, schoolId: string, provider: string): Promise<boolean> =>
  (
    await db.one(sql<{ is_reported: boolean }>`
      with clock as materialized (select stoa.now() as now)
      insert into payment_outages as o (school_id, provider, failures) values (${schoolId}, ${provider}, 1)
      on conflict (school_id, provider) do update set failures = o.failures + 1,
        reported_at = case when o.failures + 1 >= ${REPORTED_FAILURES}
          and (o.reported_at is null or o.reported_at <= (select now from clock) - interval '1 day')
          then (select now from clock) else o.reported_at end
      returning coalesce(o.reported_at = (select now from clock), false) as is_reported`)
  ).is_reported

/** Notes that a call was answered, so failures are counted from the beginning. */
export const forgetFailures = (db: Db, schoolId: string, provider: string) =>
  db.run(sql`
    update payment_outages set failures = 0
    where school_id = ${schoolId} and provider = ${provider} and failures > 0`)
