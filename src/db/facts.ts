import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import { newUuid } from '#src/kit/ids.ts'
import { sql } from './sql.ts'

/** Records what the worker found to have happened, in its transaction. */
export const recordFacts = async (
  db: Db,
  { schoolId, now }: { readonly schoolId: string; readonly now: Date },
  facts: readonly Fact[],
): Promise<void> => {
  if (facts.length === 0) return
  const rows = facts.map(({ type, payload }) => ({ id: newUuid(now.getTime()), type, payload }))
  await db.run(sql`
    insert into facts (school_id, id, type, payload, recorded_at)
    select ${schoolId}::uuid, f.id, f.type, f.payload, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as f (id uuid, type text, payload jsonb)`)
}
