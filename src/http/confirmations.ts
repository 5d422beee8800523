import type { Caller } from '#src/contract/caller.ts'
import type {
  ConfirmationDetails,
  ConfirmationRow,
  Confirmations,
  Decision,
  DecisionResult,
} from '#src/contract/confirmation.ts'
import type { Database, Db } from '#src/contract/db.ts'
import type { JobHandler } from '#src/contract/job.ts'
import type { Operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { conflict, invalidToken, notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import type { Files } from '#src/contract/store.ts'
import {
  expireConfirmation,
  findConfirmation,
  holdApprovals,
  listPending,
  lockConfirmation,
  rollbackToSavepoint,
  savepoint,
  storeDecision,
} from '#src/db/confirmations.ts'
import { refusalOf } from '#src/db/sqlstates.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { checkScope } from './bearer.ts'
import { handlerRunOf, type OperationCall, recordRun, writeReplyOf } from './handler-run.ts'
import { checkDeferred } from './queries.ts'
import { validBody } from './validate.ts'
import { checkRole } from './who.ts'

/** Who an approval of an app still speaks for, held until the transaction ends; undefined when it has ended. */
export type HoldGrant = (db: Db, schoolId: string, grantId: string) => Promise<Caller | undefined>

/** What carrying out approved writes needs. */
export type ConfirmationParts = {
  readonly database: Database
  readonly operations: readonly Operation[]
  readonly holdGrant: HoldGrant
  readonly files: Files
  keyFor(purpose: string): Buffer
}

type Approving = Pick<ConfirmationParts, 'holdGrant' | 'files' | 'keyFor'>

const shown = (row: ConfirmationRow, operation: Operation | undefined): ConfirmationDetails => ({
  id: toId('cnf', row.id),
  status: row.status,
  client: { name: row.client_name, isArranged: row.is_arranged },
  summary: operation?.summary ?? row.operation,
  things: Object.values(row.asked?.params ?? {}).map(String),
  effects: row.effects ?? [],
  expiresAt: row.expires_at,
  refusedFor: row.outcome_code ?? undefined,
})

type Operations = ReadonlyMap<string, Operation>
type Approval = Decision & { readonly row: ConfirmationRow; readonly operations: Operations }

// As the app would be answered if it called now: its approval, its scopes and the person's role may have changed.
const handlingOf = async (db: Db, approval: Approval, parts: Approving): Promise<OperationCall> => {
  const { school, row, operations, requestId } = approval
  const operation = operations.get(row.operation)
  if (operation === undefined || row.asked === null) throw new Refusal(notFound, 'The operation is no more.')
  const caller = await parts.holdGrant(db, school.id, row.grant_id)
  if (caller === undefined) throw new Refusal(invalidToken, 'The app was withdrawn.')
  checkScope(operation, caller, school)
  checkRole(operation.who, caller)
  const { params, query, body, if_match: ifMatch } = row.asked
  const checked = operation.body === undefined ? undefined : validBody(operation.body, body)
  const { files, keyFor } = parts
  return { operations, operation, school, caller, params, query, body: checked, ifMatch, requestId, files, keyFor }
}

type Outcome = { readonly status: number; readonly code?: string }

const carryOut = async (db: Db, now: Date, approval: Approval, parts: Approving): Promise<Outcome> => {
  const call = await handlingOf(db, approval, parts)
  const work = handlerRunOf(call)
  const { status } = writeReplyOf(call, await work.handle(db, now))
  await recordRun(db, now, call, work)
  await checkDeferred(db)
  return { status }
}

// A refusal is an outcome, and what the write had done is undone; what may pass when tried again leaves all undecided.
const outcomeOf = async (db: Db, now: Date, approval: Approval, parts: Approving): Promise<Outcome> => {
  await savepoint(db)
  try {
    return await carryOut(db, now, approval, parts)
  } catch (error) {
    const isDelete = approval.operations.get(approval.row.operation)?.method === 'DELETE'
    const refusal = error instanceof Refusal ? error : refusalOf(error, isDelete ? 'delete' : 'write')
    if (refusal === undefined || refusal.problem.status >= 500) throw error
    await rollbackToSavepoint(db)
    return { status: refusal.problem.status, code: refusal.problem.code }
  }
}

const decide = async (
  db: Db,
  now: Date,
  deciding: Decision & { readonly uuid: string; readonly operations: Operations },
  parts: Approving,
): Promise<DecisionResult | undefined> => {
  const { school, memberId, uuid, decision } = deciding
  await holdApprovals(db, school.id)
  if (!(await deciding.holds(db))) return 'signed_out'
  const row = await lockConfirmation(db, school.id, { id: uuid, memberId })
  if (row === undefined) return undefined
  if (row.status !== 'pending') return 'settled_before'
  const outcome = decision === 'approve' ? await outcomeOf(db, now, { ...deciding, row }, parts) : {}
  // It may have expired while the write was carried out: then nothing of it stays.
  if ((await storeDecision(db, school.id, uuid, { decision, ...outcome })) === 0)
    throw new Refusal(conflict, 'The request has expired. Ask for it again in the app.')
  return 'decided'
}

/** The confirmations behind the page on which a person decides: shown, approved and carried out, rejected. */
export const createConfirmations = (parts: ConfirmationParts): Confirmations => {
  const { database, operations: list } = parts
  const operations = new Map(list.map(operation => [operation.id, operation]))
  return {
    find: async (school: School, memberId, id) => {
      const uuid = fromId('cnf', id)
      if (uuid === undefined) return undefined
      const row = await database.statements(school.id, db => findConfirmation(db, school.id, { id: uuid, memberId }))
      return row && shown(row, operations.get(row.operation))
    },
    listPending: async (school: School, memberId) => {
      const rows = await database.statements(school.id, db => listPending(db, school.id, memberId))
      return rows.map(row => shown(row, operations.get(row.operation)))
    },
    decide: async deciding => {
      const uuid = fromId('cnf', deciding.id)
      if (uuid === undefined) return undefined
      return database.transaction(deciding.school.id, (db, now) =>
        decide(db, now, { ...deciding, uuid, operations }, parts),
      )
    },
  }
}

/** The work that makes confirmations forget what was asked when they expire, and go after a month. */
export const createConfirmationExpiry =
  (database: Database): JobHandler =>
  async job => {
    const againIn = await database.transaction(job.schoolId, db => expireConfirmation(db, job.schoolId, job.id))
    return { againIn, settle: async () => undefined }
  }
