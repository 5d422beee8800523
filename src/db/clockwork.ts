import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import { newUuid } from '#src/kit/ids.ts'
import { recordFacts } from './facts.ts'
import { sql } from './sql.ts'

/** What happened because its time had come, and what of whom it changed. */
export type ByClock = {
  readonly at: Date
  readonly facts: readonly Fact[]
  /** The operation by which a person does the same. */
  readonly operation: string
  readonly ids: readonly string[]
  readonly fields: readonly string[]
  readonly revision: number
  readonly memberId?: string
}

/** Records what the worker did, in its transaction: the facts, and a line in the audit log without an actor. */
export const recordByClock = async (db: Db, schoolId: string, done: ByClock): Promise<void> => {
  const { at, facts, ids } = done
  await recordFacts(db, { schoolId, now: at }, facts)
  await db.run(sql`
    insert into audit_log (school_id, id, recorded_at, operation, resource_ids, resource_count, fields, revision, about_id,
      request_id)
    values (${schoolId}, ${newUuid(at.getTime())}, ${at}, ${done.operation}, ${ids}, ${ids.length}, ${done.fields}, ${done.revision},
      ${done.memberId}, 'worker')`)
}
