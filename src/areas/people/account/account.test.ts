import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { withinASecond } from '#testing/oauth.ts'

const app = testApp()
const BOTH = ['account:read', 'account:write']

test('each person sees only their own account', async () => {
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

test('an anonymous request is refused with a request to sign in, without a challenge', async () => {
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

test('a person lists the apps they connected, newest first, and an app ends its own connection immediately', async () => {
  const named = (client_name: string) => app.actor('femi', { metadata: { client_name }, scopes: BOTH })
  const [first, second] = [await named('First'), await named('Second'), await named('Third')]
  const names: string[] = []
  let next = '/account/connected-apps?limit=2'
  for (let pages = 0; next !== '' && pages < 5; pages++) {
    const { json, headers } = await first.get(next)
    names.push(...json.data.map(({ name }: { name: string }) => name))
    assert.equal(headers.link !== undefined, json.has_more)
    next = json.has_more ? `/account/connected-apps?limit=2&cursor=${json.next_cursor}` : ''
  }
  assert.deepEqual(names, ['Third', 'Second', 'First'])
  const { json } = await first.get('/account/connected-apps')
  const own = json.data.find(({ current }: { current: boolean }) => current)
  assert.deepEqual([own.name, own.verified, own.client_id], ['First', false, first.clientId])
  assert.deepEqual(own.scopes, [...BOTH].sort())
  const dry = await first.write('DELETE', `/account/connected-apps/${own.id}?dry_run=true`)
  assert.deepEqual([dry.status, dry.json.status, dry.json.result], [200, 204, null])
  assert.equal((await first.write('DELETE', `/account/connected-apps/${own.id}`)).status, 204)
  const ended = await withinASecond(
    () => first.get('/account'),
    ({ status }) => status === 401,
  )
  assert.equal(ended.status, 401)
  const left = (await second.get('/account/connected-apps')).json.data
  assert.deepEqual(
    left.map(({ name }: { name: string }) => name),
    ['Third', 'Second'],
  )
  assert.equal((await second.write('DELETE', `/account/connected-apps/${own.id}`)).status, 404)
})

test('F-16 only the person sees and ends their own sessions and apps', async () => {
  const [dev, eli] = await Promise.all([app.actor('dev', { scopes: BOTH }), app.actor('eli', { scopes: BOTH })])
  const [session] = (await dev.get('/account/sessions')).json.data
  const theirs = (await eli.get('/account/sessions')).json.data
  assert.ok(!theirs.some(({ id }: { id: string }) => id === session.id))
  assert.equal((await eli.write('DELETE', `/account/sessions/${session.id}`)).status, 404)
  assert.ok((await dev.get('/account/sessions')).json.data.some(({ id }: { id: string }) => id === session.id))
})
