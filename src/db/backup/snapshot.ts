import pg from 'pg'
import { MIGRATION_LOCK } from '../migrate.ts'
import { BackupRefused } from './errors.ts'
import { listTables, quoted, restoreSequences, type Table } from './tables.ts'

/** The tables of the database at one instant, and the values of the manifest. */
export type Snapshot = {
  readonly tables: readonly Table[]
  readonly madeAt: Date
  readonly postgresql: string
  readonly migrations: readonly { name: string; sha256: string }[]
}

/** Connects as the owner for a long operation, with fixed settings and without timeouts. */
export const connectOwner = async (ownerUrl: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'stoa backup' })
  // The running statement reports the same error.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await restoreSequences(client)
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw new BackupRefused(`the database does not answer: ${error instanceof Error ? error.message : error}`)
  }
}

/** Whether Stoa's schema exists. */
export const hasSchema = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('stoa.migrations') is not null as there`)
  return rows[0]?.there === true
}

const look = async (client: pg.Client): Promise<Snapshot> => {
  if (!(await hasSchema(client))) throw new BackupRefused('there is nothing to back up: the database has no schema yet')
  const { rows } = await client.query<{ at: Date; version: string }>(
    `select stoa.now() as at, current_setting('server_version') as version`,
  )
  const { rows: migrations } = await client.query<{ name: string; sha256: string }>(
    'select name, hash as sha256 from stoa.migrations order by name',
  )
  const [row] = rows
  if (row === undefined) throw new Error('the database did not return the time')
  return { tables: await listTables(client), madeAt: row.at, postgresql: row.version, migrations }
}

/**
 * Works on one snapshot of the database, read by the owner. Waits for running migrations, and until the end no
 * migration can change a table; readers and writers continue.
 */
export const withSnapshot = async <T>(
  ownerUrl: string,
  work: (client: pg.Client, snapshot: Snapshot) => Promise<T>,
): Promise<T> => {
  const client = await connectOwner(ownerUrl)
  try {
    await client.query('select pg_advisory_lock_shared($1)', [MIGRATION_LOCK])
    await client.query('begin isolation level repeatable read, read only')
    const snapshot = await look(client)
    await client.query(`lock table ${snapshot.tables.map(({ name }) => quoted(name)).join(', ')} in access share mode`)
    await client.query('select pg_advisory_unlock_shared($1)', [MIGRATION_LOCK])
    return await work(client, snapshot)
  } finally {
    await client.end()
  }
}
