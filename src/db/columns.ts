import type { Statement } from '#src/contract/db.ts'
import { sql } from './sql.ts'

// A name becomes part of the text of a statement, so it is a plain one.
const name = (column: string): Statement => {
  if (!/^[a-z][a-z0-9_]*$/.test(column)) throw new Error(`${column} is not the name of a column`)
  return { text: column, values: [] }
}

const joined = (parts: readonly Statement[]): Statement => parts.reduce((left, right) => sql`${left}, ${right}`)

/** The columns of a table by its alias: `c.name, c.slug`. */
export const buildColumns = (alias: string, columns: readonly string[]): Statement =>
  joined(columns.map(column => sql`${name(alias)}.${name(column)}`))

/** The columns of an insert: `name, slug`. */
export const columnNames = (columns: readonly string[]): Statement => joined(columns.map(name))

/** The values of columns, in their order, as parameters. */
export const buildValues = <Row extends object>(row: Row, columns: readonly (keyof Row & string)[]): Statement =>
  joined(columns.map(column => sql`${row[column]}`))

/** The assignments of an update: `name = $1, slug = $2`. */
export const buildAssignments = <Row extends object>(row: Row, columns: readonly (keyof Row & string)[]): Statement =>
  joined(columns.map(column => sql`${name(column)} = ${row[column]}`))

/** The assignments of `on conflict … do update`: `name = excluded.name, slug = excluded.slug`. */
export const assignmentsOfExcluded = (columns: readonly string[]): Statement =>
  joined(columns.map(column => sql`${name(column)} = excluded.${name(column)}`))
