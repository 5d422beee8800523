import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** An approval found by its code, with what the tokens will say. */
export type CodeGrant = {
  readonly id: string
  readonly member_id: string
  readonly client_id: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly redirect_uri: string
  readonly code_challenge: string
  readonly nonce: string | null
  readonly session_id: string
  readonly amr: readonly string[]
  readonly auth_time: Date
  readonly is_used: boolean
  readonly is_expired: boolean
  readonly is_revoked: boolean
  readonly now: Date
}

/** The approval this code belongs to, used and expired ones too. */
export const findGrantByCode = (db: Db, schoolId: string, codeHash: Buffer): Promise<CodeGrant | undefined> =>
  db.first(sql<CodeGrant>`
    select g.id, g.member_id, g.client_id, g.scopes, g.resources, g.redirect_uri, g.code_challenge, g.nonce, g.session_id,
      g.amr, g.auth_time, g.code_used_at is not null as is_used, g.code_expires_at <= stoa.now() as is_expired,
      g.revoked_at is not null or m.status <> 'active' as is_revoked, stoa.now() as now
    from grants g join members m on m.school_id = g.school_id and m.id = g.member_id
    where g.school_id = ${schoolId} and g.code_hash = ${codeHash}`)

type Issued = {
  readonly grantId: string
  readonly codeHash: Buffer
  readonly tokenHash: Buffer
  readonly resource: string
  readonly scopes: readonly string[]
  readonly seconds: number
}

/**
 * Uses the code and stores the access token in one statement, so that of parallel exchanges one gets it all.
 * Gives the seconds the token lives; undefined when another exchange came first.
 */
export const exchangeCode = (db: Db, schoolId: string, issued: Issued): Promise<{ expires_in: number } | undefined> =>
  db.first(sql<{ expires_in: number }>`
    with used as (
      update grants set code_used_at = stoa.now()
      where school_id = ${schoolId} and id = ${issued.grantId} and code_hash = ${issued.codeHash}
        and code_used_at is null and revoked_at is null and code_expires_at > stoa.now()
      returning school_id, id, code_used_at, expires_at
    )
    insert into access_tokens (school_id, token_hash, grant_id, resource, scopes, issued_at, expires_at)
    select school_id, ${issued.tokenHash}, id, ${issued.resource}, ${issued.scopes}, code_used_at,
      least(code_used_at + make_interval(secs => ${issued.seconds}), expires_at)
    from used
    returning floor(extract(epoch from expires_at - issued_at))::integer as expires_in`)

/** Ends an approval and everything it gave, and keeps the event; nothing happens to one that has ended. */
export const revokeGrant = (
  db: Db,
  schoolId: string,
  grant: { readonly id: string; readonly reason: string; readonly eventId: string },
): Promise<number> =>
  db.run(sql`
    with ended as (
      update grants set revoked_at = stoa.now(), revoked_for = ${grant.reason}
      where school_id = ${schoolId} and id = ${grant.id} and revoked_at is null
      returning school_id, id, member_id, client_id, revoked_at
    )
    insert into security_events (school_id, id, kind, member_id, client_id, grant_id, recorded_at)
    select school_id, ${grant.eventId}, ${grant.reason}, member_id, client_id, id, revoked_at from ended`)

/** Who a living access token speaks for. */
export type TokenRow = {
  readonly grant_id: string
  readonly client_id: string
  readonly scopes: readonly string[]
  readonly resource: string
  readonly member_id: string
  readonly role: 'member' | 'lecturer' | 'admin' | 'owner'
}

/** The living access token with this hash. */
export const findToken = (db: Db, schoolId: string, tokenHash: Buffer): Promise<TokenRow | undefined> =>
  db.first(sql<TokenRow>`
    select t.grant_id, g.client_id, t.scopes, t.resource, g.member_id, m.role
    from access_tokens t
    join grants g on g.school_id = t.school_id and g.id = t.grant_id
    join members m on m.school_id = g.school_id and m.id = g.member_id
    join clients c on c.school_id = g.school_id and c.id = g.client_id
    where t.school_id = ${schoolId} and t.token_hash = ${tokenHash}
      and t.revoked_at is null and t.expires_at > stoa.now()
      and g.revoked_at is null and g.expires_at > stoa.now()
      and m.status = 'active' and c.blocked_at is null`)
