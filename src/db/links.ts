import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from './sql.ts'

/** A table that links rows with values, such as tags or ids: its columns of the row and of the value, and the type of the value. */
export type LinkTable = {
  readonly links: Statement
  readonly owner: Statement
  readonly value: Statement
  readonly type: Statement
}

/** Stores the values of a row: removes the others, and adds those that are missing. */
export const putLinks = (
  db: Db,
  schoolId: string,
  { links, owner, value, type }: LinkTable,
  id: string,
  values: readonly string[],
) =>
  db.run(sql`
    with gone as (
      delete from ${links} where school_id = ${schoolId} and ${owner} = ${id} and ${value} <> all (${values}::${type}[])
    )
    insert into ${links} (school_id, ${owner}, ${value})
    select ${schoolId}::uuid, ${id}::uuid, ${value} from unnest(${values}::${type}[]) as ${value}
    on conflict (school_id, ${owner}, ${value}) do nothing`)

/** Removes a value from all rows, deleted ones too, as their next revision; returns the ids of the rows. */
export const dropLinks = async (
  db: Db,
  schoolId: string,
  { links, owner, value }: LinkTable,
  rows: Statement,
  dropped: string,
): Promise<string[]> => {
  const left = await db.all(sql<{ id: string }>`
    delete from ${links} where school_id = ${schoolId} and ${value} = ${dropped} returning ${owner} as id`)
  const ids = left.map(({ id }) => id).sort()
  await db.run(sql`
    update ${rows} set revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = any (${ids}::uuid[])`)
  return ids
}
