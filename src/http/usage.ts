import type { Database } from '#src/contract/db.ts'
import { addRequests } from './queries.ts'

/** Counts the requests of schools and stores the sums now and then; the last seconds may be lost. */
export type UsageCounter = { count(schoolId: string): void; stop(): Promise<void> }

const FLUSH_MS = 2000
// However many schools are asked at once, counting them costs no more than this each time; the others wait their turn.
const SCHOOLS_AT_ONCE = 50

/** Starts counting. */
export const startUsage = (database: Database): UsageCounter => {
  const waiting = new Map<string, number>()
  const flush = async (most: number): Promise<void> => {
    for (const [schoolId, requests] of [...waiting].slice(0, most)) {
      waiting.delete(schoolId)
      // Whether a failed statement counted is not known: rather too few than too many.
      await database.read(schoolId, db => addRequests(db, schoolId, requests)).catch(() => undefined)
    }
  }
  let flushing: Promise<void> | undefined
  const timer = setInterval(() => {
    if (waiting.size === 0 || flushing !== undefined) return
    flushing = flush(SCHOOLS_AT_ONCE).finally(() => {
      flushing = undefined
    })
  }, FLUSH_MS).unref()
  return {
    count: schoolId => void waiting.set(schoolId, (waiting.get(schoolId) ?? 0) + 1),
    stop: async () => {
      clearInterval(timer)
      await flushing
      await flush(SCHOOLS_AT_ONCE)
    },
  }
}
