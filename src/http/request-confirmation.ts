import { checkOf } from '#src/contract/check.ts'
import {
  ConfirmationRequired,
  type ConfirmationRow,
  confirmationOf,
  type RequestedWrite,
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
import { type HandlerRun, type OperationCall, recordRun, type WriteReply, writeReplyOf } from './handler-run.ts'
import { limits } from './limits.ts'
import { checkDeferred } from './queries.ts'

/** Does a write of a confirmed operation as far as it would go; unless the handler waives it, takes it back and asks the person. */
export const runOrRequestConfirmation = async (
  db: Db,
  now: Date,
  call: OperationCall,
  work: HandlerRun,
): Promise<WriteReply> => {
  await savepoint(db)
  const reply = writeReplyOf(call, await work.handle(db, now))
  await checkDeferred(db)
  if (work.isWaived()) {
    await recordRun(db, now, call, work)
    return reply
  }
  await rollbackToSavepoint(db)
  return ask(db, now, call, work)
}

const askedOf = ({ params, query, body, ifMatch }: OperationCall): RequestedWrite => ({
  params,
  query,
  ...(body === undefined ? {} : { body }),
  ...(ifMatch === undefined ? {} : { if_match: ifMatch }),
})

const store = async (db: Db, now: Date, call: OperationCall, work: HandlerRun): Promise<ConfirmationRow> => {
  const { school, operation, caller } = call
  const { member, clientId, grantId } = caller
  if (member === undefined || clientId === undefined || grantId === undefined)
    throw new Error(`${operation.id} is confirmed by a person and was called by nobody`)
  if ((await countPending(db, school.id, member.id)) >= limits.confirmations)
    throw new Refusal(tooManyConfirmations, `${limits.confirmations} writes wait for this person already.`)
  const id = newUuid(now.getTime())
  const asked = askedOf(call)
  const made = { id, memberId: member.id, clientId, grantId, operation: operation.id, asked, effects: work.facts }
  await insertConfirmation(db, school.id, made)
  const row = await findConfirmation(db, school.id, { id, memberId: member.id })
  if (row === undefined) throw new Error('a confirmation that was stored is not there')
  return row
}

const ask = async (db: Db, now: Date, call: OperationCall, work: HandlerRun): Promise<WriteReply> => {
  const { school } = call
  const row = await store(db, now, call, work)
  const answer = { confirmation: confirmationOf(school, row) }
  if (!checkOf(ConfirmationRequired).Check(answer)) throw new Error('a confirmation is not as declared')
  return {
    status: 202,
    headers: {
      'cache-control': 'private, no-store',
      vary: 'Authorization',
      'content-type': 'application/json; charset=utf-8',
      // RFC 9110 §15.3.3: where the app sees what came of it.
      location: `${school.baseUrl}/api/v1/account/confirmations/${toId('cnf', row.id)}`,
    },
    body: JSON.stringify(answer),
  }
}
