import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import { newUuid } from '#src/kit/ids.ts'
import { sql } from './sql.ts'

/** Records a fact of the worker, in the transaction of what it tells. */
export const recordFact = (db: Db, schoolId: string, { type, payload }: Fact, at: Date): Promise<number> =>
  db.run(sql`
    insert into facts (school_id, id, type, payload, recorded_at)
    values (${schoolId}, ${newUuid(at.getTime())}, ${type}, ${JSON.stringify(payload)}, ${at})`)

/** What the worker changed, for the audit log. */
export type WorkDone = {
  /** The operation that would have done the same, or that asked for it. */
  readonly operation: string
  /** The id on the wire of what changed. */
  readonly id: string
  readonly fields: readonly string[]
  readonly revision?: number | undefined
  /** The member whom it happened to. */
  readonly memberId?: string | undefined
}

/** Notes in the audit log what the worker changed, in the transaction in which it did. */
export const auditWork = (db: Db, schoolId: string, done: WorkDone, at: Date): Promise<number> =>
  db.run(sql`
    insert into audit_log (school_id, id, recorded_at, operation, resource_ids, resource_count, fields, revision, about_id,
      request_id)
    values (${schoolId}, ${newUuid(at.getTime())}, ${at}, ${done.operation}, ${[done.id]}, 1, ${done.fields},
      ${done.revision}, ${done.memberId}::uuid, 'worker')`)
