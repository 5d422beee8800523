import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type OpenDatabase, openDatabase } from '#src/db/database.ts'

/** A statement that each connection plans once, under its name. */
type Prepared = { readonly name: string; readonly text: string }

/** A database of one test file, copied from a template. */
export type TestDatabase = {
  readonly appUrl: string
  readonly ownerUrl: string
  /** Runs a statement as the owner, without row-level security: for reading, never to set up what the API can. */
  query<Row extends pg.QueryResultRow>(statement: string | Prepared, values?: readonly unknown[]): Promise<Row[]>
  /** The database as another process has it open, with the application's login: opened at first use, closed by `drop`. */
  elsewhere(): OpenDatabase
  drop(): Promise<void>
}

/** The settings that `testing/run.ts` passes to test processes. */
export const setting = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error('run tests with: npm test -- path/to/one.test.ts')
  return value
}

/** Returns the address of another database on the same server. */
export const named = (url: string, database: string): string => {
  const copy = new URL(url)
  copy.pathname = `/${database}`
  return copy.href
}

const once = async (url: string, text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

/** Copies a template into a new database: migrated and without a school, with the demo data, or empty. */
export const createTestDatabase = async (template: 'stoa' | 'world' | 'template0' = 'stoa'): Promise<TestDatabase> => {
  const ownerUrl = setting('STOA_TEST_OWNER_URL')
  const maintenance = named(ownerUrl, 'postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await once(maintenance, `create database ${name} template ${template}`)
  const own = named(ownerUrl, name)
  const pool = new pg.Pool({ connectionString: own, max: 2 })
  // Dropping the database ends whatever connection is still closing.
  pool.on('error', () => undefined)
  const appUrl = named(setting('STOA_TEST_APP_URL'), name)
  let other: OpenDatabase | undefined
  return {
    appUrl,
    ownerUrl: own,
    query: async <Row extends pg.QueryResultRow>(statement: string | Prepared, values: readonly unknown[] = []) =>
      (await pool.query<Row>(statement, [...values])).rows,
    elsewhere: () => {
      other ??= openDatabase(appUrl, { wait: 10_000, onError: () => undefined })
      return other
    },
    drop: async () => {
      await other?.close()
      await pool.end()
      await once(maintenance, `drop database ${name} with (force)`)
    },
  }
}

/** Returns the tables, of both schemas, that contain a text anywhere. */
export const tablesWith = async (database: TestDatabase, text: string): Promise<string[]> => {
  const tables = await database.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c
    where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'stoa'::regnamespace) order by 1`)
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await database.query(`select from ${name} t where t::text ilike $1 limit 1`, [`%${text}%`])
    if (rows.length > 0) found.push(name)
  }
  return found
}
