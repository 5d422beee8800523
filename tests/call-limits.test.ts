import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { jsonBody, type TestReply } from '#testing/http.ts'
import { sumOfRows } from '#testing/matrix.ts'
import { PINS, performingPage, pinboard } from '#testing/pinboard.ts'
import { cookieAt } from '#testing/unrouted.ts'

// Only statements count the calls, so that no test depends on the other limits of the server.
let counted = 0
const app = testApp({
  moreAreas: [pinboard],
  moreTables: PINS,
  morePages: parts => [performingPage(parts)],
  trustProxy: '127.0.0.1',
  onStatement: text => {
    if (text.includes('insert into limits')) counted++
  },
})

type Headers = Readonly<Record<string, string>>

let number = 0
/** Puts up a pin from a network, without a token. */
const putUp = (network: string, body: object = { text: `Pin ${number++}` }, headers: Headers = {}) =>
  app.send(jsonBody('POST', '/api/v1/pins', body, { 'x-forwarded-for': network, ...headers }))

const statuses = (replies: readonly TestReply[]): Readonly<Record<number, number>> => {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

const pins = async (schoolId = app.a.id): Promise<number> =>
  (await app.database.query('select from pins where school_id = $1', [schoolId])).length

const windowOver = () => app.moveClock(3601)

test('of fifty calls at once from one network exactly as many are performed as the limit allows', async () => {
  const before = await pins()
  const replies = await times(50, () => putUp('203.0.113.1'))
  assert.deepEqual(statuses(replies), { 201: 5, 429: 45 })
  assert.equal(await pins(), before + 5)
  await windowOver()
  assert.deepEqual(statuses(await times(6, () => putUp('203.0.113.1'))), { 201: 5, 429: 1 })
})

test('a call beyond the limit is 429 with the limit, the time to wait and nothing written', async () => {
  await times(5, () => putUp('203.0.113.2'))
  const sum = await sumOfRows(app.database)
  const { status, json, headers } = await putUp('203.0.113.2')
  assert.deepEqual([status, json.code, json.retryable], [429, 'rate_limited', true])
  const wait = Number(headers['retry-after'])
  assert.ok(wait > 3500 && wait <= 3600, String(wait))
  assert.equal(headers['ratelimit-policy'], '"createPin";q=5;w=3600')
  assert.equal(headers.ratelimit, `"createPin";r=0;t=${wait}`)
  assert.equal(await sumOfRows(app.database), sum)
})

test('a call that the handler refuses counts, and so does a dry run; a malformed body does not', async () => {
  await putUp('203.0.113.3', { text: 'Taken' })
  assert.equal((await putUp('203.0.113.3', { text: 'Taken' })).json.code, 'pin_taken')
  const dry = jsonBody('POST', '/api/v1/pins?dry_run=true', { text: 'Dry' }, { 'x-forwarded-for': '203.0.113.3' })
  assert.equal((await app.send(dry)).status, 200)
  assert.deepEqual(statuses(await times(9, () => putUp('203.0.113.3', { text: 1 }))), { 422: 9 })
  assert.equal((await putUp('203.0.113.3', { text: 'Taken' })).status, 409)
  assert.equal((await putUp('203.0.113.3', { text: 'Taken' })).status, 409)
  assert.equal((await putUp('203.0.113.3')).status, 429, 'five were counted')
})

test('each network and each school has its own count, and wider networks allow more', async () => {
  await times(5, () => putUp('203.0.113.4'))
  assert.equal((await putUp('203.0.113.5')).status, 201)
  const there = jsonBody('POST', '/api/v1/pins', { text: 'Elsewhere' }, { 'x-forwarded-for': '203.0.113.4' })
  assert.equal((await app.send(there, app.b)).status, 201)
  assert.equal((await putUp('203.0.113.4')).status, 429)
  const customer = []
  for (let index = 0; index < 25; index++) customer.push(await putUp(`2001:db8:1:${index}::1`))
  assert.deepEqual(statuses(customer), { 201: 20, 429: 5 }, 'four times as many in a /48')
})

test('a token does not lift the limit of a network', async () => {
  const { token } = await app.actor('ada')
  await times(5, () => putUp('203.0.113.6'))
  assert.equal((await putUp('203.0.113.6', undefined, { authorization: `Bearer ${token}` })).status, 429)
})

const readId = async (text: string): Promise<string> => {
  const [row] = await app.database.query<{ id: string }>(
    `insert into pins (school_id, id, text, created_at) values ($1, gen_random_uuid(), $2, stoa.now()) returning id`,
    [app.a.id, text],
  )
  return toId('pst', row?.id ?? '')
}

test('a limit by member follows the member over networks and apps, and is nobody else’s', async () => {
  const [dev, other, eli] = [
    await app.actor('dev', { scopes: ['account:write'] }),
    await app.actor('dev', { scopes: ['account:write'], metadata: { client_name: 'Another app' } }),
    await app.actor('eli', { scopes: ['account:write'] }),
  ]
  assert.notEqual(dev.clientId, other.clientId)
  const path = `/pins/${await readId('Reported')}/report`
  const from = (network: string) => ({ 'x-forwarded-for': network })
  assert.equal((await dev.write('PUT', path, undefined, from('203.0.113.7'))).status, 200)
  assert.equal((await dev.write('PUT', path, undefined, from('198.51.100.7'))).status, 200)
  assert.equal((await other.write('PUT', path, undefined, from('2001:db8:7::1'))).status, 200)
  for (const actor of [dev, other]) {
    const refused = await actor.write('PUT', path, undefined, from('192.0.2.7'))
    assert.deepEqual([refused.status, refused.headers['ratelimit-policy']], [429, '"reportPin";q=3;w=600'])
  }
  assert.equal((await eli.write('PUT', path, undefined, from('203.0.113.7'))).status, 200)
})

test('a page counts as the API does: the same member is refused there too', async () => {
  const femi = await app.actor('femi', { scopes: ['account:write'] })
  const id = await readId('Reported on a page')
  const cookie = await cookieAt(app, 'femi')
  const onPage = () =>
    app.send(jsonBody('POST', '/account/perform', { operation: 'reportPin', params: { pin_id: id } }, { cookie }))
  assert.equal((await femi.write('PUT', `/pins/${id}/report`)).status, 200)
  assert.deepEqual([(await onPage()).status, (await onPage()).status, (await onPage()).status], [200, 200, 429])
  assert.equal((await femi.write('PUT', `/pins/${id}/report`)).status, 429)
})

test('an operation without a limit runs no statement for one', async () => {
  const ada = await app.actor('ada', { scopes: ['account:write', 'school:read'] })
  const id = await readId('Uncounted')
  const before = counted
  assert.equal((await ada.get('/pins')).status, 200)
  assert.equal(
    (await ada.write('POST', `/pins/${id}/purchases`, undefined, { 'idempotency-key': 'uncounted' })).status,
    200,
  )
  assert.equal(counted, before)
  await putUp('203.0.113.9')
  assert.equal(counted, before + 1)
})
