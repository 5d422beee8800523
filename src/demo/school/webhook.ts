import { addDisabledWebhook } from '#src/areas/apps/index.ts'
import type { Database } from '#src/contract/db.ts'
import { people } from '../people/people.ts'
import { findMemberId, hasRows } from '../queries.ts'

/** Adds a webhook that is turned off, since nobody receives it. Does nothing if there is one. */
export const createDemoWebhook = (
  database: Database,
  schoolId: string,
  keyFor: (purpose: string) => Buffer,
): Promise<boolean> =>
  database.transaction(schoolId, async (db, now) => {
    const memberId = await findMemberId(db, schoolId, people.ada.email)
    if (memberId === undefined || (await hasRows(db, schoolId, 'webhooks'))) return false
    await addDisabledWebhook(
      db,
      { schoolId, now, keyFor },
      {
        memberId,
        url: 'https://books.crumb.example/stoa',
        types: ['order.paid', 'refund.succeeded', 'invoice.*', 'credit_note.*'],
        description: 'Bookkeeping',
        ordered: true,
      },
    )
    return true
  })
