import type { BufferedWrite } from '#src/contract/buffered-write.ts'
import type { Database } from '#src/contract/db.ts'
import { startWriteBuffer, type WriteBuffer } from './buffered-counters.ts'

/** Gathers what operations of the mode `trace` tell, each trace by itself. */
export type BufferedWrites = {
  note<Told>(schoolId: string, trace: BufferedWrite<Told>, told: Told): void
  stop(): Promise<void>
}

// Of one school, until the next storing; whoever comes when it is full is told that it was noted, and it is not.
const MOST = 20_000

/** Starts gathering. */
export const startBufferedWrites = (database: Database): BufferedWrites => {
  const running = new Map<string, WriteBuffer<unknown>>()
  const begin = <Told>({ keyOf, store }: BufferedWrite<Told>): WriteBuffer<Told> =>
    startWriteBuffer<Told, Map<string, Told>>(database, {
      add: (sum = new Map(), told) => {
        const key = keyOf(told)
        return sum.size < MOST || sum.has(key) ? sum.set(key, told) : sum
      },
      store: (db, schoolId, sum) => store(db, schoolId, [...sum.values()]),
    })
  return {
    note: (schoolId, trace, told) => {
      const traces = (running.get(trace.name) ?? begin(trace)) as WriteBuffer<unknown>
      running.set(trace.name, traces)
      traces.note(schoolId, told)
    },
    stop: async () => {
      await Promise.all([...running.values()].map(({ stop }) => stop()))
    },
  }
}
