import type { Database, Db, Statement } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formKept } from '#src/contract/problems.ts'

const refuse = async (): Promise<never> => {
  throw new Refusal(formKept, 'Check what you typed, and send it.')
}

const NOTHING: Db = { all: refuse, first: refuse, one: refuse, run: refuse }

// A statement that returns rows may write too. `for update` is followed by nothing, or by one of these words.
const WRITES = /\b(?:insert into|delete from|update (?!of\b|skip\b|nowait\b))/

const writes = ({ text }: Statement): boolean => WRITES.test(text)

// A page may write while it is shown, such as when it asked a provider about a payment: no row is found for that.
const readOnly = (db: Db): Db => ({
  all: async statement => (writes(statement) ? [] : db.all(statement)),
  first: async statement => (writes(statement) ? undefined : db.first(statement)),
  one: async statement => (writes(statement) ? refuse() : db.one(statement)),
  run: refuse,
})

/** A database whose writes are refused as those of a form that was kept. */
export const withoutWrites = (database: Database): Database => ({
  statements: (schoolId, run) => database.statements(schoolId, db => run(readOnly(db))),
  transaction: refuse,
  stream: (schoolId, statement) => database.stream(schoolId, statement),
  shared: NOTHING,
  writtenAt: schoolId => database.writtenAt(schoolId),
})
