import type { Caller, SignedIn } from '#src/contract/caller.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { isToken } from '#src/kit/token.ts'
import { findToken, holdGrant } from './token/queries.ts'

/** Who a token speaks for, and the resource it is bound to. */
export type Bearer = { readonly caller: SignedIn; readonly resource: string }

/** Finds a living access token of a school; wrong shapes are refused before the database is asked. */
export const findBearer = async (database: Database, school: School, token: string): Promise<Bearer | undefined> => {
  if (!isToken('stoa_at_', token)) return undefined
  const row = await database.read(school.id, db => findToken(db, school.id, sha256(token)))
  if (row === undefined) return undefined
  const { grant_id: grantId, client_id: clientId, member_id: id, role, scopes, resource } = row
  return { caller: { member: { id, role }, clientId, grantId, scopes: new Set(scopes) }, resource }
}

/** Finds who calls the API with a token bound to this resource. */
export const createAuthenticate =
  (database: Database) =>
  async (school: School, token: string, resource: string): Promise<Caller | undefined> => {
    const bearer = await findBearer(database, school, token)
    return bearer?.resource === resource ? bearer.caller : undefined
  }

/** Who an approval still speaks for, held until the transaction ends; undefined when it has ended. */
export const holdCaller = async (db: Db, schoolId: string, grantId: string): Promise<Caller | undefined> => {
  const row = await holdGrant(db, schoolId, grantId)
  if (row === undefined) return undefined
  const { client_id: clientId, member_id: id, role, scopes } = row
  return { member: { id, role }, clientId, grantId, scopes: new Set(scopes) }
}
