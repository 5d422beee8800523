import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import { fromId, toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { jsonBody, type TestReply } from '#testing/http.ts'
import { sumOfRows } from '#testing/matrix.ts'
import { astray, PINS, pictureEnds, pinboard } from '#testing/pinboard.ts'
import { until } from '#testing/until.ts'

const app = testApp({
  moreAreas: [pinboard, astray],
  moreTables: PINS,
  trustProxy: '127.0.0.1',
  cachesPublicReads: true,
})

let network = 0
// Each call is from a network of its own, so that no test uses up a limit.
const from = () => ({ 'x-forwarded-for': `203.0.113.${network++}` })

const putUp = (text: string, school = app.a): Promise<TestReply> =>
  app.send(jsonBody('POST', '/api/v1/pins', { text }, from()), school)

const readTexts = async (path: string, school = app.a): Promise<string[]> =>
  (await app.send({ path }, school)).json.data.map(({ text }: { text: string }) => text)

type Pin = { readonly id: string; readonly school_id: string; readonly picture_bytes: number }

const pinWith = async (text: string): Promise<Pin> => {
  const [pin] = await app.database.query<Pin>('select id, school_id, picture_bytes from pins where text = $1', [text])
  assert.ok(pin, text)
  return pin
}

test('an anonymous write stores its row in the school of the host, with an entry and a fact that name nobody', async () => {
  const { status, json, headers } = await putUp('Bread for a bicycle')
  assert.deepEqual([status, headers['cache-control']], [201, 'private, no-store'])
  assert.equal(headers.location, `${app.a.baseUrl}/api/v1/pins/${json.id}`)
  assert.equal((await pinWith('Bread for a bicycle')).school_id, app.a.id)
  const [entry] = await app.database.query(
    'select member_id, client_id, actor, operation, fields from audit_log where resource_ids = $1',
    [[json.id]],
  )
  const nobody = { member_id: null, client_id: null, actor: 'anonymous' }
  assert.deepEqual(entry, { ...nobody, operation: 'createPin', fields: ['text'] })
  assert.equal((await app.database.query(`select from facts where payload->>'pin_id' = $1`, [json.id])).length, 1)
  const ada = await app.actor('ada')
  const log = await ada.get('/school/audit-log?operation=createPin')
  assert.deepEqual(log.json.data[0].actor, { kind: 'anonymous' })
})

test('an anonymous caller cannot pass for the worker or the operator in the audit log by the request id', async () => {
  for (const name of ['worker', 'operator']) {
    const text = `As the ${name}`
    const forged = jsonBody('POST', '/api/v1/pins', { text }, { ...from(), 'x-request-id': name })
    const { json } = await app.send(forged)
    const ada = await app.actor('ada')
    const { json: log } = await ada.get('/school/audit-log?operation=createPin')
    const entry = log.data.find((one: { resource_ids: string[] }) => one.resource_ids[0] === json.id)
    assert.deepEqual([entry.request_id, entry.actor], [name, { kind: 'anonymous' }])
  }
})

test('with a token the entry names the member and the app', async () => {
  const dev = await app.actor('dev', { scopes: ['account:read'] })
  const { json } = await dev.write('POST', '/pins', { text: 'With a token' }, from())
  const [entry] = await app.database.query('select client_id, actor from audit_log where resource_ids = $1', [
    [json.id],
  ])
  assert.deepEqual(entry, { client_id: dev.clientId, actor: null })
})

test('a refused or dry anonymous write leaves nothing but its count', async () => {
  await putUp('Refused twice')
  const sum = await sumOfRows(app.database)
  assert.equal((await putUp('Refused twice')).status, 409)
  assert.equal((await putUp('')).status, 422)
  const dry = await app.send(jsonBody('POST', '/api/v1/pins?dry_run=true', { text: 'Dry' }, from()))
  assert.deepEqual([dry.status, dry.json.result.id, dry.json.effects[0].mail], [200, null, 'Nobody gets a mail.'])
  assert.equal(await sumOfRows(app.database), sum)
})

test('the same anonymous write many times at once is done once', async () => {
  const replies = await Promise.all(Array.from({ length: 10 }, () => putUp('Ten at once')))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)])
})

test('an anonymous caller reads and writes only the school of the host', async () => {
  await putUp('Only in A')
  await putUp('Only in B', app.b)
  for (const path of ['/api/v1/pins', '/api/v1/pins/unfiltered']) {
    const [here, there] = [await readTexts(path), await readTexts(path, app.b)]
    assert.ok(here.includes('Only in A') && !here.includes('Only in B'), path)
    assert.ok(there.includes('Only in B') && !there.includes('Only in A'), path)
  }
  const theirs = await pinWith('Only in B')
  const sum = await sumOfRows(app.database)
  const picture = { method: 'PUT', path: `/api/v1/pins/${toId('pst', theirs.id)}/picture`, headers: from(), body: 'x' }
  assert.equal((await app.send(picture)).status, 404)
  assert.equal(await sumOfRows(app.database), sum)
})

test('row-level security keeps an anonymous write in the school of the host, whatever its statement says', async () => {
  const sum = await sumOfRows(app.database)
  const stray = jsonBody('POST', '/api/v1/pins/astray', { school_id: app.b.id, text: 'Astray' }, from())
  assert.equal((await app.send(stray)).status, 404)
  assert.equal(await sumOfRows(app.database), sum)
  const own = jsonBody('POST', '/api/v1/pins/astray', { school_id: app.a.id, text: 'Not astray' }, from())
  assert.equal((await app.send(own)).status, 204)
})

test('an anonymous stream is stored once it is complete', async () => {
  const { json } = await putUp('With a picture')
  const path = `/api/v1/pins/${json.id}/picture`
  const reply = await app.send({ method: 'PUT', path, headers: from(), body: 'x'.repeat(1000) })
  assert.deepEqual([reply.status, reply.json.picture_bytes], [200, 1000])
  assert.equal((await pinWith('With a picture')).picture_bytes, 1000)
})

test('an anonymous stream beyond its bound is 413 and nothing is stored, also without a Content-Length', async () => {
  const { json } = await putUp('Too large a picture')
  const path = `/api/v1/pins/${json.id}/picture`
  const sum = await sumOfRows(app.database)
  const announced = await app.send({ method: 'PUT', path, headers: from(), body: 'x'.repeat(1001) })
  assert.deepEqual([announced.status, announced.json.code], [413, 'payload_too_large'])
  assert.equal(await sendChunks(path, ['x'.repeat(600), 'x'.repeat(600)]), 413)
  assert.equal(await sumOfRows(app.database), sum)
})

/** Sends a body in chunks without saying how long it is; the status of the response. */
const sendChunks = async (path: string, chunks: readonly string[]): Promise<number> => {
  const headers = { host: new URL(app.a.baseUrl).host, 'transfer-encoding': 'chunked', ...from() }
  const outgoing = request({ host: '127.0.0.1', port: app.port, method: 'PUT', path, headers })
  const answered = once(outgoing, 'response')
  for (const chunk of chunks) outgoing.write(chunk)
  outgoing.end()
  const [reply] = await answered
  return reply.resume().statusCode
}

test('an anonymous stream that is cut off leaves nothing', async () => {
  const { json } = await putUp('Cut off')
  const sum = await sumOfRows(app.database)
  const headers = { host: new URL(app.a.baseUrl).host, 'content-length': '900', ...from() }
  const path = `/api/v1/pins/${json.id}/picture`
  const outgoing = request({ host: '127.0.0.1', port: app.port, method: 'PUT', path, headers })
  outgoing.on('error', () => undefined)
  outgoing.write('x'.repeat(100), () => outgoing.destroy())
  await until(async () => pictureEnds.includes(fromId('pst', json.id) ?? ''), 'the end of the stream')
  assert.equal(await sumOfRows(app.database), sum)
})
