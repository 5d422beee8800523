import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Db, Statement } from '#src/contract/db.ts'
import { DatabaseReadOnly } from './errors.ts'
import { queryPrepared } from './prepared-query.ts'
import { isBroken } from './sqlstates.ts'

// Dates and local times have no zone, and amounts must not become floating point: they stay text.
const TEXT_TYPES = [
  pg.types.builtins.DATE,
  pg.types.builtins.TIMESTAMP,
  pg.types.builtins.NUMERIC,
  pg.types.builtins.INT8,
]
/** The conversion of PostgreSQL values. */
export const types = new pg.TypeOverrides()
for (const type of TEXT_TYPES) types.setTypeParser(type, text => text)

const { TIMESTAMPTZ } = pg.types.builtins
const parseInstant = pg.types.getTypeParser(TIMESTAMPTZ)
const IN_UTC = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d{1,6})?\+00$/
// V8 reads RFC 3339 in a fraction of the time that the parser of `pg` takes.
types.setTypeParser(TIMESTAMPTZ, text =>
  IN_UTC.test(text) ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : parseInstant(text),
)

/** Limits of the database connection, in milliseconds; `connect` is for a new connection to be established. */
export const databaseLimits = {
  connect: 5000,
  statement: 5000,
  lock: 4000,
  idleInTransaction: 10_000,
  query: 8000,
  wait: 500,
}

/** Whether there is a pooler that assigns a server connection to a client for one transaction. */
export type Pooler = 'transaction' | undefined

/** Timeouts of a PostgreSQL session by the names of their settings, in milliseconds. */
type Timeouts = Readonly<Record<string, number>>

const timeouts: Timeouts = {
  statement_timeout: databaseLimits.statement,
  lock_timeout: databaseLimits.lock,
  idle_in_transaction_session_timeout: databaseLimits.idleInTransaction,
}

/** The timeouts as parameters of a new connection; a pooler refuses them there. */
export const startupTimeouts = (pooler: Pooler, limits = timeouts): Timeouts => (pooler === undefined ? limits : {})

/** The commands that set the timeouts at the beginning of a transaction, where the connection could not. */
export const localTimeouts = (pooler: Pooler, limits = timeouts): readonly string[] =>
  pooler === undefined ? [] : Object.entries(limits).map(([name, limit]) => `set local ${name} = ${limit}`)

const checked = new WeakSet<pg.ClientBase>()

/** A pool of pipelining connections; requests wait for one in the queue in front of it, not here. */
export const createPool = (
  url: string,
  options: { max: number; pooler: Pooler; readsCopies?: boolean; onError: (error: Error) => void },
): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max,
    pipeline: true,
    types,
    application_name: 'stoa',
    connectionTimeoutMillis: databaseLimits.connect,
    query_timeout: databaseLimits.query,
    ...startupTimeouts(options.pooler),
  })
  pool.on('error', options.onError)
  // A checked-out client has no listener of the pool; its statements report the same error.
  pool.on('connect', client => {
    client.on('error', () => undefined)
    if (options.readsCopies) checked.add(client)
  })
  return pool
}

/**
 * Asks whether a connection leads to a database in recovery, whose data may be old; rejects when it does. A connection asks once,
 * and behind a pooler in each transaction, which may be at another server. Sent without waiting, so that it costs no round trip;
 * outside a transaction `again` repeats it by itself.
 */
export const checkPrimary = (
  client: pg.ClientBase,
  pooler: Pooler,
  again: <T>(work: () => Promise<T>) => Promise<T> = work => work(),
): Promise<void> | undefined => {
  if (pooler === undefined && checked.has(client)) return undefined
  const ask = () => client.query<{ is_copy: boolean }>('select pg_is_in_recovery() as is_copy')
  const check = again(ask).then(({ rows: [row] }) => {
    if (row?.is_copy !== false) throw new DatabaseReadOnly('the database is in recovery')
    checked.add(client)
  })
  // Who sent it looks at it together with the first statement.
  check.catch(() => undefined)
  return check
}

const names = new Map<string, string>()
/** The name under which a connection prepares a statement. */
const assignName = (text: string): string => {
  const existing = names.get(text)
  if (existing !== undefined) return existing
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}

type Result<Row> = { rows: Row[]; rowCount: number | null }

/** Executes a statement, which is prepared under its hash. */
export const executeOn = <Row>(
  client: pg.PoolClient,
  { text, values }: Statement<Row>,
  pooler: Pooler,
): Promise<Result<Row>> =>
  // Behind a pooler the next transaction may be on another connection, which has not prepared the statement.
  pooler === undefined
    ? queryPrepared(client, { name: assignName(text), text, values })
    : client.query<Row & object>(text, [...values])

/** A client whose statements are tracked: `settled` waits for all of them and returns whether the connection broke. */
type Watched = { readonly db: Db; settled(): Promise<boolean> }

type WatchOptions = {
  /** Runs a statement, possibly again. */
  readonly again?: <T>(work: () => Promise<T>) => Promise<T>
  readonly pooler?: Pooler
}

// 26000: the statement should have been prepared by an earlier one, which was skipped after the failure.
const FOLLOWING = ['25P02', '26000']

const isFollowing = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && FOLLOWING.includes(error.code ?? '')

/**
 * Wraps a client: each statement is prepared under its hash, and all are awaited. Statements that were sent after
 * one that failed the transaction fail for the same reason. Outside a transaction `again` may send a
 * statement again.
 */
export const watch = (client: pg.PoolClient, { again = work => work(), pooler }: WatchOptions = {}): Watched => {
  const pending = new Set<Promise<unknown>>()
  let broken = false
  let failure: unknown
  // The failure of the second of two statements may be reported first.
  const chooseReason = (error: unknown): unknown => {
    if (failure !== undefined && isFollowing(error)) return failure
    failure = error
    return error
  }
  const send = <Row>(statement: Statement<Row>): Promise<Result<Row>> => {
    const sent = again(() => executeOn(client, statement, pooler)).catch((error: unknown) => {
      throw chooseReason(error)
    })
    const watched = sent.then(
      () => void pending.delete(watched),
      (error: unknown) => {
        broken = broken || isBroken(error)
        pending.delete(watched)
      },
    )
    pending.add(watched)
    return sent
  }
  return {
    db: createDb(send),
    settled: async () => {
      if (pending.size > 0) await Promise.all(pending)
      return broken
    },
  }
}

type Send = <Row>(statement: Statement<Row>) => Promise<Result<Row>>

/** The four ways to run a statement, over one way to send it. */
export const createDb = (send: Send): Db => ({
  all: async statement => (await send(statement)).rows,
  first: async statement => (await send(statement)).rows[0],
  one: async statement => {
    const [row] = (await send(statement)).rows
    if (row === undefined) throw new Error('a statement that must return a row returned none')
    return row
  },
  run: async statement => (await send(statement)).rowCount ?? 0,
})
