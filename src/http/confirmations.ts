import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '#src/contract/caller.ts'
import type {
  ConfirmationDetails,
  ConfirmationRow,
  Confirmations,
  Decision,
  DecisionResult,
} from '#src/contract/confirmation.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { JobHandler } from '#src/contract/job.ts'
import { type AnyOperation, isRouted, type Operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { conflict, invalidToken, notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import type { Files } from '#src/contract/store.ts'
import {
  expireConfirmation,
  findConfirmation,
  listPending,
  lockApprovals,
  lockConfirmation,
  rollbackToSavepoint,
  savepoint,
  storeDecision,
} from '#src/db/confirmations.ts'
import { findRefusal } from '#src/db/sqlstates.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { checkScope } from './bearer.ts'
import { buildWriteReply, createHandlerRun, type OperationCall, recordRun } from './handler-run.ts'
import { checkDeferred } from './queries.ts'
import { validBody } from './validate.ts'
import { checkRole } from './who.ts'

/** Locks the caller of a grant until the transaction ends; undefined when the grant has ended. */
type LockCaller = (db: Db, schoolId: string, grantId: string) => Promise<Caller | undefined>

/** What performing approved writes needs. */
type ConfirmationParts = {
  readonly database: Database
  readonly operations: readonly AnyOperation[]
  readonly lockCaller: LockCaller
  readonly files: Files
  keyFor(purpose: string): Buffer
}

type ApprovalParts = Pick<ConfirmationParts, 'lockCaller' | 'files' | 'keyFor'>

const buildDetails = (row: ConfirmationRow, operation: Operation | undefined): ConfirmationDetails => ({
  id: toId('cnf', row.id),
  status: row.status,
  client: { name: row.client_name, isPreRegistered: row.is_pre_registered },
  summary: operation?.summary ?? row.operation,
  params: Object.values(row.asked?.params ?? {}).map(String),
  effects: row.effects ?? [],
  expiresAt: row.expires_at,
  refusalCode: row.outcome_code ?? undefined,
})

type Operations = ReadonlyMap<string, AnyOperation>
type Approval = Decision & { readonly row: ConfirmationRow; readonly operations: Operations }

// An app requests only operations that have a route.
const findOperation = (operations: Operations, id: string): Operation | undefined => {
  const found = operations.get(id)
  return found !== undefined && isRouted(found) ? found : undefined
}

// The checks of a new call: the grant, its scopes and the person's role may have changed since the request.
const buildOperationCall = async (db: Db, approval: Approval, parts: ApprovalParts): Promise<OperationCall> => {
  const { school, row, operations, requestId } = approval
  const operation = findOperation(operations, row.operation)
  if (operation === undefined || row.asked === null) throw new Refusal(notFound, 'The operation no longer exists.')
  const caller = await parts.lockCaller(db, school.id, row.grant_id)
  if (caller === undefined) throw new Refusal(invalidToken, 'The access of the app has ended.')
  checkScope(operation, caller, school)
  checkRole(operation.who, caller)
  const { params, query, body, if_match: ifMatch } = row.asked
  const checked = operation.body === undefined ? undefined : validBody(operation.body, body)
  const { files, keyFor } = parts
  return { operations, operation, school, caller, params, query, body: checked, ifMatch, requestId, files, keyFor }
}

// As they are stored, in any order of their members.
const sameFacts = (shown: readonly Fact[] | null, facts: readonly Fact[]): boolean =>
  isDeepStrictEqual(shown, JSON.parse(JSON.stringify(facts)))

type Outcome = { readonly status: number; readonly code?: string }

const performWrite = async (db: Db, now: Date, approval: Approval, parts: ApprovalParts): Promise<Outcome> => {
  const call = await buildOperationCall(db, approval, parts)
  const run = createHandlerRun(call)
  const { status } = buildWriteReply(call, await run.handle(db, now))
  if (call.operation.confirmsAsShown === true && !sameFacts(approval.row.effects, run.facts))
    throw new Refusal(conflict, 'What the write would do has changed since it was requested. Request it again.')
  await recordRun(db, now, call, run)
  await checkDeferred(db)
  return { status }
}

// A refusal is an outcome, and the write is undone; after an error that may be temporary the confirmation stays pending.
const determineOutcome = async (db: Db, now: Date, approval: Approval, parts: ApprovalParts): Promise<Outcome> => {
  await savepoint(db)
  try {
    return await performWrite(db, now, approval, parts)
  } catch (error) {
    const isDelete = findOperation(approval.operations, approval.row.operation)?.method === 'DELETE'
    const refusal = error instanceof Refusal ? error : findRefusal(error, isDelete ? 'delete' : 'write')
    if (refusal === undefined || refusal.problem.status >= 500) throw error
    await rollbackToSavepoint(db)
    return { status: refusal.problem.status, code: refusal.problem.code }
  }
}

const decide = async (
  db: Db,
  now: Date,
  request: Decision & { readonly uuid: string; readonly operations: Operations },
  parts: ApprovalParts,
): Promise<DecisionResult | undefined> => {
  const { school, memberId, uuid, decision } = request
  await lockApprovals(db, school.id)
  if (!(await request.lockSession(db))) return 'signed_out'
  const row = await lockConfirmation(db, school.id, { id: uuid, memberId })
  if (row === undefined) return undefined
  if (row.status !== 'pending') return 'settled_before'
  const outcome = decision === 'approve' ? await determineOutcome(db, now, { ...request, row }, parts) : {}
  // It may have expired during the write, which is then rolled back.
  if ((await storeDecision(db, school.id, uuid, { decision, ...outcome })) === 0)
    throw new Refusal(conflict, 'The request has expired. Start it again in the app.')
  return 'decided'
}

/** The confirmations for the page on which a person decides: reads, approves and performs, or rejects them. */
export const createConfirmations = (parts: ConfirmationParts): Confirmations => {
  const { database, operations: list } = parts
  const operations = new Map(list.map(operation => [operation.id, operation]))
  return {
    find: async (school: School, memberId, id) => {
      const uuid = fromId('cnf', id)
      if (uuid === undefined) return undefined
      const row = await database.statements(school.id, db => findConfirmation(db, school.id, { id: uuid, memberId }))
      return row && buildDetails(row, findOperation(operations, row.operation))
    },
    listPending: async (school: School, memberId) => {
      const rows = await database.statements(school.id, db => listPending(db, school.id, memberId))
      return rows.map(row => buildDetails(row, findOperation(operations, row.operation)))
    },
    decide: async decision => {
      const uuid = fromId('cnf', decision.id)
      if (uuid === undefined) return undefined
      return database.transaction(decision.school.id, (db, now) =>
        decide(db, now, { ...decision, uuid, operations }, parts),
      )
    },
  }
}

/** The job that deletes the request of a confirmation when it expires, and the confirmation after a month. */
export const createConfirmationExpiry =
  (database: Database): JobHandler =>
  async job => {
    const againIn = await database.transaction(job.schoolId, db => expireConfirmation(db, job.schoolId, job.id))
    return { againIn, settle: async () => undefined }
  }
