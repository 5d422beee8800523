import pg from 'pg'
import type { Phrase } from '#src/contract/language.ts'
import { findByConstraint, Refusal } from '#src/contract/problem.ts'
import { conflict, invalidBody, notFound, outcomeUnknown, unavailable } from '#src/contract/problems.ts'
import { CommitUnknown, DatabaseBusy } from './errors.ts'

/** How long a caller waits before trying again when the database could not answer, in seconds. */
const RETRY_AFTER = '1'

const busy = (detail: string, seconds = RETRY_AFTER): Refusal =>
  new Refusal(unavailable, detail, { headers: { 'retry-after': seconds } })

const unknown: Phrase = {
  en: 'The connection to the database was lost while the change was stored, so it is not known whether it was made. Look at the result before you send it again, or send it again with the same Idempotency-Key.',
  pt: 'A ligação à base de dados perdeu-se enquanto a alteração era guardada, pelo que não se sabe se foi feita. Verifique o resultado antes de repetir.',
}

const STATES: Record<string, (operation: 'delete' | 'write') => Refusal> = {
  '23505': () => new Refusal(conflict, 'Another resource already has this value.'),
  '23P01': () => new Refusal(conflict, 'Another resource already has this place.'),
  '23503': operation =>
    operation === 'delete'
      ? new Refusal(conflict, 'Other resources still refer to this one.')
      : new Refusal(invalidBody, 'The body refers to something that does not exist.'),
  '42501': () => new Refusal(notFound, 'There is nothing at this address.'),
  '55P03': () => busy('Another request has locked what this one needs.'),
  '57014': () => busy('The database took too long.'),
  '40001': () => busy('The request conflicted with other requests.'),
  '40P01': () => busy('The request conflicted with other requests.'),
}

// pg's own errors for a lost or refused connection have no SQLSTATE.
const CONNECTION =
  /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)|Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|Client was closed|Query read timeout/

// For other codes, such as that of a failed read or write of a file.
const NO_ROOM = /No space left on device|Disk quota exceeded/

const lostConnection = (error: Error): boolean =>
  CONNECTION.test('code' in error ? String(error.code) : '') || CONNECTION.test(error.message)

/** The refusal for an error of the database; undefined for an error of our own. */
export const refusalOf = (error: unknown, operation: 'delete' | 'write' = 'write'): Refusal | undefined => {
  if (!(error instanceof Error)) return undefined
  if (error instanceof CommitUnknown)
    return new Refusal(outcomeUnknown, unknown, { headers: { 'retry-after': RETRY_AFTER } })
  if (error instanceof DatabaseBusy) return busy(error.message)
  if (!(error instanceof pg.DatabaseError))
    return lostConnection(error) ? busy('The database cannot be reached.') : undefined
  const state = error.code ?? ''
  const named = error.constraint === undefined ? undefined : findByConstraint(error.constraint)
  if (named !== undefined) return new Refusal(named, named.title)
  if (isDiskFull(error)) return busy('The disk of the database is full.', '30')
  if (/^(08|53|57P|58)/.test(state)) return busy('The database is busy or restarting.')
  return STATES[state]?.(operation)
}

/** Whether the database was only busy or unavailable, so that the same request may succeed later. */
export const isPassing = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof CommitUnknown || error instanceof DatabaseBusy) return true
  if (!(error instanceof pg.DatabaseError)) return lostConnection(error)
  return /^(?:08|53|57P|58|55P03|40001|40P01)/.test(error.code ?? '')
}

/** Whether a statement failed because the disk of the database is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '53100' || NO_ROOM.test(error.message))

/** Whether a value was not one of its column's type (class 22, data exception). */
export const isWrongValue = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code ?? '').startsWith('22')
