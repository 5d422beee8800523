import { createHash } from 'node:crypto'
import { link, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describeOwner, isAlive, type Lock, lockText, parseLock, readLock, writeDraft } from './lock-file.ts'
import { isSameProcess } from './processes.ts'

/** How an attempt at the lock ended: ours (perhaps after a dead owner), or held by somebody alive. */
type Attempt = { mine: Lock; dead: Lock | undefined } | { held: Lock }

/** Takes the lock at this path if nobody alive holds it; of any number of simultaneous takers exactly one wins. */
export async function takeLock(path: string): Promise<Attempt> {
  const mine = describeOwner()
  const draft = `${path}.${mine.nonce}`
  await writeDraft(draft, mine)
  try {
    for (;;) {
      if (await linked(draft, path)) return { mine, dead: undefined }
      const text = await lockText(path)
      const held = parseLock(text)
      if (held && (await isAlive(held))) return { held }
      if (text !== undefined && (await replaced(path, text, draft, path))) return { mine, dead: held }
      await delay(10)
    }
  } finally {
    await rm(draft, { force: true })
  }
}

/** Writes more into the lock that we hold. */
export async function updateLock(path: string, mine: Lock): Promise<void> {
  const draft = `${path}.${mine.nonce}`
  await writeDraft(draft, mine)
  await rename(draft, path)
}

/** Gives the lock back, if it is still ours. */
export async function releaseLock(path: string, mine: Lock): Promise<void> {
  if ((await readLock(path))?.nonce === mine.nonce) await rm(path, { force: true })
}

/** Removes what takers that were killed half way left beside the lock. */
export async function sweepDrafts(path: string): Promise<void> {
  const names = (await readdir(dirname(path))).filter(name => name.startsWith(`${basename(path)}.`))
  for (const name of names) {
    const draft = join(dirname(path), name)
    const owner = await readLock(draft)
    if (!owner || !isSameProcess(owner.pid, owner.started)) await rm(draft, { force: true })
  }
}

/** The one name that gives the right to replace this dead file. */
export function claimOn(path: string, deadText: string, lockPath: string): string {
  return `${lockPath}.${createHash('sha256').update(`${path}\n${deadText}`).digest('hex').slice(0, 32)}`
}

/**
 * Puts our draft in the place of a file whose owner is dead; false when somebody else was quicker. Only who holds the
 * claim named after the dead file may replace it, and a claim whose holder died is replaced in the same way.
 */
async function replaced(path: string, deadText: string, draft: string, lockPath: string): Promise<boolean> {
  const claim = claimOn(path, deadText, lockPath)
  if (!(await linked(draft, claim))) {
    const text = await lockText(claim)
    const rival = parseLock(text)
    if (text === undefined || (rival && (await isAlive(rival)))) return false
    if (!(await replaced(claim, text, draft, lockPath))) return false
  }
  if ((await lockText(path)) !== deadText) {
    await rm(claim, { force: true })
    return false
  }
  await rename(claim, path)
  return true
}

// The whole text is there before the name is: link() is atomic, and refuses a name that exists.
async function linked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
