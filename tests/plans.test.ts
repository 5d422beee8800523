import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import type { Statement } from '#src/contract/db.ts'
import { addSchools, buildApproval, fillWithApprovals } from '#testing/approvals.ts'
import { stopMovableClock } from '#testing/clock.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { hotStatements } from '#testing/hot-statements.ts'
import { captureStatement, openAccess, planModes } from '#testing/plans.ts'
import { endEveryGrant } from '../src/oauth/token/presented.queries.ts'

const SCHOOL = '00000000-0000-7000-8000-00000000000a'
const APPROVALS = 3600
const OTHER_SCHOOLS = 2000
const FILE = new URL('../docs/plans/tokens.txt', import.meta.url)

const hot: readonly (readonly [name: string, statement: Statement])[] = hotStatements(SCHOOL, buildApproval(SCHOOL, 17))

let database: TestDatabase

// What is analysed when must not be decided by when autovacuum comes by.
const withoutAutovacuum = async (): Promise<void> => {
  const tables = await database.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  for (const { name } of tables) await database.query(`alter table ${name} set (autovacuum_enabled = false)`)
}

const pathsNow = async (): Promise<Map<string, string>> => {
  const { ask, close } = await openAccess(database.appUrl, SCHOOL)
  const found = new Map<string, string>()
  for (const [name, statement] of hot)
    for (const mode of planModes) found.set(`${name}, ${mode}`, (await ask(statement, mode)).join('\n'))
  await close()
  return found
}

const states: readonly (readonly [name: string, reach: () => Promise<unknown>])[] = [
  ['empty', () => addSchools(database, [SCHOOL])],
  [
    'filled, without statistics',
    async () => {
      await addSchools(
        database,
        Array.from({ length: OTHER_SCHOOLS }, () => randomUUID()),
      )
      await fillWithApprovals(database, SCHOOL, APPROVALS)
    },
  ],
  ['analysed', () => database.query('analyze')],
]

const paths = new Map<string, Map<string, string>>()

before(async () => {
  database = await createTestDatabase()
  // A clock that reads its table, so that the reads of the table are those of the clock.
  await stopMovableClock(database, new Date())
  await withoutAutovacuum()
  for (const [state, reach] of states) {
    await reach()
    paths.set(state, await pathsNow())
  }
})

after(() => database.drop())

test('every hot statement uses the indexes of the recorded plans, whatever the data and its statistics', async () => {
  const planned = hot
    .map(([name]) => `# ${name}\n${paths.get('analysed')?.get(`${name}, ${planModes[0]}`)}\n`)
    .join('\n')
  // Rewritten by STOA_WRITE_PLANS=1, to be read and committed.
  if (process.env.STOA_WRITE_PLANS === '1') await writeFile(FILE, planned)
  assert.equal(planned, await readFile(FILE, 'utf8'))
  const others = [...paths].flatMap(([state, ofState]) =>
    hot.flatMap(([name]) =>
      planModes
        .filter(mode => ofState.get(`${name}, ${mode}`) !== paths.get('analysed')?.get(`${name}, ${planModes[0]}`))
        .map(mode => `${name}, ${mode}, ${state}:\n${ofState.get(`${name}, ${mode}`)}`),
    ),
  )
  assert.deepEqual(others, [])
})

test('no hot statement reads a table from end to end', () => {
  for (const [state, ofState] of paths)
    for (const [key, path] of ofState) assert.doesNotMatch(path, /from end to end/, `${key}, ${state}`)
})

type Rows = { readonly clock: number; readonly grants: number }

// A connection publishes its statistics when it is told to, and not when a timer does.
const countedBy = async (client: pg.Client): Promise<Rows> => {
  await client.query('select pg_stat_force_next_flush()')
  const { rows } = await client.query(`
    select sum(seq_scan) filter (where relname = 'clock')::integer as clock,
      sum(seq_tup_read + idx_tup_fetch) filter (where relname = 'grants')::integer as grants
    from pg_stat_user_tables`)
  return rows[0]
}

test('a search reads no table from end to end, also by a plan for any words', async () => {
  const { client, close } = await openAccess(database.appUrl, SCHOOL)
  const scans = async (): Promise<number> => {
    const [row] = await database.query<{ scans: number }>(
      `select seq_scan::integer as scans from pg_stat_user_tables where relname = 'search_entries'`,
    )
    return row?.scans ?? 0
  }
  const before = await scans()
  for (const mode of planModes) {
    await client.query(`set plan_cache_mode = ${mode}`)
    await client.query(`select stoa.search_some('member', 'nobody', 10), stoa.search('member', 'nobody', null, 10)`)
  }
  await client.query('select pg_stat_force_next_flush()')
  await client.query('select 1')
  assert.equal(await scans(), before)
  await close()
})

test('a hot statement reads the clock once, and of thousands of approvals those it is about', async () => {
  const { client, close } = await openAccess(database.appUrl, SCHOOL)
  for (const mode of planModes) {
    await client.query(`set plan_cache_mode = ${mode}`)
    for (const [name, { text, values }] of hot) {
      const before = await countedBy(client)
      await client.query('begin')
      await client.query({ text, values: [...values] })
      await client.query('rollback')
      const after = await countedBy(client)
      assert.ok(after.clock - before.clock <= 1, `${name} reads the clock ${after.clock - before.clock} times, ${mode}`)
      assert.ok(after.grants - before.grants <= 4, `${name} reads ${after.grants - before.grants} approvals, ${mode}`)
    }
  }
  await close()
})

test('a statement that ends many rows reads the clock once', async () => {
  const { client, close } = await openAccess(database.appUrl, SCHOOL)
  const before = await countedBy(client)
  await client.query('begin')
  const { text, values } = captureStatement(db => endEveryGrant(db, SCHOOL, 'x'))
  const { rowCount } = await client.query({ text, values: [...values] })
  await client.query('rollback')
  assert.equal(rowCount, APPROVALS)
  assert.equal((await countedBy(client)).clock - before.clock, 1)
  await close()
})
