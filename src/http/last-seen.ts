import type { Database } from '#src/contract/db.ts'
import { storeLastSeen } from './queries.ts'
import { startWriteBuffer } from './write-buffer.ts'

/** Marks members as seen, and stores this from time to time. */
export type LastSeen = { mark(schoolId: string, memberId: string): void; stop(): Promise<void> }

const PAUSE_MS = 5 * 60 * 1000
const MAX_MEMBERS = 20_000

/** Starts marking members as seen, each at most once in five minutes. */
export const startLastSeen = (database: Database): LastSeen => {
  const markedAt = new Map<string, number>()
  const { add, stop } = startWriteBuffer<string, readonly string[]>(database, {
    combine: (ids = [], id) => [...ids, id],
    store: storeLastSeen,
  })
  const mark = (schoolId: string, memberId: string): void => {
    const now = performance.now()
    const key = `${schoolId} ${memberId}`
    if (now - (markedAt.get(key) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS) return
    // Deleted first, so that the keys stay in the order of marking and the first one was marked longest ago.
    markedAt.delete(key)
    markedAt.set(key, now)
    const [oldest] = markedAt.size > MAX_MEMBERS ? markedAt.keys() : []
    if (oldest !== undefined) markedAt.delete(oldest)
    add(schoolId, memberId)
  }
  return { mark, stop }
}
