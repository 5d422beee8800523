import { open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFull, NO_ROOM } from './disk.ts'

const LARGEST = 4 * 1024 * 1024
const READY = 'database system is ready to accept connections'
// What clients are told while a server goes down or comes up is not why it does.
const TOLD_TO_CLIENTS = /the database system is|terminating connection/

/** The server's own log, and how long it was when this start began. */
export type ServerLog = { path: string; from: number }

/** Why a server ended, as far as its log and its disk tell. */
export type Diagnosis = { isDiskFull: boolean; reason: string | undefined }

/** Finds the log of a data folder; one that has grown large is kept aside as postgres.log.1. */
export async function findLog(dataFolder: string): Promise<ServerLog> {
  const path = join(dataFolder, 'postgres.log')
  const from = await readSize(path)
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
  return (await readText(log)).trim().split('\n').slice(-12).join('\n')
}

/** Why the server on this cluster ended, since it last took connections. */
export async function diagnose(log: ServerLog, cluster: string): Promise<Diagnosis> {
  const lines = (await readText(log)).split('\n')
  const since = lines.slice(lines.findLastIndex(line => line.includes(READY)) + 1)
  const causes = since.filter(line => /\b(?:PANIC|FATAL):/.test(line) && !TOLD_TO_CLIENTS.test(line))
  return {
    // A server whose log lies on the same disk may not have been able to say why.
    isDiskFull: causes.some(line => NO_ROOM.test(line)) || (await isDiskFull(cluster)),
    reason: causes.at(-1)?.replace(/^.*?(?=PANIC|FATAL)/, ''),
  }
}

async function readText(log: ServerLog): Promise<string> {
  const bytes = await readFile(log.path).catch(() => Buffer.alloc(0))
  return bytes.subarray(log.from).toString('utf8')
}

async function readSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch {
    return 0
  }
}
