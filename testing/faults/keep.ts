import pg from 'pg'
import { watchTouched } from '../changed-rows.ts'
import type { TestDatabase } from '../database.ts'

/** How many rows each table gained and lost; unchanged tables are left out. */
export type Changes = Readonly<Record<string, readonly [added: number, gone: number]>>

/** The rows of a database at one instant. */
export type Kept = {
  /** Returns the differences; a changed row counts as one removed and one added. */
  changes(): Promise<Changes>
  /** Restores every row. */
  putBack(): Promise<void>
  /** Keeps the current rows instead. */
  keepAgain(): Promise<void>
  /** Restores the rows that were kept first, and keeps those. */
  startOver(): Promise<void>
}

// Counters that requests increase whatever their outcome.
const UNCOUNTED = ['limits', 'usage_days', 'view_counts']

const TABLES = `
  select c.oid::regclass::text as name from pg_class c
  where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'stoa'::regnamespace)
    and c.relname not in ('clock', 'migrations', 'era', 'heartbeat') and c.relname <> all ($1) order by 1`

/** A table, its copy, and where that copy is once later rows are kept. */
type Table = { readonly name: string; readonly copy: string; readonly first: string }

// The times at which somebody was last seen, and at which a session that was used ends, are buffered writes, stored at any later
// time. How long a proof counts is extended after an act, in a write of its own that may fail.
const SEEN: Readonly<Record<string, readonly string[]>> = {
  members: ['last_seen_at'],
  sessions: ['expires_at', 'recent_until'],
}
// As text, since some types have no equality, and since PostgreSQL can only then compare rows by their hashes and not all with all.
const comparable = (table: string, row: string): string => {
  const seen = SEEN[table.replace(/^.*\./, '')]
  return seen === undefined ? `${row}::text` : `(to_jsonb(${row}) - '{${seen}}'::text[])`
}

const absentFrom = (table: string): string =>
  `not exists (select from ${table} o where ${comparable(table, 'o')} = ${comparable(table, 't')})`

const buildCount = ({ name, copy }: Table): string => `
  select '${name}' as name,
    (select count(*) from ${name} t where ${absentFrom(copy)})::integer as added,
    (select count(*) from ${copy} t where ${absentFrom(name)})::integer as gone`

const buildRenewal = ({ name, copy }: Table, isRenewed: boolean): string =>
  isRenewed
    ? `truncate ${copy}; insert into ${copy} table ${name};`
    : `alter table ${copy} set schema kept_first; create table ${copy} as table ${name};`

const buildFirstCopy = ({ copy, first }: Table): string => `drop table ${copy}; alter table ${first} set schema kept;`

const buildReturn = ({ name, copy }: Table): string => `
  delete from ${name} t where ${absentFrom(copy)};
  insert into ${name} select t.* from ${copy} t where ${absentFrom(name)};`

/** Keeps copies of all rows in a schema that the application cannot see. */
export const keepRows = async (database: TestDatabase): Promise<Kept> => {
  const found = await database.query<{ name: string }>(TABLES, [UNCOUNTED])
  const tables = found.map(({ name }) => {
    const copyName = name.replace('.', '_')
    return { name, copy: `kept.${copyName}`, first: `kept_first.${copyName}` }
  })
  const copies = tables.map(({ name, copy }) => `create table ${copy} as table ${name}`)
  await database.query(`create schema kept; create schema kept_first; ${copies.join('; ')}`)
  // Only these are compared.
  const marks = await watchTouched(
    database,
    'marked',
    tables.map(({ name }) => name),
  )
  const client = new pg.Client({ connectionString: database.ownerUrl })
  // Dropping the database closes it.
  client.on('error', () => undefined)
  await client.connect()
  // Rows are restored in any order, without triggers and references.
  await client.query('set session_replication_role = replica; set jit = off')
  const touched = async (names: Promise<ReadonlySet<string>>): Promise<Table[]> => {
    const some = await names
    return tables.filter(({ name }) => some.has(name))
  }
  const renewed = new Set<string>()
  return {
    changes: async () => {
      const some = await touched(marks.read())
      if (some.length === 0) return {}
      const counts = some.map(buildCount).join(' union all ')
      const { rows } = await client.query<{ name: string; added: number; gone: number }>(
        `select * from (${counts}) as counted where added > 0 or gone > 0 order by name`,
      )
      return Object.fromEntries(rows.map(({ name, added, gone }) => [name, [added, gone]]))
    },
    putBack: async () => {
      const some = await touched(marks.take())
      await client.query(some.map(buildReturn).join(''))
    },
    keepAgain: async () => {
      const some = await touched(marks.take())
      await client.query(some.map(table => buildRenewal(table, renewed.has(table.name))).join(''))
      for (const { name } of some) renewed.add(name)
    },
    startOver: async () => {
      const names = new Set([...(await marks.take()), ...renewed])
      const some = tables.filter(({ name }) => names.has(name))
      const restored = some.map(table => `${renewed.has(table.name) ? buildFirstCopy(table) : ''}${buildReturn(table)}`)
      await client.query(restored.join(''))
      renewed.clear()
    },
  }
}
