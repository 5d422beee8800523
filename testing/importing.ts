import { after } from 'node:test'
import { anonymous, type Role, type SignedIn } from '#src/contract/caller.ts'
import type { WriteContext } from '#src/contract/context.ts'
import { type Fact, findMismatch } from '#src/contract/fact.ts'
import { openDatabase } from '#src/db/database.ts'
import type { PersonName, TestApp } from './app.ts'
import { readMemberId } from './learning.ts'

/** What a function of an import gets of the context of a write. */
type Importing = Pick<WriteContext, 'db' | 'school' | 'now' | 'caller' | 'changed' | 'record'>

const check = (fact: Fact): Fact => {
  const mismatch = findMismatch(fact)
  if (mismatch !== undefined) throw new Error(mismatch)
  return fact
}

/** Runs functions of imports in transactions of the first school, each as a member of it, and collects their facts. */
export const importing = (app: TestApp) => {
  const facts: Fact[] = []
  let database: ReturnType<typeof openDatabase> | undefined
  after(() => database?.close())
  const run = async <T>(as: PersonName, role: Role, work: (context: Importing) => Promise<T>): Promise<T> => {
    database ??= openDatabase(app.database.appUrl, { wait: 10_000 })
    const caller: SignedIn = { ...anonymous, member: { id: await readMemberId(app, as), role } }
    return database.transaction(app.a.id, (db, now) =>
      work({ db, school: app.a, now, caller, changed: () => undefined, record: fact => void facts.push(check(fact)) }),
    )
  }
  return { facts, run }
}
