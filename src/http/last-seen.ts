import type { Database, Db } from '#src/contract/db.ts'
import { storeLastSeen, storeSessionUse } from './queries.ts'
import { startWriteBuffer } from './write-buffer.ts'

/** Marks members as seen and sessions as used, and stores this from time to time. */
export type LastSeen = {
  mark(schoolId: string, memberId: string, sessionId?: string): void
  stop(): Promise<void>
}

const MEMBER_PAUSE_MS = 5 * 60 * 1000
const SESSION_PAUSE_MS = 60 * 60 * 1000
const MAX_MARKED = 20_000

type Marking = {
  readonly pause: number
  store(db: Db, schoolId: string, ids: readonly string[]): Promise<unknown>
}

// Stores each id at most once in a pause.
const startMarking = (database: Database, { pause, store }: Marking) => {
  const markedAt = new Map<string, number>()
  const { add, stop } = startWriteBuffer<string, readonly string[]>(database, {
    combine: (ids = [], id) => [...ids, id],
    store,
  })
  const mark = (schoolId: string, id: string): void => {
    const now = performance.now()
    const key = `${schoolId} ${id}`
    if (now - (markedAt.get(key) ?? Number.NEGATIVE_INFINITY) < pause) return
    // Deleted first, so that the keys stay in the order of marking and the first one was marked longest ago.
    markedAt.delete(key)
    markedAt.set(key, now)
    const [oldest] = markedAt.size > MAX_MARKED ? markedAt.keys() : []
    if (oldest !== undefined) markedAt.delete(oldest)
    add(schoolId, id)
  }
  return { mark, stop }
}

/** Starts marking members as seen, each at most once in five minutes, and sessions as used, each at most once in an hour. */
export const startLastSeen = (database: Database): LastSeen => {
  const members = startMarking(database, { pause: MEMBER_PAUSE_MS, store: storeLastSeen })
  const sessions = startMarking(database, { pause: SESSION_PAUSE_MS, store: storeSessionUse })
  return {
    mark: (schoolId, memberId, sessionId) => {
      members.mark(schoolId, memberId)
      if (sessionId !== undefined) sessions.mark(schoolId, sessionId)
    },
    stop: async () => {
      await members.stop()
      await sessions.stop()
    },
  }
}
