import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The number of the last fact that was distributed, locked until the transaction ends. */
export const lockPosition = (db: Db, schoolId: string) =>
  db.first(sql<{ position: number }>`
    select position::double precision as position from distributions where school_id = ${schoolId} for no key update`)

/** The number of the last fact that was distributed; 0 where there was none. */
export const readPosition = async (db: Db, schoolId: string): Promise<number> =>
  (
    await db.first(sql<{ position: number }>`
      select position::double precision as position from distributions where school_id = ${schoolId}`)
  )?.position ?? 0

/** A fact that is distributed. */
export type NumberedFact = {
  readonly id: string
  readonly type: string
  readonly sequence: number
  readonly is_withheld: boolean
}

/** The facts after a number, in their order, at most `most`. */
export const listFactsAfter = (db: Db, schoolId: string, position: number, most: number) =>
  db.all(sql<NumberedFact>`
    select f.id, f.type, f.sequence::double precision as sequence, f.is_withheld from facts f
    where f.school_id = ${schoolId} and f.sequence > ${position} order by f.sequence limit ${most}`)

/** Stores the number of the last fact that was distributed. */
export const storePosition = (db: Db, schoolId: string, position: number) =>
  db.run(sql`update distributions set position = ${position} where school_id = ${schoolId}`)

/** Stores the number of the last fact that was distributed to each of these webhooks. */
export const storeLastSequences = (
  db: Db,
  schoolId: string,
  rows: readonly { readonly id: string; readonly sequence: number }[],
) =>
  db.run(sql`
    update webhooks w set last_sequence = r.sequence
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, sequence bigint)
    where w.school_id = ${schoolId} and w.id = r.id`)

/** Whether facts wait to be distributed to a webhook. */
export const hasUndistributed = async (db: Db, schoolId: string): Promise<boolean> =>
  (await db.first(sql`
    select from distributions p
    where p.school_id = ${schoolId}
      and exists (select from facts f where f.school_id = ${schoolId} and f.sequence > p.position)
      and exists (select from webhooks w where w.school_id = ${schoolId} and w.status <> 'disabled')`)) !== undefined
