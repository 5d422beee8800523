import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Config } from '#src/config.ts'
import { isWritable } from '#src/db/login.ts'
import { appliedMigrations, expectedMigrations } from '#src/db/migrate.ts'
import { isReadOnly } from '#src/db/sqlstates.ts'
import type { ServerParts } from '#src/http/index.ts'
import type { DiskWatch, WatchedFolder } from './disk-watch.ts'
import type { Installation } from './installation.ts'

type Readiness = Awaited<ReturnType<ServerParts['ready']>>

const MB = 1024 * 1024
// How long the disk of the database counts as full after a statement found it full.
const FULL_MS = 30_000

const READ_ONLY = 'database_read_only'

const notReady = (reason: string): Readiness => ({ ready: false, reason })

const stateOfError = (error: unknown): string => {
  if (isReadOnly(error)) return READ_ONLY
  const code = error instanceof pg.DatabaseError ? error.code : undefined
  // 57P03, cannot_connect_now: the server replays its log.
  if (code === '57P03') return 'starting'
  return code === '53100' ? 'disk_full' : 'database_unavailable'
}

/** The folders of an installation that need free space. */
export const watchedFolders = (config: Config): WatchedFolder[] => {
  const { dataFolder, storage, databaseUrl, smtpUrl } = config
  // PostgreSQL needs space for a segment of its log.
  const data = databaseUrl === undefined ? [{ name: 'data', folder: dataFolder, need: 16 * MB }] : []
  const files = 'folder' in storage ? [{ name: 'files', folder: storage.folder, need: MB }] : []
  const mail = smtpUrl === undefined ? [{ name: 'mail', folder: join(dataFolder, 'mail'), need: MB }] : []
  return [...data, ...files, ...mail]
}

type Parts = {
  readonly installation: Installation
  readonly config: Config
  readonly disks: DiskWatch
  /** When a statement last found the disk of the database full, on this process's own clock. */
  fullAt(): number
}

// The disk of the folder may be missing while PostgreSQL still responds from its open files.
const isDataMissing = ({ installation, config }: Parts): Promise<boolean> =>
  installation.isEmbedded
    ? stat(join(config.dataFolder, 'postgres', 'global', 'pg_control')).then(
        () => false,
        () => true,
      )
    : Promise.resolve(false)

const listWarnings = (disks: DiskWatch): string[] =>
  ['files', 'mail'].filter(name => disks.isFull(name)).map(name => `${name}_disk_full`)

/**
 * Reports for `/readyz` whether requests can be served, and if not, the reason in one word. The response is public: no
 * path, version, number or error text is in it.
 */
export const createReadiness = async (parts: Parts): Promise<ServerParts['ready']> => {
  const { installation, disks, fullAt } = parts
  const expected = await expectedMigrations()
  const look = async (): Promise<Readiness> => {
    const state = installation.state()
    if (state !== 'running') return notReady(state)
    if (await isDataMissing(parts)) return notReady('data_missing')
    const done = new Set(await appliedMigrations(installation.database.shared))
    if (!(await isWritable(installation.database.shared))) return notReady(READ_ONLY)
    if (!expected.every(name => done.has(name))) return notReady('migrations_waiting')
    if (disks.isFull('data') || performance.now() - fullAt() < FULL_MS) return notReady('disk_full')
    return { ready: true, warnings: listWarnings(disks) }
  }
  return () => look().catch(error => notReady(stateOfError(error)))
}
