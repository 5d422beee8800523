import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'

const app = testApp()
const SCOPES = ['members:read', 'members:write']

const memberOf = async (actor: Actor, name: string): Promise<{ id: string; phone: string | null }> =>
  (await actor.get(`/members?email=${name}@crumb.example`)).json.data[0]

const outcomeOf = ({ status, json, headers }: TestReply): string =>
  [status, json?.code, headers['idempotency-replayed'] && 'replayed'].filter(Boolean).join(' ')

test('a key that was used at one path is refused at another, by id and by query, and nothing is changed there', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const [dev, eli] = [await memberOf(ada, 'dev'), await memberOf(ada, 'eli')]
  const patch = (path: string) => ada.write('PATCH', path, { phone: '+351 900' }, { 'idempotency-key': 'one-path' })
  assert.equal(outcomeOf(await patch(`/members/${dev.id}`)), '200')
  assert.equal(outcomeOf(await patch(`/members/${eli.id}`)), '422 idempotency_key_reused')
  assert.equal((await memberOf(ada, 'eli')).phone, eli.phone)
  assert.equal(outcomeOf(await patch(`/members/${dev.id}?dry_run=false`)), '422 idempotency_key_reused')
  assert.equal(outcomeOf(await patch(`/members/${dev.id}`)), '200 replayed')
})

test('a key that was used with another body is refused, also without a body', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const dev = await memberOf(ada, 'dev')
  const key = { 'idempotency-key': 'one-body' }
  const suspend = (body?: object) => ada.write('PUT', `/members/${dev.id}/suspension`, body, key)
  assert.equal(outcomeOf(await suspend({ reason: 'a' })), '200')
  assert.equal(outcomeOf(await suspend({ reason: 'b' })), '422 idempotency_key_reused')
  assert.equal(outcomeOf(await suspend()), '422 idempotency_key_reused')
  assert.equal(outcomeOf(await suspend({ reason: 'a' })), '200 replayed')
  await ada.write('DELETE', `/members/${dev.id}/suspension`)
})

test('a key belongs to one operation, one person and one app: elsewhere the same key is a new one', async () => {
  const [ada, ben, other] = [
    await app.actor('ada', { scopes: SCOPES }),
    await app.actor('ben', { scopes: SCOPES }),
    await app.actor('ada', { scopes: SCOPES, metadata: { client_name: 'Another app' } }),
  ]
  assert.notEqual(other.clientId, ada.clientId)
  const { id } = await memberOf(ada, 'eli')
  const tag = (actor: Actor, method: 'PUT' | 'DELETE') =>
    actor.write(method, `/members/${id}/tags/keyed`, undefined, { 'idempotency-key': 'shared' })
  for (const actor of [ada, ben, other])
    for (const method of ['PUT', 'DELETE'] as const) {
      const first = await tag(actor, method)
      assert.ok(first.status < 300 && first.headers['idempotency-replayed'] === undefined, first.text)
      assert.equal((await tag(actor, method)).headers['idempotency-replayed'], 'true')
    }
})
