import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'

const app = testApp()

test('each person sees their own account and nobody else', async () => {
  const [eli, ben] = await Promise.all([app.actor('eli'), app.actor('ben')])
  const [own, other] = await Promise.all([eli.get('/account'), ben.get('/account')])
  assert.equal(own.status, 200)
  assert.equal(own.json.email, 'eli@crumb.example')
  assert.equal(own.json.name, 'Eli Sørensen')
  assert.equal(own.json.role, 'member')
  assert.equal(other.json.role, 'admin')
  assert.notEqual(own.json.id, other.json.id)
  assert.deepEqual(own.json.allowed_actions, ['getAccount'])
})

test('anonymous is told to sign in, without a challenge', async () => {
  const { status, json, headers } = await app.send({ path: '/api/v1/account' })
  assert.equal(status, 403)
  assert.equal(json.code, 'sign_in_required')
  assert.equal(headers['www-authenticate'], undefined)
})

test('a person changes their own name, language and time zone, and nothing else', async () => {
  const eli = await app.actor('eli', { scopes: ['account:read', 'account:write'] })
  const before = await eli.get('/account')
  const done = await eli.write(
    'PATCH',
    '/account',
    { name: 'Eli S.', locale: 'pt-PT', time_zone: 'Europe/Lisbon' },
    { 'if-match': String(before.headers.etag) },
  )
  assert.equal(done.status, 200)
  assert.deepEqual(
    [done.json.name, done.json.locale, done.json.revision],
    ['Eli S.', 'pt-PT', before.json.revision + 1],
  )
  const stale = await eli.write('PATCH', '/account', { name: 'Late' }, { 'if-match': String(before.headers.etag) })
  assert.equal(stale.status, 412)
  const wrong = await eli.write('PATCH', '/account', { time_zone: 'Mars/Olympus', locale: 'pt-pt' })
  assert.deepEqual(
    wrong.json.errors.map((error: { pointer: string }) => error.pointer),
    ['/locale', '/time_zone'],
  )
  for (const field of ['email', 'role', 'id', 'email_verified', 'status', 'school_id'])
    assert.equal((await eli.write('PATCH', '/account', { [field]: 'x' })).status, 422, field)
  assert.equal((await eli.get('/account')).text, done.text)
})
