import pg from 'pg'
import { findByConstraint, Refusal } from '#src/contract/problem.ts'
import { conflict, invalidBody, notFound, outcomeUnknown, unavailable } from '#src/contract/problems.ts'
import { texts } from '#src/texts/index.ts'
import { Busy, CommitUnknown, DatabaseReadOnly } from './errors.ts'

/** How long a caller waits before trying again when the database could not answer, in seconds. */
const RETRY_AFTER = '1'

const busy = (detail: string, seconds = RETRY_AFTER): Refusal =>
  new Refusal(unavailable, detail, { headers: { 'retry-after': seconds } })

// The others are in PASSING, or our own mistakes.
const STATES: Record<string, (operation: 'delete' | 'write') => Refusal> = {
  '23505': () => new Refusal(conflict, 'Another resource already has this value.'),
  '23P01': () => new Refusal(conflict, 'Another resource already has this place.'),
  '23503': operation =>
    operation === 'delete'
      ? new Refusal(conflict, 'Other resources still refer to this one.')
      : new Refusal(invalidBody, 'The body refers to something that does not exist.'),
  '55P03': () => busy('Another request has locked what this one needs.'),
  '57014': () => busy('The database took too long.'),
  '40001': () => busy('The request conflicted with other requests.'),
  '40P01': () => busy('The request conflicted with other requests.'),
}

// What a failover, a full disk or an administrator causes, by classes and states of PostgreSQL's appendix A: lost connections (08),
// a session that was ended for its idle transaction (25P03, 25P04) or may not sign in (28), a database that is gone (3D) or takes no
// connections (55000, 55006), a snapshot that is too old (72), missing resources (53), an intervention (57P), a failed system call
// (58), a broken configuration (F0), damaged data (XX), and statements that were prepared before tables changed or on another
// connection (0A000, 26000, 42P05).
const PASSING = /^(?:08|25P0[34]|28|3D|53|55000|55006|57(?:000|P)|58|72|F0|XX|0A000|26000|42P05)/

// An operator has to look at these, though callers are only told to try again.
const FOR_OPERATOR = /^(?:28|3D|42501|F0|XX)/

const READ_ONLY = '25006'

// A connection with statements of another time or place is of no more use.
const UNUSABLE = /^(?:25006|0A000|26000|42P05)$/

// Named by the function that reports it, since the message has the language of the server: a row of another school. Any other
// 42501 is a permission that the login does not have any more.
const isOfAnotherSchool = ({ code, routine }: pg.DatabaseError): boolean =>
  code === '42501' && routine === 'ExecWithCheckOptions'

// pg's own errors for a lost or refused connection have no SQLSTATE.
const CONNECTION =
  /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)|Connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|Client was closed|Query read timeout/

// For other codes, such as that of a failed read or write of a file.
const NO_ROOM = /No space left on device|Disk quota exceeded/

const lostConnection = (error: Error): boolean =>
  CONNECTION.test('code' in error ? String(error.code) : '') || CONNECTION.test(error.message)

const readOnly = (): Refusal => busy('The database can only be read at the moment.')

/** The refusal for an error of the database; undefined for an error of our own. */
export const findRefusal = (error: unknown, operation: 'delete' | 'write' = 'write'): Refusal | undefined => {
  if (!(error instanceof Error)) return undefined
  if (error instanceof CommitUnknown)
    return new Refusal(outcomeUnknown, texts.db.outcomeUnknown, { headers: { 'retry-after': RETRY_AFTER } })
  if (error instanceof Busy) return busy(error.message)
  if (error instanceof DatabaseReadOnly) return readOnly()
  if (!(error instanceof pg.DatabaseError))
    return lostConnection(error) ? busy('The database cannot be reached.') : undefined
  const state = error.code ?? ''
  const named = error.constraint === undefined ? undefined : findByConstraint(error.constraint)
  if (named !== undefined) return new Refusal(named, named.title)
  if (isDiskFull(error)) return busy('The disk of the database is full.', '30')
  if (isReadOnly(error)) return readOnly()
  if (isOfAnotherSchool(error)) return new Refusal(notFound, 'There is nothing at this address.')
  if (state === '42501' || PASSING.test(state)) return busy('The database is busy or restarting.')
  return STATES[state]?.(operation)
}

/** Whether the database was only busy or unavailable, so that the same request may succeed later. */
export const isPassing = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof CommitUnknown || error instanceof Busy || isReadOnly(error)) return true
  if (!(error instanceof pg.DatabaseError)) return lostConnection(error)
  const state = error.code ?? ''
  if (state === '42501') return !isOfAnotherSchool(error)
  return PASSING.test(state) || /^(?:55P03|40001|40P01)$/.test(state)
}

/** Whether a statement or a connection was refused because the database can only be read. */
export const isReadOnly = (error: unknown): boolean =>
  error instanceof DatabaseReadOnly || (error instanceof pg.DatabaseError && error.code === READ_ONLY)

/** Whether an error means that an operator has to look at the database. */
export const isForOperator = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && FOR_OPERATOR.test(error.code ?? '') && !isOfAnotherSchool(error)

/** Whether an error means that its connection must not be used again. */
export const isBroken = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) ||
  error.severity === 'FATAL' ||
  error.severity === 'PANIC' ||
  UNUSABLE.test(error.code ?? '')

/** Whether a statement failed because the disk of the database is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '53100' || NO_ROOM.test(error.message))

/** Whether a value was not one of its column's type (class 22, data exception). */
export const isWrongValue = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code ?? '').startsWith('22')
