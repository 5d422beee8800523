import type { TestDatabase } from '../database.ts'

/** How many rows each table has that it did not have, and how many it lost; tables that are as they were are left out. */
export type Changes = Readonly<Record<string, readonly [added: number, gone: number]>>

/** The rows of a database as they were at one instant. */
export type Kept = {
  /** What is different now; a changed row is one that is gone and one that was added. */
  changes(): Promise<Changes>
  /** Makes every row as it was. */
  putBack(): Promise<void>
}

// Counters that requests move whatever becomes of them.
const UNCOUNTED = ['limits', 'usage_days']

const TABLES = `
  select c.oid::regclass::text as name from pg_class c
  where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'stoa'::regnamespace)
    and c.relname not in ('clock', 'migrations', 'era') and c.relname <> all ($1) order by 1`

// The same bytes: some types have no other equality.
const absent = (table: string, from: string): string => `not exists (select from ${from} o where o.* *= ${table}.*)`

/** Keeps copies of all rows, in a schema that the application cannot see. */
export const keepRows = async (database: TestDatabase): Promise<Kept> => {
  const found = await database.query<{ name: string }>(TABLES, [UNCOUNTED])
  const tables = found.map(({ name }) => ({ name, copy: `kept.${name.replace('.', '_')}` }))
  const copies = tables.map(({ name, copy }) => `create table ${copy} as table ${name}`)
  await database.query(['create schema kept', ...copies].join('; '))
  const counting = tables.map(
    ({ name, copy }) => `select '${name}' as name,
      (select count(*) from ${name} t where ${absent('t', copy)})::integer as added,
      (select count(*) from ${copy} t where ${absent('t', name)})::integer as gone`,
  )
  const count = `select * from (${counting.join(' union all ')}) as all_tables where added > 0 or gone > 0`
  const differing = () => database.query<{ name: string; added: number; gone: number }>(count)
  return {
    changes: async () => Object.fromEntries((await differing()).map(({ name, added, gone }) => [name, [added, gone]])),
    putBack: async () => {
      const names = new Set((await differing()).map(({ name }) => name))
      const moves = tables
        .filter(({ name }) => names.has(name))
        .flatMap(({ name, copy }) => [
          `delete from ${name} t where ${absent('t', copy)}`,
          `insert into ${name} select t.* from ${copy} t where ${absent('t', name)}`,
        ])
      // Without triggers and references, in any order of the tables.
      await database.query(['begin', 'set local session_replication_role = replica', ...moves, 'commit'].join('; '))
    },
  }
}
