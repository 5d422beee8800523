import type { Caller, WithToken } from '#src/contract/caller.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { DECISION_MS, type Instant, type Invalidation } from '#src/db/invalidation.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { isToken } from '#src/kit/token.ts'
import { findToken, holdGrant, type TokenRow } from './token/queries.ts'

/** Who a token speaks for, and the resource it is bound to. */
export type Bearer = { readonly caller: WithToken; readonly resource: string }

/** Finds a living access token of a school. */
export type FindBearer = (school: School, token: string) => Promise<Bearer | undefined>

// What was decided of a token, when its statement was sent, and when the token ends by the database's clock.
type Kept = { readonly bearer: Bearer; readonly asked: Instant; readonly endsAt: number }

const MOST = 20_000
const LONGEST_MS = 60_000

const bearerOf = (row: TokenRow): Bearer => {
  const { grant_id: grantId, client_id: clientId, member_id: id, role, scopes, resource } = row
  return { caller: { member: { id, role }, clientId, grantId, scopes: new Set(scopes) }, resource }
}

// A decision is as old as the last heartbeat before which no change of its school was heard. Without one none is used.
const isGood = ({ asked, endsAt }: Kept, changes: Invalidation, heard: Instant, schoolId: string): boolean => {
  const now = performance.now()
  if (now - heard.at >= DECISION_MS || now - asked.at > LONGEST_MS) return false
  if (asked.at <= changes.changedAt(schoolId)) return false
  const { at, clock } = heard.at > asked.at ? heard : asked
  return clock + (now - at) < endsAt
}

/** Finds living access tokens and keeps what was decided of them; wrong shapes are refused before anything is asked. */
export const createBearers = (database: Database, changes: Invalidation): FindBearer => {
  const decisions = new Map<string, Kept>()

  const keep = (key: string, kept: Kept): void => {
    decisions.set(key, kept)
    const [oldest] = decisions.size > MOST ? decisions.keys() : []
    if (oldest !== undefined) decisions.delete(oldest)
  }

  return async (school, token) => {
    if (!isToken('stoa_at_', token)) return undefined
    const tokenHash = sha256(token)
    const key = `${school.id} ${tokenHash.toString('base64')}`
    const heard = changes.heardUntil()
    const known = decisions.get(key)
    if (known !== undefined && isGood(known, changes, heard, school.id)) return known.bearer
    decisions.delete(key)
    let at = Number.NEGATIVE_INFINITY
    const row = await database.statements(school.id, db => {
      at = performance.now()
      return findToken(db, school.id, tokenHash)
    })
    if (row === undefined) return undefined
    const bearer = bearerOf(row)
    keep(key, { bearer, asked: { at, clock: row.now.getTime() }, endsAt: row.ends_at.getTime() })
    return bearer
  }
}

/** Finds who calls the API with a token bound to this resource. */
export const createAuthenticate =
  (findBearer: FindBearer) =>
  async (school: School, token: string, resource: string): Promise<Caller | undefined> => {
    const bearer = await findBearer(school, token)
    return bearer?.resource === resource ? bearer.caller : undefined
  }

/** Who an approval still speaks for, held until the transaction ends; undefined when it has ended. */
export const holdCaller = async (db: Db, schoolId: string, grantId: string): Promise<Caller | undefined> => {
  const row = await holdGrant(db, schoolId, grantId)
  if (row === undefined) return undefined
  const { client_id: clientId, member_id: id, role, scopes } = row
  return { member: { id, role }, clientId, grantId, scopes: new Set(scopes) }
}
