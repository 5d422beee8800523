import type { Statement } from '#src/contract/db.ts'
import { sql } from './sql.ts'

/** The values of a key of a school by its columns after `school_id`, in the order of the index. */
type Key = Readonly<Record<string, unknown>>

const raw = (text: string): Statement => ({ text, values: [] })
const listed = (parts: readonly Statement[]): Statement => parts.reduce((left, right) => sql`${left}, ${right}`)
const every = (parts: readonly Statement[]): Statement => parts.reduce((left, right) => sql`${left} and ${right}`)

/**
 * The row that a unique key of a school names, as a table for `from` and `join lateral`; `lock` locks it. A statement
 * made of these reads its rows in the order in which it is written, each by the index of its key, whatever the planner
 * knows of the tables: while they are empty or have no statistics, every index and order costs the same, and prepared
 * statements keep it.
 */
export const oneRow = (from: Statement, schoolId: string, key: Key, lock: Statement = raw('')): Statement => {
  const pairs = Object.entries(key).map(([name, value]) => ({ column: raw(name), value: sql`${value}` }))
  // Only the index of the key has the rows of this range in this order; of an equality the order would be left out.
  const ranges = pairs.map(({ column, value }) => sql`${column} >= ${value} and ${column} <= ${value}`)
  return sql`(
      select * ${from} where school_id = ${schoolId} and ${every(ranges)}
      order by ${listed(pairs.map(({ column }) => column))} limit 1 ${lock})`
}
