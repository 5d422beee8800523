import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { sumOfRows } from '#testing/matrix.ts'
import { MAX_EVENT, PINS, pinboard } from '#testing/pinboard.ts'

const app = testApp({ moreAreas: [pinboard], moreTables: PINS })

const computeSignature = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const notify = (bytes: Buffer, headers: Readonly<Record<string, string>> = {}): Promise<TestReply> =>
  app.send({
    method: 'POST',
    path: '/webhooks/pins',
    headers: { 'pin-signature': computeSignature(bytes), ...headers },
    body: bytes,
  })

const stored = async (bytes: Buffer): Promise<number> =>
  (await app.database.query('select from pins where text = $1', [bytes.toString('base64')])).length

test('an endpoint reads the bytes as they were sent, whatever their type and encoding', async () => {
  const bodies: readonly (readonly [bytes: Buffer, type: string, encoding?: string])[] = [
    [Buffer.from('{ "a" : 1.0,  "a":2 }\r\n'), 'application/json'],
    [Buffer.from([0, 255, 254, 10, 13, 0xed, 0xa0, 0x80]), 'application/octet-stream'],
    [Buffer.from('a=%zz&a=b'), 'application/x-www-form-urlencoded'],
    [gzipSync('{"compressed":true}'), 'application/json', 'gzip'],
    [Buffer.alloc(MAX_EVENT, 'm'), 'text/plain; charset=utf-16'],
    [Buffer.from('no type'), ''],
  ]
  for (const [bytes, type, encoding] of bodies) {
    const headers = {
      ...(type === '' ? {} : { 'content-type': type }),
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    }
    const { status, text } = await notify(bytes, headers)
    assert.equal(status, 200, `${type} ${text}`)
    assert.equal(await stored(bytes), 1)
  }
})

test('an empty body has no bytes', async () => {
  const { status } = await app.send({
    method: 'POST',
    path: '/webhooks/pins',
    headers: { 'pin-signature': computeSignature(Buffer.alloc(0)) },
  })
  assert.equal(status, 200)
})

test('more bytes than the endpoint reads are 413, announced or not, and nothing is stored', async () => {
  const sum = await sumOfRows(app.database)
  const announced = await notify(Buffer.alloc(MAX_EVENT + 1, 'm'))
  assert.deepEqual([announced.status, announced.json.code], [413, 'payload_too_large'])
  assert.match(announced.json.detail, new RegExp(`at most ${MAX_EVENT} bytes`))
  const outgoing = request({
    host: '127.0.0.1',
    port: app.port,
    method: 'POST',
    path: '/webhooks/pins',
    headers: { host: new URL(app.a.baseUrl).host, 'transfer-encoding': 'chunked' },
  })
  const answered = once(outgoing, 'response')
  outgoing.write('m'.repeat(MAX_EVENT))
  outgoing.end('m')
  const [reply] = await answered
  assert.equal(reply.resume().statusCode, 413)
  assert.equal(await sumOfRows(app.database), sum)
})

test('a signature of other bytes is refused, and nothing is stored', async () => {
  const sum = await sumOfRows(app.database)
  const { status } = await notify(Buffer.from('{"paid": true}'), {
    'pin-signature': computeSignature(Buffer.from('{}')),
  })
  assert.equal(status, 400)
  assert.equal(await sumOfRows(app.database), sum)
})

test('a webhook stores its event in the school of the host', async () => {
  const bytes = Buffer.from('{"for": "b"}')
  const request = {
    method: 'POST',
    path: '/webhooks/pins',
    body: bytes,
    headers: { 'pin-signature': computeSignature(bytes) },
  }
  assert.equal((await app.send(request, app.b)).status, 200)
  assert.deepEqual(await app.database.query('select school_id from pins where text = $1', [bytes.toString('base64')]), [
    { school_id: app.b.id },
  ])
})

test('refusals below /webhooks are problems, also for clients that accept HTML', async () => {
  const accept = { accept: 'text/html,application/xhtml+xml' }
  const refusals = [
    await notify(Buffer.from('x'), { ...accept, 'pin-signature': 'wrong' }),
    await notify(Buffer.alloc(MAX_EVENT + 1), accept),
    await app.send({ path: '/webhooks/pins', headers: accept }),
    await app.send({ method: 'POST', path: '/webhooks/unknown', headers: accept }),
  ]
  assert.deepEqual(
    refusals.map(({ status }) => status),
    [400, 413, 405, 404],
  )
  for (const { headers, json, status } of refusals) {
    assert.match(String(headers['content-type']), /^application\/problem\+json/)
    assert.equal(json.status, status)
  }
  const page = await app.send({ path: '/unknown', headers: accept })
  assert.match(String(page.headers['content-type']), /^text\/html/)
})
