import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import type { Db } from '#src/contract/db.ts'
import { describeSharedAddress, listSharedAddresses } from './addresses.ts'
import { splitCommands } from './commands.ts'
import { createDb } from './connect.ts'
import { sql } from './sql.ts'
import { steps } from './steps.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

/** One number for all migrators of a database, so that they wait for each other. */
export const MIGRATION_LOCK = 7_302_619

type Migration = { readonly name: string; readonly text: string; readonly hash: string }

/** The owner's connection as areas know one. */
export const dbOn = (client: pg.Client): Db =>
  createDb(async statement => {
    const { rows, rowCount } = await client.query(statement.text, [...statement.values])
    return { rows, rowCount }
  })

const computeHash = (text: string): string => createHash('sha256').update(text).digest('hex')

const readMigrations = async (): Promise<Migration[]> => {
  const names = (await readdir(FOLDER)).filter(name => /^\d{4}_\w+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async name => {
      const text = await readFile(new URL(name, FOLDER), 'utf8')
      return { name, text, hash: computeHash(text) }
    }),
  )
}

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, application_name: 'stoa migrate' })
  await client.connect()
  return client
}

const applied = async (client: pg.Client): Promise<Map<string, string>> => {
  const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from stoa.migrations')
  return new Map(rows.map(({ name, hash }) => [name, hash]))
}

const runCommands = async (client: pg.Client, text: string): Promise<void> => {
  for (const command of splitCommands(text)) await client.query(command)
}

const remember = (client: pg.Client, name: string, hash: string) =>
  client.query('insert into stoa.migrations (name, hash, applied_at) values ($1, $2, clock_timestamp())', [name, hash])

const run = async (client: pg.Client, { name, text, hash }: Migration): Promise<void> => {
  await runCommands(client, text)
  await remember(client, name, hash)
}

const runSteps = async (
  client: pg.Client,
  done: ReadonlySet<string> | ReadonlyMap<string, string>,
): Promise<string[]> => {
  const waiting = steps.filter(({ name }) => !done.has(name))
  for (const { name, run: runStep } of waiting) {
    await runStep(dbOn(client))
    await remember(client, name, computeHash(name))
  }
  return waiting.map(({ name }) => name)
}

const apply = async (client: pg.Client, migration: Migration): Promise<void> => {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '1s'`)
    await run(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`migration ${migration.name} failed: ${error instanceof Error ? error.message : error}`)
  }
}

const prepare = async (client: pg.Client): Promise<void> => {
  await client.query('create schema if not exists stoa')
  await client.query(`create table if not exists stoa.migrations (
    name text primary key, hash text not null, applied_at timestamptz not null)`)
}

const grantTo = async (client: pg.Client, login: string): Promise<void> => {
  const text = await readFile(new URL('grants.sql', FOLDER), 'utf8')
  await runCommands(client, text.replaceAll(':app', pg.escapeIdentifier(login)))
}

/**
 * Updates the schema with the owner's login and grants the application's login its rights.
 * Returns the names of the migrations that were applied; throws when one fails, which is then rolled back.
 */
export const migrate = async (ownerUrl: string, appLogin: string): Promise<string[]> => {
  const client = await connect(ownerUrl)
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await prepare(client)
    const done = await applied(client)
    const waiting = (await readMigrations()).filter(({ name }) => !done.has(name))
    for (const migration of waiting) await apply(client, migration)
    await grantTo(client, appLogin)
    await client.query(`set lock_timeout = '1s'`)
    return [...waiting.map(({ name }) => name), ...(await runSteps(client, done))]
  } finally {
    await client.end()
  }
}

/**
 * Creates the schema as it was after the named migrations, fills it, and updates it, all within the caller's
 * transaction under the owner's login.
 */
export const migrateAround = async (
  client: pg.Client,
  names: ReadonlySet<string>,
  appLogin: string,
  fill: () => Promise<void>,
): Promise<void> => {
  await prepare(client)
  const all = await readMigrations()
  for (const migration of all.filter(({ name }) => names.has(name))) await run(client, migration)
  await fill()
  for (const migration of all.filter(({ name }) => !names.has(name))) await run(client, migration)
  await grantTo(client, appLogin)
  // What was filled in has been through these.
  for (const { name } of steps.filter(step => names.has(step.name))) await remember(client, name, computeHash(name))
  await runSteps(client, names)
}

/** The migrations and steps of this version, with the hashes of their texts. */
export const availableMigrations = async (): Promise<{ name: string; hash: string }[]> => [
  ...(await readMigrations()).map(({ name, hash }) => ({ name, hash })),
  ...steps.map(({ name }) => ({ name, hash: computeHash(name) })),
]

/**
 * The difference between a database and this version: migrations that are not applied, and applied ones whose text
 * differs.
 */
export const migrationState = async (url: string): Promise<{ waiting: string[]; changed: string[] }> => {
  const client = await connect(url)
  try {
    const { rows } = await client.query(`select to_regclass('stoa.migrations') is not null as there`)
    const done = rows[0]?.there ? await applied(client) : new Map<string, string>()
    const all = await availableMigrations()
    return {
      waiting: all.filter(({ name }) => !done.has(name)).map(({ name }) => name),
      changed: all.filter(({ name, hash }) => done.has(name) && done.get(name) !== hash).map(({ name }) => name),
    }
  } finally {
    await client.end()
  }
}

/** The members of all schools whose addresses are one in two spellings, read with the owner's login. */
export const sharedAddresses = async (ownerUrl: string): Promise<string[]> => {
  const client = await connect(ownerUrl)
  try {
    const db = dbOn(client)
    const pairs: string[] = []
    for (const { id } of await db.all(sql<{ id: string }>`select id from schools order by id`))
      pairs.push(...(await listSharedAddresses(db, id)).map(describeSharedAddress))
    return pairs
  } finally {
    await client.end()
  }
}

/** The names of the migrations this version has. */
export const expectedMigrations = async (): Promise<string[]> => (await availableMigrations()).map(({ name }) => name)

/** The names of the migrations a database has, under the application's login. */
export const appliedMigrations = async (shared: Db): Promise<string[]> =>
  (await shared.all(sql<{ name: string }>`select name from stoa.migrations order by name`)).map(({ name }) => name)
