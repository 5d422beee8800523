import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** Stores an event, also of a payment that is not ours; returns 0 when it was stored before. */
export const insertEvent = (
  db: Db,
  schoolId: string,
  provider: string,
  { id, type, paymentId }: { readonly id: string; readonly type: string; readonly paymentId: string | undefined },
) =>
  db.run(sql`
    insert into payment_events (school_id, provider, event_id, type, payment_id, received_at)
    values (${schoolId}, ${provider}, ${id}, ${type}, ${paymentId}, (select stoa.now()))
    on conflict do nothing`)

/** Deletes at most so many events that are older than so many days; returns how many. */
export const deleteEvents = (
  db: Db,
  schoolId: string,
  { days, most }: { readonly days: number; readonly most: number },
) =>
  db.run(sql`
    delete from payment_events where school_id = ${schoolId} and (provider, event_id) in (
      select provider, event_id from payment_events
      where school_id = ${schoolId} and received_at < (select stoa.now()) - make_interval(days => ${days})
      order by received_at limit ${most} for update skip locked)`)

/** Notes an id that a notice names for a payment of which none is known; returns 0 when one is known. */
export const storeNoticed = (db: Db, schoolId: string, id: string, ref: string) =>
  db.run(sql`
    update payments set noticed_ref = ${ref}
    where school_id = ${schoolId} and id = ${id} and reference is null`)

/** When a payment is looked up after a notice: now, but not within so many seconds of the last time. */
export const planLook = async (db: Db, schoolId: string, id: string, seconds: number): Promise<Date> =>
  (
    await db.one(sql<{ looked_at: Date }>`
      with clock as materialized (select stoa.now() as now), wait (pause) as (select make_interval(secs => ${seconds}))
      update payments set looked_at = case
        when looked_at is null or looked_at <= clock.now - wait.pause then clock.now
        when looked_at > clock.now then looked_at
        else looked_at + wait.pause end
      from clock, wait where school_id = ${schoolId} and id = ${id} returning looked_at`)
  ).looked_at
