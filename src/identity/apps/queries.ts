import type { Db } from '#src/contract/db.ts'
import { oneRow } from '#src/db/key.ts'
import { sql } from '#src/db/sql.ts'

/** An app with an active grant of a member. */
export type ConnectedApp = {
  /** The first half of the hash of the client's id: identifies the app in URLs, whatever its own id looks like. */
  readonly id: string
  readonly client_id: string
  readonly name: string
  /** Whether the school pre-registered the client. */
  readonly is_pre_registered: boolean
  /** The scopes of all its active grants. */
  readonly scopes: readonly string[]
  readonly connected_at: Date
  /** When the person last granted it access. */
  readonly approved_at: Date
  readonly last_used_at: Date
  /** When its last grant expires. */
  readonly expires_at: Date
}

const appId = sql`encode(substring(sha256(convert_to(g.client_id, 'UTF8')) from 1 for 16), 'hex')::uuid`

const isActive = sql`g.revoked_at is null and g.expires_at > (select now from clock) and g.created_at >= s.tokens_epoch
  and (g.code_used_at is not null or g.code_expires_at > (select now from clock))`

/** The apps a member has connected, the newest first. */
export const listApps = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<ConnectedApp>`
    with clock as materialized (select stoa.now() as now), own as materialized (
      select * from grants where school_id = ${schoolId} and member_id = ${memberId}
    )
    select ${appId} as id, g.client_id, c.name, c.arranged_at is not null as is_pre_registered,
      (select array_agg(distinct scope order by scope)
        from own o, unnest(o.scopes) as scope where o.id = any (array_agg(g.id))) as scopes,
      min(g.created_at) as connected_at, max(g.created_at) as approved_at,
      max(coalesce(f.last_used_at, g.code_used_at, g.created_at)) as last_used_at, max(g.expires_at) as expires_at
    from own g
    join schools s on s.id = ${schoolId}
    cross join lateral ${oneRow(sql`from clients`, schoolId, { id: sql`g.client_id` })} as c
    left join lateral ${oneRow(sql`from refresh_families`, schoolId, { grant_id: sql`g.id` })} as f on true
    where ${isActive} and c.blocked_at is null
    group by g.client_id, c.name, c.arranged_at
    order by min(g.created_at) desc, g.client_id`)

/** The name of an app by the id of its client, whether or not it is connected; empty when it has none. */
export const findAppName = async (db: Db, schoolId: string, clientId: string): Promise<string> =>
  (
    await db.first(sql<{ name: string }>`
      select c.name from ${oneRow(sql`from clients`, schoolId, { id: clientId })} as c`)
  )?.name ?? ''

/** An app in the name of a member. */
type AppPair = { readonly client_id: string; readonly member_id: string }

/** What an app may do in the name of a member. */
type AppAccess = AppPair & {
  readonly name: string
  /** The scopes of the grants that have not ended; empty where there is none, or the member is not active staff. */
  readonly scopes: readonly string[]
}

/** What each of these apps may do in the name of a member of the staff; without the clients that do not exist. */
export const listStaffAppAccess = (db: Db, schoolId: string, pairs: readonly AppPair[]): Promise<AppAccess[]> =>
  db.all(sql<AppAccess>`
    with clock as materialized (select stoa.now() as now), pair as materialized (
      select distinct client_id, member_id
      from unnest(${pairs.map(pair => pair.client_id)}::text[], ${pairs.map(pair => pair.member_id)}::uuid[]) as p (client_id, member_id)
    )
    select p.client_id, p.member_id, c.name,
      case when m.status = 'active' and m.role in ('admin', 'owner') and c.blocked_at is null then coalesce((
        select array_agg(distinct scope order by scope) from grants g cross join unnest(g.scopes) as scope
        where g.school_id = ${schoolId} and g.member_id = p.member_id and g.client_id = p.client_id and ${isActive}), '{}')
      else '{}' end as scopes
    from pair p
    join schools s on s.id = ${schoolId}
    join members m on m.school_id = ${schoolId} and m.id = p.member_id
    join clients c on c.school_id = ${schoolId} and c.id = p.client_id`)

/** How many apps the members of a school have connected. */
export const countConnectedApps = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      with clock as materialized (select stoa.now() as now)
      select count(distinct g.client_id)::integer as count
      from grants g
      join schools s on s.id = g.school_id
      join members m on m.school_id = g.school_id and m.id = g.member_id
      join clients c on c.school_id = g.school_id and c.id = g.client_id
      where g.school_id = ${schoolId} and ${isActive} and m.status = 'active' and c.blocked_at is null`)
  ).count

/**
 * Ends every grant of a member to an app, records the event, and returns the app's name; undefined when no grant was
 * active.
 */
export const endApp = (
  db: Db,
  schoolId: string,
  app: { readonly id: string; readonly memberId: string; readonly eventId: string },
): Promise<{ readonly client_id: string; readonly name: string } | undefined> =>
  db.first(sql<{ client_id: string; name: string }>`
    with clock as materialized (select stoa.now() as now), ended as (
      update grants g set revoked_at = (select now from clock), revoked_for = 'person_withdrew'
      where g.school_id = ${schoolId} and g.member_id = ${app.memberId} and ${appId} = ${app.id}::uuid
        and g.revoked_at is null and g.expires_at > (select now from clock)
      returning g.school_id, g.client_id, g.revoked_at
    ), told as (
      insert into security_events (school_id, id, kind, member_id, client_id, recorded_at)
      select school_id, ${app.eventId}, 'person_withdrew', ${app.memberId}, client_id, revoked_at from ended limit 1
    )
    select c.id as client_id, c.name from clients c
    where c.school_id = ${schoolId} and c.id = (select client_id from ended limit 1)`)

/** Ends every grant of a member to any app. */
export const endMemberGrants = (db: Db, schoolId: string, memberId: string, reason: string) =>
  db.run(sql`
    update grants set revoked_at = (select stoa.now()), revoked_for = ${reason}
    where school_id = ${schoolId} and member_id = ${memberId} and revoked_at is null`)

/** Ends the pending authorizations of a member, and their codes that were not exchanged yet. */
export const endApprovalsUnderWay = async (db: Db, schoolId: string, memberId: string): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update authorization_requests set expires_at = (select now from clock)
    where school_id = ${schoolId} and member_id = ${memberId} and decision is null and expires_at > (select now from clock)`)
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update grants set code_expires_at = (select now from clock)
    where school_id = ${schoolId} and member_id = ${memberId} and code_used_at is null
      and code_expires_at > (select now from clock)`)
}
