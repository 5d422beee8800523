import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'

const app = testApp()
const SCOPES = ['members:read', 'members:write', 'students:read', 'students:write', 'courses:read', 'orders:read']

type Listed = { readonly name: string; readonly email: string }

const listNames = (reply: { readonly json: { readonly data: readonly Listed[] } }): string[] =>
  reply.json.data.map(({ name }) => name).sort()

test('a segment keeps a filter under a name, which is changed and deleted, and no name is there twice', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const filter = { tag: 'rye', not_seen_for_days: 30 }
  const created = await ada.write('POST', '/segments', { name: 'Café guests', filter })
  assert.deepEqual([created.status, created.json.filter, created.json.revision], [201, filter, 1], created.text)
  const taken = await ada.write('POST', '/segments', { name: 'CAFE GUESTS', filter })
  assert.deepEqual([taken.status, taken.json.code], [409, 'segment_name_taken'])
  const path = `/segments/${created.json.id}`
  const same = await ada.write('PATCH', path, { filter: { not_seen_for_days: 30, tag: 'rye' } })
  assert.equal(same.json.revision, 1, 'the same conditions in another order change nothing')
  const changed = await ada.write('PATCH', path, { name: 'Guests', filter: { status: 'active' } })
  assert.deepEqual([changed.json.name, changed.json.filter], ['Guests', { status: 'active' }])
  assert.deepEqual(listNames(await ada.get('/segments')), ['Guests', 'Sourdough bakers'])
  assert.deepEqual((await ada.get(path)).json.allowed_actions, ['getSegment', 'updateSegment', 'deleteSegment'])
  assert.equal((await ada.write('DELETE', path)).status, 204)
  assert.equal((await ada.get(path)).status, 404)
})

test('a segment has at least one condition that there is, and names nobody by id', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const [someone] = (await ada.get('/members?limit=1')).json.data
  for (const filter of [
    {},
    { tags: 'x' },
    { id_in: [someone.id] },
    { not_seen_for_days: 0 },
    { status: 'gone' },
    undefined,
  ])
    assert.equal((await ada.write('POST', '/segments', { name: 'X', filter })).status, 422, JSON.stringify(filter))
  assert.deepEqual(listNames(await ada.get('/segments')), ['Sourdough bakers'])
})

test('two people who save a segment of one name at once save one', async () => {
  const [ada, ben] = [await app.actor('ada', { scopes: SCOPES }), await app.actor('ben', { scopes: SCOPES })]
  const body = { name: 'At once', filter: { role: 'lecturer' } }
  const replies = await Promise.all([ada, ben].map(one => one.write('POST', '/segments', body)))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409])
})

test('lecturers, members and another school learn of no segment', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const { id } = (await ada.write('POST', '/segments', { name: 'Ours', filter: { role: 'member' } })).json
  const other = await app.actor('ada', { scopes: SCOPES, school: app.b })
  assert.ok(!listNames(await other.get('/segments')).includes('Ours'))
  const unknown = await other.get('/segments/sgm_00000000000000000000000000')
  for (const reply of [await other.get(`/segments/${id}`), await other.write('DELETE', `/segments/${id}`)])
    assert.deepEqual([reply.status, reply.json.detail], [404, unknown.json.detail])
  assert.equal((await ada.get(`/segments/${id}`)).status, 200)
  for (const name of ['carla', 'dev'] as const) {
    const actor = await app.actor(name, { scopes: ['account:read'] })
    assert.equal((await actor.get('/segments')).status, 403, name)
  }
})

test('members are found by a course, and by when they were seen last', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const { data } = (await ada.get('/enrollments?limit=100&expand=member')).json
  const course = data[0].course_id
  const enrolled = data.filter((one: { course_id: string }) => one.course_id === course)
  assert.deepEqual(
    listNames(await ada.get(`/members?course_id=${course}`)),
    [...new Set(enrolled.map((one: { member: Listed }) => one.member.name))].sort(),
  )
  await app.database.query(
    `update members set last_seen_at = case email when 'femi@crumb.example' then stoa.now() - interval '10 days'
       when 'dev@crumb.example' then stoa.now() - interval '2 days' end where school_id = $1`,
    [app.a.id],
  )
  assert.deepEqual(listNames(await ada.get('/members?seen_within_days=7')), ['Dev Patel'])
  const away = listNames(await ada.get('/members?not_seen_for_days=7'))
  assert.ok(away.includes('Femi Adeyemi') && away.includes('Eli Sørensen') && !away.includes('Dev Patel'), `${away}`)
  const between = { seen_within_days: 30, not_seen_for_days: 7 }
  assert.deepEqual(listNames(await ada.get('/members?seen_within_days=30&not_seen_for_days=7')), ['Femi Adeyemi'])
  const tagged = await ada.write('POST', '/members/tags/batches', { filter: between, add: ['away'] })
  assert.deepEqual([tagged.status, tagged.json.updated], [200, 1])
  assert.equal((await ada.get('/members?seen_within_days=0')).status, 400)
})

test('a list of members embeds what each learned last and paid, for whoever may read it', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const { data } = (await ada.get('/members?expand=latest_course,spent&limit=100')).json
  const [enrollment] = (await ada.get('/enrollments?limit=1&expand=member')).json.data
  const learner = data.find((one: { id: string }) => one.id === enrollment.member_id)
  assert.equal(typeof learner.latest_course.percent_complete, 'number')
  const never = data.find((one: Listed) => one.email === 'ben@crumb.example')
  assert.deepEqual([never.latest_course, never.spent], [null, []])
  for (const one of data.filter(({ spent }: { spent: unknown[] }) => spent.length > 0)) {
    const orders = (await ada.get(`/orders?member_id=${one.id}&limit=100`)).json.data
    const sum = orders
      .filter((order: { paid_at: string | null }) => order.paid_at !== null)
      .reduce(
        (all: number, order: { paid_total: number; refunded_total: number }) =>
          all + order.paid_total - order.refunded_total,
        0,
      )
    assert.equal(one.spent[0].amount, sum, one.name)
  }
  const narrow = await app.actor('ada', { scopes: ['members:read'] })
  assert.equal((await narrow.get('/members?expand=spent')).status, 403)
})

test('everybody who matches a filter joins a group and is enrolled, tried first, and an owner only by an owner', async () => {
  const ben = await app.actor('ben', { scopes: SCOPES })
  const group = (await ben.write('POST', '/groups', { name: 'Everybody' })).json.id
  const filter = { status: 'active' }
  const tried = await ben.write('POST', `/groups/${group}/members/batches?dry_run=true`, { filter })
  const active = (await ben.get('/members?status=active&limit=100')).json.data
  const others = active.filter((one: { role: string }) => one.role !== 'owner').length
  assert.equal(tried.json.result.added, others, tried.text)
  assert.equal((await ben.get(`/groups/${group}/members`)).json.data.length, 0)
  const added = await ben.write('POST', `/groups/${group}/members/batches`, { filter })
  assert.deepEqual([added.json.added, added.json.failed], [others, 0])
  const course = (await ben.get('/courses?limit=1&status=published')).json.data[0].id
  const body = { course_id: course, filter: { ...filter, role: 'lecturer' }, notify: false }
  const enrolled = await ben.write('POST', '/enrollments/batches', body)
  assert.deepEqual([enrolled.status, enrolled.json.failed], [200, 0], enrolled.text)
  const again = await ben.write('POST', '/enrollments/batches', body)
  assert.equal(again.json.unchanged, enrolled.json.created + enrolled.json.unchanged + enrolled.json.updated)
  const carla = await app.actor('carla', { scopes: ['students:read', 'students:write', 'courses:read'] })
  const own = (await carla.get('/courses?managed=true&limit=1')).json.data[0].id
  const refused = await carla.write('POST', '/enrollments/batches', { course_id: own, filter })
  assert.deepEqual([refused.status, refused.json.code], [403, 'role_required'], refused.text)
  assert.equal((await ben.write('POST', '/enrollments/batches', { course_id: course })).status, 422)
})
