import assert from 'node:assert/strict'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { MIGRATION_LOCK } from '#src/db/migrate.ts'
import { testApp } from '#testing/app.ts'
import { jsonBody, send, type TestRequest } from '#testing/http.ts'
import { type ServerProcess, startProcess } from '#testing/process.ts'
import { stoa } from '#testing/stoa.ts'
import { until } from '#testing/until.ts'

const app = testApp()
let old: ServerProcess
let newer: string

const MIGRATION = '9999_newer.sql'
const CLIENTS = 3
const ROOT = join(import.meta.dirname, '..')

// A later version of this checkout: it has one migration more, which locks a table that is in use.
const createNewerVersion = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-newer-'))
  for (const name of ['bin', 'migrations', 'src', 'package.json'])
    await cp(join(ROOT, name), join(folder, name), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(
    join(folder, 'migrations', MIGRATION),
    `alter table courses add column newer text not null default '';
select pg_sleep(0.2);
`,
  )
  return folder
}

before(async () => {
  newer = await createNewerVersion()
  old = await startProcess({ databaseUrl: app.database.appUrl, secret: app.secret })
})
after(async () => {
  await old?.stop()
  await rm(newer, { recursive: true, force: true })
})

const migrate = async (): Promise<readonly string[]> => {
  const env = { STOA_DATABASE_URL: app.database.appUrl, STOA_OWNER_DATABASE_URL: app.database.ownerUrl }
  const { code, out, err } = await stoa(['migrate', '--json'], env, join(newer, 'bin/stoa.mjs'))
  assert.equal(code, 0, err)
  return JSON.parse(out).applied
}

const countWaiting = async (): Promise<number> => {
  const [row] = await app.database.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_locks
     where locktype = 'advisory' and not granted and objid = ${MIGRATION_LOCK}
       and database = (select oid from pg_database where datname = current_database())`,
  )
  return row?.waiting ?? 0
}

/** Starts two migrators that wait for a third one, which is this test; the function ends that. */
const startMigrators = async () => {
  const first = new pg.Client({ connectionString: app.database.ownerUrl })
  await first.connect()
  await first.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
  const migrated = Promise.all([migrate(), migrate()])
  await until(async () => (await countWaiting()) === 2, 'two migrators that wait')
  return async () => {
    await first.end()
    return migrated
  }
}

test('S-15 a new version migrates while the old one serves: no request fails, and migrators wait for each other', async () => {
  const { token } = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  const headers = { authorization: `Bearer ${token}` }
  const host = new URL(app.a.baseUrl).host
  const readStatus = async (request: TestRequest) => (await send(old.port, { host, ...request })).status
  const statuses = new Set<number>()
  let isOver = false
  const callUntilOver = async (): Promise<void> => {
    for (let count = 1; !isOver; count++) {
      statuses.add(await readStatus({ path: '/api/v1/courses', headers }))
      statuses.add(await readStatus(jsonBody('POST', '/api/v1/courses', { name: `Rye ${count}` }, headers)))
    }
  }
  const letMigrate = await startMigrators()
  const calls = Promise.all(Array.from({ length: CLIENTS }, callUntilOver))
  const applied = await letMigrate().finally(() => {
    isOver = true
  })
  await calls
  assert.deepEqual(applied.flat(), [MIGRATION], 'one of them migrated, the other one waited and found it done')
  assert.deepEqual([...statuses].sort(), [200, 201])
  // The connections that served before the change serve after it.
  assert.equal(await readStatus({ path: '/api/v1/courses', headers }), 200)
  assert.equal(await readStatus({ path: '/readyz' }), 200)
})
