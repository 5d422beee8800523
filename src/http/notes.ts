import type { Database } from '#src/contract/db.ts'
import type { Trace } from '#src/contract/trace.ts'
import { startTraces, type Traces } from './traces.ts'

/** Gathers what operations of the mode `trace` tell, each trace by itself. */
export type Notes = { note<Told>(schoolId: string, trace: Trace<Told>, told: Told): void; stop(): Promise<void> }

// Of one school, until the next storing; whoever comes when it is full is told that it was noted, and it is not.
const MOST = 20_000

/** Starts gathering. */
export const startNotes = (database: Database): Notes => {
  const running = new Map<string, Traces<unknown>>()
  const begin = <Told>({ keyOf, store }: Trace<Told>): Traces<Told> =>
    startTraces<Told, Map<string, Told>>(database, {
      add: (sum = new Map(), told) => {
        const key = keyOf(told)
        return sum.size < MOST || sum.has(key) ? sum.set(key, told) : sum
      },
      store: (db, schoolId, sum) => store(db, schoolId, [...sum.values()]),
    })
  return {
    note: (schoolId, trace, told) => {
      const traces = (running.get(trace.name) ?? begin(trace)) as Traces<unknown>
      running.set(trace.name, traces)
      traces.note(schoolId, told)
    },
    stop: async () => {
      await Promise.all([...running.values()].map(({ stop }) => stop()))
    },
  }
}
