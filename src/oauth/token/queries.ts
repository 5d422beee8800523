import type { Db, Statement } from '#src/contract/db.ts'
import { oneRow } from '#src/db/key.ts'
import { sql } from '#src/db/sql.ts'
import { type Client, clientRow, LONGEST_ID } from '../clients/queries.ts'

/** The condition that a grant `g` of member `m` at school `s` is active: without it none of its tokens is valid. */
export const isGrantActive = sql`(g.revoked_at is null and g.expires_at > (select now from clock)
  and g.created_at >= s.tokens_epoch and m.status = 'active')`

/** The access token with this hash, as a table of one row. */
export const accessToken = (schoolId: string, tokenHash: Buffer): Statement =>
  oneRow(sql`from access_tokens`, schoolId, { token_hash: tokenHash })

/** The refresh family with this handle, as a table of one row. */
export const refreshFamily = (schoolId: string, handleHash: Buffer): Statement =>
  oneRow(sql`from refresh_families`, schoolId, { handle_hash: handleHash })

/** Joins the grant `g` with the id in a column. */
export const joinGrant = (schoolId: string, id: Statement): Statement => sql`
  cross join lateral ${oneRow(sql`from grants`, schoolId, { id })} as g`

/** Joins the school `s` and the member `m` of a grant `g`. */
export const joinMember = (schoolId: string, lock?: Statement): Statement => sql`
  cross join lateral ${oneRow(sql`from members`, schoolId, { id: sql`g.member_id` }, lock)} as m
  cross join lateral (select * from schools where id = ${schoolId} offset 0) as s`

/** Joins the client `c` of a grant `g`. */
export const joinClient = (schoolId: string): Statement => sql`
  cross join lateral ${oneRow(sql`from clients`, schoolId, { id: sql`g.client_id` })} as c`

/** The lifetimes of the tokens of an exchange or refresh, in seconds. */
export type ExpiresIn = { readonly expires_in: number; readonly refresh_expires_in: number | null }

/**
 * The instant at which a refresh family `f` ends if it is not used again; `idleSeconds` is how long it may be unused.
 */
export const familyEnd = (idleSeconds: number | Statement) =>
  sql`least(f.expires_at, f.last_used_at + make_interval(secs => ${idleSeconds}))`

/** Whole seconds from one instant to another, rounded up. */
export const secondsUntil = (until: Statement, from: Statement) =>
  sql`ceil(extract(epoch from ${until} - ${from}))::integer`

/** Whose grant has ended. */
type EndedGrant = { readonly member_id: string; readonly client_id: string }

/** Ends a grant with all its tokens, and records the event; returns whose it was, nothing if it had ended. */
export const revokeGrant = (
  db: Db,
  schoolId: string,
  grant: { readonly id: string; readonly reason: string; readonly eventId: string },
) =>
  db.first(sql<EndedGrant>`
    with ended as (
      update grants set revoked_at = (select stoa.now()), revoked_for = ${grant.reason}
      where school_id = ${schoolId} and id = ${grant.id} and revoked_at is null
      returning school_id, id, member_id, client_id, revoked_at
    )
    insert into security_events (school_id, id, kind, member_id, client_id, grant_id, recorded_at)
    select school_id, ${grant.eventId}, ${grant.reason}, member_id, client_id, id, revoked_at from ended
    returning member_id, client_id`)

/** The caller of an active access token. */
export type TokenRow = {
  readonly grant_id: string
  readonly client_id: string
  readonly scopes: readonly string[]
  readonly resource: string
  readonly member_id: string
  readonly role: 'member' | 'lecturer' | 'admin' | 'owner'
  readonly issued_at: Date
  readonly expires_at: Date
  /** When the token or its grant expires, whichever is first. */
  readonly ends_at: Date
  readonly now: Date
}

const activeToken = (schoolId: string, tokenHash: Buffer): Statement => sql`(
  select t.grant_id, g.client_id, t.scopes, t.resource, g.member_id, m.role, t.issued_at, t.expires_at,
    least(t.expires_at, g.expires_at) as ends_at, (select now from clock) as now
  from ${accessToken(schoolId, tokenHash)} as t ${joinGrant(schoolId, sql`t.grant_id`)} ${joinMember(schoolId)}
    ${joinClient(schoolId)}
  where t.revoked_at is null and t.expires_at > (select now from clock) and ${isGrantActive} and c.blocked_at is null)`

/** The active access token with this hash. */
export const findToken = (db: Db, schoolId: string, tokenHash: Buffer) =>
  db.first(sql<TokenRow>`
    with clock as materialized (select stoa.now() as now) select * from ${activeToken(schoolId, tokenHash)} as t`)

/** A client, blocked ones too, with the active access token of this hash; its fields are null when there is none. */
export const findClientAndToken = async (
  db: Db,
  schoolId: string,
  clientId: string,
  tokenHash: Buffer,
): Promise<(Client & (TokenRow | { readonly grant_id: null })) | undefined> => {
  if (clientId.length > LONGEST_ID) return undefined
  return db.first(sql<Client & (TokenRow | { readonly grant_id: null })>`
    with clock as materialized (select stoa.now() as now)
    select * from ${clientRow(schoolId, clientId)} as c left join lateral ${activeToken(schoolId, tokenHash)} as t on true`)
}

/** The caller of an active grant, with shared locks on the grant and the member until the transaction ends. */
export const shareLockGrant = (db: Db, schoolId: string, id: string) =>
  db.first(sql<Pick<TokenRow, 'client_id' | 'member_id' | 'role' | 'scopes'>>`
    with clock as materialized (select stoa.now() as now)
    select g.client_id, g.member_id, m.role, g.scopes
    from ${oneRow(sql`from grants`, schoolId, { id }, sql`for share`)} as g
      ${joinMember(schoolId, sql`for share`)} ${joinClient(schoolId)}
    where ${isGrantActive} and c.blocked_at is null`)
