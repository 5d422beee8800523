import type { Db } from './db.ts'

/**
 * Something that happens often and may be lost: told by operations of the mode `trace`, gathered in memory, and stored
 * now and then in one statement for each school, without audit, fact or revision (decision 55).
 */
export type BufferedWrite<Told> = {
  readonly name: string
  /** Of what is told under one key only the last is stored. */
  keyOf(told: Told): string
  store(db: Db, schoolId: string, told: readonly Told[]): Promise<unknown>
}

/** Notes what a trace is told of the school of the request. */
export type BufferWrite = <Told>(trace: BufferedWrite<Told>, told: Told) => void
