import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inUseOf } from '#src/contract/items.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import type { TestReply } from '#testing/http.ts'
import { withinASecond } from '#testing/oauth.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write', 'lecturers:read', 'lecturers:write']
const READS = ['courses:read', 'lecturers:read']
const SOURDOUGH = '/courses/slug:sourdough-from-scratch'
const RYE = '/courses/slug:rye-for-the-patient'
const PUBLIC = ['Sourdough from scratch', 'First loaf']

const anybody = (path: string, headers: Record<string, string> = {}): Promise<TestReply> =>
  app.send({ path: `/api/v1${path}`, headers })

const listNames = ({ json, text }: TestReply): string[] => {
  assert.ok(json?.data, text)
  return json.data.map(({ name }: { name: string }) => name)
}

const stable = ({ json }: TestReply) => ({ ...json, request_id: undefined, instance: undefined })

test('everybody reads published and listed courses with prices, without a token and with 304', async () => {
  const list = await anybody('/courses')
  assert.deepEqual(listNames(list), PUBLIC)
  assert.deepEqual(
    list.json.data.map((one: { primary_price: { amount: number } }) => one.primary_price.amount),
    [4900, 0],
  )
  const one = await anybody(`${SOURDOUGH}?expand=lecturers,categories,prices`)
  assert.equal(one.status, 200, one.text)
  assert.deepEqual(
    [one.json.lecturers[0].display_name, one.json.categories[0].name, one.json.prices.length],
    ['Carla Nunes', 'Bread', 2],
  )
  for (const hidden of ['external_id', 'publish_at', 'allowed_actions']) assert.ok(!(hidden in one.json), hidden)
  const again = await anybody(SOURDOUGH, { 'if-none-match': String((await anybody(SOURDOUGH)).headers.etag) })
  assert.equal(again.status, 304)
})

test('F-19 a draft or archived course is the 404 of an unknown one, and in no list, search or filter', async () => {
  const dev = await app.actor('dev', { scopes: READS })
  const carla = await app.actor('carla', { scopes: SCOPES })
  const ada = await app.actor('ada', { scopes: SCOPES })
  const hidden = (await ada.get('/courses?limit=100')).json.data.filter(
    ({ status }: { status: string }) => status !== 'published',
  )
  assert.equal(hidden.length, 2)
  for (const read of [anybody, dev.get, carla.get]) {
    const unknown = stable(await read(`/courses/crs_${'0'.repeat(26)}`))
    for (const { id, slug } of hidden) {
      for (const path of [`/courses/${id}`, `/courses/slug:${slug}`, `/courses/${id}/prices`]) {
        const reply = await read(path)
        assert.equal(reply.status, 404, path)
        assert.deepEqual(stable(reply), unknown, path)
      }
    }
    assert.deepEqual(listNames(await read('/courses')), PUBLIC)
    for (const query of ['status=draft', 'status=archived', 'q=rye', 'q=stollen', 'tag=rye', `id[in]=${hidden[0].id}`])
      assert.deepEqual(listNames(await read(`/courses?${query}`)), [], query)
    assert.equal((await read('/courses?include_total=true')).json.total, 2)
  }
  for (const query of ['status=draft', 'q=RYE', 'tag=rye'])
    assert.deepEqual(listNames(await ada.get(`/courses?${query}`)), ['Rye for the patient'], query)
})

test('an unlisted course is found by its address, and listed only for those who manage it', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const carla = await app.actor('carla', { scopes: SCOPES })
  assert.equal((await ada.write('PATCH', SOURDOUGH, { visibility: 'unlisted' })).status, 200)
  assert.equal((await anybody(SOURDOUGH)).json.visibility, 'unlisted')
  assert.deepEqual(listNames(await anybody('/courses')), ['First loaf'])
  assert.deepEqual(listNames(await anybody('/courses?q=sourdough')), [])
  assert.deepEqual(listNames(await carla.get('/courses')), PUBLIC)
  assert.equal((await anybody('/lecturers/slug:carla-nunes')).json.course_count, 1)
  assert.equal((await ada.write('PATCH', SOURDOUGH, { visibility: 'listed' })).status, 200)
})

test('managed lists the courses that the caller manages: staff all, lecturers those they teach, others none', async () => {
  const reader = (name: 'ada' | 'carla' | 'dev') => app.actor(name, { scopes: READS })
  const [ada, carla, dev] = await Promise.all([reader('ada'), reader('carla'), reader('dev')])
  assert.deepEqual(listNames(await anybody('/courses?managed=true')), [])
  assert.deepEqual(listNames(await anybody('/courses?managed=false')), PUBLIC)
  assert.deepEqual(listNames(await dev.get('/courses?managed=true')), [])
  assert.deepEqual(listNames(await carla.get('/courses?managed=true')), PUBLIC)
  assert.deepEqual(listNames(await ada.get('/courses?managed=true')), listNames(await ada.get('/courses')))
  assert.deepEqual(listNames(await ada.get('/courses?managed=false')), [])
})

test('decision 38: lecturer_of needs a linked profile, whatever the role; 403 if the caller can see the course, else 404', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const dev = await app.actor('dev', { scopes: SCOPES, as: 'lecturer' })
  const body = { subtitle: 'Mine now' }
  const before = (await ada.get(SOURDOUGH)).json
  for (const call of [() => dev.write('PATCH', SOURDOUGH, body), () => dev.write('POST', `${SOURDOUGH}/copies`, {})]) {
    const refused = await call()
    assert.deepEqual([refused.status, refused.json.code], [403, 'role_required'])
  }
  assert.equal((await dev.write('PATCH', RYE, body)).status, 404)
  assert.deepEqual((await ada.get(SOURDOUGH)).json, before)
  const orphan = await dev.write('POST', '/courses', { name: 'Bagels' })
  assert.deepEqual([orphan.status, orphan.json.code], [409, 'profile_required'])
  const members = await app.database.query<{ id: string }>(
    `select id from members where email like 'dev@%' and school_id = $1`,
    [app.a.id],
  )
  await app.database.query(`update lecturers set member_id = $1 where slug = 'gil-tavares' and school_id = $2`, [
    members[0]?.id,
    app.a.id,
  ])
  assert.equal((await ada.write('PUT', `${RYE}/lecturers/slug:gil-tavares`)).status, 200)
  assert.equal((await dev.write('PATCH', RYE, { subtitle: 'Four days' })).json.subtitle, 'Four days')
  // Whatever the role: a plain member whose profile is on the course still runs it.
  await app.setRole('dev', 'member')
  const refused = await withinASecond(
    () => dev.write('POST', '/courses', { name: 'Bagels' }),
    ({ json }) => json.code === 'role_required',
  )
  assert.equal(refused.json.code, 'role_required')
  assert.equal((await dev.write('PATCH', RYE, { subtitle: 'Five days' })).status, 200)
  assert.equal((await dev.get(RYE)).json.subtitle, 'Five days')
  await ada.write('DELETE', `${RYE}/lecturers/slug:gil-tavares`)
  assert.equal((await dev.get(RYE)).status, 404)
})

test('a lecturer creates drafts that they teach, and only staff publish, archive, sell or delete', async () => {
  const carla = await app.actor('carla', { scopes: SCOPES })
  const created = await carla.write('POST', '/courses', { name: 'Pretzels', tags: ['Lye', 'lye '] })
  assert.equal(created.status, 201, created.text)
  assert.deepEqual([created.json.status, created.json.tags, created.json.lecturer_ids.length], ['draft', ['lye'], 1])
  const path = `/courses/${created.json.id}`
  const requests: ['PUT' | 'POST' | 'DELETE', string, object?][] = [
    ['PUT', 'publication', {}],
    ['DELETE', 'publication'],
    ['PUT', 'archive'],
    ['DELETE', 'archive'],
    ['POST', 'prices', { payment_type: 'free', amount: 0 }],
    ['PUT', 'lecturers/slug:gil-tavares'],
  ]
  for (const [method, at, body] of requests) {
    const refused = await carla.write(method, `${path}/${at}`, body)
    assert.deepEqual([refused.status, refused.json.code], [403, 'role_required'], at)
  }
  assert.equal((await carla.write('DELETE', path)).status, 403)
  const { revision, updated_at: _updated, ...kept } = (await carla.get(path)).json
  assert.deepEqual([revision, kept.status], [created.json.revision, 'draft'])
  assert.deepEqual(kept.allowed_actions, ['getCourse', 'listCoursePrices', 'updateCourse', 'copyCourse'])
  assert.equal((await anybody(path)).status, 404)
})

test('an earlier slug leads to the course, whose response has the new one, until it is taken', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const make = async (body: object) => (await ada.write('POST', '/courses', body)).json
  const [one, two] = [await make({ name: 'Brötchen & Co' }), await make({ name: 'Brötchen & Co' })]
  assert.deepEqual([one.slug, two.slug], ['brotchen-co', 'brotchen-co-2'])
  const moved = await ada.write('PATCH', `/courses/slug:${one.slug}`, { slug: 'rolls' }, { 'if-match': '*' })
  assert.equal(moved.json.slug, 'rolls')
  const old = await ada.get('/courses/slug:brotchen-co')
  assert.deepEqual([old.json.id, old.json.slug], [one.id, 'rolls'])
  const taken = await ada.write('PATCH', `/courses/${two.id}`, { slug: 'rolls' })
  assert.deepEqual([taken.status, taken.json.code], [409, 'slug_taken'])
  assert.equal((await ada.get(`/courses/${two.id}`)).json.slug, 'brotchen-co-2')
  assert.equal((await ada.write('PATCH', `/courses/${two.id}`, { slug: 'brotchen-co' })).status, 200)
  assert.equal((await ada.get('/courses/slug:brotchen-co')).json.id, two.id)
})

test('external_id names one course, is shown only to those who manage it, and is free after deletion', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const created = await ada.write('POST', '/courses', { name: 'Ciabatta', external_id: 'erp/7 ü' })
  assert.equal(created.status, 201, created.text)
  assert.equal((await ada.get(`/courses/external:${encodeURIComponent('erp/7 ü')}`)).json.id, created.json.id)
  const again = await ada.write('POST', '/courses', { name: 'Ciabatta 2', external_id: 'erp/7 ü' })
  assert.deepEqual([again.status, again.json.code], [409, 'course_external_id_taken'])
  const reply = await ada.write('DELETE', `/courses/${created.json.id}`)
  assert.equal(reply.status, 202, reply.text)
  assert.equal((await ada.get(`/courses/${created.json.id}`)).status, 200)
  await approveAs(app, 'ada', reply.json.confirmation.url)
  assert.equal((await ada.get(`/courses/${created.json.id}`)).status, 404)
  assert.deepEqual(listNames(await ada.get('/courses?q=ciabatta')), [])
  assert.equal((await ada.write('POST', '/courses', { name: 'Ciabatta', external_id: 'erp/7 ü' })).status, 201)
})

test('G-17 a course that members may use or something refers to is not deleted', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const refusedFor = async (uses: Awaited<ReturnType<typeof inUseOf.call>>[number]) => {
    inUseOf.set('this test', async () => uses)
    const refused = await ada.write('DELETE', RYE)
    inUseOf.set('this test', async () => [])
    assert.deepEqual([refused.status, refused.json.code, refused.json.in_use], [409, 'course_in_use', uses])
    assert.equal((await ada.get(RYE)).status, 200)
    return refused.json
  }
  const members = { kind: 'member', id: null, count: 3 }
  const plan = { kind: 'membership_plan', id: 'mpl_00e00000000000000000000000', count: 0 }
  const both = await refusedFor([members, plan])
  assert.deepEqual([both.holds, both.detail], [3, '3 members may still use the course.'])
  const planned = await refusedFor([plan])
  assert.deepEqual([planned.holds, planned.detail], [0, 'The course is still in use by: membership plan.'])
})

test('F-15 a course takes no status, counter or price of the caller, and no category or file that is not there', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const before = (await ada.get(RYE)).json
  const zero = '0'.repeat(26)
  const wrong = [
    ...[{ status: 'published' }, { enrollment_count: 9 }, { primary_price: null }, { id: 'x' }, { revision: 9 }],
    ...[{ category_ids: [`cat_${zero}`] }, { image_file_id: `fil_${zero}` }, { name: ' \u200b' }, { slug: '-a' }],
    ...[{ name: null }, { seo: {} }, { tags: ['a'.repeat(51)] }, { visibility: 'secret' }],
  ]
  for (const body of wrong) {
    const refused = await ada.write('PATCH', RYE, body)
    assert.deepEqual([refused.status, refused.json.code], [422, 'invalid_body'], JSON.stringify(body))
  }
  assert.deepEqual((await ada.get(RYE)).json, before)
})

test('a copy has the texts, prices, categories and lecturers, is a draft, and is the copier’s to change', async () => {
  const carla = await app.actor('carla', { scopes: SCOPES })
  const copy = await carla.write('POST', `${SOURDOUGH}/copies`, {})
  assert.equal(copy.status, 201, copy.text)
  const source = (await carla.get(`${SOURDOUGH}?expand=prices`)).json
  const copied = (await carla.get(`/courses/${copy.json.id}?expand=prices`)).json
  for (const same of ['name', 'subtitle', 'description', 'tags', 'category_ids', 'lecturer_ids'])
    assert.deepEqual(copied[same], source[same], same)
  assert.deepEqual([copied.status, copied.slug, copied.published_at], ['draft', 'sourdough-from-scratch-2', null])
  const plain = ({ id: _id, created_at: _made, updated_at: _updated, ...rest }: Record<string, unknown>) => rest
  assert.deepEqual(copied.prices.map(plain), source.prices.map(plain))
  assert.notEqual(copied.primary_price.id, source.primary_price.id)
  assert.equal((await carla.write('PATCH', `/courses/${copy.json.id}`, { name: 'Mine' })).status, 200)
  const named = await carla.write('POST', `${SOURDOUGH}/copies`, { slug: 'first-loaf' })
  assert.deepEqual([named.status, named.json.code], [409, 'slug_taken'])
})

test('H-20 only staff export courses as CSV; pages, sorting, fields and positions in commit order', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  await ada.write('POST', '/courses', { name: '=1+1', tags: ['csv'] })
  const csv = await ada.get('/courses?tag=csv', { accept: 'text/csv' })
  assert.equal(csv.status, 200, csv.text)
  assert.match(csv.text, /,'=1\+1,/)
  assert.match(csv.text, /# complete\r\n$/)
  const carla = await app.actor('carla', { scopes: SCOPES })
  assert.equal((await carla.get('/courses', { accept: 'text/csv' })).status, 403)
  assert.equal((await anybody('/courses', { accept: 'text/csv' })).status, 403)
  const sorted = await anybody('/courses?sort=name&limit=1&fields=name')
  assert.deepEqual(sorted.json.data.map(Object.keys), [['id', 'name']])
  const next = await anybody(`/courses?sort=name&limit=1&fields=name&cursor=${sorted.json.next_cursor}`)
  assert.deepEqual([...listNames(sorted), ...listNames(next)], ['First loaf', 'Sourdough from scratch'])
  // A cursor is a position and no authority: of another filter it is none.
  assert.equal((await anybody(`/courses?sort=-name&cursor=${sorted.json.next_cursor}`)).status, 400)
  await app.settled()
  const first = await ada.get('/courses?after=0&limit=100')
  await ada.write('PATCH', RYE, { subtitle: 'Six days' })
  await app.settled()
  const since = await ada.get(`/courses?after=${first.json.next_after}&limit=100`)
  assert.deepEqual(listNames(since), ['Rye for the patient'])
})

test('If-Match compares only the revision, and an update without a change creates no revision', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const read = await ada.get(RYE)
  const same = await ada.write('PATCH', RYE, { name: read.json.name, tags: read.json.tags })
  assert.deepEqual([same.status, same.json.revision], [200, read.json.revision])
  const changed = await ada.write('PATCH', RYE, { subtitle: 'A week' }, { 'if-match': String(read.headers.etag) })
  assert.equal(changed.json.revision, read.json.revision + 1)
  const late = await ada.write('PATCH', RYE, { subtitle: 'A year' }, { 'if-match': String(read.headers.etag) })
  assert.equal(late.status, 412)
  assert.equal((await ada.get(RYE)).json.subtitle, 'A week')
})
