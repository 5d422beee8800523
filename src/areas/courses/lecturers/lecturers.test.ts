import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import type { TestReply } from '#testing/http.ts'

const app = testApp()
const STAFF = ['lecturers:read', 'lecturers:write', 'courses:read', 'courses:write', 'members:read', 'members:write']
const CARLA = '/lecturers/slug:carla-nunes'

const anybody = (path: string, headers: Record<string, string> = {}): Promise<TestReply> =>
  app.send({ path: `/api/v1${path}`, headers })

const listNames = ({ json }: TestReply): string[] =>
  json.data.map(({ display_name: name }: { display_name: string }) => name)

test('everybody reads visible profiles, without a token and with 304, and sees no member', async () => {
  const list = await anybody('/lecturers')
  assert.equal(list.status, 200, list.text)
  assert.deepEqual(listNames(list), ['Carla Nunes', 'Gil Tavares'])
  assert.ok(!list.text.includes('mem_') && !list.text.includes('@'))
  const one = await anybody(CARLA)
  assert.deepEqual([one.json.course_count, one.json.visibility, one.json.allowed_actions], [2, 'visible', undefined])
  assert.match(String(one.headers['cache-control']), /^public/)
  const again = await anybody(CARLA, { 'if-none-match': String(one.headers.etag) })
  assert.equal(again.status, 304)
})

test('F-19 a hidden profile is 404 and in no list but for staff and the person whose it is', async () => {
  const ada = await app.actor('ada', { scopes: STAFF })
  const carla = await app.actor('carla', { scopes: ['lecturers:read'] })
  const dev = await app.actor('dev', { scopes: ['lecturers:read', 'courses:read'] })
  assert.equal((await ada.write('PATCH', CARLA, { visibility: 'hidden' })).status, 200)
  for (const read of [anybody, dev.get]) {
    const hidden = await read(CARLA)
    const unknown = await read('/lecturers/slug:nobody')
    assert.deepEqual([hidden.status, hidden.json.detail], [404, unknown.json.detail])
    assert.deepEqual(listNames(await read('/lecturers')), ['Gil Tavares'])
    assert.deepEqual(listNames(await read('/lecturers?q=carla')), [])
    assert.deepEqual(listNames(await read('/lecturers?visibility=hidden')), [])
    assert.deepEqual((await read('/courses/slug:first-loaf')).json.lecturer_ids, [])
  }
  for (const read of [ada.get, carla.get]) {
    assert.equal((await read(CARLA)).json.visibility, 'hidden')
    assert.deepEqual(listNames(await read('/lecturers?q=nun')), ['Carla Nunes'])
  }
  assert.equal((await ada.write('PATCH', CARLA, { visibility: 'visible' })).status, 200)
})

test('decision 38: lecturers change their own profile, no other, and not the fields that belong to the school', async () => {
  const carla = await app.actor('carla', { scopes: ['lecturers:read', 'lecturers:write'] })
  const links = [{ label: 'Home', url: 'https://carla.example/bread' }]
  const changed = await carla.write('PATCH', CARLA, { bio: 'Bakes at *night*.', links })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual([changed.json.bio, changed.json.links], ['Bakes at *night*.', links])
  for (const body of [{ visibility: 'hidden' }, { slug: 'the-best' }, { member_id: null }]) {
    const refused = await carla.write('PATCH', CARLA, body)
    assert.deepEqual([refused.status, refused.json.code], [403, 'role_required'], JSON.stringify(body))
  }
  const other = await carla.write('PATCH', '/lecturers/slug:gil-tavares', { bio: 'x' })
  assert.deepEqual([other.status, other.json.code], [403, 'role_required'])
  const own = await carla.get(CARLA)
  assert.deepEqual([own.json.slug, own.json.visibility], ['carla-nunes', 'visible'])
  assert.deepEqual(own.json.allowed_actions, ['getLecturer', 'updateLecturer'])
  assert.equal((await anybody('/lecturers/slug:gil-tavares')).json.bio, 'Comes as a guest.')
})

test('a slug is derived from the name and unique; an earlier one leads to the profile until it is taken', async () => {
  const ada = await app.actor('ada', { scopes: STAFF })
  const make = async (name: string) => (await ada.write('POST', '/lecturers', { display_name: name })).json
  const [zoe, again, wang] = [await make('Zoë Straße'), await make('Zoë  Straße'), await make('王小明')]
  assert.deepEqual([zoe.slug, again.slug], ['zoe-strasse', 'zoe-strasse-2'])
  assert.match(wang.slug, /^[a-z0-9]{12}$/)
  assert.equal((await ada.write('PATCH', `/lecturers/${zoe.id}`, { slug: 'zoe' })).json.slug, 'zoe')
  const old = await anybody('/lecturers/slug:zoe-strasse')
  assert.deepEqual([old.json.id, old.json.slug], [zoe.id, 'zoe'])
  const taken = await ada.write('PATCH', `/lecturers/${again.id}`, { slug: 'zoe' })
  assert.deepEqual([taken.status, taken.json.code], [409, 'slug_taken'])
  assert.equal((await ada.write('PATCH', `/lecturers/${again.id}`, { slug: 'zoe-strasse' })).status, 200)
  assert.equal((await anybody('/lecturers/slug:zoe-strasse')).json.id, again.id)
  for (const { id } of [zoe, again, wang]) assert.equal((await ada.write('DELETE', `/lecturers/${id}`)).status, 204)
  assert.equal((await anybody('/lecturers/slug:zoe-strasse')).status, 404)
})

test('unknown members and files, a second profile of a member, and unsafe links are refused', async () => {
  const ada = await app.actor('ada', { scopes: STAFF })
  const members = (await ada.get('/members?limit=100')).json.data
  const carla = members.find(({ email }: { email: string }) => email === 'carla@crumb.example')
  const count = (await ada.get('/lecturers?include_total=true')).json.total
  const file = carla.id.replace('mem_', 'fil_')
  const wrong: [object, number, string][] = [
    [{ member_id: carla.id }, 409, 'profile_exists'],
    [{ member_id: `mem_${'0'.repeat(26)}` }, 422, 'invalid_body'],
    [{ avatar_file_id: file }, 422, 'invalid_body'],
    [{ links: [{ label: 'x', url: 'https://user:pass@example.org' }] }, 422, 'invalid_body'],
    [{ links: [{ label: 'x', url: 'javascript:alert(1)' }] }, 422, 'invalid_body'],
    [{ position: 3 }, 422, 'invalid_body'],
    [{ slug: 'Not A Slug' }, 422, 'invalid_body'],
  ]
  for (const [more, status, code] of wrong) {
    const refused = await ada.write('POST', '/lecturers', { display_name: 'X', ...more })
    assert.deepEqual([refused.status, refused.json.code], [status, code], JSON.stringify(more))
  }
  assert.equal((await ada.get('/lecturers?include_total=true')).json.total, count)
})

test('reordering moves the named profiles to the front; repeating it changes nothing', async () => {
  const ada = await app.actor('ada', { scopes: STAFF })
  const before = (await ada.get('/lecturers')).json.data
  const last = before.at(-1)
  const ordered = await ada.write('PUT', '/lecturers/order', { lecturer_ids: [last.id] })
  assert.equal(ordered.json.lecturer_ids[0], last.id)
  const after = await ada.get('/lecturers')
  assert.equal(after.json.data[0].id, last.id)
  await ada.write('PUT', '/lecturers/order', { lecturer_ids: [last.id] })
  assert.deepEqual((await ada.get('/lecturers')).json.data, after.json.data)
  const unknown = await ada.write('PUT', '/lecturers/order', { lecturer_ids: [`lec_${'0'.repeat(26)}`] })
  assert.equal(unknown.status, 422)
  const back = before.map(({ id }: { id: string }) => id)
  await ada.write('PUT', '/lecturers/order', { lecturer_ids: back })
})

test('a profile is not deleted while a published course has no other lecturer; the refusal lists the courses', async () => {
  const ada = await app.actor('ada', { scopes: STAFF })
  const refused = await ada.write('DELETE', CARLA)
  assert.deepEqual([refused.status, refused.json.code], [409, 'sole_lecturer'])
  assert.deepEqual(
    refused.json.courses.map(({ name }: { name: string }) => name),
    ['Sourdough from scratch', 'First loaf'],
  )
  assert.equal((await anybody(CARLA)).status, 200)
  const off = await ada.write('DELETE', '/courses/slug:first-loaf/lecturers/slug:carla-nunes')
  assert.deepEqual([off.status, off.json.code], [409, 'sole_lecturer'])
  assert.equal((await anybody('/courses/slug:first-loaf')).json.lecturer_ids.length, 1)
})

test('an erased person is in no profile, and their courses stay', async () => {
  const ada = await app.actor('ada', { scopes: STAFF })
  const invite = { email: 'zelda@crumb.example', name: 'Zelda', send_invitation: false }
  const member = (await ada.write('POST', '/members', invite)).json
  const input = { display_name: 'Zelda zanzibar', member_id: member.id, bio: 'zanzibar', slug: 'zanzibar' }
  const profile = (await ada.write('POST', '/lecturers', input)).json
  await ada.write('PATCH', `/lecturers/${profile.id}`, { slug: 'zanzibar-too' })
  const on = await ada.write('PUT', `/courses/slug:first-loaf/lecturers/${profile.id}`)
  assert.equal(on.status, 200, on.text)
  const reply = await ada.write('POST', `/members/${member.id}/erasure`)
  await approveAs(app, 'ada', reply.json.confirmation.url)
  const left = await ada.get(`/lecturers/${profile.id}`)
  assert.deepEqual([left.json.display_name, left.json.visibility], ['Former lecturer', 'hidden'])
  const rows = await app.database.query(
    `select 1 from lecturers l where l::text ilike '%zanzibar%' union all select 1 from lecturer_slugs s where s::text ilike '%zanzibar%'`,
  )
  assert.deepEqual(rows, [])
})
