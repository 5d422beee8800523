import type { Sweep } from '#src/contract/sweep.ts'
import { sql } from '#src/db/sql.ts'

// All that a statement may take was there, so that there may be more.
const more = (taken: number, most: number): string | undefined => (taken === most ? 'more' : undefined)

/** Requests that nobody decided, or somebody did, a day after they ended. */
export const sweepRequests: Sweep = async (db, schoolId, { most }) =>
  more(
    await db.run(sql`
      delete from authorization_requests where school_id = ${schoolId} and handle_hash in (
        select handle_hash from authorization_requests
        where school_id = ${schoolId} and expires_at < stoa.now() - interval '1 day'
        order by expires_at limit ${most} for update skip locked)`),
    most,
  )

/** Access tokens that expired a month ago; until then a leaked one can be traced to its approval. */
export const sweepAccessTokens: Sweep = async (db, schoolId, { most }) =>
  more(
    await db.run(sql`
      delete from access_tokens where school_id = ${schoolId} and token_hash in (
        select token_hash from access_tokens
        where school_id = ${schoolId} and expires_at < stoa.now() - interval '30 days'
        order by expires_at limit ${most} for update skip locked)`),
    most,
  )

type Looked = { readonly looked: number; readonly last: string }

const next = (row: Looked | undefined, most: number): string | undefined =>
  row !== undefined && row.looked === most ? row.last : undefined

const ended = sql`least(g.expires_at, g.revoked_at, case when g.code_used_at is null then g.code_expires_at end,
  f.last_used_at + make_interval(secs => s.refresh_idle_seconds)) < stoa.now() - interval '30 days'`

// What a later approval asks of earlier ones: whether there was any, and whether the last one given on a page, or any
// since, was ended. A newer page answers both for all before it, and a silent approval that ran out says nothing.
const isAnsweredFor = sql`(g.is_silent and g.revoked_at is null or exists (
  select from grants n
  where n.school_id = g.school_id and n.member_id = g.member_id and n.client_id = g.client_id
    and not n.is_silent and n.created_at > g.created_at))`

const isForgotten = sql`(c.arranged_at is null and c.blocked_at is null
  and greatest(c.last_seen_at, g.created_at) < stoa.now() - interval '2 years')`

/**
 * Approvals that ended a month ago, with their families, unless a later approval has to know of them; those of a client
 * that nobody used for two years all the same. Walks over all of a school, as the reasons to end lie in several tables.
 */
export const sweepGrants: Sweep = async (db, schoolId, { most, after }) =>
  next(
    await db.first(sql<Looked>`
      with looked as materialized (
        select id from grants where school_id = ${schoolId} and (${after}::uuid is null or id > ${after}::uuid)
        order by id limit ${most}
      ), old as materialized (
        select g.id from looked
        join grants g on g.school_id = ${schoolId} and g.id = looked.id
        join schools s on s.id = g.school_id
        join clients c on c.school_id = g.school_id and c.id = g.client_id
        left join refresh_families f on f.school_id = g.school_id and f.grant_id = g.id
        where ${ended} and (${isAnsweredFor} or ${isForgotten}) and not exists (
          select from access_tokens t where t.school_id = ${schoolId} and t.grant_id = g.id)
        for update of g skip locked
      ), families as (
        delete from refresh_families where school_id = ${schoolId} and grant_id in (select id from old)
      ), gone as (
        delete from grants where school_id = ${schoolId} and id in (select id from old)
      )
      select count(*)::integer as looked, (array_agg(id order by id desc))[1] as last from looked`),
    most,
  )

/**
 * Clients of which no approval is left and that nobody has seen for a month, so never consented to, or forgotten for two
 * years; not those the school arranged or removed.
 */
export const sweepClients: Sweep = async (db, schoolId, { most, after }) =>
  next(
    await db.first(sql<Looked>`
      with looked as materialized (
        select id from clients where school_id = ${schoolId} and (${after}::text is null or id > ${after}::text)
        order by id limit ${most}
      ), old as materialized (
        select c.id from looked
        join clients c on c.school_id = ${schoolId} and c.id = looked.id
        where c.arranged_at is null and c.blocked_at is null and c.last_seen_at < stoa.now() - interval '30 days'
          and not exists (select from grants g where g.school_id = ${schoolId} and g.client_id = c.id)
          and not exists (select from authorization_requests r where r.school_id = ${schoolId} and r.client_id = c.id)
        for update of c skip locked
      ), secrets as (
        delete from client_secrets where school_id = ${schoolId} and client_id in (select id from old)
      ), gone as (
        delete from clients where school_id = ${schoolId} and id in (select id from old)
      )
      select count(*)::integer as looked, (array_agg(id order by id desc))[1] as last from looked`),
    most,
  )

/** Everything the authorization server sweeps, what refers to others first. */
export const oauthSweeps: readonly Sweep[] = [sweepRequests, sweepAccessTokens, sweepGrants, sweepClients]
