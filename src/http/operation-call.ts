import type { IncomingMessage } from 'node:http'
import type { Caller } from '#src/contract/caller.ts'
import type { CsvDialect } from '#src/contract/csv.ts'
import type { Database } from '#src/contract/db.ts'
import type { AnyOperation, Operation } from '#src/contract/operation.ts'
import type { School } from '#src/contract/school.ts'
import type { Files } from '#src/contract/store.ts'
import type { Authenticate } from './bearer.ts'
import type { OperationCall } from './handler-run.ts'
import type { WaitingRoom } from './waiting.ts'

/** What the server provides for performing operations. */
export type ServerDeps = {
  readonly database: Database
  readonly authenticate: Authenticate
  readonly files: Files
  keyFor(purpose: string): Buffer
  /** Counts a request of the caller; refuses when there are too many, and returns the headers with what is left. */
  countGrant(caller: Caller): Readonly<Record<string, string>> | undefined
  /** All operations by id, also those without a route. */
  readonly operations: ReadonlyMap<string, AnyOperation>
  readonly checksGuards: boolean
  readonly waitingRoom: WaitingRoom
  /** Marks a member as seen. */
  markSeen(schoolId: string, memberId: string): void
}

/** One request to one operation. */
export type OperationRequest = {
  readonly raw: IncomingMessage
  readonly school: School
  readonly operation: Operation
  readonly path: string
  readonly query: string
  readonly params: Record<string, string>
  readonly requestId: string
  /** The network of the client, for which calls are counted. */
  readonly network: string
  /** Records the caller for the log, and the rate limit headers for the response. */
  setCaller(details: { readonly caller: Caller; readonly rate?: Readonly<Record<string, string>> }): void
}

/** The validated input of a request. */
export type ParsedRequest = {
  readonly params: Record<string, unknown>
  readonly query: Record<string, unknown>
  readonly body: unknown
  readonly dryRun: boolean
  readonly fields: readonly string[] | undefined
  readonly expand: readonly string[] | undefined
  /** How a list is written as CSV. */
  readonly dialect: CsvDialect | undefined
}

/** A request as the call of an operation. */
export const buildOperationCall = (
  server: ServerDeps,
  call: OperationRequest,
  caller: Caller,
  { params, query, body }: ParsedRequest,
): OperationCall => {
  const { operation, school, requestId, raw } = call
  const ifMatch = raw.headers['if-match']
  const { operations, files, keyFor, checksGuards } = server
  return { operations, operation, school, caller, params, query, body, ifMatch, requestId, files, keyFor, checksGuards }
}
