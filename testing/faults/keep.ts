import pg from 'pg'
import { watchTouched } from '../changed-rows.ts'
import type { TestDatabase } from '../database.ts'

/** How many rows each table has that it did not have, and how many it lost; tables that are as they were are left out. */
export type Changes = Readonly<Record<string, readonly [added: number, gone: number]>>

/** The rows of a database as they were at one instant. */
export type Kept = {
  /** What is different now; a changed row is one that is gone and one that was added. */
  changes(): Promise<Changes>
  /** Makes every row as it was. */
  putBack(): Promise<void>
  /** Keeps the rows as they are now instead. */
  keepAgain(): Promise<void>
}

// Counters that requests move whatever becomes of them.
const UNCOUNTED = ['limits', 'usage_days']

const TABLES = `
  select c.oid::regclass::text as name from pg_class c
  where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'stoa'::regnamespace)
    and c.relname not in ('clock', 'migrations', 'era', 'heartbeat') and c.relname <> all ($1) order by 1`

type Table = { readonly name: string; readonly copy: string }

// When somebody was last seen is a trace that is stored whenever there is time.
const SEEN = /(?:^|\.)members$/
const seen = (row: string): string => `(to_jsonb(${row}) - 'last_seen_at')`

// The same bytes: some types have no other equality.
const absentFrom = (table: string): string =>
  `not exists (select from ${table} o where ${SEEN.test(table) ? `${seen('o')} = ${seen('t')}` : 'o.* *= t.*'})`

const countOf = ({ name, copy }: Table): string => `
  select '${name}' as name,
    (select count(*) from ${name} t where ${absentFrom(copy)})::integer as added,
    (select count(*) from ${copy} t where ${absentFrom(name)})::integer as gone`

const returnOf = ({ name, copy }: Table): string => `
  delete from ${name} t where ${absentFrom(copy)};
  insert into ${name} select t.* from ${copy} t where ${absentFrom(name)};`

/** Keeps copies of all rows, in a schema that the application cannot see. */
export const keepRows = async (database: TestDatabase): Promise<Kept> => {
  const found = await database.query<{ name: string }>(TABLES, [UNCOUNTED])
  const tables = found.map(({ name }) => ({ name, copy: `kept.${name.replace('.', '_')}` }))
  const copies = tables.map(({ name, copy }) => `create table ${copy} as table ${name}`)
  await database.query(`create schema kept; ${copies.join('; ')}`)
  // Only these are compared.
  const marks = await watchTouched(
    database,
    'marked',
    tables.map(({ name }) => name),
  )
  const client = new pg.Client({ connectionString: database.ownerUrl })
  // Dropping the database ends it.
  client.on('error', () => undefined)
  await client.connect()
  // Rows come back in any order, without triggers and references.
  await client.query('set session_replication_role = replica; set jit = off')
  const touched = async (names: Promise<ReadonlySet<string>>): Promise<Table[]> => {
    const some = await names
    return tables.filter(({ name }) => some.has(name))
  }
  return {
    changes: async () => {
      const some = await touched(marks.read())
      if (some.length === 0) return {}
      const counts = some.map(countOf).join(' union all ')
      const { rows } = await client.query<{ name: string; added: number; gone: number }>(
        `select * from (${counts}) as counted where added > 0 or gone > 0 order by name`,
      )
      return Object.fromEntries(rows.map(({ name, added, gone }) => [name, [added, gone]]))
    },
    putBack: async () => {
      const some = await touched(marks.take())
      await client.query(some.map(returnOf).join(''))
    },
    keepAgain: async () => {
      const renewed = tables.map(({ name, copy }) => `truncate ${copy}; insert into ${copy} table ${name}`)
      await marks.take()
      await client.query(renewed.join('; '))
    },
  }
}
