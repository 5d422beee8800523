import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Files } from '#src/contract/store.ts'
import { openFiles } from '#src/store/index.ts'
import { testApp } from '#testing/app.ts'
import { fetched, uploader } from '#testing/uploads.ts'

// The work of a completion before it checks its file, and what a test makes it wait for.
const joining = { count: 0, gate: Promise.resolve() }
// How many bodies were begun to be kept.
const putting = { count: 0 }
let folder = ''

const counted = async (): Promise<Files> => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-at-once-'))
  const { store, media } = await openFiles({ folder })
  const joined: typeof store.join = async (parts, key) => {
    joining.count += 1
    await joining.gate
    await store.join(parts, key)
  }
  const put: typeof store.put = (key, body, size) => {
    putting.count += 1
    return store.put(key, body, size)
  }
  return { media, store: { ...store, join: joined, put } }
}

const app = testApp({ files: counted })
after(() => rm(folder, { recursive: true, force: true }))

const MOST = 20
const CHECKS_OF_ONE = 6

const sent = async (dev: Awaited<ReturnType<typeof uploader>>): Promise<string> => {
  const { json } = await dev.announce({ byte_size: 3 })
  assert.equal((await dev.put(json.id, Buffer.from('Rye'))).status, 200)
  return json.id
}

test('I-05 concurrent requests to complete an upload complete it once, and each gets a reply', async () => {
  const dev = await uploader(app, 'dev')
  const id = await sent(dev)
  joining.count = 0
  const replies = await Promise.all(Array.from({ length: 30 }, () => dev.complete(id)))
  assert.deepEqual(
    replies.map(({ status, json }) => [status, json.status]),
    replies.map(() => [200, 'ready']),
  )
  assert.equal(joining.count, 1)
})

test('I-05 a limited number of files of one person are checked concurrently; others wait, and the reply says when to retry', async () => {
  const [dev, eli] = [await uploader(app, 'dev'), await uploader(app, 'eli')]
  const ids: string[] = []
  for (let count = 0; count <= CHECKS_OF_ONE; count++) ids.push(await sent(dev))
  const theirs = await sent(eli)
  const gate = Promise.withResolvers<void>()
  Object.assign(joining, { count: 0, gate: gate.promise })
  const reached = async (count: number) => {
    const end = performance.now() + 10_000
    while (joining.count < count) {
      assert.ok(performance.now() < end, `${joining.count} of ${count} have begun`)
      await dev.get('/uploads?limit=1')
    }
  }
  const replies = ids.slice(0, CHECKS_OF_ONE).map(id => dev.complete(id))
  await reached(CHECKS_OF_ONE)
  const [last = ''] = ids.slice(-1)
  const refused = await dev.complete(last)
  replies.push(eli.complete(theirs))
  await reached(CHECKS_OF_ONE + 1)
  gate.resolve()
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '5'], refused.text)
  for (const { json, text } of await Promise.all(replies)) assert.equal(json.status, 'ready', text)
  const done = await dev.complete(last)
  assert.deepEqual((await fetched(done.json.file.url)).bytes, Buffer.from('Rye'))
})

/** Sends the first byte of a file of three, and the rest when `finish` is called. */
const slowly = (token: string, id: string) => {
  const outgoing = request({
    host: '127.0.0.1',
    port: app.port,
    method: 'PUT',
    path: `/api/v1/uploads/${id}/content`,
    headers: { authorization: `Bearer ${token}`, 'transfer-encoding': 'chunked' },
  })
  const status = new Promise<number>((resolve, reject) => {
    outgoing.on('response', answer => resolve(answer.resume().statusCode ?? 0)).on('error', reject)
  })
  outgoing.write('R')
  return {
    finish: () => {
      outgoing.end('ye')
      return status
    },
  }
}

test('J-01 one person has a limited number of open uploads, and blocks nobody else', async () => {
  const [dev, eli] = [await uploader(app, 'dev'), await uploader(app, 'eli')]
  const ids: string[] = []
  for (let count = 0; count <= MOST; count++) ids.push((await dev.announce({ byte_size: 3 })).json.id)
  const [last = '', ...others] = ids
  putting.count = 0
  const slow = others.map(id => slowly(dev.token, id))
  const end = performance.now() + 10_000
  while (putting.count < MOST) {
    assert.ok(performance.now() < end, 'all of them have begun')
    await dev.get('/uploads?limit=1')
  }
  const refused = await dev.put(last, Buffer.from('Rye'))
  const theirs = await eli.upload(Buffer.from('Rye'))
  const sent = await Promise.all(slow.map(({ finish }) => finish()))
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '5'], refused.text)
  assert.equal(theirs.json.status, 'ready', theirs.text)
  assert.deepEqual(new Set(sent), new Set([200]))
  assert.equal((await dev.put(last, Buffer.from('Rye'))).status, 200)
})
