import { randomUUID } from 'node:crypto'
import { chown, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { NO_ROOM } from './disk.ts'
import { EmbeddedFailed } from './errors.ts'
import type { Cluster, Plan } from './types.ts'
import { run } from './way.ts'

/** Finds the cluster of a data folder; what an interrupted initdb may have left in its place is put aside. */
export async function findCluster(dataFolder: string, log: (line: string) => void): Promise<Cluster> {
  const folder = join(dataFolder, 'postgres')
  if (!(await exists(folder))) return { folder }
  const real = await realpath(folder).catch(() => {
    throw new EmbeddedFailed(
      `${folder} is a link to a folder that is not there; bring that folder back, then start again`,
    )
  })
  const { uid, gid } = await stat(real)
  // Written early by initdb, and needed by every server: without it there is nothing that could be read.
  if (await exists(join(real, 'global', 'pg_control'))) return { folder: real, owner: { uid, gid } }
  const aside = `${real}.unfinished-${randomUUID()}`
  await rename(real, aside)
  if (real !== folder) await rm(folder)
  log(`${folder} held no finished database cluster; what was there is now in ${aside}`)
  return { folder }
}

/** Refuses a cluster that another major version of PostgreSQL made. */
export async function checkVersion(cluster: Cluster, version: string): Promise<void> {
  const existing = (await readFile(join(cluster.folder, 'PG_VERSION'), 'utf8')).trim()
  const [major = version] = version.split('.')
  if (existing === major) return
  throw new EmbeddedFailed(
    `${cluster.folder} was made by PostgreSQL ${existing} and this is PostgreSQL ${major}; ` +
      'run `stoa backup` with the Stoa that made it, then `stoa restore` with this one into an empty data folder',
  )
}

/** Makes the cluster in a sibling folder and renames it when it is complete, so that a kill half way leaves none. */
export async function createCluster(plan: Plan, dataFolder: string, options: string[]): Promise<void> {
  const home = dirname(plan.cluster)
  await sweepUnfinished(home)
  const draft = await mkdtemp(join(home, 'postgres.new-'))
  if (plan.way.user) await chown(draft, plan.way.user.uid, plan.way.user.gid)
  const initdb = join(plan.binFolder, process.platform === 'win32' ? 'initdb.exe' : 'initdb')
  const settings = ['--encoding=UTF8', '--no-locale', '--username=stoa_owner', '--no-instructions', ...options]
  const outcome = await run(plan.way, initdb, ['-D', draft, ...settings])
  if (!outcome.ok) {
    await rm(draft, { recursive: true, force: true })
    const line = `initdb could not make a database cluster in ${home}`
    if (NO_ROOM.test(outcome.output)) throw new EmbeddedFailed(`${line}: the disk is full`, { failure: 'disk_full' })
    throw new EmbeddedFailed(`${line}\n${outcome.output}`)
  }
  await rename(draft, plan.cluster)
  if (home !== dataFolder) await symlink(plan.cluster, join(dataFolder, 'postgres'))
}

/** Makes the home of a cluster that cannot lie in the data folder; others may pass through it, not look into it. */
export async function makeHome(home: string): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o711 })
}

async function sweepUnfinished(home: string): Promise<void> {
  const names = (await readdir(home)).filter(name => name.startsWith('postgres.new-'))
  // A killed initdb may still be writing for a moment.
  for (const name of names) await rm(join(home, name), { recursive: true, force: true, maxRetries: 5 })
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
