import pg from 'pg'
import type { Db } from '#src/contract/db.ts'
import { sql } from './sql.ts'

type Row = { superuser: boolean; bypasses: boolean; owns: boolean }

/** The rights of a login that the application's login must not have, in words; empty if there are none. */
export const loginState = async (url: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    const { rows } = await client.query<Row>(`
      select r.rolsuper as superuser, r.rolbypassrls as bypasses,
        exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname in ('public', 'stoa') and pg_has_role(current_user, c.relowner, 'member')) as owns
      from pg_roles r where r.rolname = current_user`)
    const [row] = rows
    return [
      ...(row?.superuser ? ['is a superuser'] : []),
      ...(row?.bypasses ? ['bypasses row-level security'] : []),
      ...(row?.owns && !row.superuser ? ['owns tables'] : []),
    ]
  } finally {
    await client.end()
  }
}

/** How far the clock of the database is shifted, in seconds; only tests use values other than 0. */
export const clockShift = async (url: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    const { rows } = await client.query<{ shift: string }>('select extract(epoch from shift) as shift from stoa.clock')
    return Number(rows[0]?.shift ?? 0)
  } finally {
    await client.end()
  }
}

/** How long the server waits before it checks for a deadlock, in milliseconds; it must be below the lock timeout. */
export const deadlockTimeout = async (url: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    const { rows } = await client.query<{ setting: string }>(
      `select setting from pg_settings where name = 'deadlock_timeout'`,
    )
    return Number(rows[0]?.setting ?? 0)
  } finally {
    await client.end()
  }
}

/**
 * Whether the database is distributed by Citus, whose workers fire triggers but deliver their notifications to nobody
 * here.
 */
export const hasCitus = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    const { rows } = await client.query(`select from pg_extension where extname = 'citus'`)
    return rows.length > 0
  } finally {
    await client.end()
  }
}

/** Whether the database can be written: it is not in recovery, and no administrator made it read-only. */
export const isWritable = async (shared: Db): Promise<boolean> => {
  const { setting } = await shared.one(sql<{ setting: string }>`
    select current_setting('transaction_read_only') as setting`)
  return setting === 'off'
}
