import type { Database } from '#src/contract/db.ts'
import { addRequests } from './queries.ts'
import { startWriteBuffer } from './write-buffer.ts'

/** Counts the requests of schools and stores the sums from time to time. */
export type UsageCounter = { count(schoolId: string): void; stop(): Promise<void> }

/** Starts counting. */
export const startUsageCounter = (database: Database): UsageCounter => {
  const { add, stop } = startWriteBuffer<1, number>(database, {
    combine: (sum = 0, one) => sum + one,
    store: addRequests,
  })
  return { count: schoolId => add(schoolId, 1), stop }
}
