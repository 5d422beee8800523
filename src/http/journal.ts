import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import { sql } from '#src/db/sql.ts'
import { newUuid } from '#src/kit/ids.ts'

/** What a write changed: ids on the wire, names of fields, the revision after. Values never. */
export type Change = { readonly ids: readonly string[]; readonly fields: readonly string[]; readonly revision?: number }

type Entry = {
  readonly schoolId: string
  readonly caller: Caller
  readonly operation: string
  readonly requestId: string
  readonly now: Date
}

const IDS = 100

/** Writes the audit entry of a write, in its transaction. */
export const writeAudit = (db: Db, entry: Entry, change: Change): Promise<number> =>
  db.run(sql`
    insert into audit_log
      (school_id, id, recorded_at, member_id, client_id, operation, resource_ids, resource_count, fields, revision, request_id)
    values (${entry.schoolId}, ${newUuid(entry.now.getTime())}, ${entry.now}, ${entry.caller.member?.id}, ${entry.caller.clientId},
      ${entry.operation}, ${change.ids.slice(0, IDS)}, ${change.ids.length}, ${change.fields}, ${change.revision}, ${entry.requestId})`)

/** Writes facts, in the transaction of what they tell. */
export const writeFacts = (db: Db, entry: Entry, facts: readonly Fact[]): Promise<unknown> =>
  Promise.all(
    facts.map(fact =>
      db.run(sql`
        insert into facts (school_id, id, kind, about, recorded_at)
        values (${entry.schoolId}, ${newUuid(entry.now.getTime())}, ${fact.kind}, ${JSON.stringify(fact.about)}, ${entry.now})`),
    ),
  )
