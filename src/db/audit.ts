import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { ResourceChange } from '#src/contract/operation.ts'
import { newUuid } from '#src/kit/ids.ts'
import { sql } from './sql.ts'

/** Where and when something is recorded: in a school, at the instant of the transaction. */
export type RecordedAt = { readonly schoolId: string; readonly now: Date }

/** Who changed something, by which operation. */
export type AuditSource = RecordedAt & {
  readonly operation: string
  readonly requestId: string
  /** The person behind the request, as a row's id. */
  readonly memberId?: string | undefined
  readonly clientId?: string | undefined
}

const MAX_IDS = 100
const WORKER = 'worker'

/** Records facts, in the transaction of what they report. */
export const recordFacts = async (db: Db, { schoolId, now }: RecordedAt, facts: readonly Fact[]): Promise<void> => {
  if (facts.length === 0) return
  const rows = facts.map(({ type, payload }) => ({ id: newUuid(now.getTime()), type, payload }))
  await db.run(sql`
    insert into facts (school_id, id, type, payload, recorded_at)
    select ${schoolId}::uuid, f.id, f.type, f.payload, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as f (id uuid, type text, payload jsonb)`)
}

/** Writes an audit entry, in the transaction of the change: ids and names of fields, never values. */
export const recordChange = async (db: Db, source: AuditSource, change: ResourceChange): Promise<void> => {
  const { schoolId, now, operation, requestId, memberId, clientId } = source
  await db.run(sql`
    insert into audit_log
      (school_id, id, recorded_at, member_id, client_id, operation, resource_ids, resource_count, fields, revision, about_id,
        request_id)
    values (${schoolId}, ${newUuid(now.getTime())}, ${now}, ${memberId}, ${clientId}, ${operation},
      ${change.ids.slice(0, MAX_IDS)}, ${change.ids.length}, ${change.fields}, ${change.revision}, ${change.memberId}::uuid,
      ${requestId})`)
}

/** Records what one write did: its facts, and an audit entry for each change. */
export const recordWrite = async (
  db: Db,
  source: AuditSource,
  { facts, changes }: { readonly facts: readonly Fact[]; readonly changes: readonly ResourceChange[] },
): Promise<void> => {
  await Promise.all([recordFacts(db, source, facts), ...changes.map(change => recordChange(db, source, change))])
}

/** Records what the worker did: its facts, and an audit entry without a person under the operation that does the same. */
export const recordWorkerChange = (
  db: Db,
  at: RecordedAt & { readonly operation: string },
  change: ResourceChange,
  facts: readonly Fact[] = [],
): Promise<void> => recordWrite(db, { ...at, requestId: WORKER }, { facts, changes: [change] })
