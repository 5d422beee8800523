import { setTimeout as delay } from 'node:timers/promises'
import { connect } from './connect.ts'
import { EmbeddedFailed } from './errors.ts'
import { isAlive, type Lock, readLock } from './lock-file.ts'
import type { Embedded } from './types.ts'

const PATIENCE = 60_000

/** Joins the server of a living owner, once it is ready; undefined when the owner went away instead. */
export async function joinOwner(lockPath: string, owner: Lock): Promise<Embedded | undefined> {
  const end = performance.now() + PATIENCE
  while (performance.now() < end) {
    const lock = await readLock(lockPath)
    if (lock?.nonce !== owner.nonce || !(await isAlive(lock))) return undefined
    const { ownerUrl, appUrl } = lock
    if (ownerUrl && appUrl && (await takesConnections(ownerUrl))) {
      return { ownerUrl, appUrl, startedHere: false, state: () => 'running', stop: async () => {} }
    }
    await delay(25)
  }
  throw new EmbeddedFailed(`Process ${owner.pid} owns the data folder, but its PostgreSQL does not answer`)
}

async function takesConnections(url: string): Promise<boolean> {
  try {
    await (await connect(url)).end()
    return true
  } catch {
    return false
  }
}
