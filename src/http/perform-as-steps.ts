import type { Caller } from '#src/contract/caller.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { AnyMultiStepContext, Content, ResourceChange } from '#src/contract/multi-step.ts'
import type { AnyOperation } from '#src/contract/operation.ts'
import { decodeCall, type OperationCall, recordRun } from './handler-run.ts'
import { render } from './render.ts'
import { checkProof, checkRole } from './who.ts'

type StepsForPerson = {
  readonly database: Database
  readonly call: OperationCall<AnyOperation>
  readonly content: Content
  /** Who calls, locked until the transaction ends. */
  lockCaller(db: Db, now: Date): Promise<Caller>
}

// The session or the role may have ended since the operation began.
const createWrite =
  ({ database, call, lockCaller }: StepsForPerson): AnyMultiStepContext['write'] =>
  run =>
    database.transaction(call.school.id, async (db, now) => {
      const caller = await lockCaller(db, now)
      checkRole(call.operation.who, caller)
      checkProof(call.operation, caller)
      const facts: Fact[] = []
      const changes: ResourceChange[] = []
      const record = (fact: Fact) => void facts.push(fact)
      const changed = (change: ResourceChange) => void changes.push(change)
      const value = await run({ db, now, record, changed })
      await recordRun(db, now, { ...call, caller }, { facts, changes })
      return value
    })

/** The content of an operation that reads none. */
export const noContent: Content = {
  length: undefined,
  range: undefined,
  read: () => {
    throw new Error('only an operation of the mode stream has content')
  },
}

/** Performs a multi-step operation for a person on a page; the input and the role have been checked. */
export const performStepsAs = async (steps: StepsForPerson, runSteps: NonNullable<AnyOperation['runSteps']>) => {
  const { database, call, content } = steps
  const { operation, school, caller, files, keyFor } = call
  const result = await runSteps({
    operationId: operation.id,
    school,
    caller,
    files,
    keyFor,
    ...decodeCall(call),
    content,
    database,
    read: run => database.statements(school.id, run),
    write: createWrite(steps),
  })
  return render(operation, result).value
}
