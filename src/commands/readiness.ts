import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Config } from '#src/config.ts'
import { appliedMigrations, expectedMigrations } from '#src/db/migrate.ts'
import type { ServerParts } from '#src/http/index.ts'
import type { DiskWatch, WatchedFolder } from './disk-watch.ts'
import type { Installation } from './installation.ts'

type Readiness = Awaited<ReturnType<ServerParts['ready']>>

const MB = 1024 * 1024
// How long a disk of the database that a statement found full is called full.
const FULL_MS = 30_000

const notReady = (why: string): Readiness => ({ ready: false, why })

const stateOfError = (error: unknown): string => {
  const code = error instanceof pg.DatabaseError ? error.code : undefined
  // 57P03, cannot_connect_now: it replays its log.
  if (code === '57P03') return 'starting'
  return code === '53100' ? 'disk_full' : 'database_unavailable'
}

/** The folders of an installation that must have room. */
export const watchedFolders = (config: Config): WatchedFolder[] => {
  const { dataFolder, storage, databaseUrl, smtpUrl } = config
  // PostgreSQL needs room for a segment of its log.
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

// The folder may be on a disk that is gone, while what PostgreSQL holds open still answers.
const isDataMissing = ({ installation, config }: Parts): Promise<boolean> =>
  installation.isEmbedded
    ? stat(join(config.dataFolder, 'postgres', 'global', 'pg_control')).then(
        () => false,
        () => true,
      )
    : Promise.resolve(false)

const warningsOf = (disks: DiskWatch): string[] =>
  ['files', 'mail'].filter(name => disks.isFull(name)).map(name => `${name}_disk_full`)

/**
 * Says for `/readyz` whether requests can be served, and if not, why, in one word. Everybody can ask: no path, version,
 * number or text of an error is among the answers.
 */
export const createReadiness = async (parts: Parts): Promise<ServerParts['ready']> => {
  const { installation, disks, fullAt } = parts
  const expected = await expectedMigrations()
  const look = async (): Promise<Readiness> => {
    const state = installation.state()
    if (state !== 'running') return notReady(state)
    if (await isDataMissing(parts)) return notReady('data_missing')
    const done = new Set(await appliedMigrations(installation.database.shared))
    if (!expected.every(name => done.has(name))) return notReady('migrations_waiting')
    if (disks.isFull('data') || performance.now() - fullAt() < FULL_MS) return notReady('disk_full')
    return { ready: true, warnings: warningsOf(disks) }
  }
  return () => look().catch(error => notReady(stateOfError(error)))
}
