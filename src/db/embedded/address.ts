import { chmod, chown, lstat, mkdir, mkdtemp, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Address } from './connect.ts'
import { EmbeddedFailed } from './errors.ts'
import type { Plan } from './types.ts'
import { windowsAddress } from './windows.ts'

// The number only names the socket's file; no port is opened.
const PORT = 5432
const SOCKET = `.s.PGSQL.${PORT}`
/** The file in which PostgreSQL records who listens on the socket. */
export const SOCKET_LOCK = `${SOCKET}.lock`
// sun_path holds 108 bytes on Linux and 104 elsewhere, the last of them zero.
const LONGEST = process.platform === 'linux' ? 107 : 103

/** Makes the place where the server will listen: a folder only we can enter, or on Windows a local port. */
export async function makeAddress(plan: Plan, dataFolder: string): Promise<Address> {
  if (process.platform === 'win32') return windowsAddress(dataFolder)
  const host = await makeSocketFolder(plan, dataFolder)
  await chmod(host, 0o700)
  if (plan.way.user) await chown(host, plan.way.user.uid, plan.way.user.gid)
  return { host, port: PORT }
}

/** Makes the socket folder of an address again where it was removed, by a cleaner of temporary files for example. */
export async function restoreAddress(plan: Plan, { host }: Address): Promise<void> {
  if (process.platform === 'win32') return
  const isCreated = await mkdir(host, { mode: 0o700 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => isOurs(host, plan, error),
  )
  if (isCreated && plan.way.user) await chown(host, plan.way.user.uid, plan.way.user.gid)
}

// Everybody may make a folder of this name where temporary files lie.
async function isOurs(host: string, plan: Plan, error: NodeJS.ErrnoException): Promise<false> {
  if (error.code !== 'EEXIST') throw error
  const { uid, mode } = await lstat(host)
  const owner = plan.way.user?.uid ?? process.getuid?.()
  if (uid === owner && (mode & 0o170_777) === 0o040_700) return false
  throw new EmbeddedFailed(`${host}, in which the socket of the database lay, belongs to somebody else now`)
}

/** Removes a socket folder that lies outside the data folder, and nothing that is not ours in it. */
export async function removeSocketFolder(folder: string, dataFolder: string): Promise<void> {
  if (folder === join(dataFolder, 'run') || process.platform === 'win32') return
  for (const name of [SOCKET, SOCKET_LOCK]) await rm(join(folder, name), { force: true })
  await rmdir(folder).catch(() => {})
}

/** The words that tell `postgres` where to listen. */
export function listenArguments(address: Address): string[] {
  const { host, port } = address
  if (process.platform === 'win32') return ['-c', `listen_addresses=${host}`, '-c', `port=${port}`]
  // The setting is a list, in which a quoted name may hold commas and spaces.
  const folders = `"${host.replaceAll('"', '""')}"`
  return ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${folders}`, '-c', `port=${port}`]
}

async function makeSocketFolder(plan: Plan, dataFolder: string): Promise<string> {
  const near = join(dataFolder, 'run')
  const isShort = Buffer.byteLength(join(near, SOCKET)) <= LONGEST
  // A cluster lies elsewhere because its user cannot enter the data folder.
  if (!isShort || dirname(plan.cluster) !== dataFolder) return mkdtemp(join(tmpdir(), 'stoa-'))
  await mkdir(near, { recursive: true, mode: 0o700 })
  return near
}
