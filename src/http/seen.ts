import type { Database } from '#src/contract/db.ts'
import { startWriteBuffer } from './buffered-counters.ts'
import { markSeen } from './queries.ts'

/** Marks members as seen, and stores that now and then. */
export type Seen = { mark(schoolId: string, memberId: string): void; stop(): Promise<void> }

const PAUSE_MS = 5 * 60 * 1000
const MOST = 20_000

/** Starts marking: a member at most once in five minutes. */
export const startSeen = (database: Database): Seen => {
  const marked = new Map<string, number>()
  const { note, stop } = startWriteBuffer<string, readonly string[]>(database, {
    add: (ids = [], id) => [...ids, id],
    store: markSeen,
  })
  const mark = (schoolId: string, memberId: string): void => {
    const now = performance.now()
    const key = `${schoolId} ${memberId}`
    if (now - (marked.get(key) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS) return
    // Taken out first, so that they stand in the order of marking and the one who goes was marked longest ago.
    marked.delete(key)
    marked.set(key, now)
    const [oldest] = marked.size > MOST ? marked.keys() : []
    if (oldest !== undefined) marked.delete(oldest)
    note(schoolId, memberId)
  }
  return { mark, stop }
}
