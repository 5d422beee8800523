import { dirname } from 'node:path'
import { freeBytes } from '#src/db/embedded/index.ts'
import type { LogEvent } from './log-stream.ts'

/** A folder whose disk counts as full below `need` free bytes. */
export type WatchedFolder = { readonly name: string; readonly folder: string; readonly need: number }

/** The state of the watched disks. */
export type DiskWatch = { isFull(name: string): boolean; stop(): void }

const CHECK_MS = 2000

// A folder that does not exist yet will be on the disk of its nearest parent folder.
const readRoom = async (folder: string): Promise<number> => {
  try {
    return await freeBytes(folder)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isMissing || dirname(folder) === folder) return Number.POSITIVE_INFINITY
    return readRoom(dirname(folder))
  }
}

/** Checks the disks at intervals, one check at a time: a disk that does not respond delays only its check. */
export const watchDisks = (folders: readonly WatchedFolder[], log: LogEvent): DiskWatch => {
  const full = new Set<string>()
  const check = async ({ name, folder, need }: WatchedFolder): Promise<void> => {
    const free = await readRoom(folder)
    if (free < need === full.has(name)) return
    if (free < need) {
      full.add(name)
      log('error', 'disk_full', `the disk of ${folder} is full`, { folder, free_bytes: free, needed_bytes: need })
    } else {
      full.delete(name)
      log('info', 'disk_has_room', `the disk of ${folder} has room again`, { folder, free_bytes: free })
    }
  }
  let isChecking = false
  const checkAll = async (): Promise<void> => {
    if (isChecking) return
    isChecking = true
    for (const folder of folders) await check(folder)
    isChecking = false
  }
  const timer = setInterval(checkAll, CHECK_MS).unref()
  void checkAll()
  return { isFull: name => full.has(name), stop: () => clearInterval(timer) }
}
