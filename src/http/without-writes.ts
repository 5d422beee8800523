import type { Database, Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formKept } from '#src/contract/problems.ts'

const refuse = async (): Promise<never> => {
  throw new Refusal(formKept, 'Check what you typed, and send it.')
}

const NOTHING: Db = { all: refuse, first: refuse, one: refuse, run: refuse }

/** A database whose writes are refused as those of a form that was kept. */
export const withoutWrites = (database: Database): Database => ({
  statements: (schoolId, run) => database.statements(schoolId, db => run({ ...db, run: refuse })),
  transaction: refuse,
  stream: (schoolId, statement) => database.stream(schoolId, statement),
  shared: NOTHING,
  writtenAt: schoolId => database.writtenAt(schoolId),
})
