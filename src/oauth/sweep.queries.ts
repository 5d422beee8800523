import { hasMore, type Sweep } from '#src/contract/sweep.ts'
import { sql } from '#src/db/sql.ts'

// The rows to take are listed once, as an array, and the clock is asked once: as a semi-join and a bare call a plan may
// repeat both for every row.

/** Requests that nobody decided, or somebody did, a day after they ended. */
export const sweepRequests: Sweep = async (db, schoolId, { most }) =>
  hasMore(
    await db.run(sql`
      delete from authorization_requests where school_id = ${schoolId} and ctid = any (array(
        select ctid from authorization_requests
        where school_id = ${schoolId} and expires_at < (select stoa.now()) - interval '1 day'
        order by expires_at limit ${most} for update skip locked))`),
    most,
  )

/** Access tokens that expired a month ago; until then a leaked one can be traced to its approval. */
export const sweepAccessTokens: Sweep = async (db, schoolId, { most }) =>
  hasMore(
    await db.run(sql`
      delete from access_tokens where school_id = ${schoolId} and ctid = any (array(
        select ctid from access_tokens
        where school_id = ${schoolId} and expires_at < (select stoa.now()) - interval '30 days'
        order by expires_at limit ${most} for update skip locked))`),
    most,
  )

// Of a walk a statement looks at fewer rows, since each is looked up in several tables.
const LOOKED = 200
const FIRST = '00000000-0000-0000-0000-000000000000'

type Looked = { readonly looked: number; readonly last: string }

const next = (row: Looked | undefined): string | undefined => (row?.looked === LOOKED ? row.last : undefined)

// Each of these is a query of its own with a limit, which is answered row by row from an index: as joins they would read
// whole tables for every thousand rows.
const ended = (schoolId: string) => sql`least(g.expires_at, g.revoked_at,
  case when g.code_used_at is null then g.code_expires_at end,
  (select f.last_used_at from refresh_families f where f.school_id = ${schoolId} and f.grant_id = g.id limit 1)
    + make_interval(secs => (select refresh_idle_seconds from schools where id = ${schoolId}))
  ) < (select now from clock) - interval '30 days'`

const isReferredTo = (schoolId: string) => sql`coalesce((
  select true from access_tokens t where t.school_id = ${schoolId} and t.grant_id = g.id limit 1), false)`

// What a later approval asks of earlier ones: whether there was any, and whether the last one given on a page, or any
// since, was ended. A newer page answers both for all before it, and a silent approval that ran out says nothing.
const isAnsweredFor = (schoolId: string) => sql`(g.is_silent and g.revoked_at is null or coalesce(g.created_at < (
  select n.created_at from grants n
  where n.school_id = ${schoolId} and n.member_id = g.member_id and n.client_id = g.client_id and not n.is_silent
  order by n.created_at desc limit 1), false))`

const isForgotten = (schoolId: string) => sql`coalesce((
  select c.arranged_at is null and c.blocked_at is null
    and greatest(c.last_seen_at, g.created_at) < (select now from clock) - interval '2 years'
  from clients c where c.school_id = ${schoolId} and c.id = g.client_id limit 1), false)`

/**
 * Approvals that ended a month ago, with their families, unless a later approval has to know of them; those of a client
 * that nobody used for two years all the same. Walks over all of a school, as the reasons to end lie in several tables.
 */
export const sweepGrants: Sweep = async (db, schoolId, { after }) =>
  next(
    await db.first(sql<Looked>`
      with clock as materialized (select stoa.now() as now), looked as materialized (
        select id from grants where school_id = ${schoolId} and id > ${after ?? FIRST}::uuid order by id limit ${LOOKED}
      ), old as materialized (
        select g.id from grants g
        where g.school_id = ${schoolId} and g.id = any (array(select id from looked)) and ${ended(schoolId)}
          and (${isAnsweredFor(schoolId)} or ${isForgotten(schoolId)}) and not ${isReferredTo(schoolId)}
        for update skip locked
      ), families as (
        delete from refresh_families where school_id = ${schoolId} and grant_id = any (array(select id from old))
      ), gone as (
        delete from grants where school_id = ${schoolId} and id = any (array(select id from old))
      )
      select count(*)::integer as looked, (array_agg(id order by id desc))[1] as last from looked`),
  )

/**
 * Clients of which no approval is left and that nobody has seen for a month, so never consented to, or forgotten for two
 * years; not those the school arranged or removed.
 */
export const sweepClients: Sweep = async (db, schoolId, { after }) =>
  next(
    await db.first(sql<Looked>`
      with looked as materialized (
        select id from clients where school_id = ${schoolId} and id > ${after ?? ''} order by id limit ${LOOKED}
      ), old as materialized (
        select c.id from clients c
        where c.school_id = ${schoolId} and c.id = any (array(select id from looked))
          and c.arranged_at is null and c.blocked_at is null
          and c.last_seen_at < (select stoa.now()) - interval '30 days'
          and (select true from grants g where g.school_id = ${schoolId} and g.client_id = c.id limit 1) is null
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

/** Everything the authorization server sweeps, what refers to others first. */
export const oauthSweeps: readonly Sweep[] = [sweepRequests, sweepAccessTokens, sweepGrants, sweepClients]
