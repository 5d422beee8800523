import type { TSchema } from 'typebox'
import type { Caller } from '#src/contract/caller.ts'
import { answerSchema, compileCheck } from '#src/contract/check.ts'
import { decode, encode } from '#src/contract/codec.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import { hasPassedGuard } from '#src/contract/guard.ts'
import { type AnyOperation, isRouted, type Operation, type ResourceChange } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { preconditionFailed } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import type { Files } from '#src/contract/store.ts'
import type { Viewed } from '#src/contract/view-count.ts'
import { recordWrite } from '#src/db/audit.ts'
import { lacksScope } from './bearer.ts'
import { computeEtag, readMatch, requireMatch } from './preconditions.ts'
import { render } from './render.ts'
import { mayCall, requireProof } from './who.ts'

/** One call of an operation, from a request, a page, a command or an approved confirmation; its values are as on the wire. */
export type OperationCall<Called extends AnyOperation = Operation> = {
  /** All operations by id, also those without a route. */
  readonly operations: ReadonlyMap<string, AnyOperation>
  readonly operation: Called
  readonly school: School
  readonly caller: Caller
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly ifMatch: string | undefined
  /** The revision that a page showed. */
  readonly revision?: number | undefined
  readonly requestId: string
  keyFor(purpose: string): Buffer
  readonly files: Files
  readonly checksGuards?: boolean
  /** The relations to embed. */
  readonly expansion?: ReadonlySet<string>
}

type Context = Parameters<Operation['handle']>[0]

/** The run of a handler, with what it recorded. */
export type HandlerRun = {
  handle(db: Db, now: Date): Promise<unknown>
  createContext(db: Db, now: Date): Context
  readonly facts: readonly Fact[]
  readonly changes: readonly ResourceChange[]
  /** Whether the handler waived the confirmation. */
  isWaived(): boolean
  /** Whether it needed a proof of who the person is. */
  neededProof(): boolean
  /** What it showed, where its views are counted. */
  viewed(): Viewed | undefined
}

type AnyCall = OperationCall<AnyOperation>

// An app is never told of an operation that no app can call.
const isCallable = (operation: AnyOperation, { clientId, scopes }: Caller): boolean =>
  isRouted(operation) ? operation.scope === 'none' || scopes.has(operation.scope) : clientId === undefined

const allowedActions = ({ operations, caller }: AnyCall, ids: readonly string[]): string[] =>
  ids.filter(id => {
    const operation = operations.get(id)
    if (operation === undefined) throw new Error(`${id} is not an operation`)
    return mayCall(operation.who, caller) && isCallable(operation, caller)
  })

// The check of the role lets every member call these operations.
const needsGuard = ({ who }: AnyOperation): boolean => who === 'lecturer_of' || who === 'holder'

const listReads = (operations: AnyCall['operations']): Operation[] =>
  [...operations.values()].filter(operation => isRouted(operation)).filter(({ method }) => method === 'GET')

const parseRoot = (path: string): string | undefined => path.split('/')[1]

// The resource as it is read: of the reads whose paths begin this operation's path, the longest that returns it; else one
// beside it, as the draft of an appearance is beside its publications; else as a change of it returns it, where it is only read
// in a list.
const encodedResource = (operation: Operation, operations: AnyCall['operations'], resource: unknown): unknown => {
  const isAbove = (path: string): boolean => `${operation.path}/`.startsWith(`${path}/`)
  const reads = listReads(operations)
  const above = reads.filter(({ path }) => isAbove(path)).sort((left, right) => right.path.length - left.path.length)
  const beside = reads.filter(({ path }) => !isAbove(path) && parseRoot(path) === parseRoot(operation.path))
  const changes = [...operations.values()].filter(isRouted).filter(({ path }) => path === operation.path)
  const schemas = [...above, ...beside, ...changes].flatMap(({ returns }) => returns ?? [])
  for (const schema of schemas) {
    const value = encode(schema, resource)
    if (compileCheck(answerSchema(schema)).Check(value)) return value
  }
  throw new Error(`${operation.id} changes a resource that no operation reads`)
}

const decodeWith = <Value>(schema: TSchema | undefined, value: Value): Value =>
  schema === undefined ? value : (decode(schema, value) as Value)

/** The parameters, the query and the body of a call, decoded for the handler. */
export const decodeCall = ({
  operation,
  params,
  query,
  body,
}: Pick<AnyCall, 'operation' | 'params' | 'query' | 'body'>) => ({
  params: decodeWith(operation.params, params),
  query: decodeWith(operation.query, query),
  body: decodeWith(operation.body, body),
})

const hasChanged = (): Refusal => new Refusal(preconditionFailed, 'The resource has changed since the page was opened.')

// A page names the revision that it showed, so an operation without a route has no If-Match.
const createMatch = ({ operation, operations, ifMatch, revision: shown }: AnyCall): Context['requireMatch'] => {
  if (shown !== undefined)
    return async revision => {
      if (revision !== shown) throw hasChanged()
    }
  if (!isRouted(operation)) return async () => undefined
  const match = readMatch(operation, ifMatch)
  return (revision, current) =>
    requireMatch(match, revision, async () => {
      const value = encodedResource(operation, operations, await current())
      return computeEtag(value, JSON.stringify(value))
    })
}

/** The run of the handler of a call; If-Match is read before the database is used. */
export const createHandlerRun = (call: AnyCall): HandlerRun => {
  const facts: Fact[] = []
  const changes: ResourceChange[] = []
  let waived = false
  let viewed: Viewed | undefined
  const { operation, school, caller } = call
  let needsProof = operation.proof !== undefined
  const { params, query, body } = decodeCall(call)
  const matches = createMatch(call)
  const createContext = (db: Db, now: Date): Context => ({
    operationId: operation.id,
    school,
    caller,
    params,
    query,
    body,
    db,
    now,
    keyFor: call.keyFor,
    files: call.files,
    requireMatch: matches,
    requireScope: (scope, what) => {
      if (caller.isOperator !== true && !caller.scopes.has(scope)) throw lacksScope(school, scope, what)
    },
    expands: relation => call.expansion?.has(relation) ?? false,
    countView: shown => {
      viewed = shown
    },
    allowedActions: ids => allowedActions(call, ids),
    record: fact => void facts.push(fact),
    changed: change => void changes.push(change),
    waiveConfirmation: () => {
      waived = true
    },
    requireProof: level => {
      needsProof = true
      requireProof(level, caller)
    },
  })
  return {
    createContext,
    handle: async (db, now) => {
      const result = await operation.handle(createContext(db, now))
      if (call.checksGuards === true && needsGuard(operation) && !hasPassedGuard(db))
        throw new Error(`the handler of ${operation.id} ran no guard`)
      return result
    },
    facts,
    changes,
    isWaived: () => waived,
    neededProof: () => needsProof,
    viewed: () => viewed,
  }
}

/** The complete response to a write. */
export type WriteReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const isRead = (operations: OperationCall['operations'], path: string): boolean =>
  listReads(operations).some(one => one.path.replace(/:\w+$/, ':id') === `${path}/:id`)

// A new resource is below the path of its operation, or has a path of its own: /lessons/… for /sections/…/lessons.
// An operation for which neither applies declares `locationPath`.
const buildLocation = (
  { operation, operations, school, params }: OperationCall,
  value: unknown,
): string | undefined => {
  if (operation.status !== 201 || typeof value !== 'object' || value === null || !('id' in value)) return undefined
  if (operation.locationPath !== undefined) return `${school.baseUrl}/api/v1${operation.locationPath}/${value.id}`
  const own = `/${operation.path.split('/').at(-1)}`
  const template = !isRead(operations, operation.path) && isRead(operations, own) ? own : operation.path
  const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  return `${school.baseUrl}/api/v1${path}/${value.id}`
}

/** The response to a write. */
export const buildWriteReply = (call: OperationCall, result: unknown): WriteReply => {
  const { operation } = call
  const headers: Record<string, string> = { 'cache-control': 'private, no-store', vary: 'Authorization' }
  if (operation.returns === undefined) return { status: 204, headers, body: '' }
  const { value, body } = render(operation, result)
  headers['content-type'] = 'application/json; charset=utf-8'
  headers.etag = computeEtag(value, body)
  const location = buildLocation(call, value)
  if (location !== undefined) headers.location = location
  return { status: operation.status, headers, body }
}

/** Stores the facts and the audit entries that a handler recorded. */
export const recordRun = (
  db: Db,
  now: Date,
  call: Pick<AnyCall, 'school' | 'caller' | 'operation' | 'requestId'>,
  run: Pick<HandlerRun, 'facts' | 'changes'>,
): Promise<void> => {
  const { school, caller, operation, requestId } = call
  const { member, clientId, isOperator } = caller
  const actor = isOperator === true ? 'operator' : 'anonymous'
  return recordWrite(
    db,
    { schoolId: school.id, now, operation: operation.id, requestId, memberId: member?.id, clientId, actor },
    run,
  )
}
