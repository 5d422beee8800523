import type { Database, Db } from '#src/contract/db.ts'

/** A buffer of values per school that are stored from time to time, in one statement; the last seconds may be lost. */
type WriteBuffer<Value> = { add(schoolId: string, value: Value): void; stop(): Promise<void> }

/** How values are combined and stored. */
type BufferPlan<Value, Sum> = {
  /** Adds a value to what a school has in the buffer. */
  combine(sum: Sum | undefined, value: Value): Sum
  store(db: Db, schoolId: string, sum: Sum): Promise<unknown>
}

const FLUSH_MS = 2000
// This bounds the cost of one flush, however many schools have values; the other schools are stored in a later one.
const SCHOOLS_PER_FLUSH = 50

/** Starts a write buffer. */
export const startWriteBuffer = <Value, Sum>(
  database: Database,
  { combine, store }: BufferPlan<Value, Sum>,
): WriteBuffer<Value> => {
  const pending = new Map<string, Sum>()
  const flush = async (): Promise<void> => {
    for (const [schoolId, sum] of [...pending].slice(0, SCHOOLS_PER_FLUSH)) {
      pending.delete(schoolId)
      // A statement that failed may have been executed, so it is not repeated: too few rather than too many.
      await database.statements(schoolId, db => store(db, schoolId, sum)).catch(() => undefined)
    }
  }
  let flushing: Promise<void> | undefined
  const timer = setInterval(() => {
    if (pending.size === 0 || flushing !== undefined) return
    flushing = flush().finally(() => {
      flushing = undefined
    })
  }, FLUSH_MS).unref()
  return {
    add: (schoolId, value) => void pending.set(schoolId, combine(pending.get(schoolId), value)),
    stop: async () => {
      clearInterval(timer)
      await flushing
      await flush()
    },
  }
}
