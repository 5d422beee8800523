import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { type DeliveryRow, deliveriesWithFacts, deliveryColumns } from '../deliveries/queries.ts'
import type { WebhookRow } from '../webhook/queries.ts'
import type { SendingState } from './rules.ts'

/** A webhook that is sent facts, and the instant of the statement. */
type Sending = Pick<WebhookRow, 'id' | 'status' | 'ordered'>

/**
 * The deliveries of a webhook that are due, those of replays last, at most `most`. In order it is the first that waits, if it is
 * due; while attempts fail, one: of those that were tried least often the oldest.
 */
export const listDue = (
  db: Db,
  schoolId: string,
  { id, status, ordered }: Sending,
  most: number,
): Promise<DeliveryRow[]> => {
  const waiting = sql`d.school_id = ${schoolId} and d.webhook_id = ${id} and d.status = 'waiting'`
  const whole = (chosen: ReturnType<typeof sql>) => sql<DeliveryRow>`
    with clock as materialized (select stoa.now() as now), chosen as materialized (${chosen})
    select ${deliveryColumns} from chosen c
    join ${deliveriesWithFacts(schoolId)} on true
    where d.school_id = ${schoolId} and d.id = c.id order by d.is_replay, d.sequence`
  if (status === 'failing')
    return db.all(
      whole(sql`select d.id from webhook_deliveries d where ${waiting} order by d.attempts, d.sequence limit 1`),
    )
  if (ordered)
    return db.all(
      whole(sql`
        select f.id from (
          select d.id, d.next_attempt_at from webhook_deliveries d where ${waiting} order by d.is_replay, d.sequence limit 1) f
        where f.next_attempt_at <= (select now from clock)`),
    )
  return db.all(
    whole(sql`
      select d.id from webhook_deliveries d where ${waiting} and d.next_attempt_at <= (select now from clock)
      order by d.is_replay, d.sequence limit ${most}`),
  )
}

/** When webhooks are to be sent something next, by their ids; none for those for which nothing waits. */
export const listNextDue = (db: Db, schoolId: string, webhookIds: readonly string[]) =>
  db.all(sql<{ id: string; due_at: Date }>`
    select w.id, case when w.status = 'failing' then coalesce(w.next_attempt_at, e.next_attempt_at)
      when w.ordered then f.next_attempt_at else e.next_attempt_at end as due_at
    from webhooks w cross join lateral (
      select d.next_attempt_at from webhook_deliveries d
      where d.school_id = ${schoolId} and d.webhook_id = w.id and d.status = 'waiting'
      order by d.is_replay, d.sequence limit 1
    ) f cross join lateral (
      select d.next_attempt_at from webhook_deliveries d
      where d.school_id = ${schoolId} and d.webhook_id = w.id and d.status = 'waiting'
      order by d.next_attempt_at limit 1
    ) e
    where w.school_id = ${schoolId} and w.id = any (${webhookIds}::uuid[]) and w.status <> 'disabled'`)

// That a delivery waits is asked of `ended_at` where its id is given: with `status` the planner may prefer an index of all that wait.

/** What an attempt made of a delivery: `pause` are the seconds until the next one, `duration_ms` how long it took. */
type Marked = {
  readonly id: string
  readonly status: DeliveryRow['status']
  readonly pause: number | null
  readonly word: string
  readonly duration_ms: number
}

/** Marks deliveries that wait after an attempt at each; returns how many there were. */
export const markAttempts = (db: Db, schoolId: string, marked: readonly Marked[]) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update webhook_deliveries d set status = m.status, attempts = d.attempts + 1, last_attempt_at = (select now from clock),
      last_outcome = m.word, duration_ms = m.duration_ms,
      next_attempt_at = case when m.status = 'waiting' then (select now from clock) + make_interval(secs => m.pause) end,
      ended_at = case when m.status <> 'waiting' then (select now from clock) end
    from jsonb_to_recordset(${JSON.stringify(marked)}::jsonb)
      as m (id uuid, status text, pause double precision, word text, duration_ms integer)
    where d.school_id = ${schoolId} and d.id = any (${marked.map(({ id }) => id)}::uuid[]) and d.id = m.id
      and d.ended_at is null`)

/**
 * Marks deliveries that wait as delivered, if nothing failed at the webhook since the last success; returns how many there
 * were. It is one statement, since most attempts succeed.
 */
export const markDelivered = (
  db: Db,
  schoolId: string,
  webhookId: string,
  delivered: readonly Pick<Marked, 'id' | 'word' | 'duration_ms'>[],
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), healthy as (
      update webhooks set last_delivered_at = (select now from clock)
      where school_id = ${schoolId} and id = ${webhookId} and status = 'active' and failed_since is null
      returning id
    )
    update webhook_deliveries d set status = 'delivered', attempts = d.attempts + 1, next_attempt_at = null,
      last_attempt_at = (select now from clock), ended_at = (select now from clock), last_outcome = m.word,
      duration_ms = m.duration_ms
    from healthy, jsonb_to_recordset(${JSON.stringify(delivered)}::jsonb) as m (id uuid, word text, duration_ms integer)
    where d.school_id = ${schoolId} and d.id = any (${delivered.map(({ id }) => id)}::uuid[]) and d.id = m.id
      and d.ended_at is null`)

/** Drops deliveries that wait. */
export const dropDeliveries = (db: Db, schoolId: string, ids: readonly string[]) =>
  db.run(sql`
    update webhook_deliveries set status = 'dropped', next_attempt_at = null, ended_at = (select stoa.now())
    where school_id = ${schoolId} and id = any (${ids}::uuid[]) and ended_at is null`)

/** Stores the state of a webhook after an attempt. */
export const storeState = (db: Db, schoolId: string, id: string, state: SendingState) =>
  db.run(sql`
    update webhooks set status = ${state.status}, failed_since = ${state.failed_since},
      failed_deliveries = ${state.failed_deliveries}::uuid[], failing_since = ${state.failing_since},
      failing_attempts = ${state.failing_attempts}, next_attempt_at = ${state.next_attempt_at},
      failing_mailed_at = ${state.failing_mailed_at}, last_delivered_at = ${state.last_delivered_at}
    where school_id = ${schoolId} and id = ${id}`)

/** Makes everything that waits for a webhook due now. */
export const hastenDeliveries = (db: Db, schoolId: string, webhookId: string) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update webhook_deliveries set next_attempt_at = (select now from clock)
    where school_id = ${schoolId} and webhook_id = ${webhookId} and status = 'waiting'
      and next_attempt_at > (select now from clock)`)
