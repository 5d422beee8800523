import type { Database } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid } from '#src/kit/ids.ts'
import { endGrant } from './end.ts'
import { moveEpoch } from './presented.queries.ts'
import { findOwner, type Presented } from './presented.ts'

/** What became of a leaked value: whose it was, and whether its approval lived until now. */
export type RevokedToken = {
  readonly school: School
  readonly clientId: string
  readonly grantId: string
  readonly isNew: boolean
}

/** Ends the approval that a leaked code or token came from, whichever school it is of; undefined when nobody's. */
export const revokeLeaked = async (
  database: Database,
  schools: readonly School[],
  leaked: Presented,
): Promise<RevokedToken | undefined> => {
  for (const school of schools) {
    const owner = await database.statements(school.id, db => findOwner(db, school.id, leaked))
    if (owner === undefined) continue
    const isNew = await endGrant(database, school.id, owner.grant_id, 'token_leaked')
    return { school, clientId: owner.client_id, grantId: owner.grant_id, isNew }
  }
  return undefined
}

/** Kills every approval of a school made before an instant, or before now; undefined for an instant in the future. */
export const expireTokens = (database: Database, school: School, before: Date | undefined): Promise<Date | undefined> =>
  database.transaction(school.id, async (db, now) => {
    const moved = await moveEpoch(db, school.id, { before, eventId: newUuid(now.getTime()) })
    return moved?.at
  })
