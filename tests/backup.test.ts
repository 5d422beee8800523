import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { leftOut } from '#src/db/backup/tables.ts'
import { people } from '#src/demo/index.ts'
import { PASSWORD, startApp } from '#testing/app.ts'
import {
  createInstallation,
  emptyInstallation,
  entriesIn,
  makeBackup,
  restoreInto,
  type TestInstallation,
  testFolder,
} from '#testing/backup.ts'
import { openBrowser } from '#testing/browser.ts'
import { send } from '#testing/http.ts'
import { arrange } from '#testing/integrations.ts'
import { approve, authorizePath, CALLBACK, openConsent, pkce, register, tokenRequest } from '#testing/oauth.ts'
import { type ServerProcess, startProcess } from '#testing/process.ts'
import { type Connected, callAt, connect, introspectAt, REFRESHING, refreshAt } from '#testing/tokens.ts'

let app: Awaited<ReturnType<typeof startApp>>
let source: TestInstallation
let files: string
before(async () => {
  app = await startApp({ trustProxy: '127.0.0.0/8' })
  source = await createInstallation(app.database, app.secret)
  files = await testFolder()
})
after(() => app?.stop())

const backedUp = async (from: TestInstallation, name: string) => {
  const file = join(files, name)
  return { file, output: await makeBackup(from, file) }
}

/** Registers clients one after the other, each from another network, until it is aborted. */
const registerUntil = async (writer: number, stopped: () => boolean, acknowledged: string[]): Promise<void> => {
  const host = new URL(app.a.baseUrl).host
  for (let turn = 0; !stopped(); turn++) {
    const body = JSON.stringify({ client_name: `${writer}/${turn}`, redirect_uris: [CALLBACK] })
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': `10.${writer}.${turn >> 8}.${turn & 255}` }
    const reply = await send(app.port, { method: 'POST', path: '/api/oauth/register', host, headers, body })
    assert.equal(reply.status, 201, reply.text)
    acknowledged.push(reply.json.client_id)
  }
}

suite('S-16 a backup under load, restored elsewhere', () => {
  test('contains every write acknowledged before it, and its rows are consistent', async () => {
    const acknowledged: string[] = []
    let isOver = false
    const writers = [1, 2, 3].map(writer =>
      registerUntil(writer, () => isOver || acknowledged.length > 1500, acknowledged),
    )
    const hasLoad = () => acknowledged.length > 20
    while (!hasLoad()) await Promise.race([...writers, new Promise(resolve => setImmediate(resolve))])
    const before = [...acknowledged]
    const { file, output } = await backedUp(source, 'load.stoa')
    const during = acknowledged.length - before.length
    isOver = true
    await Promise.all(writers)
    assert.ok(during > 0, 'nothing was written while the backup was made')
    const target = await emptyInstallation(app.secret)
    const { made_at, schools } = await restoreInto(target, file)
    assert.deepEqual(schools, [app.a.baseUrl, app.b.baseUrl])
    assert.equal(made_at, output.made_at)
    const there = new Set((await target.database.query<{ id: string }>('select id from clients')).map(({ id }) => id))
    assert.deepEqual(
      before.filter(id => !there.has(id)),
      [],
    )
    const late = await target.database.query(
      `select id from clients where date_trunc('milliseconds', created_at) > $1`,
      [made_at],
    )
    assert.deepEqual(late, [], 'a row is from after the instant of the snapshot')
    const rows = new Map(output.tables.map((table: { name: string; rows: number }) => [table.name, table.rows]))
    assert.equal(there.size, rows.get('public.clients'))
  })

  test('it is one file of mode 0600 without the secret, and is not written over', async () => {
    const { file, output } = await backedUp(source, 'once.stoa')
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.deepEqual(output.secret.included, false)
    const content = Buffer.concat([...(await entriesIn(file)).values()])
    assert.ok(!content.includes(app.secret))
    assert.deepEqual(output.left_out, leftOut)
    const before = await readFile(file)
    const again = await source.run('backup', file)
    assert.equal(again.code, 1)
    assert.match(again.err, /^stoa: \S+once\.stoa already exists; .*--force\n$/)
    assert.deepEqual(await readFile(file), before)
    assert.equal((await source.run('backup', file, '--force')).code, 0)
    assert.notDeepEqual(await readFile(file), before)
    assert.deepEqual(
      (await readdir(files)).filter(name => name.endsWith('.partial')),
      [],
    )
    const nowhere = await source.run('backup', join(files, 'no', 'folder'))
    assert.match(nowhere.err, /^stoa: there is no folder \S+\n$/)
  })

  test('nothing in a backup refers to what it leaves out, and what it leaves out is documented', async () => {
    const edges = await app.database.query<{ source: string; target: string }>(
      `select 'public.' || s.relname as source, 'public.' || t.relname as target from pg_constraint c
       join pg_class s on s.oid = c.conrelid join pg_class t on t.oid = c.confrelid where c.contype = 'f'`,
    )
    assert.deepEqual(
      edges.filter(({ source, target }) => leftOut.includes(target) && !leftOut.includes(source)),
      [],
    )
    const tables = await app.database.query<{ name: string }>(
      `select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'stoa')`,
    )
    assert.deepEqual(
      leftOut.filter(name => !tables.some(table => table.name === name)),
      [],
    )
  })
})

suite('S-16 data that must not be restored', () => {
  let target: TestInstallation
  let server: ServerProcess
  let client: Connected
  let rotated: string
  let ended: { approvals: number; mails: number }
  let unused: Awaited<ReturnType<typeof approve>>
  let integration: { client_id: string }
  const dev = { email: people.dev.email, password: PASSWORD }
  const visitor = (port: number) => ({ port, school: app.a, ...dev })
  const pair = pkce()
  const asking = () => ({
    client_id: integration.client_id,
    redirect_uri: 'https://books.example/callback',
    scope: 'openid account:read',
    code_challenge: pair.challenge,
  })

  before(async () => {
    client = await connect(app, 'dev', { metadata: { client_name: 'before' } })
    rotated = (await refreshAt(app.port, client, client.refresh)).json.refresh_token
    unused = await approve(visitor(app.port), { metadata: { ...REFRESHING, client_name: 'unused code' } })
    integration = await arrange(app, ['--name', 'Books', '--redirect-uri', 'https://books.example/callback'])
    await approve(visitor(app.port), {
      browser: unused.browser,
      parameters: asking(),
    })
    const { file } = await backedUp(source, 'tokens.stoa')
    target = await emptyInstallation(app.secret, 'stoa')
    ended = (await restoreInto(target, file)).ended
    server = await startProcess({ databaseUrl: target.database.appUrl, secret: target.secret })
  })
  after(() => server?.stop())

  test('at the source every token and session works', async () => {
    assert.equal(await callAt(app.port, app.a, client.access), 200)
    const silent = await unused.browser.open(authorizePath(asking()))
    assert.match(silent.headers.location ?? '', /code=/)
  })

  test('access tokens, refresh tokens of each generation and codes, used or not, are invalid', async () => {
    assert.equal(await callAt(server.port, app.a, client.access), 401)
    for (const refresh of [client.refresh, rotated]) {
      const { status, json } = await refreshAt(server.port, client, refresh)
      assert.deepEqual([status, json.error], [400, 'invalid_grant'])
    }
    for (const exchange of [client.exchange, unused.exchange]) {
      const { status, json } = await tokenRequest(server.port, app.a, exchange)
      assert.deepEqual([status, json.error], [400, 'invalid_grant'])
    }
  })

  test('no session is open, and no earlier consent counts', async () => {
    const browser = openBrowser(server.port, app.a)
    for (const [name, value] of unused.browser.cookies) browser.cookies.set(name, value)
    const page = await browser.open(authorizePath(asking()))
    assert.match(page.text, /name="password"/)
    const after = await openConsent(browser, dev, asking())
    assert.match(after.text, /name="decision"/)
  })

  test('mails that waited do not go out again', async () => {
    assert.ok(ended.mails > 0, 'no mail waited')
    const [waiting] = await target.database.query(
      `select (select count(*)::integer from mails where sent_at is null and parked_at is null) as mails,
        (select count(*)::integer from jobs where kind = 'mail') as jobs`,
    )
    assert.deepEqual(waiting, { mails: 0, jobs: 0 })
    assert.ok(!(await readdir(server.dataFolder)).includes('mail'))
  })

  test('people sign in, apps connect again, and the signing keys are the same as before', async () => {
    const { exchange } = await approve(visitor(server.port), {
      metadata: { ...REFRESHING, client_name: 'after' },
    })
    const { status, json } = await tokenRequest(server.port, app.a, exchange)
    assert.equal(status, 200)
    const host = new URL(app.a.baseUrl).host
    const old = await send(app.port, { path: '/api/oauth/jwks', host })
    const { payload } = await jwtVerify(json.id_token, createLocalJWKSet(old.json), { issuer: app.a.baseUrl })
    const [member] = await app.database.query<{ count: number }>(
      `select count(*)::integer as count from members where email = $1`,
      [people.dev.email],
    )
    assert.equal(member?.count, 2)
    assert.match(String(payload.sub), /^mem_/)
    assert.equal(await callAt(server.port, app.a, json.access_token), 200)
    assert.equal((await tokenRequest(server.port, app.a, { ...exchange })).status, 400)
  })

  test('a client that registers again is the one it was', async () => {
    const metadata = { ...REFRESHING, client_name: 'before' }
    assert.equal((await register(server.port, app.a, metadata)).json.client_id, client.clientId)
    assert.equal((await introspectAt(server.port, client, client.access)).json.active, false)
  })
})
