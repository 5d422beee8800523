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
  assert.equal(headers.vary, 'Authorization, Accept-Encoding')
})

test('a current ETag gets 304 and no body', async () => {
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
  const [fact] = await app.database.query<{ payload: unknown }>(
    `select payload from facts where type = 'school.updated'`,
  )
  assert.deepEqual(fact?.payload, { fields: ['contact_email', 'country'] })
})

test('settings that do not fit together are refused with every error, and nothing changes', async () => {
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

test('a dry run returns what would happen and changes nothing', async () => {
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
  assert.deepEqual(json.effects, [{ type: 'school.updated', payload: { fields: ['name'] } }])
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

test('staff list the staff, who are admins and owners, page by page and by following links; a plain member does not', async () => {
  const ben = await app.actor('ben', { scopes: WRITES })
  const first = await ben.get('/school/staff?limit=1')
  assert.equal(first.json.data.length, 1)
  assert.equal(first.json.has_more, true)
  const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
  assert.ok(next.startsWith(`${app.a.baseUrl}/api/v1/school/staff?`))
  const second = await ben.get(next.slice(`${app.a.baseUrl}/api/v1`.length))
  assert.deepEqual([...first.json.data, ...second.json.data].map((member: { role: string }) => member.role).sort(), [
    'admin',
    'owner',
  ])
  assert.equal(second.json.has_more, false)
  assert.equal(second.headers.link, undefined)
  const dev = await app.actor('dev', { scopes: ['school:read'] })
  const refused = await dev.get('/school/staff')
  assert.deepEqual([refused.status, refused.json.code], [403, 'role_required'])
  assert.equal(refused.headers['www-authenticate'], undefined)
})

test('the audit log lists who changed what, newest first, and never a value', async () => {
  const ada = await app.actor('ada', { scopes: WRITES })
  for (const description of ['One secret text', 'Another secret text'])
    await ada.write('PATCH', '/school', { description }, { 'if-match': '*', 'x-request-id': description.slice(0, 3) })
  const { json, text } = await ada.get('/school/audit-log?operation=updateSchool&limit=2')
  assert.deepEqual(
    json.data.map((entry: { request_id: string }) => entry.request_id),
    ['Ano', 'One'],
  )
  assert.deepEqual(json.data[0].fields, ['description'])
  assert.equal(json.data[0].actor.member.name, 'Ada Moreira')
  assert.equal(json.data[0].actor.client_id, ada.clientId)
  assert.ok(!text.includes('secret'))
  const mine = await ada.get(`/school/audit-log?member_id=${json.data[0].actor.member.id}`)
  assert.ok(mine.json.data.length >= 2)
  const nobody = await ada.get(`/school/audit-log?member_id=mem_${'0'.repeat(26)}`)
  assert.deepEqual(nobody.json, { data: [], has_more: false })
})

test('H-14 a cursor works only for the list, filter and school that it was issued for', async () => {
  const ada = await app.actor('ada', { scopes: WRITES })
  const { json } = await ada.get('/school/audit-log?limit=1')
  const cursor = encodeURIComponent(json.next_cursor)
  assert.equal((await ada.get(`/school/audit-log?limit=5&cursor=${cursor}`)).status, 200)
  const elsewhere = [
    `/school/staff?cursor=${cursor}`,
    `/school/audit-log?operation=updateSchool&cursor=${cursor}`,
    `/school/audit-log?cursor=${cursor}x`,
  ]
  for (const path of elsewhere) assert.equal((await ada.get(path)).json.code, 'invalid_parameter', path)
  const rita = await app.actor('ada', { scopes: ['school:read'], school: app.b })
  assert.equal((await rita.get(`/school/audit-log?cursor=${cursor}`)).status, 400)
  for (const limit of ['0', '-1', '101', '1e9', 'NaN', '10%20'])
    assert.equal((await ada.get(`/school/staff?limit=${limit}`)).status, 400, limit)
})

/** Moves the database's clock to noon of the next day, so that no day ends in a test that counts by days. */
const moveToNoon = async (): Promise<void> => {
  const [row] = await app.database.query<{ seconds: number }>(
    `select extract(epoch from date_trunc('day', stoa.now(), 'UTC') + interval '36 hours' - stoa.now())::float8 as seconds`,
  )
  await app.moveClock(row?.seconds ?? 0)
}

test('usage counts members, apps and requests by day, only for staff', async () => {
  await moveToNoon()
  const [ben, dev] = await Promise.all([
    app.actor('ben', { scopes: ['school:read', 'account:read'] }),
    app.actor('dev', { scopes: ['school:read'] }),
  ])
  await app.actor('dev', { scopes: ['school:read'], metadata: { client_name: 'Recipe Box' } })
  const { status, json } = await ben.get('/school/usage')
  assert.equal(status, 200)
  assert.deepEqual(json.members, { active: 6, invited: 1, suspended: 0 })
  assert.deepEqual(json.apps, { connected: 2 })
  const { files, bytes, quota_bytes } = json.areas.storage
  assert.ok(files > 0 && bytes > 0, 'the demo has files')
  assert.equal(quota_bytes, 10_000_000_000)
  assert.equal((await dev.get('/school/usage')).json.code, 'role_required')
  const requests = async () => (await ben.get('/school/usage')).json.requests
  const before = await requests()
  for (let at = 0; at < 25; at++) await dev.get('/school')
  // The counts are stored every few seconds, and each look is one request more.
  const end = performance.now() + 20_000
  let usage = await requests()
  while (usage.today < before.today + 25 && performance.now() < end) usage = await requests()
  assert.ok(usage.today >= before.today + 25, JSON.stringify({ before, seen: usage }))
  assert.equal(usage.last_30_days - usage.today, before.last_30_days - before.today, 'a day is one of the thirty')
  await app.moveClock(24 * 3600)
  const later = (await (await app.actor('ben', { scopes: ['school:read'] })).get('/school/usage')).json.requests
  assert.ok(later.today < usage.today && later.last_30_days >= usage.today, JSON.stringify(later))
})

test('the audit log is filtered by person, operation and time; an invalid instant is refused', async () => {
  const [ada, ben] = [await app.actor('ada', { scopes: WRITES }), await app.actor('ben', { scopes: WRITES })]
  const change = async (actor: typeof ada, description: string) => {
    const { headers } = await actor.get('/school')
    const done = await actor.write('PATCH', '/school', { description }, { 'if-match': String(headers.etag) })
    assert.equal(done.status, 200)
  }
  await change(ada, 'First of the filters')
  const [entry] = (await ada.get('/school/audit-log?limit=1')).json.data
  await app.moveClock(60)
  await change(ben, 'Second of the filters')
  const [later] = (await ada.get('/school/audit-log?limit=1')).json.data
  const read = async (query: string): Promise<string[]> => {
    const { status, json } = await ada.get(`/school/audit-log?limit=100&${query}`)
    assert.equal(status, 200, JSON.stringify(json))
    return json.data.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await read(`created_at[gte]=${later.created_at}`), [later.id])
  const until = await read(`created_at[lt]=${later.created_at}`)
  assert.ok(until[0] === entry.id && !until.includes(later.id))
  assert.ok((await read(`created_at[gte]=${entry.created_at}`)).includes(entry.id))
  assert.ok(!(await read(`created_at[lt]=${entry.created_at}`)).includes(entry.id))
  const ofBen = `member_id=${later.actor.member.id}&operation=updateSchool`
  assert.deepEqual(await read(`${ofBen}&created_at[gte]=${entry.created_at}`), [later.id])
  assert.deepEqual(await read('operation=setStaffRole'), [])
  for (const day of ['2026-02-30', '0000-00-00', '2026-13-01']) {
    const refused = await ada.get(`/school/audit-log?created_at[gte]=${day}T00:00:00.000Z`)
    assert.deepEqual([refused.status, refused.json.code], [400, 'invalid_parameter'], day)
  }
  assert.equal((await read('created_at[gte]=0001-01-01T00:00:00.000Z')).at(0), later.id)
  const unknown = await ada.get('/school/audit-log?created_at[gt]=2026-01-01T00:00:00.000Z')
  assert.equal(unknown.json.code, 'unknown_parameter')
})
