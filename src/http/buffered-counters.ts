import type { Database, Db } from '#src/contract/db.ts'

/** What is gathered of a school and stored now and then, in one statement; the last seconds may be lost. */
export type WriteBuffer<Told> = { note(schoolId: string, told: Told): void; stop(): Promise<void> }

/** How something is gathered and stored. */
export type BufferPlan<Told, Sum> = {
  /** What there is of a school after one more was told. */
  add(sum: Sum | undefined, told: Told): Sum
  store(db: Db, schoolId: string, sum: Sum): Promise<unknown>
}

const FLUSH_MS = 2000
// However many schools are asked at once, storing costs no more than this each time; the others wait their turn.
const SCHOOLS_AT_ONCE = 50

/** Starts gathering. */
export const startWriteBuffer = <Told, Sum>(
  database: Database,
  { add, store }: BufferPlan<Told, Sum>,
): WriteBuffer<Told> => {
  const waiting = new Map<string, Sum>()
  const flush = async (most: number): Promise<void> => {
    for (const [schoolId, sum] of [...waiting].slice(0, most)) {
      waiting.delete(schoolId)
      // Whether a failed statement was done is not known: rather too few than too many.
      await database.statements(schoolId, db => store(db, schoolId, sum)).catch(() => undefined)
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
    note: (schoolId, told) => void waiting.set(schoolId, add(waiting.get(schoolId), told)),
    stop: async () => {
      clearInterval(timer)
      await flushing
      await flush(SCHOOLS_AT_ONCE)
    },
  }
}
