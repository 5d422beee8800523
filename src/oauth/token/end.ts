import { accessEnded } from '#src/contract/access-ended.ts'
import type { Database } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { newUuid } from '#src/kit/ids.ts'
import { revokeGrant } from './queries.ts'

/**
 * Ends a grant, all its tokens, and what its app has by it, with a security event of this kind; returns whether it was active.
 */
export const endGrant = async (database: Database, school: School, id: string, reason: string): Promise<boolean> =>
  database.transaction(school.id, async (db, now) => {
    const ended = await revokeGrant(db, school.id, { id, reason, eventId: newUuid(now.getTime()) })
    if (ended === undefined) return false
    await accessEnded.call({ memberId: ended.member_id, clientId: ended.client_id, now }, { db, school })
    return true
  })
