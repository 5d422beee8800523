import type { Database } from '#src/contract/db.ts'
import { startWriteBuffer } from './buffered-counters.ts'
import { addRequests } from './queries.ts'

/** Counts the requests of schools and stores the sums now and then. */
export type UsageCounter = { count(schoolId: string): void; stop(): Promise<void> }

/** Starts counting. */
export const startUsageCounter = (database: Database): UsageCounter => {
  const { note, stop } = startWriteBuffer<1, number>(database, {
    add: (sum = 0, one) => sum + one,
    store: addRequests,
  })
  return { count: schoolId => note(schoolId, 1), stop }
}
