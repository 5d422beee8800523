import type { Static, TSchema } from 'typebox'
import type { Caller, CallingMember } from '#src/contract/caller.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { Operation } from '#src/contract/operation.ts'
import type { CallAsPerson, PageCall, SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { signInRequired } from '#src/contract/problems.ts'
import type { Files } from '#src/contract/store.ts'
import { holdApprovals } from '#src/db/confirmations.ts'
import { refusalOf } from '#src/db/sqlstates.ts'
import { expansionOf } from './expand.ts'
import { handlerRunOf, type OperationCall, recordRun, writeReplyOf } from './handler-run.ts'
import { render } from './render.ts'
import { validBody, validParams, validQuery } from './validate.ts'
import { checkRole } from './who.ts'

type Performer = {
  readonly database: Database
  readonly operations: ReadonlyMap<string, Operation>
  readonly scopes: ReadonlySet<string>
  readonly files: Files
  keyFor(purpose: string): Buffer
}

type AnyCall = PageCall<TSchema | undefined>

const operationOf = ({ operations }: Performer, { operation: id, returns }: AnyCall): Operation => {
  const operation = operations.get(id)
  if (operation === undefined || (operation.mode !== 'read' && operation.mode !== 'write'))
    throw new Error(`${id} is no operation that a page can perform`)
  if (returns !== undefined && operation.returns !== returns) throw new Error(`${id} answers in another shape`)
  return operation
}

const callerOf = ({ scopes }: Performer, member: CallingMember): Caller => ({
  ...{ member, scopes },
  clientId: undefined,
  grantId: undefined,
})

const handlingOf = (
  performer: Performer,
  person: SignedInPerson,
  call: AnyCall,
  member: CallingMember,
): OperationCall => {
  const operation = operationOf(performer, call)
  const { school, requestId } = person
  const caller = callerOf(performer, member)
  checkRole(operation.who, caller)
  return {
    ...{ operations: performer.operations, operation, school, caller, requestId },
    files: performer.files,
    keyFor: performer.keyFor,
    params: validParams(operation.params, call.params ?? {}),
    query: validQuery(operation.query, call.query ?? []),
    body: operation.body === undefined ? undefined : validBody(operation.body, call.body),
    ifMatch: undefined,
    expansion: expansionOf(operation, call.expand, caller, school),
  }
}

const read = async (performer: Performer, person: SignedInPerson, call: AnyCall): Promise<unknown> => {
  const handling = handlingOf(performer, person, call, person.member)
  const value = await performer.database.statements(person.school.id, db =>
    handlerRunOf(handling).handle(db, new Date(Number.NaN)),
  )
  render(handling.operation, value)
  return value
}

const holdPerson = async (db: Db, person: SignedInPerson): Promise<CallingMember> => {
  // As approvals do: two people who change each other at once come one after the other, and the later one's role counts.
  await holdApprovals(db, person.school.id)
  const member = await person.hold(db)
  if (member === undefined) throw new Refusal(signInRequired, 'This sign-in has ended. Sign in again.')
  return member
}

const write = (performer: Performer, person: SignedInPerson, call: AnyCall): Promise<unknown> =>
  performer.database.transaction(person.school.id, async (db, now) => {
    const handling = handlingOf(performer, person, call, await holdPerson(db, person))
    const work = handlerRunOf(handling)
    const value = await work.handle(db, now)
    writeReplyOf(handling, value)
    await recordRun(db, now, handling, work)
    return value
  })

// What the database refuses is told as the API tells it.
const told = (error: unknown, operation: Operation): unknown =>
  refusalOf(error, operation.method === 'DELETE' ? 'delete' : 'write') ?? error

type Parts = Pick<Performer, 'database' | 'files' | 'keyFor'> & { readonly operations: readonly Operation[] }

/** Performs declared operations for people on the pages of the school. */
export const createCallAsPerson = ({ operations: list, ...parts }: Parts): CallAsPerson => {
  const operations = new Map(list.map(operation => [operation.id, operation]))
  const performer: Performer = { ...parts, operations, scopes: new Set(list.map(({ scope }) => scope)) }
  return async <Returns extends TSchema | undefined>(person: SignedInPerson, call: PageCall<Returns>) => {
    const operation = operationOf(performer, call)
    const perform = operation.mode === 'read' ? read : write
    const value = await perform(performer, person, call).catch(error => {
      throw told(error, operation)
    })
    // It was checked by the schema that gives the answer its type.
    return (call.returns === undefined ? undefined : value) as Returns extends TSchema ? Static<Returns> : undefined
  }
}
