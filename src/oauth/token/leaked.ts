import type { Database } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid } from '#src/kit/ids.ts'
import { endGrant } from './end.ts'
import { moveEpoch } from './presented.queries.ts'
import { findOwner, type Presented } from './presented.ts'

/** The result of revoking a leaked value: its client, and whether its grant was active until now. */
export type RevokedToken = {
  readonly school: School
  readonly clientId: string
  readonly grantId: string
  readonly isNew: boolean
}

/** Ends the grant of a leaked code or token at any school; undefined when no school knows it. */
export const revokeLeaked = async (
  database: Database,
  schools: readonly School[],
  leaked: Presented,
): Promise<RevokedToken | undefined> => {
  for (const school of schools) {
    const owner = await database.statements(school.id, db => findOwner(db, school.id, leaked))
    if (owner === undefined) continue
    const isNew = await endGrant(database, school, owner.grant_id, 'token_leaked')
    return { school, clientId: owner.client_id, grantId: owner.grant_id, isNew }
  }
  return undefined
}

/**
 * Invalidates every grant of a school from before an instant, by default now; undefined for an instant in the future.
 */
export const expireTokens = (database: Database, school: School, before: Date | undefined): Promise<Date | undefined> =>
  database.transaction(school.id, async (db, now) => {
    const moved = await moveEpoch(db, school.id, { before, eventId: newUuid(now.getTime()) })
    return moved?.at
  })
