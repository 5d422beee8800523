import type { Db } from '#src/contract/db.ts'
import { hasMore, type Sweep } from '#src/contract/sweep.ts'
import type { Viewed } from '#src/contract/view-count.ts'
import { oneRow } from '#src/db/key.ts'
import { sql } from '#src/db/sql.ts'
import { seal, unseal } from '#src/kit/crypto.ts'

/** An idempotency key with its request and its caller. */
export type RequestKey = {
  readonly schoolId: string
  readonly memberId: string
  readonly clientId: string
  readonly operation: string
  readonly key: string
  readonly requestHash: Buffer
  /** The key that encrypts the stored body, where that has a secret. */
  readonly sealing?: Buffer | undefined
}

/** The stored response to a request with a key. */
export type Outcome = { readonly status: number; readonly headers: Record<string, string>; readonly body: string }

/** Takes the advisory lock of a key for this transaction; false when another request holds it. */
export const tryLock = async (db: Db, lock: bigint): Promise<boolean> =>
  (await db.one(sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${lock.toString()}::bigint) as free`)).free

// Its own row: a stored body cannot be read as that of another request.
const sealContext = ({ schoolId, memberId, clientId, operation, key }: RequestKey): string =>
  [schoolId, memberId, clientId, operation, key].join('/')

type StoredRow = Outcome & { readonly request_hash: Buffer; readonly sealed_body: Buffer | null }

/** The outcome stored for a key within the last 24 hours, with the hash of its request. */
export const findStoredOutcome = async (
  db: Db,
  request: RequestKey,
): Promise<(Outcome & { request_hash: Buffer }) | undefined> => {
  const { schoolId, memberId, clientId, operation, key, sealing } = request
  const row = await db.first(sql<StoredRow>`
    select request_hash, status, headers, body, sealed_body
    from ${oneRow(sql`from idempotency_keys`, schoolId, { member_id: memberId, client_id: clientId, operation, key })} as k
    where recorded_at > (select stoa.now()) - interval '24 hours'`)
  if (row === undefined || row.sealed_body === null || sealing === undefined) return row
  return { ...row, body: unseal(sealing, row.sealed_body, sealContext(request)) }
}

/** Stores an outcome in the transaction of the write; replaces an older one with the same key. */
export const storeOutcome = (db: Db, key: RequestKey, outcome: Outcome) => {
  const sealed = key.sealing === undefined ? null : seal(key.sealing, outcome.body, sealContext(key))
  return db.run(sql`
    insert into idempotency_keys
      (school_id, member_id, client_id, operation, key, request_hash, status, headers, body, sealed_body, recorded_at)
    values (${key.schoolId}, ${key.memberId}, ${key.clientId}, ${key.operation}, ${key.key}, ${key.requestHash},
      ${outcome.status}, ${JSON.stringify(outcome.headers)}, ${sealed === null ? outcome.body : ''}, ${sealed}::bytea,
      (select stoa.now()))
    on conflict (school_id, member_id, client_id, operation, key) do update set
      request_hash = excluded.request_hash, status = excluded.status, headers = excluded.headers,
      body = excluded.body, sealed_body = excluded.sealed_body, recorded_at = excluded.recorded_at`)
}

/** The time zone of a school, and its date there. */
export const readToday = (db: Db, schoolId: string): Promise<{ zone: string; today: string }> =>
  db.one(sql<{ zone: string; today: string }>`
    select time_zone as zone, ((select stoa.now()) at time zone time_zone)::date::text as today
    from schools where id = ${schoolId}`)

/** Checks the deferred constraints now. */
export const checkDeferred = (db: Db) => db.run(sql`set constraints all immediate`)

/** Adds to the number of requests of a school today. */
export const addRequests = (db: Db, schoolId: string, requests: number) =>
  db.run(sql`
    insert into usage_days as u (school_id, day, requests)
    values (${schoolId}, ((select stoa.now()) at time zone 'UTC')::date, ${requests}::bigint)
    on conflict (school_id, day) do update set requests = u.requests + excluded.requests`)

/** Adds to how often resources were viewed in this quarter of an hour. */
export const addViews = (db: Db, schoolId: string, viewed: readonly (Viewed & { readonly views: number })[]) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into view_counts as v (school_id, at, item_type, item_id, views)
    select ${schoolId}, stoa.quarter((select now from clock)), s.type, s.id, s.views
    from jsonb_to_recordset(${JSON.stringify(viewed)}::jsonb) as s (type text, id uuid, views bigint) order by s.id
    on conflict (school_id, at, item_type, item_id) do update set views = v.views + excluded.views`)

/** Stores that members were seen now; skips rows that another transaction has locked, so that nothing waits for this. */
export const storeLastSeen = (db: Db, schoolId: string, memberIds: readonly string[]) =>
  db.run(sql`
    update members set last_seen_at = (select stoa.now())
    where school_id = ${schoolId} and id = any (array(
      select free.id from unnest(${memberIds}::uuid[]) as seen (id)
      cross join lateral ${oneRow(sql`from members`, schoolId, { id: sql`seen.id` }, sql`for no key update skip locked`)} as free
      where free.status = 'active'))`)

/** Stores that sessions are used now, which extends them; skips rows that another transaction has locked. */
export const storeSessionUse = (db: Db, schoolId: string, sessionIds: readonly string[]): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update sessions s set expires_at = stoa.session_end(m.role, s.is_remembered, s.started_at, (select now from clock))
    from members m
    where s.school_id = ${schoolId} and m.school_id = ${schoolId} and m.id = s.member_id and s.id = any (array(
      select free.id from unnest(${sessionIds}::uuid[]) as used (id)
      cross join lateral ${oneRow(sql`from sessions`, schoolId, { id: sql`used.id` }, sql`for no key update skip locked`)} as free
      where free.ended_at is null and free.expires_at > (select now from clock)))`)

/** Deletes outcomes that are older than 24 hours and are no longer returned. */
export const sweepOutcomes: Sweep = async (db, schoolId, { most }) => {
  const deleted = await db.run(sql`
    delete from idempotency_keys where school_id = ${schoolId} and ctid = any (array(
      select ctid from idempotency_keys
      where school_id = ${schoolId} and recorded_at < (select stoa.now()) - interval '24 hours'
      order by recorded_at limit ${most} for update skip locked))`)
  return hasMore(deleted, most)
}

/** The number of the last fact of a school; 0 without one. */
export const readLastFact = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ last: number }>`
      select coalesce(max(sequence), 0)::double precision as last from facts
      where school_id = ${schoolId} and sequence is not null`)
  ).last
