import type { Static, TSchema } from 'typebox'
import { anonymous, type Caller, type CallingMember } from '#src/contract/caller.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { Operation } from '#src/contract/operation.ts'
import type { CallAsPerson, PageCall, SignedInPerson, Visitor } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { signInRequired } from '#src/contract/problems.ts'
import type { Files } from '#src/contract/store.ts'
import { lockApprovals } from '#src/db/confirmations.ts'
import { refusalOf } from '#src/db/sqlstates.ts'
import { expansionOf } from './expand.ts'
import { handlerRunOf, type OperationCall, recordRun } from './handler-run.ts'
import { render } from './render.ts'
import { validBody, validParams, validQuery } from './validate.ts'
import { checkRole } from './who.ts'

type PageCallDeps = {
  readonly database: Database
  readonly operations: ReadonlyMap<string, Operation>
  readonly scopes: ReadonlySet<string>
  readonly files: Files
  keyFor(purpose: string): Buffer
}

type AnyCall = PageCall<TSchema | undefined>

const operationOf = ({ operations }: PageCallDeps, { operation: id, returns }: AnyCall): Operation => {
  const operation = operations.get(id)
  if (operation === undefined || (operation.mode !== 'read' && operation.mode !== 'write'))
    throw new Error(`${id} is not an operation that a page can perform`)
  if (returns !== undefined && operation.returns !== returns) throw new Error(`${id} declares another answer`)
  return operation
}

const callerOf = ({ scopes }: PageCallDeps, member: CallingMember | undefined): Caller =>
  member === undefined ? anonymous : { member, scopes, clientId: undefined, grantId: undefined }

const operationCallOf = (
  deps: PageCallDeps,
  person: SignedInPerson | Visitor,
  call: AnyCall,
  member: CallingMember | undefined,
): OperationCall => {
  const operation = operationOf(deps, call)
  const { school, requestId } = person
  const caller = callerOf(deps, member)
  checkRole(operation.who, caller)
  return {
    ...{ operations: deps.operations, operation, school, caller, requestId },
    files: deps.files,
    keyFor: deps.keyFor,
    params: validParams(operation.params, call.params ?? {}),
    query: validQuery(operation.query, call.query ?? []),
    body: operation.body === undefined ? undefined : validBody(operation.body, call.body),
    ifMatch: undefined,
    expansion: expansionOf(operation, call.expand, caller, school),
  }
}

const read = async (deps: PageCallDeps, person: SignedInPerson | Visitor, call: AnyCall): Promise<unknown> => {
  const operationCall = operationCallOf(deps, person, call, person.member)
  const result = await deps.database.statements(person.school.id, db =>
    handlerRunOf(operationCall).handle(db, new Date(Number.NaN)),
  )
  return render(operationCall.operation, result).value
}

const lockPerson = async (db: Db, person: SignedInPerson): Promise<CallingMember> => {
  // As for approvals: if two people change each other at the same time, the second one waits and its role is read again.
  await lockApprovals(db, person.school.id)
  const member = await person.lockMember(db)
  if (member === undefined) throw new Refusal(signInRequired, 'This sign-in has ended. Sign in again.')
  return member
}

const write = async (deps: PageCallDeps, person: SignedInPerson | Visitor, call: AnyCall): Promise<unknown> => {
  if (person.member === undefined) throw new Error(`${call.operation} writes, and a visitor only reads`)
  return deps.database.transaction(person.school.id, async (db, now) => {
    const operationCall = operationCallOf(deps, person, call, await lockPerson(db, person))
    const run = handlerRunOf(operationCall)
    const { value } = render(operationCall.operation, await run.handle(db, now))
    await recordRun(db, now, operationCall, run)
    return value
  })
}

// An error of the database becomes the same refusal as in the API.
const toRefusal = (error: unknown, operation: Operation): unknown =>
  refusalOf(error, operation.method === 'DELETE' ? 'delete' : 'write') ?? error

type Parts = Pick<PageCallDeps, 'database' | 'files' | 'keyFor'> & { readonly operations: readonly Operation[] }

/** Performs declared operations for people on the pages of the school. */
export const createCallAsPerson = ({ operations: list, ...parts }: Parts): CallAsPerson => {
  const operations = new Map(list.map(operation => [operation.id, operation]))
  const deps: PageCallDeps = { ...parts, operations, scopes: new Set(list.map(({ scope }) => scope)) }
  return async <Returns extends TSchema | undefined>(person: SignedInPerson | Visitor, call: PageCall<Returns>) => {
    const operation = operationOf(deps, call)
    const perform = operation.mode === 'read' ? read : write
    const value = await perform(deps, person, call).catch(error => {
      throw toRefusal(error, operation)
    })
    // The value was checked by the schema that gives the answer its type.
    return (call.returns === undefined ? undefined : value) as Returns extends TSchema
      ? Encoded<Static<Returns>>
      : undefined
  }
}
