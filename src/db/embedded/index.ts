import { mkdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { NO_ROOM } from './disk.ts'
import { DataFolderInUse, EmbeddedFailed } from './errors.ts'
import { joinOwner } from './join.ts'
import { takeLock } from './lock.ts'
import type { Lock } from './lock-file.ts'
import { openOwned } from './owned.ts'
import type { Embedded, EmbeddedOptions } from './types.ts'

export { freeBytes, NO_ROOM } from './disk.ts'
export { DataFolderInUse, EmbeddedFailed } from './errors.ts'
export type { Embedded, EmbeddedOptions, EmbeddedState, ServerEvent } from './types.ts'

/**
 * Opens the embedded server in `${dataFolder}/postgres`. `serve` refuses a folder that a living process serves;
 * `command` connects to that process's server, or starts one for as long as it needs it.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  try {
    const dataFolder = await makeDataFolder(options.dataFolder)
    return await open({ ...options, dataFolder })
  } catch (error) {
    if (error instanceof DataFolderInUse || error instanceof EmbeddedFailed) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new EmbeddedFailed(`The data folder ${options.dataFolder} cannot be used: ${reason}`, {
      failure: NO_ROOM.test(reason) ? 'disk_full' : 'other',
      cause: error,
    })
  }
}

async function open(options: EmbeddedOptions): Promise<Embedded> {
  const lockPath = join(options.dataFolder, 'stoa.lock')
  for (;;) {
    const attempt = await takeLock(lockPath)
    if ('mine' in attempt) return openOwned(options, lockPath, attempt)
    if (options.mode === 'serve') throw inUse(options.dataFolder, attempt.held)
    const joined = await joinOwner(lockPath, attempt.held)
    if (joined) return joined
  }
}

async function makeDataFolder(path: string): Promise<string> {
  // As root, the server may have to run as another user, who must get through.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  await mkdir(resolve(path), { recursive: true, mode })
  return realpath(path)
}

function inUse(dataFolder: string, owner: Lock): DataFolderInUse {
  const line = `The data folder ${dataFolder} is in use by process ${owner.pid}`
  return new DataFolderInUse(
    owner.appUrl ? `${line}; to work on the same database, set STOA_DATABASE_URL=${owner.appUrl}` : line,
  )
}
