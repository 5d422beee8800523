import pg from 'pg'
import type { Database, Db, Statement } from '#src/contract/db.ts'
import { createPool, databaseLimits, dbOf, isBroken, watch } from './connect.ts'
import { CommitUnknown } from './errors.ts'
import { createQueue, queued } from './queue.ts'
import { isDiskFull } from './sqlstates.ts'
import { streamRows } from './stream.ts'

/** What the process holds: the rooms' view of the database, and how to end it. */
export type OpenDatabase = Database & { close(): Promise<void> }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const ATTEMPTS = 3

const checked = (schoolId: string): string => {
  if (!UUID.test(schoolId)) throw new Error('a school id is a UUID')
  return schoolId
}

type DatabaseOptions = {
  readonly max?: number
  /** How long a request stands in line for a connection, in milliseconds. */
  readonly wait?: number
  readonly onError?: (error: Error) => void
  /** Called for each statement that failed since the disk of the database is full. */
  readonly onDiskFull?: (() => void) | undefined
  /** `transaction` behind a pooler that hands connections out per transaction. */
  readonly pooler?: 'transaction' | undefined
}

/** Opens the database under the application's login; `onError` hears of connections lost while idle. */
export const openDatabase = (url: string, options: DatabaseOptions = {}): OpenDatabase => {
  const { max: connections = 10, wait = databaseLimits.wait } = options
  const pool = createPool(url, {
    max: connections,
    wait,
    onError: options.onError ?? (() => undefined),
  })
  const setTo = new WeakMap<pg.PoolClient, string>()
  const noticing = noticeDiskFull(options.onDiskFull)
  const database: OpenDatabase = {
    read: (schoolId, work) =>
      noticing(() =>
        options.pooler === 'transaction'
          ? retried(() => transact(pool, checked(schoolId), work))
          : read(pool, setTo, checked(schoolId), work),
      ),
    write: (schoolId, work) => noticing(() => retried(() => transact(pool, checked(schoolId), work))),
    stream: (schoolId, statement) => streamRows(url, checked(schoolId), statement),
    // A statement that was alone in its transaction and lost did nothing.
    shared: dbOf(<Row>({ text, values }: Statement<Row>) =>
      noticing(() => retried(() => pool.query<Row & object>(text, [...values]))),
    ),
    close: () => pool.end(),
  }
  return queued(database, createQueue({ connections, wait }))
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

// Safe without a transaction: every statement also says school_id, so a wrong setting gives no rows.
const read = async <T>(
  pool: pg.Pool,
  setTo: WeakMap<pg.PoolClient, string>,
  schoolId: string,
  work: (db: Db) => Promise<T>,
) => {
  const client = await pool.connect()
  const { db, settled } = watch(client, retried)
  let setting: Promise<unknown> = Promise.resolve()
  if (setTo.get(client) !== schoolId) {
    setTo.delete(client)
    setting = client.query(`set stoa.school_id = '${schoolId}'`)
    setting.then(() => setTo.set(client, schoolId)).catch(() => undefined)
  }
  try {
    const [result] = await Promise.all([work(db), setting])
    return result
  } finally {
    const broken = (await settled()) || (await setting.then(() => false, isBroken))
    client.release(broken)
  }
}

const transact = async <T>(pool: pg.Pool, schoolId: string, work: (db: Db, now: Date) => Promise<T>): Promise<T> => {
  const client = await pool.connect()
  const { db, settled } = watch(client)
  let broken = true
  try {
    const begun = (await client.query(
      `begin; set local stoa.school_id = '${schoolId}'; select stoa.now() as now`,
    )) as unknown as pg.QueryResult<{ now: Date }>[]
    const result = await work(db, begun[2]?.rows[0]?.now ?? new Date(Number.NaN))
    await settled()
    await commit(client)
    broken = false
    return result
  } catch (error) {
    broken = (await settled()) || (await rolledBack(client))
    throw error
  } finally {
    client.release(broken)
  }
}

// COMMIT of an aborted transaction answers ROLLBACK without an error.
const commit = async (client: pg.PoolClient): Promise<void> => {
  const { command } = await client.query('commit').catch((error: unknown) => {
    throw isBroken(error) ? new CommitUnknown('the response to a COMMIT was lost', { cause: error }) : error
  })
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back at its end')
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
