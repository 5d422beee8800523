import type { Db } from '#src/contract/db.ts'
import type { RecordedFact } from '#src/contract/fact.ts'
import { DISTRIBUTION_JOB, FACTS_CHANNEL } from '#src/db/fact-channel.ts'
import { JOBS_CHANNEL } from '#src/db/jobs.ts'
import { sql } from '#src/db/sql.ts'

// If two workers number the facts of a school at once, one does it for both.
const tryToNumber = async (db: Db, schoolId: string): Promise<boolean> =>
  (
    await db.one(sql<{ free: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`facts ${schoolId}`}, 0)) as free`)
  ).free

/**
 * Numbers the settled facts of a school, in the order of commits; returns how many. Those who wait for facts of the school are
 * notified, and where it has webhooks the facts are distributed.
 */
export const numberFacts = async (db: Db, schoolId: string): Promise<number> => {
  if (!(await tryToNumber(db, schoolId))) return 0
  const { count } = await db.one(sql<{ count: number }>`
    with settled as materialized (
      select id, row_number() over (order by transaction_id, id) as place from facts
      where school_id = ${schoolId} and sequence is null and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
    ), numbered as (
      update facts f set sequence = place + coalesce((
          select max(o.sequence) from facts o where o.school_id = ${schoolId} and o.sequence is not null), 0)
      from settled where f.school_id = ${schoolId} and f.id = settled.id
      returning f.id
    ), told as materialized (
      select pg_notify(${FACTS_CHANNEL}, ${schoolId}) from (select from numbered limit 1) as one
    ), woken as (
      insert into jobs as j (school_id, kind, id, due_at)
      select ${schoolId}::uuid, ${DISTRIBUTION_JOB}, ${schoolId}::uuid, (select stoa.now())
      from (select from numbered limit 1) as one
      where exists (select from webhooks w where w.school_id = ${schoolId} and w.status <> 'disabled')
      on conflict (school_id, kind, id) do update set
        due_at = case when j.claimed_until is null then least(j.due_at, excluded.due_at) else j.due_at end
      returning id
    ), heard as materialized (
      select pg_notify(${JOBS_CHANNEL}, '') from woken
    )
    select (select count(*) from numbered)::integer as count, (select count(*) from told) as told,
      (select count(*) from heard) as heard`)
  return count
}

/** A fact that is not delivered yet. */
export type WaitingFact = Omit<RecordedFact, 'sequence'> & {
  readonly sequence: string | null
  readonly attempts: number
}

/** The fact with this id, unless it was delivered or parked. */
export const findWaitingFact = (db: Db, schoolId: string, id: string) =>
  db.first(sql<WaitingFact>`
    select id, type, payload, sequence, attempts from facts
    where school_id = ${schoolId} and id = ${id} and delivered_at is null and parked_at is null`)

/** Marks a fact as delivered. */
export const markDelivered = (db: Db, schoolId: string, id: string) =>
  db.run(sql`
    update facts set delivered_at = (select stoa.now()), last_error = null where school_id = ${schoolId} and id = ${id}`)

/** Records why a fact could not be delivered; a parked fact is not tried again. */
export const markUndelivered = (
  db: Db,
  schoolId: string,
  id: string,
  { reason, isParked }: { readonly reason: string; readonly isParked: boolean },
) =>
  db.run(sql`
    update facts set attempts = attempts + 1, last_error = ${reason},
      parked_at = case when ${isParked} then (select stoa.now()) end
    where school_id = ${schoolId} and id = ${id}`)

/** How many facts of a school were parked, and why the last one was. */
export const parkedFacts = (db: Db, schoolId: string): Promise<{ count: number; reason: string | null }> =>
  db.one(sql<{ count: number; reason: string | null }>`
    select count(*)::integer as count, (array_agg(type || ': ' || last_error order by parked_at desc))[1] as reason
    from facts where school_id = ${schoolId} and parked_at is not null`)
