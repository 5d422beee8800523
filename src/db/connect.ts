import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Db, Statement } from '#src/contract/db.ts'

// A day and a wall time have no zone, and money has no floating point: they stay text.
const TEXT_TYPES = [
  pg.types.builtins.DATE,
  pg.types.builtins.TIMESTAMP,
  pg.types.builtins.NUMERIC,
  pg.types.builtins.INT8,
]
/** How values of PostgreSQL become values here. */
export const types = new pg.TypeOverrides()
for (const type of TEXT_TYPES) types.setTypeParser(type, text => text)

/** Limits of the database connection, in milliseconds. */
export const databaseLimits = { statement: 5000, lock: 4000, idleInTransaction: 10_000, query: 8000, wait: 500 }

/** Whether a pooler stands in between that assigns a connection of the server to a client for one transaction. */
export type Pooler = 'transaction' | undefined

/** Limits of a session of PostgreSQL by the names of their settings, in milliseconds. */
export type Timeouts = Readonly<Record<string, number>>

const timeouts: Timeouts = {
  statement_timeout: databaseLimits.statement,
  lock_timeout: databaseLimits.lock,
  idle_in_transaction_session_timeout: databaseLimits.idleInTransaction,
}

/** The limits as parameters of a new connection; a pooler refuses them there. */
export const startupTimeouts = (pooler: Pooler, limits = timeouts): Timeouts => (pooler === undefined ? limits : {})

/** The commands that set the limits at the beginning of a transaction, where the connection could not. */
export const localTimeouts = (pooler: Pooler, limits = timeouts): readonly string[] =>
  pooler === undefined ? [] : Object.entries(limits).map(([name, limit]) => `set local ${name} = ${limit}`)

/** A pool of pipelining connections; `wait` bounds how long a request stands in line for one. */
export const createPool = (
  url: string,
  options: { max: number; wait: number; pooler: Pooler; onError: (error: Error) => void },
): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max,
    pipeline: true,
    types,
    application_name: 'stoa',
    connectionTimeoutMillis: options.wait,
    query_timeout: databaseLimits.query,
    ...startupTimeouts(options.pooler),
  })
  pool.on('error', options.onError)
  // A client that is lent out has no listener of the pool's; its statements tell of the same error.
  pool.on('connect', client => client.on('error', () => undefined))
  return pool
}

const names = new Map<string, string>()
const nameOf = (text: string): string => {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}

/** Whether an error says that the connection itself cannot be trusted any more. */
export const isBroken = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC'

/** A client whose statements are watched: `settled` waits for all of them and tells whether it broke. */
export type Watched = { readonly db: Db; settled(): Promise<boolean> }

type WatchOptions = {
  /** Runs a statement, and may send it again. */
  readonly again?: <T>(work: () => Promise<T>) => Promise<T>
  readonly pooler?: Pooler
}

// 26000: its twin was to be prepared on the way, and was not, since that travelled behind the failure too.
const FOLLOWING = ['25P02', '26000']

const isFollowing = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && FOLLOWING.includes(error.code ?? '')

/**
 * Wraps a client: each statement is prepared under its hash, and none is left behind unawaited. What travelled behind
 * the statement that failed its transaction fails for the same reason. Outside a transaction `again` may send a
 * statement anew.
 */
export const watch = (client: pg.PoolClient, { again = work => work(), pooler }: WatchOptions = {}): Watched => {
  // Behind a pooler the next transaction may be on another connection, which has not prepared the statement.
  const nameFor = (text: string) => (pooler === undefined ? { name: nameOf(text) } : {})
  const pending = new Set<Promise<unknown>>()
  let broken = false
  let failure: unknown
  // Whoever awaits the second of two statements may hear of its failure first.
  const reasonOf = (error: unknown): unknown => {
    if (failure !== undefined && isFollowing(error)) return failure
    failure = error
    return error
  }
  const send = async <Row>(statement: Statement<Row>): Promise<{ rows: Row[]; rowCount: number | null }> => {
    const { text, values } = statement
    const sent = again(() => client.query({ ...nameFor(text), text, values: [...values] })).catch((error: unknown) => {
      throw reasonOf(error)
    })
    const watched = sent
      .catch((error: unknown) => {
        broken = broken || isBroken(error)
      })
      .finally(() => pending.delete(watched))
    pending.add(watched)
    return sent as Promise<{ rows: Row[]; rowCount: number | null }>
  }
  return {
    db: dbOf(send),
    settled: async () => {
      await Promise.all(pending)
      return broken
    },
  }
}

type Send = <Row>(statement: Statement<Row>) => Promise<{ rows: Row[]; rowCount: number | null }>

/** The four ways to run a statement, over one way to send it. */
export const dbOf = (send: Send): Db => ({
  all: async statement => (await send(statement)).rows,
  first: async statement => (await send(statement)).rows[0],
  one: async statement => {
    const [row] = (await send(statement)).rows
    if (row === undefined) throw new Error('a statement that must give a row gave none')
    return row
  },
  run: async statement => (await send(statement)).rowCount ?? 0,
})
