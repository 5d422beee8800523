import { setTimeout as pause } from 'node:timers/promises'
import type { School } from '#src/contract/school.ts'
import { fromId } from '#src/kit/ids.ts'
import type { TestApp } from '#testing/app.ts'
import { until } from '#testing/until.ts'

const PATIENCE_MS = 300_000
const SCOPES = ['school:read', 'members:read', 'courses:read']

/** Facts that lie between two numbers. */
export type Range = { readonly after: number; readonly to: number }

const lastNumber = async ({ database }: TestApp, { id }: School): Promise<number> => {
  const [row] = await database.query<{ last: number }>(
    'select coalesce(max(sequence), 0)::integer as last from facts where school_id = $1 and sequence is not null',
    [id],
  )
  return row?.last ?? 0
}

/** Waits until every fact of a school has its number. */
export const untilNumbered = ({ database }: TestApp, { id }: School): Promise<void> =>
  until(
    async () =>
      (await database.query('select from facts where school_id = $1 and sequence is null', [id])).length === 0,
    'every fact has its number',
    PATIENCE_MS,
  )

/** Adds numbered facts about a course to the first school of an application in which nothing is being numbered. */
export const addFacts = async (app: TestApp, count: number): Promise<Range> => {
  await untilNumbered(app, app.a)
  const after = await lastNumber(app, app.a)
  await app.database.query(
    `insert into facts (school_id, id, type, payload, recorded_at, delivered_at, sequence)
     select $1::uuid, gen_random_uuid(), 'course.updated', '{"course_id": "crs_00000000000000000000000001", "fields": ["name"]}',
       stoa.now(), stoa.now(), $2::bigint + n
     from generate_series(1, $3::integer) as n`,
    [app.a.id, after, count],
  )
  await app.database.query('analyze facts')
  return { after, to: after + count }
}

/** Creates a webhook of the first school for all that an app of this owner or admin may read; returns the id of its row. */
export const addWebhook = async (app: TestApp, name: 'ada' | 'ben', url: string, types = ['*']): Promise<string> => {
  const staff = await app.actor(name, { scopes: SCOPES, as: name === 'ada' ? 'owner' : 'admin' })
  const made = await staff.write('POST', '/webhooks', { url, types })
  const id = fromId('whk', made.json.id ?? '')
  if (id === undefined) throw new Error(`there is no webhook: ${made.text.slice(0, 300)}`)
  return id
}

/** Has these webhooks of the first school be sent facts, and all others not. */
export const activateOnly = async (app: TestApp, ids: readonly string[]): Promise<void> => {
  await app.database.query(
    `update webhooks set status = 'disabled', disabled_reason = 'by_person', next_attempt_at = null
     where school_id = $1 and id <> all ($2::uuid[])`,
    [app.a.id, ids],
  )
  await app.database.query(
    `update webhooks set status = 'active', disabled_reason = null, failed_since = null, failed_deliveries = '{}',
       failing_since = null, failing_attempts = 0, next_attempt_at = null
     where school_id = $1 and id = any ($2::uuid[])`,
    [app.a.id, ids],
  )
}

/** Has facts be distributed to these webhooks and nothing be sent for a day, as while attempts fail. */
export const holdBack = async (app: TestApp, ids: readonly string[]): Promise<void> => {
  await activateOnly(app, ids)
  await app.database.query(
    `update webhooks set status = 'failing', failing_since = stoa.now(), next_attempt_at = stoa.now() + interval '1 day'
     where school_id = $1 and id = any ($2::uuid[])`,
    [app.a.id, ids],
  )
}

/** Forgets every delivery of the first school, and has the facts after a number be the ones that are distributed next. */
export const restartAfter = async (app: TestApp, position: number): Promise<void> => {
  await app.database.query('delete from webhook_deliveries where school_id = $1', [app.a.id])
  await app.database.query('update webhooks set last_sequence = null where school_id = $1', [app.a.id])
  await app.database.query(
    `insert into distributions (school_id, position) values ($1, $2)
     on conflict (school_id) do update set position = excluded.position`,
    [app.a.id, position],
  )
}

/** Stores deliveries of the facts of a range to a webhook, which wait. */
export const addWaiting = async (app: TestApp, webhookId: string, { after, to }: Range): Promise<void> => {
  await app.database.query(
    `insert into webhook_deliveries
       (school_id, id, webhook_id, fact_id, type, sequence, previous, next_attempt_at, created_at)
     select $1::uuid, gen_random_uuid(), $2::uuid, id, type, sequence, lag(sequence) over (order by sequence), stoa.now(), stoa.now()
     from facts where school_id = $1 and sequence > $3 and sequence <= $4`,
    [app.a.id, webhookId, after, to],
  )
}

/** Has a job of the first school run now. */
export const wakeJob = async (app: TestApp, kind: string, id: string): Promise<void> => {
  await app.database.query(
    `with made as (insert into jobs (school_id, kind, id, due_at) values ($1, $2, $3, stoa.now())
       on conflict (school_id, kind, id) do update set due_at = excluded.due_at returning id)
     select pg_notify('stoa_jobs', '') from made`,
    [app.a.id, kind, id],
  )
}

const holds = async (app: TestApp, condition: string, values: readonly unknown[]): Promise<boolean> =>
  (await app.database.query(`select where ${condition}`, [app.a.id, ...values])).length > 0

/** Waits, to some milliseconds, until the facts up to a number were distributed. */
export const untilDistributed = async (app: TestApp, to: number): Promise<void> => {
  const end = performance.now() + PATIENCE_MS
  while (!(await holds(app, 'exists (select from distributions where school_id = $1 and position >= $2)', [to]))) {
    if (performance.now() > end) throw new Error('the facts were not distributed')
    await pause(5)
  }
}

const IS_QUIET = `
  not exists (select from facts where school_id = $1 and sequence is null)
  and not exists (select from jobs where school_id = $1 and kind in ('fact', 'distribution')
    and (claimed_until is not null or due_at <= stoa.now()))
  and not exists (select from jobs where school_id = $1 and kind = 'webhook' and id = $2)`

/** Forgets what waits for a webhook, until nothing of it is left. */
export const quieten = (app: TestApp, webhookId: string): Promise<void> =>
  until(
    async () => {
      await app.database.query('delete from webhook_deliveries where school_id = $1 and webhook_id = $2', [
        app.a.id,
        webhookId,
      ])
      return holds(app, IS_QUIET, [webhookId])
    },
    'nothing waits for a webhook',
    PATIENCE_MS,
  )
