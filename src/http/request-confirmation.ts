import { compileCheck } from '#src/contract/check.ts'
import { encode } from '#src/contract/codec.ts'
import {
  ConfirmationRequired,
  type ConfirmationRow,
  type RequestedWrite,
  renderConfirmation,
} from '#src/contract/confirmation.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { tooManyConfirmations } from '#src/contract/problems.ts'
import {
  countPending,
  findConfirmation,
  insertConfirmation,
  rollbackToSavepoint,
  savepoint,
} from '#src/db/confirmations.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { buildWriteReply, type HandlerRun, type OperationCall, recordRun, type WriteReply } from './handler-run.ts'
import { limits } from './limits.ts'
import { checkDeferred } from './queries.ts'

/** Performs a write of a confirmed operation. Unless the handler waives the confirmation, rolls the write back and requests one. */
export const runOrRequestConfirmation = async (
  db: Db,
  now: Date,
  call: OperationCall,
  run: HandlerRun,
): Promise<WriteReply> => {
  await savepoint(db)
  const reply = buildWriteReply(call, await run.handle(db, now))
  await checkDeferred(db)
  if (run.isWaived()) {
    await recordRun(db, now, call, run)
    return reply
  }
  await rollbackToSavepoint(db)
  return requestConfirmation(db, now, call, run)
}

const buildRequestedWrite = ({ params, query, body, ifMatch }: OperationCall): RequestedWrite => ({
  params,
  query,
  ...(body === undefined ? {} : { body }),
  ...(ifMatch === undefined ? {} : { if_match: ifMatch }),
})

const store = async (db: Db, now: Date, call: OperationCall, run: HandlerRun): Promise<ConfirmationRow> => {
  const { school, operation, caller } = call
  const { member, clientId, grantId } = caller
  if (member === undefined || clientId === undefined || grantId === undefined)
    throw new Error(`${operation.id} is confirmed by a person and was called without a token`)
  if ((await countPending(db, school.id, member.id)) >= limits.confirmations)
    throw new Refusal(tooManyConfirmations, `This person already has ${limits.confirmations} pending confirmations.`)
  const id = newUuid(now.getTime())
  const asked = buildRequestedWrite(call)
  const confirmation = {
    id,
    memberId: member.id,
    clientId,
    grantId,
    operation: operation.id,
    asked,
    effects: run.facts,
  }
  await insertConfirmation(db, school.id, confirmation)
  const row = await findConfirmation(db, school.id, { id, memberId: member.id })
  if (row === undefined) throw new Error('a stored confirmation was not found')
  return row
}

const requestConfirmation = async (db: Db, now: Date, call: OperationCall, run: HandlerRun): Promise<WriteReply> => {
  const { school } = call
  const row = await store(db, now, call, run)
  const answer = encode(ConfirmationRequired, { confirmation: renderConfirmation(school, row) })
  if (!compileCheck(ConfirmationRequired).Check(answer)) throw new Error('a confirmation does not match its schema')
  return {
    status: 202,
    headers: {
      'cache-control': 'private, no-store',
      vary: 'Authorization',
      'content-type': 'application/json; charset=utf-8',
      // RFC 9110 §15.3.3: where the app can read the outcome.
      location: `${school.baseUrl}/api/v1/account/confirmations/${toId('cnf', row.id)}`,
    },
    body: JSON.stringify(answer),
  }
}
