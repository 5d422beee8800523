import { randomUUID } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { answers } from './connect.ts'
import { findStart, isSameProcess } from './processes.ts'

/** What the lock file of a data folder says about its owner; the URLs stand there once the server is ready. */
export type Lock = {
  nonce: string
  pid: number
  started?: string
  space?: string
  postgresPid?: number
  socketFolder?: string
  ownerUrl?: string
  appUrl?: string
}

/** This process as the owner of a lock. */
export function describeOwner(): Lock {
  const started = findStart(process.pid)
  const space = pidSpace()
  return { nonce: randomUUID(), pid: process.pid, ...(started && { started }), ...(space && { space }) }
}

/** Whether the owner named in a lock still lives. */
export async function isAlive(lock: Lock): Promise<boolean> {
  // A pid of another container says nothing here, but its server can be reached through the shared folder.
  if (lock.space !== pidSpace()) return lock.ownerUrl !== undefined && (await answers(lock.ownerUrl))
  return isSameProcess(lock.pid, lock.started)
}

/** The lock as it stands now; undefined when there is none or it says nothing. */
export async function readLock(path: string): Promise<Lock | undefined> {
  return parseLock(await lockText(path))
}

/** The text of a lock file; undefined when there is none. */
export async function lockText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** What a lock file's text says; undefined for garbage. */
export function parseLock(text: string | undefined): Lock | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isLock(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Writes a lock's text under a name that only we use. */
export async function writeDraft(path: string, lock: Lock): Promise<void> {
  await writeFile(path, `${JSON.stringify(lock, null, 2)}\n`, { mode: 0o600 })
}

function isLock(value: unknown): value is Lock {
  if (typeof value !== 'object' || value === null) return false
  return 'nonce' in value && typeof value.nonce === 'string' && 'pid' in value && typeof value.pid === 'number'
}

function pidSpace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return undefined
  }
}
