import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'

const app = testApp()
const SCOPES = ['students:read', 'students:write', 'courses:read', 'courses:write', 'members:read', 'members:write']
const LEARNING = ['students:read', 'students:write', 'courses:read']

const staff = () => app.actor('ben', { scopes: SCOPES })
const carla = () => app.actor('carla', { scopes: LEARNING })

// Consent does not offer what a role cannot do: a former lecturer keeps a token with the scopes.
const former = (name: PersonName): Promise<Actor> => app.actor(name, { scopes: LEARNING, approvedAs: 'lecturer' })

const courseNamed = async (actor: Actor, slug: string): Promise<string> =>
  (await actor.get(`/courses/slug:${slug}`)).json.id

const person = async (ben: Actor, name = 'Somebody'): Promise<string> =>
  (await ben.write('POST', '/members', { email: `${randomUUID()}@crumb.example`, name, send_invitation: false })).json
    .id

const enrolled = async (ben: Actor, course: string, name?: string) => {
  const member = await person(ben, name)
  const reply = await ben.write('POST', '/enrollments', { member_id: member, course_id: course, notify: false })
  assert.equal(reply.status, 201, reply.text)
  return { member, enrollment: reply.json.id as string }
}

const names = (reply: { json: { data: { name: string }[] } }): string[] =>
  reply.json.data.map(({ name }) => name).sort()

test('a student is a member with an enrollment, found by name and address, by course and state of access', async () => {
  const ben = await staff()
  assert.deepEqual(names(await ben.get('/students')), ['Ada Moreira', 'Dev Patel', 'Eli Sørensen', 'Inês Duarte'])
  assert.deepEqual(names(await ben.get('/students?q=sorensen')), ['Eli Sørensen'])
  assert.deepEqual(names(await ben.get('/students?q=dev@crumb')), ['Dev Patel'])
  const sourdough = await courseNamed(ben, 'sourdough-from-scratch')
  assert.deepEqual(names(await ben.get(`/students?course_id=${sourdough}`)), ['Ada Moreira', 'Dev Patel'])
  assert.deepEqual(names(await ben.get(`/students?course_id=${sourdough}&state=ended`)), [])
  const { json } = await ben.get('/students?q=dev')
  assert.deepEqual([json.data[0].enrollment_count, json.data[0].completed_count], [2, 0])
  const csv = await ben.get('/students?sort=name', { accept: 'text/csv' })
  assert.match(csv.text, /^id,name,email,status,[^\n]*\nmem_[^\n]*,Ada Moreira,ada@crumb\.example,active,2,0/)
  assert.match(csv.text, /# complete\r\n$/)
})

test('F-16 search matches only what a list of students shows, and not a telephone number', async () => {
  const ben = await staff()
  const dev = (await ben.get('/students?q=dev')).json.data[0].id
  await ben.write('PATCH', `/members/${dev}`, { phone: '+351 700 811 922', external_id: 'crm-dev' })
  for (const q of ['700', '922', 'crm', 'dev 700'])
    assert.deepEqual((await ben.get(`/students?q=${encodeURIComponent(q)}`)).json.data, [], q)
  assert.equal((await ben.get('/members?q=922')).json.data.length, 1, 'who may read members finds him by it')
  const { text } = await (await app.actor('ben', { scopes: ['students:read'] })).get(`/students/${dev}`)
  for (const term of ['700 811', 'crm-dev', 'sourdough']) assert.ok(!text.includes(term), term)
})

test('decision 53: lecturers see the students of their own courses and their counts; other members see none', async () => {
  const [ben, lecturer] = [await staff(), await carla()]
  const rye = await courseNamed(ben, 'rye-for-the-patient')
  const { member, enrollment } = await enrolled(ben, rye, 'Of another course')
  assert.ok(!names(await lecturer.get('/students')).includes('Of another course'))
  for (const path of [
    `/students/${member}`,
    `/enrollments/${enrollment}`,
    `/students/${member}/access?course_id=${rye}`,
  ])
    assert.equal((await lecturer.get(path)).status, 404, path)
  const own = (await lecturer.get('/enrollments?include_total=true')).json
  assert.ok(own.data.every((one: { course_id: string }) => one.course_id !== rye))
  assert.deepEqual((await lecturer.get(`/enrollments?course_id=${rye}`)).json.data, [])
  const first = await courseNamed(ben, 'first-loaf')
  await ben.write('POST', '/enrollments', { member_id: member, course_id: first, notify: false })
  assert.equal((await lecturer.get(`/students/${member}`)).json.enrollment_count, 1, 'of two courses one is hers')
  assert.equal((await ben.get(`/students/${member}`)).json.enrollment_count, 2)
  assert.equal((await lecturer.get(`/courses/${rye}/enrollments`)).status, 404, 'a draft of others is not there')
  for (const nobody of [await app.actor('eli', { scopes: LEARNING, as: 'lecturer' }), await former('femi')]) {
    for (const path of ['/students', '/enrollments', `/students/${member}`, `/enrollments/${enrollment}`]) {
      const { status, json } = await nobody.get(path)
      assert.deepEqual([status, json.code], [403, 'role_required'], path)
    }
    assert.equal((await nobody.get('/courses/slug:first-loaf/enrollments')).json.code, 'role_required')
    const refused = await nobody.write('POST', '/enrollments', { member_id: member, course_id: first })
    assert.equal(refused.status, 403)
  }
  await app.setRole('eli', 'member')
})

test('22 courses:read alone shows the ids of enrolled members; names and addresses need students:read as well', async () => {
  const alone = await app.actor('ben', { scopes: ['courses:read'] })
  const { status, json, text } = await alone.get('/courses/slug:first-loaf/enrollments')
  assert.equal(status, 200)
  assert.ok(json.data.length >= 3)
  assert.ok(!text.includes('@'), 'no address')
  const refused = await alone.get('/courses/slug:first-loaf/enrollments?expand=member')
  assert.deepEqual([refused.status, refused.json.code], [403, 'insufficient_scope'])
  const both = await app.actor('carla', { scopes: ['courses:read', 'students:read'] })
  const reply = await both.get('/courses/slug:first-loaf/enrollments?expand=member,course')
  assert.ok(reply.json.data.some((one: { member: { email: string } }) => one.member.email === 'dev@crumb.example'))
  assert.equal(reply.json.data[0].course.slug, 'first-loaf')
})

test('F-01 another school sees no student and no enrollment, and enrolls nobody of this one', async () => {
  const [ben, other] = [await staff(), await app.actor('ada', { scopes: SCOPES, school: app.b })]
  const { data } = (await ben.get('/enrollments')).json
  const { id, member_id: member, course_id: course } = data[0]
  for (const path of [`/students/${member}`, `/enrollments/${id}`, `/courses/${course}/enrollments`])
    assert.equal((await other.get(path)).status, 404, path)
  const theirs = (await other.get('/enrollments?limit=100')).json.data.map((one: { id: string }) => one.id)
  assert.ok(data.every((one: { id: string }) => !theirs.includes(one.id)))
  const refused = await other.write('POST', '/enrollments', { member_id: member, course_id: course })
  assert.deepEqual([refused.status, refused.json.errors.length], [422, 2])
})

test('9 enrolling by address finds a member, or invites a person who owns nothing before they prove the address', async () => {
  const [ben, lecturer] = [await staff(), await carla()]
  const course_ids = [await courseNamed(ben, 'first-loaf')]
  const email = 'Zoe@crumb.example'
  const nameless = await lecturer.write('POST', '/students', { email, course_ids })
  assert.deepEqual([nameless.status, nameless.json.errors[0].pointer], [422, '/name'])
  const created = await lecturer.write('POST', '/students', { email, name: 'Zoë', course_ids, note: 'came by' })
  assert.deepEqual([created.status, created.json.status, created.json.name], [201, 'pending', undefined])
  const again = await ben.write('POST', '/students', { email: 'zoe@crumb.example', course_ids })
  assert.deepEqual([again.json.status, again.json.name, again.json.enrollment_count], ['invited', 'Zoë', 1])
  const [row] = await app.database.query<{ email_verified: boolean; status: string; secrets: number }>(
    `select email_verified, status, (select count(*)::integer from credentials c where c.member_id = m.id) as secrets
     from members m where email = $1`,
    [email],
  )
  assert.deepEqual(row, { email_verified: false, status: 'invited', secrets: 0 })
  const facts = await app.database.query<{ type: string }>(
    `select type from facts where payload->>'member_id' = $1 order by id, type`,
    [again.json.id],
  )
  const kinds = facts.map(({ type }) => type).sort()
  assert.deepEqual(kinds, ['entitlement.granted', 'member.created', 'member.invited', 'student.enrolled'])
  const invited = await lecturer.write('PUT', `/students/${again.json.id}/invitation`)
  assert.equal(invited.status, 200, invited.text)
  const dev = (await ben.get('/students?q=dev')).json.data[0].id
  assert.equal((await lecturer.write('PUT', `/students/${dev}/invitation`)).json.code, 'invalid_state')
  const foreign = await lecturer.write('POST', '/students', {
    email: 'never@crumb.example',
    name: 'Never',
    course_ids: [await courseNamed(ben, 'rye-for-the-patient')],
  })
  assert.deepEqual([foreign.status, foreign.json.errors[0].pointer], [422, '/course_ids/0'])
  assert.deepEqual((await ben.get('/members?email=never@crumb.example')).json.data, [], 'a refusal makes nobody')
})

test('F-16 a dry run discloses nothing to a lecturer about a person whose address they know', async () => {
  const lecturer = await carla()
  const course_ids = [await courseNamed(lecturer, 'first-loaf')]
  const count = () => app.database.query('select count(*) from enrollments')
  const before = await count()
  const dry = (email: string, more: object) =>
    lecturer.write('POST', '/students?dry_run=true', { email, course_ids, ...more })
  const dryRun = async (email: string) => {
    const named = await dry(email, { name: 'Somebody' })
    const others = [{}, { name: 'Somebody', course_ids: ['crs_00e00000000000000000000000'] }, { name: ' ' }]
    const refused = await Promise.all(others.map(more => dry(email, more)))
    return [named, ...refused].map(({ status, json: { request_id: _, ...rest } }) => ({ status, ...rest }))
  }
  const [femi, nobody] = [await dryRun('femi@crumb.example'), await dryRun('nobody-at-all@crumb.example')]
  assert.deepEqual(femi[0], { dry_run: true, status: 201, result: null, effects: [] })
  assert.deepEqual(
    femi.slice(1).map(({ status }) => status),
    [422, 422, 422],
  )
  assert.deepEqual(femi, nobody)
  assert.deepEqual(await count(), before)
  const own = await dry('eli@crumb.example', {})
  assert.deepEqual(own.json.status, 201, 'a student of theirs needs no name')
})

test('F-19 an erased member is no student any more and has no access left; what was learned stays counted', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const course = await courseNamed(ada, 'first-loaf')
  const member = await person(ada, 'To be erased')
  const input = { member_id: member, course_id: course, note: 'zanzibar', notify: false }
  const enrollment = (await ada.write('POST', '/enrollments', input)).json.id
  await ada.write('PUT', `/students/${member}/hold`, { note: 'zanzibar too', until: '2099-01-01T00:00:00.000Z' })
  const reply = await ada.write('POST', `/members/${member}/erasure`)
  await approveAs(app, 'ada', reply.json.confirmation.url)
  assert.equal((await ada.get(`/students/${member}`)).status, 404)
  assert.ok(!names(await ada.get('/students?limit=100')).some(name => /erased/i.test(name)))
  const left = (await ada.get(`/enrollments/${enrollment}?expand=member`)).json
  assert.deepEqual([left.access.state, left.member.name], ['ended', 'Erased member'])
  const refused = await ada.write('POST', '/enrollments', { member_id: member, course_id: course })
  assert.equal(refused.status, 422)
  const rows = await app.database.query(
    `select 1 from entitlements t where t::text like '%zanzibar%' union all select 1 from holds t where t::text like '%zanzibar%'`,
  )
  assert.deepEqual(rows, [])
})

test('enrollments are followed in the order of commits: a reason that is given or ends brings them again', async () => {
  const ben = await staff()
  const course = await courseNamed(ben, 'first-loaf')
  const { member, enrollment } = await enrolled(ben, course, 'Followed')
  const listIds = ({ json }: { json: { data: { id: string }[] } }): string[] => json.data.map(({ id }) => id)
  const read = (after: string) => ben.get(`/enrollments?limit=100&after=${encodeURIComponent(after)}`)
  const some = async (after: string) => {
    await app.settled()
    return read(after)
  }
  const first = await some('0')
  assert.ok(listIds(first).includes(enrollment))
  const next = first.json.next_after
  assert.deepEqual(listIds(await read(next)), [])
  assert.equal((await ben.write('DELETE', `/enrollments/${enrollment}`)).status, 200)
  const ended = await some(next)
  assert.deepEqual(listIds(ended), [enrollment])
  const group = (await ben.write('POST', '/groups', { name: 'Followed' })).json.id
  const opened = await ben.write('PUT', `/groups/${group}/items/course/${course}`)
  assert.equal(opened.status, 200, opened.text)
  const joined = await ben.write('PUT', `/groups/${group}/members/${member}`)
  assert.equal(joined.status, 200, joined.text)
  assert.deepEqual(listIds(await some(ended.json.next_after)), [enrollment])
})

test('H-13 H-14 lists refuse what they do not know, and a cursor of another filter', async () => {
  const ben = await staff()
  const { next_cursor: cursor } = (await ben.get('/students?limit=1')).json
  assert.ok(cursor)
  assert.equal((await ben.get(`/students?limit=1&state=active&cursor=${cursor}`)).status, 400)
  for (const path of [
    '/students?colour=red',
    '/enrollments?state=gone',
    '/enrollments?course_id=mem_1',
    '/students?limit=0',
  ])
    assert.equal((await ben.get(path)).status, 400, path)
  assert.deepEqual((await ben.get(`/enrollments?course_id=${'crs_00e00000000000000000000000'}`)).json.data, [])
})

test('courses count their enrolled students', async () => {
  const ben = await staff()
  const course = (await ben.write('POST', '/courses', { name: 'Counted' })).json.id
  assert.equal((await ben.get(`/courses/${course}`)).json.enrollment_count, 0)
  for (const name of ['One', 'Two']) await enrolled(ben, course, name)
  assert.equal((await ben.get(`/courses/${course}`)).json.enrollment_count, 2)
  assert.ok((await ben.get(`/courses/${await courseNamed(ben, 'first-loaf')}`)).json.enrollment_count >= 4)
})
