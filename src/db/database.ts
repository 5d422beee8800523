import pg from 'pg'
import type { Database, Db, Statement } from '#src/contract/db.ts'
import { createChangeTimes } from './change-times.ts'
import {
  checkPrimary,
  createDb,
  createPool,
  databaseLimits,
  executeOn,
  localTimeouts,
  type Pooler,
  watch,
} from './connect.ts'
import { CommitUnknown, DatabaseReadOnly } from './errors.ts'
import { createConnectionQueue, queued } from './queue.ts'
import { isBroken, isDiskFull } from './sqlstates.ts'
import { streamRows } from './stream.ts'

/** The database of the process, with functions that close it. */
export type OpenDatabase = Database & {
  /** Closes every connection, those in use once they are not; the next statements open new ones. */
  renew(): void
  close(): Promise<void>
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const ATTEMPTS = 3

const checked = (schoolId: string): string => {
  if (!UUID.test(schoolId)) throw new Error('a school id is a UUID')
  return schoolId
}

type DatabaseOptions = {
  readonly max?: number
  /** How long a request waits for a connection, in milliseconds. */
  readonly wait?: number
  readonly onError?: (error: Error) => void
  /** Called for each statement that failed because the disk of the database is full. */
  readonly onDiskFull?: (() => void) | undefined
  readonly pooler?: Pooler
  /** Whether a database in recovery, whose data may be old, is read too. */
  readonly readsCopies?: boolean
}

/** Opens the database with the application's login; `onError` is called for connections lost while idle. */
export const openDatabase = (url: string, options: DatabaseOptions = {}): OpenDatabase => {
  const { max: connections = 10, wait = databaseLimits.wait, pooler, readsCopies = false } = options
  const onError = options.onError ?? (() => undefined)
  const open = (): pg.Pool => createPool(url, { max: connections, pooler, readsCopies, onError })
  let pool = open()
  let ending: Promise<unknown> = Promise.resolve()
  const setTo = new WeakMap<pg.PoolClient, string>()
  const noticing = noticeDiskFull(options.onDiskFull)
  const writes = createChangeTimes()
  const database: OpenDatabase = {
    statements: (schoolId, work) => {
      const noting = (db: Db) => work(notingWrites(db, () => writes.mark(schoolId)))
      return noticing(() =>
        pooler === undefined
          ? read(pool, setTo, checked(schoolId), noting)
          : retried(() => readWithin({ pool, pooler, schoolId: checked(schoolId) }, noting)),
      )
    },
    transaction: (schoolId, work) =>
      noticing(() => retried(() => write({ pool, pooler, schoolId: checked(schoolId) }, work))).finally(() =>
        writes.mark(schoolId),
      ),
    writtenAt: writes.at,
    stream: (schoolId, statement) => streamRows(url, checked(schoolId), statement, pooler),
    // A statement that was alone in its transaction and failed changed nothing.
    shared: createDb(<Row>(statement: Statement<Row>) =>
      noticing(() =>
        retried(() => (pooler === undefined ? runOnce<Row>(pool, statement) : runWithin<Row>(pool, pooler, statement))),
      ),
    ),
    renew: () => {
      ending = Promise.all([ending, pool.end()])
      pool = open()
    },
    close: () => Promise.all([ending, pool.end()]).then(() => undefined),
  }
  return queued(database, createConnectionQueue(connections, wait))
}

const noticeDiskFull =
  (onDiskFull: (() => void) | undefined) =>
  async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (isDiskFull(error)) onDiskFull?.()
      throw error
    }
  }

// Each statement is a transaction of its own, and `run` is the one that writes.
const notingWrites = (db: Db, note: () => void): Db => ({ ...db, run: statement => db.run(statement).finally(note) })

type Result<Row> = { rows: Row[]; rowCount: number | null }

// Planning the statements that every request needs, such as that of its rate limits, takes longer than running them.
const runOnce = async <Row>(pool: pg.Pool, statement: Statement<Row>): Promise<Result<Row>> => {
  const client = await pool.connect()
  let broken = false
  try {
    const checking = checkPrimary(client, undefined)
    const running = executeOn<Row>(client, statement, undefined)
    if (checking === undefined) return await running
    const [result] = await Promise.all([running, checking])
    return result
  } catch (error) {
    broken = isBroken(error)
    throw error
  } finally {
    client.release(broken)
  }
}

// Safe without a transaction: every statement also has a condition on school_id, so a wrong setting returns no rows.
const read = async <T>(
  pool: pg.Pool,
  setTo: WeakMap<pg.PoolClient, string>,
  schoolId: string,
  work: (db: Db) => Promise<T>,
) => {
  const client = await pool.connect()
  const { db, settled } = watch(client, { again: retried })
  const checking = checkPrimary(client, undefined, retried)
  const setting = setTo.get(client) === schoolId ? undefined : setSchool(client, setTo, schoolId)
  try {
    const working = work(db)
    if (setting === undefined) return await working
    // A connection that is not checked yet has no school either.
    const [result] = await Promise.all([working, setting, checking])
    return result
  } finally {
    const broken = (await settled()) || (await areBroken(setting, checking))
    client.release(broken)
  }
}

// Whether one of the statements that a connection needs first has broken it; usually it needs none.
const areBroken = async (...first: readonly (Promise<unknown> | undefined)[]): Promise<boolean> => {
  if (first.every(one => one === undefined)) return false
  return (await Promise.allSettled(first)).some(one => one.status === 'rejected' && isBroken(one.reason))
}

const setSchool = (
  client: pg.PoolClient,
  setTo: WeakMap<pg.PoolClient, string>,
  schoolId: string,
): Promise<unknown> => {
  setTo.delete(client)
  const setting = client.query(`set stoa.school_id = '${schoolId}'`)
  setting.then(() => setTo.set(client, schoolId)).catch(() => undefined)
  return setting
}

type Place = { readonly pool: pg.Pool; readonly pooler: Pooler; readonly schoolId: string }

// One command each, sent without waiting for the response to the previous one.
const send = (client: pg.PoolClient, commands: readonly string[]): Promise<pg.QueryResult>[] =>
  commands.map(command => client.query(command))

const SET_SCHOOL = `select set_config('stoa.school_id', $1, true), (select stoa.now()) as now`

const beginAt = async (client: pg.PoolClient, { schoolId, pooler }: Place): Promise<Date> => {
  const begun = send(client, ['begin', ...localTimeouts(pooler)])
  const checking = checkPrimary(client, pooler)
  const set = executeOn<{ now: Date }>(client, { text: SET_SCHOOL, values: [schoolId] }, pooler)
  const [{ rows }] = await Promise.all([set, checking, ...begun])
  return rows[0]?.now ?? new Date(Number.NaN)
}

const write = <T>(context: Place, work: (db: Db, now: Date) => Promise<T>): Promise<T> =>
  transact(context, async (client, db) => work(db, await beginAt(client, context)))

// Statements are sent without waiting for the response to BEGIN.
const readWithin = <T>(context: Place, work: (db: Db) => Promise<T>): Promise<T> =>
  transact(context, async (client, db) => {
    const { schoolId, pooler } = context
    const begun = send(client, ['begin', `set local stoa.school_id = '${schoolId}'`, ...localTimeouts(pooler)])
    const checking = checkPrimary(client, pooler)
    const [result] = await Promise.all([work(db), checking, ...begun])
    return result
  })

const transact = async <T>(
  { pool, pooler }: Place,
  work: (client: pg.PoolClient, db: Db) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect()
  const { db, settled } = watch(client, { pooler })
  let broken = true
  try {
    const result = await work(client, db)
    await settled()
    await commit(client)
    broken = false
    return result
  } catch (error) {
    broken = (await settled()) || (await rolledBack(client)) || error instanceof DatabaseReadOnly
    throw error
  } finally {
    client.release(broken)
  }
}

// Behind a pooler timeouts apply only within a transaction, so a single statement gets its own transaction.
const runWithin = async <Row>(
  pool: pg.Pool,
  pooler: Pooler,
  { text, values }: Statement<Row>,
): Promise<Result<Row>> => {
  const client = await pool.connect()
  const begun = send(client, ['begin', ...localTimeouts(pooler)])
  const checking = checkPrimary(client, pooler)
  const running = client.query<Row & object>(text, [...values])
  const ended = client.query('commit')
  const outcomes = await Promise.allSettled([...begun, checking, running, ended])
  const failed = outcomes.filter(outcome => outcome.status === 'rejected').map(({ reason }): unknown => reason)
  client.release(failed.some(isBroken))
  // Statements after the first failure fail because of it.
  if (failed.length > 0) throw failed[0]
  refuseRollback(await ended)
  return running
}

// COMMIT of an aborted transaction answers ROLLBACK without an error.
const refuseRollback = ({ command }: pg.QueryResult): void => {
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back at its end')
}

const commit = async (client: pg.PoolClient): Promise<void> => {
  const ended = await client.query('commit').catch((error: unknown) => {
    throw isBroken(error) ? new CommitUnknown('the response to a COMMIT was lost', { cause: error }) : error
  })
  refuseRollback(ended)
}

const rolledBack = (client: pg.PoolClient): Promise<boolean> =>
  client.query('rollback').then(
    () => false,
    () => true,
  )

const isRetryable = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')

const retried = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isRetryable(error) || attempt === ATTEMPTS) throw error
    }
  }
}
