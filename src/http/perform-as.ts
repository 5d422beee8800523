import type { TSchema } from 'typebox'
import { anonymous, type Caller, type CallingMember, operator } from '#src/contract/caller.ts'
import type { Database, Db } from '#src/contract/db.ts'
import { viewedReads } from '#src/contract/member-view.ts'
import { type AnyOperation, isRouted } from '#src/contract/operation.ts'
import type {
  Arrival,
  CallAsMember,
  CallAsOperator,
  CallAsPerson,
  DryRunCall,
  DryRunOutcome,
  MemberAtSchool,
  OperatorAtSchool,
  PageCall,
  SignedInPerson,
  Visitor,
} from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formKept, signInRequired, viewingOnly } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import type { Files } from '#src/contract/store.ts'
import { lockApprovals } from '#src/db/confirmations.ts'
import { findRefusal } from '#src/db/sqlstates.ts'
import { texts } from '#src/texts/index.ts'
import { countCall, withTries } from './call-limit.ts'
import { DryRun, isDryRun } from './dry-run.ts'
import { resolveExpansion } from './expand.ts'
import { createHandlerRun, type OperationCall, recordRun } from './handler-run.ts'
import { buildFormKey, findOutcome } from './idempotency.ts'
import { noContent, performStepsAs } from './perform-as-steps.ts'
import { storeOutcome } from './queries.ts'
import { render } from './render.ts'
import { validBody, validParams, validQuery } from './validate.ts'
import { checkProof, checkRole } from './who.ts'

/** What calls of pages and commands need. */
export type PageCallDeps = {
  readonly database: Database
  readonly operations: ReadonlyMap<string, AnyOperation>
  readonly files: Files
  keyFor(purpose: string): Buffer
  /** Makes an operation for lecturers or holders fail when its handler ran no guard; used in tests. */
  readonly checksGuards?: boolean | undefined
}

type AnyOperationCall = OperationCall<AnyOperation>

type AnyCall = PageCall<TSchema | undefined> | DryRunCall<TSchema | undefined>

/** Who performs calls, and on which terms. */
export type Performer = {
  readonly school: School
  readonly requestId: string
  /** The network for which calls are counted. */
  readonly network: string
  /** Called by a write that needed a proof of who the person is. */
  noteProof?(): void
  /** Who calls, before a transaction. */
  readonly caller: Caller
  /** Who calls, locked until the transaction ends. */
  lockCaller(db: Db, now: Date): Promise<Caller>
}

const getOperation = ({ operations }: PageCallDeps, { operation: id, returns }: AnyCall): AnyOperation => {
  const operation = operations.get(id)
  if (operation === undefined) throw new Error(`${id} is not an operation`)
  if (returns !== undefined && operation.returns !== returns) throw new Error(`${id} declares another answer`)
  return operation
}

const resolveExpanded = (operation: AnyOperation, { expand }: AnyCall, caller: Caller, school: School) => {
  if (isRouted(operation)) return resolveExpansion(operation, expand, caller, school)
  if (expand !== undefined) throw new Error(`${operation.id} has no relations to embed`)
  return new Set<string>()
}

/** Checks a call of an operation: who may perform it, and its input. */
export const buildOperationCall = (
  { operations, files, keyFor, checksGuards = false }: PageCallDeps,
  { school, requestId }: Performer,
  operation: AnyOperation,
  call: AnyCall,
  caller: Caller,
): AnyOperationCall => {
  checkRole(operation.who, caller)
  checkProof(operation, caller)
  return {
    operations,
    operation,
    school,
    caller,
    requestId,
    files,
    keyFor,
    checksGuards,
    params: validParams(operation.params, call.params ?? {}),
    query: validQuery(operation.query, call.query ?? []),
    body: operation.body === undefined ? undefined : validBody(operation.body, call.body),
    ifMatch: undefined,
    revision: call.revision,
    expansion: resolveExpanded(operation, call, caller, school),
  }
}

/** Performs a read. */
export const read = async (
  deps: PageCallDeps,
  performer: Performer,
  operation: AnyOperation,
  call: AnyCall,
): Promise<unknown> => {
  const operationCall = buildOperationCall(deps, performer, operation, call, performer.caller)
  const result = await deps.database.statements(performer.school.id, db =>
    createHandlerRun(operationCall).handle(db, new Date(Number.NaN)),
  )
  return render(operation, result).value
}

const steps = (deps: PageCallDeps, performer: Performer, operation: AnyOperation, call: AnyCall): Promise<unknown> => {
  const { caller, lockCaller } = performer
  if (operation.runSteps === undefined) throw new Error(`${operation.id} is not performed in steps`)
  const operationCall = buildOperationCall(deps, performer, operation, call, caller)
  const { content = noContent } = call
  return performStepsAs({ database: deps.database, call: operationCall, content, lockCaller }, operation.runSteps)
}

const write = (deps: PageCallDeps, performer: Performer, operation: AnyOperation, call: AnyCall): Promise<unknown> =>
  deps.database.transaction(performer.school.id, async (db, now) => {
    const operationCall = buildOperationCall(deps, performer, operation, call, await performer.lockCaller(db, now))
    const key = 'dryRun' in call ? undefined : buildFormKey(operationCall, call.formKey)
    const stored = key === undefined ? undefined : await findOutcome(db, key)
    if (stored !== undefined) return JSON.parse(stored.body)
    const run = createHandlerRun(operationCall)
    const { value } = render(operation, await run.handle(db, now))
    if ('dryRun' in call) throw await DryRun.of(db, operationCall, value, run.facts)
    await recordRun(db, now, operationCall, run)
    if (run.neededProof()) performer.noteProof?.()
    if (key !== undefined)
      await storeOutcome(db, key, { status: 200, headers: {}, body: JSON.stringify(value ?? null) })
    return value
  })

const performers = { read, write, stream: steps, outside: steps } as const

const buildOutcome = ({ result, facts }: DryRun): DryRunOutcome<TSchema> => ({ result, effects: facts })

// An error of the database becomes the same refusal as in the API.
const toRefusal = (error: unknown, operation: AnyOperation): unknown =>
  findRefusal(error, isRouted(operation) && operation.method === 'DELETE' ? 'delete' : 'write') ?? error

const perform = async (deps: PageCallDeps, performer: Performer, call: AnyCall): Promise<unknown> => {
  const operation = getOperation(deps, call)
  if ('dryRun' in call && operation.mode !== 'write') throw new Error(`${operation.id} changes nothing`)
  try {
    if (operation.rateLimit !== undefined) await countCall(deps.database.shared, { ...performer, operation })
    const run = () => performers[operation.mode](deps, performer, operation, call)
    const value = await withTries(deps.database.shared, { ...performer, operation }, call.body, run)
    return call.returns === undefined ? undefined : value
  } catch (error) {
    if (isDryRun(error)) return buildOutcome(error)
    throw toRefusal(error, operation)
  }
}

const lockPerson = async (db: Db, person: SignedInPerson) => {
  // As for approvals: if two people change each other at the same time, the second one waits and its role is read again.
  await lockApprovals(db, person.school.id)
  const member = await person.lockMember(db)
  if (member === undefined) throw new Refusal(signInRequired, 'This sign-in has ended. Sign in again.')
  return member
}

const lockArrival = async (db: Db, now: Date, arrival: Arrival): Promise<CallingMember> => {
  await lockApprovals(db, arrival.school.id)
  return arrival.admit(db, now)
}

// The role of an operation is checked with this caller, so a visitor writes only what anybody may write.
const lockVisitor = async (): Promise<Caller> => anonymous

/** What calls need, with the operations as a list. */
export type Parts = Omit<PageCallDeps, 'operations'> & { readonly operations: readonly AnyOperation[] }

/** Finds operations by their ids. */
export const buildDeps = (parts: Parts): PageCallDeps => ({
  ...parts,
  operations: new Map(parts.operations.map(operation => [operation.id, operation])),
})

type CallerMaker = (member: CallingMember, hasRecentProof: boolean) => Caller

/** Makes callers of people on pages; scopes limit apps, so such a person has all of them. */
export const createCallers = ({ operations }: Parts): CallerMaker => {
  const scopes = new Set(operations.filter(operation => isRouted(operation)).map(({ scope }) => scope))
  return (member, hasRecentProof) => ({ member, scopes, hasRecentProof, clientId: undefined, grantId: undefined })
}

// What is kept until the person sends it again may be shown, and tried, but not done.
const refuseKept = (deps: PageCallDeps, call: AnyCall, caller: Caller, isChecked: boolean): void => {
  const operation = getOperation(deps, call)
  if ('dryRun' in call || operation.mode === 'read') return
  if (isChecked) checkProof(operation, caller)
  throw new Refusal(formKept, 'Check what you typed, and send it.')
}

/** Refuses what staff do not do, or read, as the member whom they see the school as. */
export const refuseViewed = ({ id, who, mode }: AnyOperation): void => {
  const isOpen = who === 'anyone' || (who === 'self' && Object.hasOwn(viewedReads, id))
  if (mode !== 'read' || !isOpen) throw new Refusal(viewingOnly, texts.staff.viewing.refused)
}

const performForPerson = async (
  deps: PageCallDeps,
  buildCaller: CallerMaker,
  person: SignedInPerson,
  call: AnyCall,
): Promise<unknown> => {
  if (person.isViewed === true) refuseViewed(getOperation(deps, call))
  const { school, requestId, network } = person
  let neededProof = false
  const lockCaller = async (db: Db): Promise<Caller> => {
    const { isRecent, ...member } = await lockPerson(db, person)
    return buildCaller(member, isRecent)
  }
  const caller = buildCaller(person.member, person.hasRecentProof)
  if (person.isKept === true) refuseKept(deps, call, caller, person.isChecked === true)
  const noteProof = (): void => {
    neededProof = true
  }
  const value = await perform(deps, { school, requestId, network, caller, lockCaller, noteProof }, call)
  // What was done stays done where this fails.
  if (neededProof) await person.extendProof().catch(() => undefined)
  return value
}

/** Performs declared operations for people on the pages of the school. */
export const createCallAsPerson = (parts: Parts): CallAsPerson => {
  const deps = buildDeps(parts)
  const buildCaller = createCallers(parts)
  const callAsPerson = (person: SignedInPerson | Visitor | Arrival, call: AnyCall): Promise<unknown> => {
    const { school, requestId, network } = person
    const visitor = { school, requestId, network, caller: anonymous }
    if ('admit' in person) {
      const admitCaller = async (db: Db, now: Date) => buildCaller(await lockArrival(db, now, person), true)
      return perform(deps, { ...visitor, lockCaller: admitCaller }, call)
    }
    if (person.member === undefined) return perform(deps, { ...visitor, lockCaller: lockVisitor }, call)
    return performForPerson(deps, buildCaller, person, call)
  }
  // The value was checked by the schema that gives the answer its type.
  return callAsPerson as CallAsPerson
}

/** Performs operations without a route for the operator, for commands. */
export const createCallAsOperator = (parts: Parts): CallAsOperator => {
  const deps = buildDeps(parts)
  const callAsOperator = async (at: OperatorAtSchool, call: AnyCall): Promise<unknown> => {
    const operation = getOperation(deps, call)
    if (isRouted(operation)) throw new Error(`${operation.id} has a route: it is for apps and people`)
    return perform(deps, { ...at, network: '', caller: operator, lockCaller: async () => operator }, call)
  }
  // The value was checked by the schema that gives the answer its type.
  return callAsOperator as CallAsOperator
}

/** What calls for members who are not there need. */
type MemberParts = Parts & {
  /** An active member with their role, locked until a transaction ends; undefined when there is none. */
  lockMember(db: Db, schoolId: string, memberId: string): Promise<CallingMember | undefined>
}

/** Performs declared operations for members who are not there, for the worker and for commands. */
export const createCallAsMember = (parts: MemberParts): CallAsMember => {
  const deps = buildDeps(parts)
  const buildCaller = createCallers(parts)
  const callAsMember = async (by: MemberAtSchool, call: AnyCall): Promise<unknown> => {
    const { school, memberId, requestId } = by
    const lockCaller = async (db: Db): Promise<Caller> => {
      const member = await parts.lockMember(db, school.id, memberId)
      if (member === undefined) throw new Refusal(signInRequired, 'This member is not active.')
      return buildCaller(member, true)
    }
    const caller = await deps.database.transaction(school.id, db => lockCaller(db))
    return perform(deps, { school, requestId, network: '', caller, lockCaller }, call)
  }
  // The value was checked by the schema that gives the answer its type.
  return callAsMember as CallAsMember
}
