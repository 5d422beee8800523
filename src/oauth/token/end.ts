import type { Database } from '#src/contract/db.ts'
import { newUuid } from '#src/kit/ids.ts'
import { revokeGrant } from './queries.ts'

/** Ends a grant and all its tokens, with a security event of this kind; returns whether it was active. */
export const endGrant = async (database: Database, schoolId: string, id: string, reason: string): Promise<boolean> =>
  database.transaction(schoolId, async (db, now) => {
    const ended = await revokeGrant(db, schoolId, { id, reason, eventId: newUuid(now.getTime()) })
    return ended === 1
  })
