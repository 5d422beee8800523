import pg from 'pg'
import type { Statement } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { unavailable } from '#src/contract/problems.ts'
import { checkPrimary, databaseLimits, localTimeouts, type Pooler, startupTimeouts, types } from './connect.ts'

/**
 * How long a stream may take, how long its reader may stall, in milliseconds; rows fetched at once; streams of a school
 * at once.
 */
export const streamLimits = { life: 600_000, stall: 30_000, rows: 500, perSchool: 2 }

// The reader may pause between two batches, so the transaction may be idle for longer than others.
const timeouts = { statement_timeout: databaseLimits.statement, lock_timeout: databaseLimits.lock }

const running = new Map<string, number>()

const enter = (schoolId: string): void => {
  const count = running.get(schoolId) ?? 0
  if (count >= streamLimits.perSchool)
    throw new Refusal(unavailable, 'Two exports of this school are already running.', {
      headers: { 'retry-after': '10' },
    })
  running.set(schoolId, count + 1)
}

const leave = (schoolId: string): void => {
  const count = (running.get(schoolId) ?? 1) - 1
  if (count === 0) running.delete(schoolId)
  else running.set(schoolId, count)
}

const begin = async (client: pg.Client, settings: readonly string[], { text, values }: Statement): Promise<void> => {
  await client.connect()
  await client.query('begin isolation level repeatable read read only')
  await checkPrimary(client, undefined)
  for (const setting of settings) await client.query(setting)
  await client.query(`declare rows no scroll cursor for ${text}`, [...values])
}

/**
 * The rows of a statement in batches, from one snapshot, over a separate connection. A reader that pauses
 * too long, or takes too long in total, loses the connection, and the next batch throws. The first
 * batch is awaited, so that a refusal comes before anything was sent.
 */
export const streamRows = async <Row>(
  url: string,
  schoolId: string,
  statement: Statement<Row>,
  pooler: Pooler,
): Promise<AsyncGenerator<readonly Row[]>> => {
  enter(schoolId)
  const client = new pg.Client({
    connectionString: url,
    application_name: 'stoa stream',
    types,
    ...startupTimeouts(pooler, timeouts),
    connectionTimeoutMillis: 5000,
  })
  client.on('error', () => undefined)
  let isOpen = true
  const close = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    clearTimeout(cut)
    leave(schoolId)
    await client.end().catch(() => undefined)
  }
  // Also closes a stream that was never read.
  const cut = setTimeout(() => void close(), streamLimits.life)
  const fetch = async (): Promise<readonly Row[]> =>
    (await client.query(`fetch ${streamLimits.rows} from rows`)).rows as Row[]
  try {
    await begin(client, [`set local stoa.school_id = '${schoolId}'`, ...localTimeouts(pooler, timeouts)], statement)
    return batches(await fetch(), fetch, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function* batches<Row>(
  first: readonly Row[],
  fetch: () => Promise<readonly Row[]>,
  close: () => Promise<void>,
): AsyncGenerator<readonly Row[]> {
  try {
    for (let rows = first; rows.length > 0; rows = await fetch()) {
      const stalled = setTimeout(() => void close(), streamLimits.stall)
      yield rows
      clearTimeout(stalled)
    }
  } finally {
    await close()
  }
}
