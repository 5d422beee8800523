import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { testApp } from '#testing/app.ts'
import { startAppProcess } from '#testing/app-process.ts'
import { send, type TestReply } from '#testing/http.ts'

let reads = 0
const app = testApp({
  cachesPublicReads: true,
  onStatement: text => {
    if (/\bfrom courses\b/.test(text)) reads += 1
  },
})

const PATH = '/api/v1/courses?limit=1'

const countReads = async (request: () => Promise<TestReply>): Promise<{ reply: TestReply; count: number }> => {
  const before = reads
  const reply = await request()
  return { reply, count: reads - before }
}

/** Sends a request twice in a row until the second response came without a statement. */
const cached = async (request: () => Promise<TestReply>): Promise<{ first: TestReply; second: TestReply }> => {
  for (let tries = 0; tries < 50; tries++) {
    const { reply: first } = await countReads(request)
    const { reply: second, count } = await countReads(request)
    if (count === 0) return { first, second }
  }
  throw new Error('no response was cached')
}

const OF_A_REQUEST = ['x-request-id', 'ratelimit', 'date']

const without = (headers: TestReply['headers'], names: readonly string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

test('a cached response has the bytes and headers of the first one, and an id and a limit of its own', async () => {
  const { first, second } = await cached(() => app.send({ path: PATH }))
  assert.equal(second.status, 200)
  assert.equal(second.text, first.text)
  assert.deepEqual(without(second.headers, OF_A_REQUEST), without(first.headers, OF_A_REQUEST))
  assert.notEqual(second.headers['x-request-id'], first.headers['x-request-id'])
  const leftIn = (reply: TestReply): number => Number(/r=(\d+)/.exec(String(reply.headers.ratelimit))?.[1])
  assert.equal(leftIn(first) - leftIn(second), 1)
  const lines = app.log.filter(line => line.includes(String(second.headers['x-request-id'])))
  assert.equal(lines.length, 1, 'the request has a line in the log')
})

test('HEAD and If-None-Match are answered from the cache as without it', async () => {
  const { second } = await cached(() => app.send({ path: PATH }))
  const tag = String(second.headers.etag)
  const { second: unchanged } = await cached(() => app.send({ path: PATH, headers: { 'if-none-match': tag } }))
  assert.equal(unchanged.status, 304)
  assert.equal(unchanged.text, '')
  assert.equal(unchanged.headers['content-type'], undefined)
  assert.equal(unchanged.headers.etag, tag)
  await cached(() => app.send({ path: PATH }))
  const head = await app.send({ method: 'HEAD', path: PATH })
  assert.equal(head.status, 200)
  assert.equal(head.text, '')
  assert.equal(head.headers['content-length'], second.headers['content-length'])
})

test('the first anonymous read after a write of the school has what was written', async () => {
  const owner = await app.actor('dev', { as: 'owner', scopes: ['school:write'] })
  for (const name of ['First name', 'Second name', 'Third name']) {
    await app.send({ path: '/api/v1/school' })
    assert.equal((await owner.write('PATCH', '/school', { name }, { 'if-match': '*' })).status, 200)
    const { json } = await app.send({ path: '/api/v1/school' })
    assert.equal(json.name, name)
  }
})

test('what one process writes is in every response that another process begins a second later', async () => {
  const owner = await app.actor('dev', { as: 'owner', scopes: ['school:write'] })
  const { database, secret } = app
  const other = await startAppProcess({ databaseUrl: database.appUrl, secret, ca: '' })
  const readThere = () => send(other.port, { host: new URL(app.a.baseUrl).host, path: '/api/v1/school' })
  try {
    for (const name of ['Fourth name', 'Fifth name']) {
      await readThere()
      assert.equal((await owner.write('PATCH', '/school', { name }, { 'if-match': '*' })).status, 200)
      const written = performance.now()
      // The cache there stays warm meanwhile.
      while (performance.now() - written < 1000) {
        await readThere()
        await pause(20)
      }
      assert.equal((await readThere()).json.name, name)
    }
  } finally {
    await other.stop()
  }
})

test('a response to a token is neither cached nor taken from the cache', async () => {
  const owner = await app.actor('dev', { as: 'owner', scopes: ['courses:read'] })
  const { second: before } = await cached(() => app.send({ path: PATH }))
  const { reply, count } = await countReads(() => owner.get('/courses?limit=1'))
  assert.ok(count > 0, 'the courses were read for the owner')
  assert.notEqual(reply.text, before.text)
  assert.equal(reply.headers['cache-control'], 'private, no-store')
  assert.equal((await app.send({ path: PATH })).text, before.text)
})

test('another school and another target have responses of their own', async () => {
  const { second } = await cached(() => app.send({ path: PATH }))
  const elsewhere = await app.send({ path: PATH }, app.b)
  assert.equal(elsewhere.status, 200)
  assert.notEqual(elsewhere.text, second.text)
  const longer = await app.send({ path: '/api/v1/courses?limit=2' })
  assert.notEqual(longer.text, second.text)
})

test('a page of the site is answered from the cache in each language, and not after a write', async () => {
  const owner = await app.actor('dev', { as: 'owner', scopes: ['school:write'] })
  const page = (language: string) => () => app.send({ path: '/courses', headers: { 'accept-language': language } })
  const { first, second } = await cached(page('en'))
  assert.equal(second.text, first.text)
  assert.deepEqual(without(second.headers, OF_A_REQUEST), without(first.headers, OF_A_REQUEST))
  const { second: other } = await cached(page('pt'))
  assert.match(other.text, /<html lang="pt/)
  assert.match((await page('en')()).text, /<html lang="en/)
  for (const name of ['Sixth name', 'Seventh name']) {
    assert.equal((await owner.write('PATCH', '/school', { name }, { 'if-match': '*' })).status, 200)
    assert.ok((await page('en')()).text.includes(name))
  }
})
