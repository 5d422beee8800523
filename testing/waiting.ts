import pg from 'pg'
import type { TestDatabase } from './database.ts'
import { until } from './until.ts'

/** A statement with its values. */
type Step = readonly [text: string, values: readonly unknown[]]

/**
 * Runs something while the transaction of somebody else, with these statements, is open; that commits once what runs waits
 * for one of its locks.
 */
export const whileOpen = async <T>(
  { ownerUrl, query }: TestDatabase,
  steps: readonly Step[],
  run: () => Promise<T>,
): Promise<T> => {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query('begin')
    for (const [text, values] of steps) await client.query(text, [...values])
    const running = run()
    // An error is that of the caller, after the wait.
    running.catch(() => undefined)
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until(async () => (await query(waiting)).length > 0, 'something waits for the lock')
    await client.query('commit')
    return await running
  } finally {
    await client.end()
  }
}

type Killing = { begin(): Promise<unknown>; kill(): Promise<unknown> }

/**
 * Begins something while nobody can write to a table, and kills what waits for that: when it waits, before it goes on. Facts are
 * numbered meanwhile, which they would not be beside a transaction that has written.
 */
export const killAtTable = async (
  { ownerUrl, query }: TestDatabase,
  table: string,
  { begin, kill }: Killing,
): Promise<void> => {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`lock table ${table} in share mode`)
    await begin()
    const waiting = `
      select pid from pg_stat_activity
      where datname = current_database() and application_name = 'stoa' and wait_event_type = 'Lock'`
    await until(async () => (await query(waiting)).length > 0, `something waits for ${table}`)
    const pids = (await query<{ pid: number }>(waiting)).map(({ pid }) => pid)
    await kill()
    // The server notices that a process is gone when it answers it, and until then commits what it was sent alone.
    await query('select pg_terminate_backend(pid) from unnest($1::integer[]) as pid', [pids])
    const isGone = async () => (await query('select from pg_stat_activity where pid = any ($1)', [pids])).length === 0
    await until(isGone, 'the end of what waited')
    await client.query('rollback')
  } finally {
    await client.end()
  }
}
