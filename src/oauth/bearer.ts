import { hash } from 'node:crypto'
import type { Caller, WithToken } from '#src/contract/caller.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { DECISION_MS, type Instant, type Invalidation } from '#src/db/invalidation.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { isToken } from '#src/kit/token.ts'
import { findToken, shareLockGrant, type TokenRow } from './token/queries.ts'

/** The caller that a token represents, and the resource it is bound to. */
type Bearer = { readonly caller: WithToken; readonly resource: string }

/** Finds an active access token of a school. */
export type FindBearer = (school: School, token: string) => Promise<Bearer | undefined>

// The decision about a token, when its statement was sent, and when the token expires by the database's clock.
type Decision = { readonly bearer: Bearer; readonly requestedAt: Instant; readonly endsAt: number }

const MAX_DECISIONS = 20_000
const MAX_AGE_MS = 60_000

const buildBearer = (row: TokenRow): Bearer => {
  const { grant_id: grantId, client_id: clientId, member_id: id, role, scopes, resource } = row
  return { caller: { member: { id, role }, clientId, grantId, scopes: new Set(scopes) }, resource }
}

// A decision is as old as the last heartbeat before which no change of its school was received. Without a recent
// heartbeat no decision is used.
const isUsable = (
  { requestedAt, endsAt }: Decision,
  changes: Invalidation,
  heartbeat: Instant,
  schoolId: string,
): boolean => {
  const now = performance.now()
  if (now - heartbeat.at >= DECISION_MS || now - requestedAt.at > MAX_AGE_MS) return false
  if (requestedAt.at <= changes.changedAt(schoolId)) return false
  const { at, clock } = heartbeat.at > requestedAt.at ? heartbeat : requestedAt
  return clock + (now - at) < endsAt
}

/** Finds active access tokens and caches the decisions about them; malformed tokens are refused without a query. */
export const createBearers = (database: Database, changes: Invalidation): FindBearer => {
  const decisions = new Map<string, Decision>()

  const keep = (key: string, decision: Decision): void => {
    decisions.set(key, decision)
    const [oldest] = decisions.size > MAX_DECISIONS ? decisions.keys() : []
    if (oldest !== undefined) decisions.delete(oldest)
  }

  return async (school, token) => {
    // Tokens themselves are not kept in memory.
    const key = `${school.id} ${hash('sha256', token, 'base64url')}`
    const heartbeat = changes.heardUntil()
    const cached = decisions.get(key)
    if (cached !== undefined && isUsable(cached, changes, heartbeat, school.id)) return cached.bearer
    decisions.delete(key)
    if (!isToken('stoa_at_', token)) return undefined
    let at = Number.NEGATIVE_INFINITY
    const row = await database.statements(school.id, db => {
      at = performance.now()
      return findToken(db, school.id, sha256(token))
    })
    if (row === undefined) return undefined
    const bearer = buildBearer(row)
    keep(key, { bearer, requestedAt: { at, clock: row.now.getTime() }, endsAt: row.ends_at.getTime() })
    return bearer
  }
}

/** Finds the caller of the API by a token bound to this resource. */
export const createAuthenticate =
  (findBearer: FindBearer) =>
  async (school: School, token: string, resource: string): Promise<Caller | undefined> => {
    const bearer = await findBearer(school, token)
    return bearer?.resource === resource ? bearer.caller : undefined
  }

/** The caller of an active grant, locked until the transaction ends; undefined when the grant has ended. */
export const lockCaller = async (db: Db, schoolId: string, grantId: string): Promise<Caller | undefined> => {
  const row = await shareLockGrant(db, schoolId, grantId)
  if (row === undefined) return undefined
  const { client_id: clientId, member_id: id, role, scopes } = row
  return { member: { id, role }, clientId, grantId, scopes: new Set(scopes) }
}
