import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db, Statement } from '#src/contract/db.ts'
import { absentClaimants, holdClaimant, releaseClaims } from '#src/db/jobs.ts'

/** This process as one that claims jobs. */
type Claimant = {
  /** Its number while it holds its lock. */
  current(): number | undefined
  /** Holds the lock on a connection until that ends, and releases the claims of processes that ended. */
  attend(run: (statement: Statement) => Promise<unknown>, signal: AbortSignal): Promise<void>
}

const LOOK_MS = 1000
// A process that lost its connection has it again before, and goes on with its jobs.
const ABSENT_MS = 5000

type ClaimantParts = { readonly shared: Db; onReleased(): void }

// A process counts as ended when it was absent at every look during a time in which this one had its connection.
const createAbsence = ({ shared, onReleased }: ClaimantParts) => {
  const since = new Map<number, number>()
  const look = async (): Promise<void> => {
    const absent = await absentClaimants(shared)
    const now = performance.now()
    for (const claimant of since.keys()) if (!absent.includes(claimant)) since.delete(claimant)
    for (const claimant of absent) if (!since.has(claimant)) since.set(claimant, now)
    const ended = absent.filter(claimant => now - (since.get(claimant) ?? now) >= ABSENT_MS)
    if (ended.length > 0 && (await releaseClaims(shared, ended)) > 0) onReleased()
  }
  return { look: () => look().catch(() => since.clear()) }
}

/** Creates the claimant of this process, with a number of its own. */
export const createClaimant = (parts: ClaimantParts): Claimant => {
  const claimant = randomInt(1, 2 ** 31 - 1)
  let isHeld = false
  return {
    current: () => (isHeld ? claimant : undefined),
    attend: async (run, signal) => {
      await run(holdClaimant(claimant))
      isHeld = true
      const absence = createAbsence(parts)
      try {
        for (;;) {
          await pause(LOOK_MS, undefined, { signal })
          await absence.look()
        }
      } finally {
        isHeld = false
      }
    },
  }
}
