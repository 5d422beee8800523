import { type Sweep, sweepRows } from '#src/contract/sweep.ts'
import { sql } from '#src/db/sql.ts'

// The rows to delete are listed once, as an array, and the clock is read once: with a semi-join and a bare call a plan
// may repeat both for every row.

/** Deletes authorization requests, decided or not, a day after they ended. */
const sweepRequests = sweepRows((db, schoolId, most) =>
  db.run(sql`
    delete from authorization_requests where school_id = ${schoolId} and ctid = any (array(
      select ctid from authorization_requests
      where school_id = ${schoolId} and expires_at < (select stoa.now()) - interval '1 day'
      order by expires_at limit ${most} for update skip locked))`),
)

/** Deletes access tokens that expired a month ago; until then a leaked token can be traced to its grant. */
const sweepAccessTokens = sweepRows((db, schoolId, most) =>
  db.run(sql`
    delete from access_tokens where school_id = ${schoolId} and ctid = any (array(
      select ctid from access_tokens
      where school_id = ${schoolId} and expires_at < (select stoa.now()) - interval '30 days'
      order by expires_at limit ${most} for update skip locked))`),
)

// A statement of these sweeps checks fewer rows, since each is looked up in several tables.
const BATCH_SIZE = 200
const FIRST = '00000000-0000-0000-0000-000000000000'

type Batch = { readonly looked: number; readonly last: string }

const next = (row: Batch | undefined): string | undefined => (row?.looked === BATCH_SIZE ? row.last : undefined)

// Each of these is a query of its own with a limit, which uses an index for each row: as joins they would read
// whole tables for every thousand rows.
const ended = (schoolId: string) => sql`least(g.expires_at, g.revoked_at,
  case when g.code_used_at is null then g.code_expires_at end,
  (select f.last_used_at from refresh_families f where f.school_id = ${schoolId} and f.grant_id = g.id limit 1)
    + make_interval(secs => (select refresh_idle_seconds from schools where id = ${schoolId}))
  ) < (select now from clock) - interval '30 days'`

const isReferredTo = (schoolId: string) => sql`coalesce((
  select true from access_tokens t where t.school_id = ${schoolId} and t.grant_id = g.id limit 1), false)`

// A later authorization depends on earlier grants: on whether there was one, and whether the last one given on a page,
// or any since, was ended. A newer grant on a page decides both for all before it, and a silent grant that expired
// decides nothing.
const isAnsweredFor = (schoolId: string) => sql`(g.is_silent and g.revoked_at is null or coalesce(g.created_at < (
  select n.created_at from grants n
  where n.school_id = ${schoolId} and n.member_id = g.member_id and n.client_id = g.client_id and not n.is_silent
  order by n.created_at desc limit 1), false))`

// A webhook of the same app and member is sent facts as long as the grant has not ended, whether its tokens were refreshed or not.
const isNeededByWebhook = (
  schoolId: string,
) => sql`(g.revoked_at is null and g.expires_at > (select now from clock) and coalesce((
  select true from webhooks w where w.school_id = ${schoolId} and w.member_id = g.member_id and w.client_id = g.client_id
    and w.status <> 'disabled' limit 1), false))`

const isForgotten = (schoolId: string) => sql`coalesce((
  select c.arranged_at is null and c.blocked_at is null
    and greatest(c.last_seen_at, g.created_at) < (select now from clock) - interval '2 years'
  from clients c where c.school_id = ${schoolId} and c.id = g.client_id limit 1), false)`

/**
 * Deletes grants that ended a month ago, with their families, unless a later authorization depends on them; those of a
 * client that nobody used for two years in any case. Walks over all grants of a school, since the reasons to end are in
 * several tables.
 */
const sweepGrants: Sweep = async (db, schoolId, { after }) =>
  next(
    await db.first(sql<Batch>`
      with clock as materialized (select stoa.now() as now), looked as materialized (
        select id from grants where school_id = ${schoolId} and id > ${after ?? FIRST}::uuid order by id limit ${BATCH_SIZE}
      ), old as materialized (
        select g.id from grants g
        where g.school_id = ${schoolId} and g.id = any (array(select id from looked)) and ${ended(schoolId)}
          and (${isAnsweredFor(schoolId)} or ${isForgotten(schoolId)}) and not ${isReferredTo(schoolId)}
          and not ${isNeededByWebhook(schoolId)}
        for update skip locked
      ), families as (
        delete from refresh_families where school_id = ${schoolId} and grant_id = any (array(select id from old))
      ), gone as (
        delete from grants where school_id = ${schoolId} and id = any (array(select id from old))
      )
      select count(*)::integer as looked, (array_agg(id order by id desc))[1] as last from looked`),
  )

/**
 * Deletes clients without grants that were not used for a month and never got consent, or were not used for two
 * years; not those that the school pre-registered or removed.
 */
const sweepClients: Sweep = async (db, schoolId, { after }) =>
  next(
    await db.first(sql<Batch>`
      with looked as materialized (
        select id from clients where school_id = ${schoolId} and id > ${after ?? ''} order by id limit ${BATCH_SIZE}
      ), old as materialized (
        select c.id from clients c
        where c.school_id = ${schoolId} and c.id = any (array(select id from looked))
          and c.arranged_at is null and c.blocked_at is null
          and c.last_seen_at < (select stoa.now()) - interval '30 days'
          and (select true from grants g where g.school_id = ${schoolId} and g.client_id = c.id limit 1) is null
          and (select true from webhooks w where w.school_id = ${schoolId} and w.client_id = c.id limit 1) is null
          and (
            select true from authorization_requests r where r.school_id = ${schoolId} and r.client_id = c.id limit 1
          ) is null
        for update skip locked
      ), secrets as (
        delete from client_secrets where school_id = ${schoolId} and client_id = any (array(select id from old))
      ), gone as (
        delete from clients where school_id = ${schoolId} and id = any (array(select id from old))
      )
      select count(*)::integer as looked, (array_agg(id order by id desc))[1] as last from looked`),
  )

/** All sweeps of the authorization server; rows that refer to others come first. */
export const oauthSweeps: readonly Sweep[] = [sweepRequests, sweepAccessTokens, sweepGrants, sweepClients]
