import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { openGate } from '#testing/gate.ts'
import { retryWhileBusy, send } from '#testing/http.ts'
import { freshSettings, serve, stoa } from '#testing/stoa.ts'

let database: TestDatabase
let env: Record<string, string>

before(async () => {
  database = await createTestDatabase()
  env = {
    ...(await freshSettings()),
    STOA_DATABASE_URL: database.appUrl,
    STOA_OWNER_DATABASE_URL: database.ownerUrl,
    STOA_SECRET: 's'.repeat(43),
  }
})
after(async () => {
  await database.drop()
  await rm(env.STOA_DATA ?? '', { recursive: true, force: true })
})

test('serve refuses a login that owns the tables', async () => {
  const { code, err } = await stoa(['serve'], { ...env, STOA_DATABASE_URL: database.ownerUrl })
  assert.equal(code, 1)
  assert.match(err, /superuser|owns tables/)
})

test('a database whose connections take longer than STOA_DATABASE_WAIT is used, at the start and afterwards', async () => {
  const gate = await openGate(700)
  const far = { ...env, STOA_DATABASE_URL: gate.through(database.appUrl), STOA_DATABASE_WAIT: '100' }
  const serving = await serve(far)
  // More requests at once than there are connections so far.
  const host = `localhost:${env.STOA_PORT}`
  const get = () => send(Number(env.STOA_PORT), { path: '/api/v1/school', host })
  const requests = Array.from({ length: 5 }, () => retryWhileBusy(get))
  for (const { status, text } of await Promise.all(requests)) assert.equal(status, 200, text)
  serving.child.kill('SIGTERM')
  assert.equal(await serving.ended(), 0)
  await gate.close()
})

test('two processes that start concurrently on an empty database create one first school', async () => {
  const other: Record<string, string> = {
    ...env,
    ...(await freshSettings()),
    STOA_BASE_URL: `http://localhost:${env.STOA_PORT}`,
  }
  const both = await Promise.all([serve(env), serve(other)])
  assert.equal((await database.query('select from schools')).length, 1)
  assert.equal((await database.query(`select from members where role = 'owner'`)).length, 1)
  const host = `localhost:${env.STOA_PORT}`
  const names = await Promise.all(
    [env, other].map(({ STOA_PORT = '' }) => send(Number(STOA_PORT), { path: '/api/v1/school', host })),
  )
  assert.deepEqual(
    names.map(({ json }) => json.name),
    ['Crumb & Crust', 'Crumb & Crust'],
  )
  for (const { child, ended } of both) {
    child.kill('SIGTERM')
    assert.equal(await ended(), 0)
  }
  await rm(String(other.STOA_DATA), { recursive: true, force: true })
})

test('health answers on any host, and an unknown host gets nothing of any school', async () => {
  const serving = await serve(env)
  const port = Number(env.STOA_PORT)
  for (const path of ['/healthz', '/readyz'])
    assert.equal((await send(port, { path, host: 'unknown.example' })).status, 200)
  const unknown = await send(port, { path: '/.well-known/openid-configuration', host: 'unknown.example' })
  assert.equal(unknown.status, 404)
  const page = await send(port, { path: '/', host: `other.localhost:${port}`, headers: { accept: 'text/html' } })
  assert.equal(page.status, 404)
  assert.match(page.text, new RegExp(`<a href="http://localhost:${port}/">`))
  serving.child.kill('SIGTERM')
  assert.equal(await serving.ended(), 0)
})

test('one JSON line per request, without the query, headers or addresses', async () => {
  const serving = await serve(env)
  const port = Number(env.STOA_PORT)
  const host = `localhost:${port}`
  await send(port, {
    path: '/api/v1/school?access_token=stoa_at_secret',
    host,
    headers: { 'x-request-id': 'find-me', cookie: 'a=secret' },
  })
  serving.child.kill('SIGTERM')
  await serving.ended()
  const lines = serving.output.err
    .split('\n')
    .filter(line => line.includes('find-me'))
    .map(line => JSON.parse(line))
  assert.equal(lines.length, 1)
  assert.equal(lines[0].status, 400)
  assert.equal(lines[0].route, '/api/v1/school')
  assert.ok(!serving.output.err.includes('secret'))
})

test('S-13 a request under way when SIGTERM arrives gets its reply, and the process ends', async () => {
  const serving = await serve(env)
  const port = Number(env.STOA_PORT)
  const host = `localhost:${port}`
  const requests = Array.from({ length: 200 }, () => send(port, { path: '/api/v1/school', host }))
  await requests[0]
  const began = performance.now()
  serving.child.kill('SIGTERM')
  const settled = await Promise.allSettled(requests)
  assert.equal(await serving.ended(), 0)
  assert.ok(performance.now() - began < 10_000)
  const answers = settled.flatMap(result => (result.status === 'fulfilled' ? [result.value.status] : []))
  assert.ok(answers.length > 0 && answers.every(status => status === 200), `${answers}`)
})

test('killing only the launcher ends the server too', async () => {
  const serving = await serve(env)
  serving.child.kill('SIGKILL')
  await serving.ended()
  const port = Number(env.STOA_PORT)
  for (let tries = 0; ; tries++) {
    const alive = await send(port, { path: '/healthz' }).then(
      () => true,
      () => false,
    )
    if (!alive) break
    assert.ok(tries < 200, 'the server outlived its launcher')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
})

test('S-13 a client that never sends its body does not hold up the end', async () => {
  const serving = await serve(env)
  const port = Number(env.STOA_PORT)
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    `PATCH /api/v1/school HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 20000\r\n\r\n`,
  )
  const [answer] = (await once(socket, 'data')) as [Buffer]
  assert.match(answer.toString(), /^HTTP\/1\.1 403 [\s\S]*connection: close/i)
  const began = performance.now()
  serving.child.kill('SIGTERM')
  assert.equal(await serving.ended(), 0)
  assert.ok(performance.now() - began < 10_000)
  socket.destroy()
})
