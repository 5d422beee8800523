import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { ResourceChange } from '#src/contract/operation.ts'
import { newUuid } from '#src/kit/ids.ts'
import { insertAudit, insertFact } from './queries.ts'

type Entry = {
  readonly schoolId: string
  readonly caller: Caller
  readonly operation: string
  readonly requestId: string
  readonly now: Date
}

const IDS = 100

/** Writes the audit entry of a write, in its transaction. */
export const writeAudit = (db: Db, entry: Entry, change: ResourceChange): Promise<number> =>
  insertAudit(db, entry.schoolId, {
    id: newUuid(entry.now.getTime()),
    at: entry.now,
    memberId: entry.caller.member?.id,
    clientId: entry.caller.clientId,
    operation: entry.operation,
    resourceIds: change.ids.slice(0, IDS),
    resourceCount: change.ids.length,
    fields: change.fields,
    revision: change.revision,
    aboutId: change.memberId,
    requestId: entry.requestId,
  })

/** Writes facts, in the transaction of what they tell. */
export const writeFacts = (db: Db, entry: Entry, facts: readonly Fact[]): Promise<unknown> =>
  Promise.all(
    facts.map(({ type, payload }) =>
      insertFact(db, entry.schoolId, {
        id: newUuid(entry.now.getTime()),
        type,
        payload: JSON.stringify(payload),
        at: entry.now,
      }),
    ),
  )
