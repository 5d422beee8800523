import type { Db, Statement } from '#src/contract/db.ts'
import { type Fact, findMismatch } from '#src/contract/fact.ts'
import type { ResourceChange } from '#src/contract/operation.ts'
import { isUuid, newUuid } from '#src/kit/ids.ts'
import { sql } from './sql.ts'

/** Where and when something is recorded: in a school, at the instant of the transaction. */
type RecordedAt = { readonly schoolId: string; readonly now: Date }

/** Who changed something, by which operation. */
type AuditSource = RecordedAt & {
  readonly operation: string
  readonly requestId: string
  /** The person behind the request, as a row's id. */
  readonly memberId?: string | undefined
  readonly clientId?: string | undefined
  /** Who it was, where no member is behind it; unset: the worker. */
  readonly actor?: 'anonymous' | 'operator'
}

const MAX_IDS = 100
const WORKER = 'worker'

const refuseUuids = (source: string, values: readonly unknown[]): void => {
  const uuid = values.find(value => typeof value === 'string' && isUuid(value))
  if (uuid !== undefined) throw new Error(`${source} names the row ${uuid} and not an id of the API`)
}

// A fact that is not as its type declares stays in the school: what is wrong with a payload must not undo a write.
let onMismatch = (mismatch: string): void => process.emitWarning(mismatch, 'FactMismatch')

/** Has a function called with each fact that is not as its type declares, instead of a warning; tests throw. */
export const setMismatchHandler = (handler: (mismatch: string) => void): void => {
  onMismatch = handler
}

const isWithheld = (fact: Fact): boolean => {
  const mismatch = findMismatch(fact)
  if (mismatch !== undefined) onMismatch(mismatch)
  return mismatch !== undefined
}

const factsStatement = ({ schoolId, now }: RecordedAt, facts: readonly Fact[]): Statement => {
  for (const { type, payload } of facts) refuseUuids(type, Object.values(payload))
  const rows = facts.map(fact => ({
    id: newUuid(now.getTime()),
    type: fact.type,
    payload: fact.payload,
    is_withheld: isWithheld(fact),
  }))
  return sql`
    insert into facts (school_id, id, type, payload, is_withheld, recorded_at)
    select ${schoolId}::uuid, f.id, f.type, f.payload, f.is_withheld, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as f (id uuid, type text, payload jsonb, is_withheld boolean)`
}

const changesStatement = (source: AuditSource, changes: readonly ResourceChange[]): Statement => {
  const { schoolId, now, operation, requestId, memberId, clientId } = source
  const actor = memberId === undefined ? source.actor : undefined
  for (const { ids } of changes) refuseUuids(operation, ids)
  const rows = changes.map(({ ids, fields, revision, memberId: aboutId }) => ({
    id: newUuid(now.getTime()),
    resource_ids: ids.slice(0, MAX_IDS),
    resource_count: ids.length,
    fields,
    revision,
    about_id: aboutId,
  }))
  return sql`
    insert into audit_log
      (school_id, id, recorded_at, member_id, client_id, actor, operation, resource_ids, resource_count, fields, revision,
        about_id, request_id)
    select ${schoolId}::uuid, c.id, ${now}::timestamptz, ${memberId}::uuid, ${clientId}::text, ${actor}::text,
      ${operation}::text, c.resource_ids, c.resource_count, c.fields, c.revision, c.about_id, ${requestId}::text
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as c
      (id uuid, resource_ids text[], resource_count integer, fields text[], revision integer, about_id uuid)`
}

/** Records facts, in the transaction of what they report. */
export const recordFacts = async (db: Db, at: RecordedAt, facts: readonly Fact[]): Promise<void> => {
  if (facts.length > 0) await db.run(factsStatement(at, facts))
}

/** Writes an audit entry, in the transaction of the change: ids and names of fields, never values. */
export const recordChange = async (db: Db, source: AuditSource, change: ResourceChange): Promise<void> => {
  await db.run(changesStatement(source, [change]))
}

/** Records what one write did, in one statement: its facts, and an audit entry for each change. */
export const recordWrite = async (
  db: Db,
  source: AuditSource,
  { facts, changes }: { readonly facts: readonly Fact[]; readonly changes: readonly ResourceChange[] },
): Promise<void> => {
  if (changes.length === 0) return recordFacts(db, source, facts)
  const entries = changesStatement(source, changes)
  await db.run(facts.length === 0 ? entries : sql`with recorded as (${factsStatement(source, facts)}) ${entries}`)
}

/**
 * Records what the worker did: its facts, and an audit entry without a person under the operation that does the same.
 */
export const recordWorkerChange = (
  db: Db,
  at: RecordedAt & { readonly operation: string },
  change: ResourceChange,
  facts: readonly Fact[] = [],
): Promise<void> => recordWrite(db, { ...at, requestId: WORKER }, { facts, changes: [change] })
