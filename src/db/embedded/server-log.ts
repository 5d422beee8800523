import { open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'

const LARGEST = 4 * 1024 * 1024

/** The server's own log, and how long it was when this start began. */
export type ServerLog = { path: string; from: number }

/** Finds the log of a data folder; one that has grown large is kept aside as postgres.log.1. */
export async function findLog(dataFolder: string): Promise<ServerLog> {
  const path = join(dataFolder, 'postgres.log')
  const from = await sizeOf(path)
  if (from <= LARGEST) return { path, from }
  await rename(path, `${path}.1`)
  return { path, from: 0 }
}

/** Opens the log for a server to write to. */
export function openLog(log: ServerLog) {
  return open(log.path, 'a', 0o600)
}

/** The last lines the server wrote since this start. */
export async function lastLines(log: ServerLog): Promise<string> {
  const bytes = await readFile(log.path).catch(() => Buffer.alloc(0))
  return bytes.subarray(log.from).toString('utf8').trim().split('\n').slice(-12).join('\n')
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch {
    return 0
  }
}
