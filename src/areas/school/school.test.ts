import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'

const app = testApp()
const WRITES = ['school:read', 'school:write']

test('anonymous sees the public view, without what the school keeps for its staff', async () => {
  const { status, json, headers } = await app.send({ path: '/api/v1/school' })
  assert.equal(status, 200)
  assert.equal(json.name, 'Crumb & Crust')
  assert.equal(json.base_url, app.a.baseUrl)
  assert.ok(!('contact_email' in json) && !('allowed_actions' in json))
  assert.equal(headers['cache-control'], 'public, max-age=0, must-revalidate')
  assert.equal(headers.vary, 'Authorization')
})

test('a known ETag is answered with 304 and no body', async () => {
  const first = await app.send({ path: '/api/v1/school' })
  const again = await app.send({ path: '/api/v1/school', headers: { 'if-none-match': String(first.headers.etag) } })
  assert.equal(again.status, 304)
  assert.equal(again.text, '')
})

test('staff see all settings and what they may do; a plain member does not', async () => {
  const ben = await app.actor('ben', { scopes: WRITES })
  const dev = await app.actor('dev', { scopes: ['school:read'] })
  const [staff, member] = await Promise.all([ben.get('/school'), dev.get('/school')])
  assert.deepEqual(staff.json.allowed_actions, ['getSchool', 'updateSchool'])
  assert.equal(staff.json.contact_email, null)
  assert.deepEqual(member.json.allowed_actions, ['getSchool'])
  assert.ok(!('contact_email' in member.json))
  assert.equal(staff.headers['cache-control'], 'private, no-store')
})

test('a change needs If-Match, bumps the revision and is in the audit log without values', async () => {
  const ada = await app.actor('ada', { scopes: WRITES })
  const before = await ada.get('/school')
  assert.equal((await ada.write('PATCH', '/school', { name: 'Crumb' })).status, 428)
  const match = { 'if-match': String(before.headers.etag) }
  const done = await ada.write('PATCH', '/school', { contact_email: 'hello@crumb.example', country: null }, match)
  assert.equal(done.status, 200)
  assert.equal(done.json.revision, before.json.revision + 1)
  assert.equal(done.json.country, null)
  const late = await ada.write('PATCH', '/school', { name: 'Late' }, match)
  assert.equal(late.status, 412)
  assert.equal(late.headers.etag, (await ada.get('/school')).headers.etag)
  const log = await app.database.query<{ fields: string[]; resource_ids: string[] }>(
    'select fields, resource_ids from audit_log',
  )
  assert.deepEqual(log, [{ fields: ['contact_email', 'country'], resource_ids: [done.json.id] }])
  const [fact] = await app.database.query<{ about: unknown }>(`select about from facts where kind = 'school.updated'`)
  assert.deepEqual(fact?.about, { fields: ['contact_email', 'country'] })
})

test('settings that do not fit together are refused with each fault, and nothing changes', async () => {
  const ada = await app.actor('ada', { scopes: WRITES })
  const { headers, json } = await ada.get('/school')
  const wrong = { time_zone: 'Mars/Olympus', currency: 'XXQ', locale: 'pt', contact_email: 'nobody' }
  const { status, json: problem } = await ada.write('PATCH', '/school', wrong, { 'if-match': String(headers.etag) })
  assert.equal(status, 422)
  assert.deepEqual(problem.errors.map((error: { pointer: string }) => error.pointer).sort(), [
    '/contact_email',
    '/currency',
    '/locale',
    '/time_zone',
  ])
  assert.deepEqual((await ada.get('/school')).json, json)
})

test('a change that changes nothing answers 200, bumps nothing and writes nothing', async () => {
  const ada = await app.actor('ada', { scopes: WRITES })
  const before = await ada.get('/school')
  const entries = await app.database.query('select from audit_log')
  const done = await ada.write('PATCH', '/school', { name: before.json.name }, { 'if-match': '*' })
  assert.equal(done.status, 200)
  assert.equal(done.text, before.text)
  assert.equal((await app.database.query('select from audit_log')).length, entries.length)
})

test('a dry run tells what would happen and leaves everything as it was', async () => {
  const ada = await app.actor('ada', { scopes: WRITES })
  const before = await ada.get('/school')
  const { status, json } = await ada.write(
    'PATCH',
    '/school?dry_run=true',
    { name: 'Only a thought' },
    { 'if-match': '*' },
  )
  assert.equal(status, 200)
  assert.equal(json.dry_run, true)
  assert.equal(json.result.name, 'Only a thought')
  assert.deepEqual(json.effects, [{ kind: 'school.updated', about: { fields: ['name'] } }])
  assert.equal((await ada.get('/school')).text, before.text)
})

test('G-06 one idempotency key does one thing: replay, mismatch, in flight, 256 characters', async () => {
  const ada = await app.actor('ada', { scopes: WRITES })
  const rename = (name: string, key: string) =>
    ada.write('PATCH', '/school', { description: name }, { 'if-match': '*', 'idempotency-key': key })
  const first = await rename('once', 'key-1')
  const again = await rename('once', 'key-1')
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assert.equal(again.text, first.text)
  assert.equal((await rename('other', 'key-1')).status, 422)
  assert.equal((await rename('once', 'k'.repeat(256))).status, 400)
  const parallel = await Promise.all(Array.from({ length: 20 }, () => rename('many', 'key-2')))
  assert.ok(parallel.every(({ status }) => status === 200 || status === 409))
  const bodies = new Set(parallel.filter(({ status }) => status === 200).map(({ text }) => text))
  assert.equal(bodies.size, 1)
})
