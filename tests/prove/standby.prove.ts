import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { openDatabase } from '#src/db/database.ts'
import { type Embedded, openEmbedded } from '#src/db/embedded/index.ts'
import { listSchools } from '#src/db/schools.ts'
import { people } from '#src/demo/index.ts'
import { startStandby } from '#testing/embedded.ts'
import { startFaultProxy } from '#testing/faults/proxy.ts'
import { jsonBody, send, type TestReply } from '#testing/http.ts'
import { buildRequest, grantable, grantEach, identityScopes, operations } from '#testing/matrix.ts'
import { freshSettings, type Serving, serve, stoa } from '#testing/stoa.ts'
import { until } from '#testing/until.ts'

const PASSWORD = 'a starter needs patience'

const stops: (() => Promise<unknown>)[] = []
after(async () => {
  for (const stop of stops.reverse()) await stop()
})

const end = async ({ child, ended }: Serving): Promise<void> => {
  child.kill('SIGTERM')
  await ended()
}

const createFolder = async (name: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), name))
  stops.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A demo school on a server of its own, and a process that reaches it through an address that stays. */
const start = async () => {
  const env: Record<string, string> = {
    ...(await freshSettings()),
    STOA_OWNER_PASSWORD: PASSWORD,
    STOA_SECRET: randomBytes(32).toString('base64url'),
  }
  const dataFolder = env.STOA_DATA ?? ''
  stops.push(() => rm(dataFolder, { recursive: true, force: true }))
  await end(await serve(env))
  const primary: Embedded = await openEmbedded({ dataFolder, mode: 'serve', durable: false, log: () => undefined })
  stops.push(() => primary.stop())
  let url = primary.appUrl
  const proxy = await startFaultProxy(() => url)
  stops.push(() => proxy.close())
  const own = { ...env, STOA_DATA: await createFolder('stoa-standby-'), STOA_DATABASE_URL: proxy.url }
  const serving = await serve(own)
  stops.push(() => end(serving))
  const database = openDatabase(primary.appUrl)
  const [school] = await listSchools(database.shared)
  await database.close()
  assert.ok(school)
  const leadTo = async (other: string): Promise<void> => {
    url = other
    await proxy.cut()
  }
  return { env: own, dataFolder, primary, leadTo, port: Number(env.STOA_PORT), school }
}

const readStatus = async (port: number): Promise<string> =>
  (await send(port, { path: '/readyz', host: 'monitor.example' })).json.status

const assertAway = ({ status, headers, text }: TestReply, what: string): void => {
  assert.equal(status, 503, `${what}: ${text}`)
  assert.ok(headers['retry-after'] !== undefined, what)
}

test('a standby answers nothing but 503, can be backed up, and serves by itself once it is promoted', {
  timeout: 300_000,
}, async () => {
  const { env, dataFolder, primary, leadTo, port, school } = await start()
  const host = new URL(school.baseUrl).host
  const visitor = { port, school, email: people.ada.email, password: PASSWORD }
  const [granted] = await grantEach(visitor, [[...identityScopes, ...grantable]])
  const token = granted?.token
  const headers = { authorization: `Bearer ${token}` }
  const account = { path: '/api/v1/account', headers, host }
  const sign = { ...jsonBody('POST', '/api/oauth/register', { redirect_uris: ['http://127.0.0.1/callback'] }), host }
  assert.equal((await send(port, account)).status, 200)
  await primary.stop()
  const standby = await startStandby(dataFolder)
  stops.push(() => standby.stop())
  await leadTo(standby.appUrl)
  await until(async () => (await readStatus(port)) === 'database_read_only', '/readyz tells of the standby')

  for (const operation of operations)
    assertAway(await send(port, { ...buildRequest(operation, { token }), host }), operation.id)
  for (const path of [
    '/',
    '/courses',
    '/account',
    '/staff',
    '/sitemap.xml',
    '/oauth/jwks',
    '/.well-known/openid-configuration',
  ])
    assertAway(await send(port, { path, host }), path)
  assertAway(await send(port, sign), 'a registration')

  const file = join(await createFolder('stoa-standby-backup-'), 'standby.stoa')
  const { code, err } = await stoa(['backup', file], { ...env, STOA_OWNER_DATABASE_URL: standby.ownerUrl })
  assert.equal(code, 0, err)

  const owner = new pg.Client({ connectionString: standby.ownerUrl })
  await owner.connect()
  const { rows } = await owner.query<{ done: boolean }>('select pg_promote() as done')
  await owner.end()
  assert.equal(rows[0]?.done, true)
  await until(async () => (await readStatus(port)) === 'ready', 'the promoted server is used')
  assert.equal((await send(port, account)).status, 200)
  assert.equal((await send(port, sign)).status, 201)
})
