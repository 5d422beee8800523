import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Db } from '#src/contract/db.ts'
import { dbOn, MIGRATION_LOCK, migrateAround } from '../migrate.ts'
import { type BackupCheck, readEntries } from './check.ts'
import { BackupRefused, damaged } from './errors.ts'
import { entryNames, type Manifest, pieceName, type TableSum } from './manifest.ts'
import { objectSum, storeObject } from './objects.ts'
import { connectOwner, hasSchema } from './snapshot.ts'
import { backedUpTables, listTables, quoted, type Table } from './tables.ts'
import type { Entry } from './tar.ts'

/** The destination of a checked backup, and a function that changes its rows before they are committed. */
type RestoreParts = {
  readonly ownerUrl: string
  readonly appLogin: string
  readonly objectFolder: string
  readonly file: FileHandle
  readonly checked: BackupCheck
  readonly onTable: (name: string, rows: number) => void
  /** Runs within the same transaction, on the newest schema. */
  readonly afterLoad: (db: Db) => Promise<void>
}

/** The first table with rows that a restore would have to delete; tables that are not backed up do not count. */
const findRows = async (client: pg.Client, tables: readonly Table[]): Promise<string | undefined> => {
  for (const { name } of tables.filter(({ name }) => name.startsWith('public.') && name !== 'public.limits')) {
    const { rows } = await client.query<{ has: boolean }>(`select exists (select from ${quoted(name)}) as has`)
    if (rows[0]?.has === true) return name
  }
  return undefined
}

const refuseRows = async (client: pg.Client): Promise<readonly Table[]> => {
  if (!(await hasSchema(client))) return []
  const tables = await listTables(client)
  const schools = tables.find(({ name }) => name === 'public.schools')
  if (schools !== undefined && (await findRows(client, [schools])) !== undefined)
    throw new BackupRefused('this installation has a school already; a backup is restored into an empty one')
  const full = await findRows(client, tables)
  if (full === undefined) return tables
  throw new BackupRefused(`the table ${full} is not empty; a backup is restored into an empty installation`)
}

/** Refuses an installation that has a school, or rows of any kind. */
export const refuseUsed = async (ownerUrl: string): Promise<void> => {
  const client = await connectOwner(ownerUrl)
  try {
    await refuseRows(client)
  } finally {
    await client.end()
  }
}

// Nothing is lost: every one of these tables was just seen to be empty.
const clear = async (client: pg.Client): Promise<void> => {
  const tables = await refuseRows(client)
  if (tables.length === 0) return
  const names = tables.map(({ name }) => quoted(name)).join(', ')
  await client.query(`lock table ${names} in access exclusive mode`)
  await refuseRows(client)
  await client.query(`drop table ${names} cascade`)
  await client.query('drop schema stoa cascade')
}

// An older backup may contain a table that is not backed up any more: its rows are skipped.
const compareTables = (manifest: Manifest, tables: readonly Table[]): void => {
  const here = new Map(tables.map(table => [table.name, table]))
  for (const { name, columns } of manifest.tables) {
    const table = here.get(name)
    if (table === undefined) throw new BackupRefused(`the backup holds a table ${name} that Stoa does not have`)
    if (!isDeepStrictEqual(columns, table.columns))
      throw new BackupRefused(`the table ${name} of the backup has other columns than Stoa's`)
  }
  const there = new Set([...manifest.tables.map(({ name }) => name), ...manifest.left_out])
  const missing = tables.find(({ name }) => !there.has(name))
  if (missing !== undefined) throw new BackupRefused(`the backup lacks the table ${missing.name}`)
}

type Next = () => Promise<Entry>

async function* bytesOfTable(next: Next, { name, pieces, sha256 }: TableSum): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for (let piece = 1; piece <= pieces; piece++) {
    const entry = await next()
    if (entry.name !== pieceName(name, piece)) throw damaged(`${entry.name} is out of place`)
    for await (const chunk of entry.body) {
      hash.update(chunk)
      yield chunk
    }
  }
  // The file was checked before; it differs only if something wrote to it meanwhile.
  if (hash.digest('hex') !== sha256) throw damaged(`table ${name} changed while it was restored`)
}

const loadTable = async (client: pg.Client, table: Table, sum: TableSum, next: Next): Promise<void> => {
  const columns = table.columns.map(column => quoted(column)).join(', ')
  const stream = client.query(copyFrom(`copy ${quoted(table.name)} (${columns}) from stdin`))
  await pipeline(bytesOfTable(next, sum), stream)
  if (stream.rowCount !== sum.rows) throw new Error(`${table.name} took ${stream.rowCount} of ${sum.rows} rows`)
}

const skip = async (sum: TableSum, next: Next): Promise<void> => {
  for await (const _ of bytesOfTable(next, sum));
}

const fill = async (client: pg.Client, parts: RestoreParts): Promise<void> => {
  const { file, checked, objectFolder, onTable } = parts
  const { manifest, checksums } = checked
  const tables = await listTables(client)
  compareTables(manifest, tables)
  const loaded = new Map(backedUpTables(tables).map(table => [table.name, table]))
  // Rows that a migration inserted are in the backup too.
  for (const { name } of manifest.tables.filter(({ name }) => loaded.has(name)).toReversed())
    await client.query(`delete from ${quoted(name)}`)
  const entries = readEntries(file)
  const next: Next = async () => {
    const { value, done } = await entries.next()
    if (done === true) throw damaged('it became shorter while it was restored')
    return value
  }
  if ((await next()).name !== entryNames.manifest) throw damaged('it changed while it was restored')
  for (const sum of checksums.tables) {
    const table = loaded.get(sum.name)
    onTable(sum.name, sum.rows)
    await (table === undefined ? skip(sum, next) : loadTable(client, table, sum, next))
  }
  const objects = objectSum()
  for (let file = 0; file < (checksums.objects?.files ?? 0); file++)
    await storeObject(objectFolder, await next(), objects)
  if (checksums.objects !== null && !isDeepStrictEqual(objects.end(), checksums.objects))
    throw damaged('objects changed while they were restored')
}

// Rows whose values mean nothing elsewhere are corrected in this function, which need not exist; no trigger follows it.
const callHook = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regprocedure('stoa.after_restore()') is not null as there`,
  )
  if (rows[0]?.there !== true) return
  await client.query(`set local stoa.loading = 'on'`)
  await client.query('select stoa.after_restore()')
  await client.query(`set local stoa.loading = 'off'`)
}

// Whatever a trigger kept when rows were written is in the backup as rows. The triggers of an older schema have no condition on
// `stoa.is_loading()`, and nobody else writes to an empty installation, so they are turned off.
const turnTriggers = async (client: pg.Client, to: 'enable' | 'disable'): Promise<void> => {
  for (const { name } of await listTables(client)) await client.query(`alter table ${quoted(name)} ${to} trigger user`)
}

// Rows that refer to each other are loaded before their references are checked; migrations that follow need them checked.
const fillDeferred = async (client: pg.Client, parts: RestoreParts): Promise<void> => {
  await turnTriggers(client, 'disable')
  await client.query('set constraints all deferred')
  await fill(client, parts)
  await client.query('set constraints all immediate')
  await turnTriggers(client, 'enable')
}

const restoreWithin = async (client: pg.Client, parts: RestoreParts): Promise<void> => {
  const { checked, appLogin, afterLoad } = parts
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  await client.query(`set local lock_timeout = '5s'`)
  await clear(client)
  const names = new Set(checked.manifest.migrations.map(({ name }) => name))
  await migrateAround(client, names, appLogin, () => fillDeferred(client, parts))
  await afterLoad(dbOn(client))
  await callHook(client)
}

/** Restores a checked backup into an empty installation in one transaction. */
export const restoreBackup = async (parts: RestoreParts): Promise<void> => {
  const client = await connectOwner(parts.ownerUrl)
  try {
    await client.query('begin')
    await restoreWithin(client, parts)
    const { command } = await client.query('commit')
    if (command !== 'COMMIT') throw new Error('the restore was rolled back at its end')
  } finally {
    await client.end()
  }
}
