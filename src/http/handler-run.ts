import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import { hasPassedGuard } from '#src/contract/guard.ts'
import type { Operation, ResourceChange } from '#src/contract/operation.ts'
import type { School } from '#src/contract/school.ts'
import type { Files } from '#src/contract/store.ts'
import { recordWrite } from '#src/db/audit.ts'
import { etagOf, readMatch, requireMatch } from './preconditions.ts'
import { render } from './render.ts'
import { mayCall } from './who.ts'

/** One call of an operation, whether it comes from a request or from an approval. */
export type OperationCall = {
  readonly operations: ReadonlyMap<string, Operation>
  readonly operation: Operation
  readonly school: School
  readonly caller: Caller
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly ifMatch: string | undefined
  readonly requestId: string
  keyFor(purpose: string): Buffer
  readonly files: Files
  readonly checksGuards?: boolean
  /** The relations to embed. */
  readonly expansion?: ReadonlySet<string>
}

type Context = Parameters<Operation['handle']>[0]

/** A handler on its way: what it told beside its answer. */
export type HandlerRun = {
  handle(db: Db, now: Date): Promise<unknown>
  contextOf(db: Db, now: Date): Context
  readonly facts: readonly Fact[]
  readonly changes: readonly ResourceChange[]
  /** Whether the handler said that nobody has to be asked. */
  isWaived(): boolean
}

const allowed = ({ operations, caller }: OperationCall, ids: readonly string[]): string[] =>
  ids.filter(id => {
    const operation = operations.get(id)
    if (operation === undefined) throw new Error(`${id} is not an operation`)
    return mayCall(operation.who, caller) && (operation.scope === 'none' || caller.scopes.has(operation.scope))
  })

// The role alone lets every member through.
const needsGuard = ({ who }: Operation): boolean => who === 'lecturer_of' || who === 'holder'

/** The handler of a call; If-Match is read before the database is asked. */
export const handlerRunOf = (call: OperationCall): HandlerRun => {
  const facts: Fact[] = []
  const changes: ResourceChange[] = []
  let waived = false
  const { operation, school, caller, params, query, body } = call
  const match = readMatch(operation, call.ifMatch)
  const contextOf = (db: Db, now: Date): Context => ({
    ...{ operationId: operation.id, school, caller, params, query, body, db, now },
    keyFor: call.keyFor,
    files: call.files,
    // What a read of it answers, whatever this operation does.
    requireMatch: (revision, current) =>
      requireMatch(match, revision, async () => {
        const value = await current()
        return etagOf(value, JSON.stringify(value))
      }),
    expands: relation => call.expansion?.has(relation) ?? false,
    allowedActions: ids => allowed(call, ids),
    record: fact => void facts.push(fact),
    changed: change => void changes.push(change),
    waiveConfirmation: () => {
      waived = true
    },
  })
  return {
    contextOf,
    handle: async (db, now) => {
      const result = await operation.handle(contextOf(db, now))
      if (call.checksGuards === true && needsGuard(operation) && !hasPassedGuard(db))
        throw new Error(`the handler of ${operation.id} ran no guard`)
      return result
    },
    facts,
    changes,
    isWaived: () => waived,
  }
}

/** An answer to a write, whole. */
export type WriteReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const isRead = (operations: OperationCall['operations'], path: string): boolean =>
  [...operations.values()].some(one => one.method === 'GET' && one.path.replace(/:\w+$/, ':id') === `${path}/:id`)

// What was made lies below the address that made it, or is read at one of its own: /lessons/… of /sections/…/lessons.
// An operation whose own address says neither names it.
const locationOf = ({ operation, operations, school, params }: OperationCall, value: unknown): string | undefined => {
  if (operation.status !== 201 || typeof value !== 'object' || value === null || !('id' in value)) return undefined
  if (operation.madeAt !== undefined) return `${school.baseUrl}/api/v1${operation.madeAt}/${value.id}`
  const own = `/${operation.path.split('/').at(-1)}`
  const made = !isRead(operations, operation.path) && isRead(operations, own) ? own : operation.path
  const path = made.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  return `${school.baseUrl}/api/v1${path}/${value.id}`
}

/** What a write answers. */
export const writeReplyOf = (call: OperationCall, value: unknown): WriteReply => {
  const { operation } = call
  const headers: Record<string, string> = { 'cache-control': 'private, no-store', vary: 'Authorization' }
  if (operation.returns === undefined) return { status: 204, headers, body: '' }
  const body = render(operation, value)
  headers['content-type'] = 'application/json; charset=utf-8'
  headers.etag = etagOf(value, body)
  const location = locationOf(call, value)
  if (location !== undefined) headers.location = location
  return { status: operation.status, headers, body }
}

/** Records what a handler reported: its facts and its audit entries. */
export const recordRun = (
  db: Db,
  now: Date,
  call: Pick<OperationCall, 'school' | 'caller' | 'operation' | 'requestId'>,
  run: Pick<HandlerRun, 'facts' | 'changes'>,
): Promise<void> => {
  const { school, caller, operation, requestId } = call
  const { member, clientId } = caller
  return recordWrite(
    db,
    { schoolId: school.id, now, operation: operation.id, requestId, memberId: member?.id, clientId },
    run,
  )
}
