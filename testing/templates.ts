import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { openDatabase } from '#src/db/database.ts'
import { migrate } from '#src/db/migrate.ts'
import { named } from './database.ts'
import { makeSchools } from './demo.ts'

/** The address of a server for its owner's login and for the application's. */
export type Server = { readonly ownerUrl: string; readonly appUrl: string }

const fillWorld = async (server: Server, secret: string): Promise<void> => {
  const owner = new pg.Client({ connectionString: named(server.ownerUrl, 'world') })
  await owner.connect()
  const database = openDatabase(named(server.appUrl, 'world'), { wait: 10_000, max: 2 })
  const query = async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    (await owner.query<Row>(text, [...values])).rows
  try {
    await makeSchools(database, { query }, secret)
  } finally {
    await database.close()
    await owner.end()
  }
}

const copyMigrated = async (server: Server, secret: string): Promise<void> => {
  const client = new pg.Client({ connectionString: named(server.ownerUrl, 'postgres') })
  await client.connect()
  try {
    await client.query('create database world template stoa')
    await fillWorld(server, secret)
    // A template database with an open connection cannot be copied.
    await client.query('alter database world allow_connections false')
  } finally {
    await client.end()
  }
}

/**
 * Creates the databases that tests copy on a server of their own: `stoa`, migrated and empty, and `world`, with two schools.
 * Returns the environment variables that test processes need.
 */
export const makeTemplates = async (server: Server): Promise<Readonly<Record<string, string>>> => {
  const secret = randomBytes(32).toString('base64url')
  await migrate(server.ownerUrl, 'stoa_app')
  await copyMigrated(server, secret)
  return { STOA_TEST_OWNER_URL: server.ownerUrl, STOA_TEST_APP_URL: server.appUrl, STOA_TEST_SECRET: secret }
}
