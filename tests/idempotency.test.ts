import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { jsonBody, type TestReply } from '#testing/http.ts'
import { buildRequest, grantable, operations, sumOfRows } from '#testing/matrix.ts'
import { PINS, pinboard } from '#testing/pinboard.ts'

const app = testApp({ hasSubscriptions: true, moreAreas: [pinboard], moreTables: PINS })
const SCOPES = ['members:read', 'members:write']

const readMember = async (actor: Actor, name: string): Promise<{ id: string; phone: string | null }> =>
  (await actor.get(`/members?email=${name}@crumb.example`)).json.data[0]

const formatOutcome = ({ status, json, headers }: TestReply): string =>
  [status, json?.code, headers['idempotency-replayed'] && 'replayed'].filter(Boolean).join(' ')

test('a key that was used at one path is refused at another, by id and by query, and nothing is changed there', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const [dev, eli] = [await readMember(ada, 'dev'), await readMember(ada, 'eli')]
  const patch = (path: string) => ada.write('PATCH', path, { phone: '+351 900' }, { 'idempotency-key': 'one-path' })
  assert.equal(formatOutcome(await patch(`/members/${dev.id}`)), '200')
  assert.equal(formatOutcome(await patch(`/members/${eli.id}`)), '422 idempotency_key_reused')
  assert.equal((await readMember(ada, 'eli')).phone, eli.phone)
  assert.equal(formatOutcome(await patch(`/members/${dev.id}?dry_run=false`)), '422 idempotency_key_reused')
  assert.equal(formatOutcome(await patch(`/members/${dev.id}`)), '200 replayed')
})

test('a key that was used with another body is refused, also without a body', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const dev = await readMember(ada, 'dev')
  const key = { 'idempotency-key': 'one-body' }
  const suspend = (body?: object) => ada.write('PUT', `/members/${dev.id}/suspension`, body, key)
  assert.equal(formatOutcome(await suspend({ reason: 'a' })), '200')
  assert.equal(formatOutcome(await suspend({ reason: 'b' })), '422 idempotency_key_reused')
  assert.equal(formatOutcome(await suspend()), '422 idempotency_key_reused')
  assert.equal(formatOutcome(await suspend({ reason: 'a' })), '200 replayed')
  await ada.write('DELETE', `/members/${dev.id}/suspension`)
})

test('a key belongs to one operation, one person and one app: elsewhere the same key is a new one', async () => {
  const [ada, ben, other] = [
    await app.actor('ada', { scopes: SCOPES }),
    await app.actor('ben', { scopes: SCOPES }),
    await app.actor('ada', { scopes: SCOPES, metadata: { client_name: 'Another app' } }),
  ]
  assert.notEqual(other.clientId, ada.clientId)
  const { id } = await readMember(ada, 'eli')
  const tag = (actor: Actor, method: 'PUT' | 'DELETE') =>
    actor.write(method, `/members/${id}/tags/keyed`, undefined, { 'idempotency-key': 'shared' })
  for (const actor of [ada, ben, other])
    for (const method of ['PUT', 'DELETE'] as const) {
      const first = await tag(actor, method)
      assert.ok(first.status < 300 && first.headers['idempotency-replayed'] === undefined, first.text)
      assert.equal((await tag(actor, method)).headers['idempotency-replayed'], 'true')
    }
})

const readPin = async (text: string): Promise<string> => {
  const [row] = await app.database.query<{ id: string }>(
    `insert into pins (school_id, id, text, created_at) values ($1, gen_random_uuid(), $2, stoa.now()) returning id`,
    [app.a.id, text],
  )
  return toId('pst', row?.id ?? '')
}

const readPurchases = async (id: string): Promise<number> =>
  (await app.send({ path: '/api/v1/pins' })).json.data.find((pin: { id: string }) => pin.id === id).purchases

test('a write that requires a key is 400 without one, in a dry run too, and changes nothing', async () => {
  const dev = await app.actor('dev', { scopes: ['account:write'] })
  const id = await readPin('Without a key')
  const sum = await sumOfRows(app.database)
  for (const query of ['', '?dry_run=true']) {
    const refused = await dev.write('POST', `/pins/${id}/purchases${query}`)
    assert.equal(formatOutcome(refused), '400 idempotency_key_required')
    const empty = await dev.write('POST', `/pins/${id}/purchases${query}`, undefined, { 'idempotency-key': '' })
    assert.equal(formatOutcome(empty), '400 invalid_request')
  }
  assert.equal(await sumOfRows(app.database), sum)
})

test('a body of another type is 415 whether or not there is a key', async () => {
  const ada = await app.actor('ada', { scopes: grantable })
  for (const operation of operations.filter(one => one.idempotency === 'required')) {
    const { method = 'POST', path, body = '{}' } = buildRequest(operation)
    const headers = { authorization: `Bearer ${ada.token}`, 'content-type': 'text/plain' }
    assert.equal(
      formatOutcome(await app.send({ method, path, headers, body })),
      '415 unsupported_media_type',
      operation.id,
    )
  }
})

test('the scope is checked before the key, so that a refusal tells nothing else', async () => {
  const dev = await app.actor('dev', { scopes: ['account:read'] })
  const id = await readPin('Without the scope')
  assert.equal(formatOutcome(await dev.write('POST', `/pins/${id}/purchases`)), '403 insufficient_scope')
  const anonymous = await app.send({ method: 'POST', path: `/api/v1/pins/${id}/purchases` })
  assert.equal(formatOutcome(anonymous), '403 sign_in_required')
})

test('the same required key many times at once has one effect, and every answer is that of it or 409', async () => {
  const dev = await app.actor('dev', { scopes: ['account:write'] })
  const id = await readPin('At once')
  const buy = (key: string) => dev.write('POST', `/pins/${id}/purchases`, undefined, { 'idempotency-key': key })
  const replies = await Promise.all(Array.from({ length: 20 }, () => buy('at-once')))
  for (const reply of replies) {
    const outcome = formatOutcome(reply)
    assert.ok(['200', '200 replayed', '409 request_in_progress'].includes(outcome), outcome)
    if (reply.status === 200) assert.equal(reply.json.purchases, 1)
    else assert.equal(reply.headers['retry-after'], '1')
  }
  assert.equal(replies.filter(reply => formatOutcome(reply) === '200').length, 1)
  assert.equal(await readPurchases(id), 1)
  assert.equal(formatOutcome(await buy('at-once')), '200 replayed')
  assert.equal(formatOutcome(await buy('another')), '200')
  assert.equal(await readPurchases(id), 2)
})

test('a dry run with a key leaves the key free', async () => {
  const dev = await app.actor('dev', { scopes: ['account:write'] })
  const id = await readPin('Tried first')
  const key = { 'idempotency-key': 'tried-first' }
  assert.equal((await dev.write('POST', `/pins/${id}/purchases?dry_run=true`, undefined, key)).json.dry_run, true)
  assert.equal(formatOutcome(await dev.write('POST', `/pins/${id}/purchases`, undefined, key)), '200')
  assert.equal(await readPurchases(id), 1)
})

test('an anonymous write takes no key, since a key belongs to a member and an app', async () => {
  const refused = await app.send(
    jsonBody('POST', '/api/v1/pins', { text: 'Keyed' }, { 'idempotency-key': 'anonymous' }),
  )
  assert.equal(formatOutcome(refused), '400 invalid_request')
  assert.deepEqual(await app.database.query(`select from pins where text = 'Keyed'`), [])
})
