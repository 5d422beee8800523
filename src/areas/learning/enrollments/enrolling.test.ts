import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, suite, test } from 'node:test'
import { fromId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { retryWhileBusy } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const SCOPES = ['students:read', 'students:write', 'courses:read', 'courses:write', 'members:read', 'members:write']
const OWN = ['account:read', 'account:write']
const DAY = 24 * 3600

const staff = () => app.actor('ben', { scopes: SCOPES })
const courseNamed = async (actor: Actor, slug: string): Promise<string> =>
  (await actor.get(`/courses/slug:${slug}`)).json.id
const makeCourse = async (ben: Actor, name: string): Promise<string> =>
  (await ben.write('POST', '/courses', { name })).json.id

const person = async (ben: Actor, name: string): Promise<string> =>
  (await ben.write('POST', '/members', { email: `${randomUUID()}@crumb.example`, name, send_invitation: false })).json
    .id

const readId = async (ben: Actor, name: string): Promise<string> =>
  (await ben.get(`/members?email=${name}@crumb.example`)).json.data[0].id

const clock = async (): Promise<Date> => {
  const [row] = await app.database.query<{ now: Date }>('select stoa.now() as now')
  assert.ok(row)
  return row.now
}

const inDays = async (days: number): Promise<string> =>
  new Date((await clock()).getTime() + days * DAY * 1000).toISOString()

const sum = async (): Promise<string> => {
  const [row] = await app.database.query<{ sum: string }>(
    `select md5(string_agg(t, '|' order by t)) as sum from (
       select e::text as t from entitlements e union all select concat_ws(' ', n.id, n.revision, n.updated_at) from enrollments n union all select h::text from holds h
     ) as rows`,
  )
  return row?.sum ?? ''
}

const enroll = async (ben: Actor, member: string, course: string, more: object = {}) => {
  const input = { member_id: member, course_id: course, notify: false, ...more }
  const reply = await ben.write('POST', '/enrollments', input)
  assert.equal(reply.status, 201, reply.text)
  return reply.json
}

const readAccess = async (ben: Actor, member: string, course: string, at?: string) =>
  (await ben.get(`/students/${member}/access?course_id=${course}${at === undefined ? '' : `&at=${at}`}`)).json

suite('an enrolled member', () => {
  test('has access from now on or from a day on, and once more only for longer', async () => {
    const ben = await staff()
    const [member, course] = [await person(ben, 'Enrolled'), await makeCourse(ben, 'Enrolling')]
    const until = await inDays(30)
    const created = await enroll(ben, member, course, { ends_at: until, source: 'gift' })
    assert.deepEqual([created.access.state, created.access.until, created.access.reason], ['active', until, 'gift'])
    const input = { member_id: member, course_id: course, notify: false }
    const before = await sum()
    const again = await ben.write('POST', '/enrollments', { ...input, ends_at: await inDays(20) })
    assert.deepEqual([again.status, again.json.code], [409, 'already_enrolled'])
    for (const wrong of [
      { ends_at: '2020-01-01T00:00:00.000Z' },
      { starts_at: await inDays(5), ends_at: await inDays(4) },
      { member_id: 'mem_00e00000000000000000000000' },
      { course_id: 'crs_00e00000000000000000000000' },
      { role: 'owner' },
      { source: 'order_line' },
    ])
      assert.equal((await ben.write('POST', '/enrollments', { ...input, ...wrong })).status, 422, JSON.stringify(wrong))
    assert.equal(await sum(), before, 'a refusal changes nothing')
    assert.equal(
      (await enroll(ben, member, course, { ends_at: await inDays(60) })).id,
      created.id,
      'one enrollment, two reasons',
    )
    const late = await person(ben, 'Later')
    const { access } = await enroll(ben, late, course, { starts_at: await inDays(2) })
    assert.equal(access.state, 'upcoming')
    await app.moveClock(2 * DAY + 1)
    assert.equal((await readAccess(await staff(), late, course)).has_access, true)
  })

  test('five concurrent enrollments of one member give one access', async () => {
    const ben = await staff()
    const [member, course] = [await person(ben, 'Raced'), await makeCourse(ben, 'Racing')]
    const input = { member_id: member, course_id: course, notify: false }
    const all = await Promise.all(
      Array.from({ length: 5 }, () => retryWhileBusy(() => ben.write('POST', '/enrollments', input))),
    )
    assert.deepEqual(all.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
    assert.equal((await readAccess(ben, member, course)).entitlements.length, 1)
  })

  test('keeps the rest when one end is moved: no other entitlement changes, and what has ended stays ended', async () => {
    const ben = await staff()
    const [member, course] = [await person(ben, 'Extended'), await makeCourse(ben, 'Extending')]
    const { id } = await enroll(ben, member, course, { ends_at: await inDays(10) })
    const first = (await readAccess(ben, member, course)).entitlements[0]
    const until = await inDays(20)
    const moved = await ben.write('PATCH', `/enrollments/${id}`, { ends_at: until })
    assert.deepEqual([moved.status, moved.json.access.until], [200, until])
    const same = await sum()
    assert.equal((await ben.write('PATCH', `/enrollments/${id}`, { ends_at: until })).status, 200)
    assert.equal(await sum(), same, 'what holds already is not written')
    await enroll(ben, member, course, { ends_at: await inDays(40), source: 'import' })
    const unclear = await ben.write('PATCH', `/enrollments/${id}`, { ends_at: null })
    assert.deepEqual([unclear.status, unclear.json.errors[0].pointer], [422, '/entitlement_id'])
    const ends_at = await inDays(15)
    const reply = await ben.write('PATCH', `/enrollments/${id}`, { ends_at, entitlement_id: first.id })
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual([reply.json.access.state, reply.json.access.reason], ['active', 'staff'])
    const past = await ben.write('PATCH', `/enrollments/${id}`, {
      ends_at: '2020-01-01T00:00:00.000Z',
      entitlement_id: first.id,
    })
    assert.equal(past.status, 422)
    const stale = await ben.write(
      'PATCH',
      `/enrollments/${id}`,
      { ends_at: null },
      { 'if-match': '"9-AAAAAAAAAAAAAAAA"' },
    )
    assert.equal(stale.status, 412)
    await app.moveClock(16 * DAY)
    const later = await staff()
    const over = await later.write('PATCH', `/enrollments/${id}`, { ends_at: null, entitlement_id: first.id })
    assert.deepEqual([over.status, over.json.code], [409, 'entitlement_ended'])
  })

  test('loses staff entitlements on revocation, and learns what remains and why; a second revocation changes nothing', async () => {
    const ben = await staff()
    const [member, course] = [await person(ben, 'Revoked'), await makeCourse(ben, 'Revoking')]
    const group = (await ben.write('POST', '/groups', { name: 'Stays open' })).json.id
    await ben.write('PUT', `/groups/${group}/items/course/${course}`)
    await ben.write('PUT', `/groups/${group}/members/${member}`)
    const { id } = await enroll(ben, member, course)
    const gone = await ben.write('DELETE', `/enrollments/${id}?reason=moved%20away`)
    assert.equal(gone.status, 200, gone.text)
    assert.deepEqual([gone.json.revoked.length, gone.json.kept.length, gone.json.kept[0].source], [1, 1, 'group'])
    assert.deepEqual([gone.json.enrollment.access.state, gone.json.enrollment.access.reason], ['active', 'group'])
    assert.match(
      gone.json.explanation.join(' '),
      /revoked: 1\. Revoked has access .* The group “Stays open” gives it, since/,
    )
    const before = await sum()
    const again = await ben.write('DELETE', `/enrollments/${id}`)
    assert.deepEqual([again.status, again.json.revoked], [200, []])
    const bundle = gone.json.kept[0].entitlement_id
    const refused = await ben.write('DELETE', `/enrollments/${id}?entitlement_id[in]=${bundle}`)
    assert.deepEqual([refused.status, refused.json.code], [409, 'not_granted_by_staff'])
    assert.equal(await sum(), before)
    const access = await readAccess(ben, member, course)
    assert.ok(access.entitlements.some((one: { reason: string | null }) => one.reason === 'moved away'))
    const isRevoked = access.explanation.join(' ')
    assert.match(isRevoked, /The group “Stays open” gives it, since/)
  })

  test('is kept out for a while by a hold on one course or on all, and nothing is lost by it', async () => {
    const ben = await staff()
    const [member, course] = [await person(ben, 'Held'), await makeCourse(ben, 'Holding')]
    await enroll(ben, member, course)
    const at = `/students/${member}/courses/${course}/hold`
    const reply = await ben.write('PUT', at, { note: 'owes a book', until: await inDays(3) })
    assert.deepEqual([reply.status, reply.json.item, reply.json.is_active], [200, course, true])
    const input = { note: 'owes a book', until: reply.json.ends_at }
    const before = await sum()
    assert.equal((await ben.write('PUT', at, input)).json.id, reply.json.id)
    assert.equal(await sum(), before, 'the same hold again writes nothing')
    const other = await ben.write('PUT', at, {})
    assert.notEqual(other.json.id, reply.json.id)
    assert.equal((await readAccess(ben, member, course)).access.reason, 'held_by_staff')
    for (let time = 0; time < 2; time++) assert.equal((await ben.write('DELETE', at)).status, 204)
    assert.equal((await readAccess(ben, member, course)).has_access, true)
    const place = () => retryWhileBusy(() => ben.write('PUT', `/students/${member}/hold`, {}))
    const both = await Promise.all([1, 2, 3].map(place))
    assert.deepEqual(new Set(both.map(({ json }) => json.id)).size, 1, 'three at once place one')
    assert.equal((await readAccess(ben, member, course)).access.state, 'held')
    const carla = await app.actor('carla', { scopes: ['students:write'] })
    assert.equal((await carla.write('DELETE', at)).status, 404, 'not her student')
    const eli = await readId(ben, 'eli')
    const all = await carla.write('PUT', `/students/${eli}/hold`, {})
    assert.deepEqual([all.status, all.json.code], [403, 'role_required'], 'all is for staff')
    assert.equal(
      (await ben.write('PUT', `/students/${member}/courses/${await makeCourse(ben, 'Never')}/hold`, {})).status,
      404,
    )
    assert.equal((await ben.write('DELETE', `/students/${member}/hold`)).status, 204)
  })
})

test('access is explained at five instants, in sentences, in either language; the past stays true', async () => {
  const ben = await staff()
  const [member, course] = [await person(ben, 'Explained'), await makeCourse(ben, 'Explaining')]
  const before = (await clock()).toISOString()
  await app.moveClock(60)
  const ends = await inDays(10)
  const { id } = await enroll(ben, member, course, { ends_at: ends })
  await app.moveClock(60)
  const during = (await clock()).toISOString()
  await app.moveClock(60)
  await ben.write('PUT', `/students/${member}/courses/${course}/hold`, { until: await inDays(1) })
  const access = await readAccess(ben, member, course)
  assert.deepEqual([access.access.state, access.next.has_access, access.basis], ['held', true, 'recorded'])
  assert.match(
    access.explanation.join('\n'),
    /no access to “Explaining”.*The school gave it, since .*The school put it on hold, since .*Access begins on/s,
  )
  const past = await readAccess(ben, member, course, before)
  assert.deepEqual([past.has_access, past.access.state], [false, 'upcoming'])
  assert.match(past.explanation[0], /^On .* Explained had no access/)
  assert.equal((await readAccess(ben, member, course, during)).has_access, true)
  const planned = await readAccess(ben, member, course, await inDays(5))
  assert.deepEqual([planned.has_access, planned.basis, planned.next.at], [true, 'planned', ends])
  assert.equal((await readAccess(ben, member, course, await inDays(11))).has_access, false)
  await ben.write('DELETE', `/enrollments/${id}?reason=over`)
  assert.equal((await readAccess(ben, member, course, during)).has_access, true, 'what was is not rewritten')
  const pt = (await ben.get(`/students/${member}/access?course_id=${course}&language=pt`)).json.explanation
  assert.match(pt.join('\n'), /^Explained não tem acesso a «Explaining»\.\nFoi revogado em /)
  await ben.write('PUT', `/members/${await readId(ben, 'femi')}/suspension`, {})
  const femi = await readId(ben, 'femi')
  await enroll(ben, femi, course)
  assert.match((await readAccess(ben, femi, course)).explanation.join(' '), /The account is suspended/)
  await ben.write('DELETE', `/members/${femi}/suspension`)
})

test('a person reads only their own enrollments, without notes of staff, and gives up an entitlement', async () => {
  const ben = await staff()
  const dev = await app.actor('dev', { scopes: OWN })
  const devId = await readId(ben, 'dev')
  const course = await makeCourse(ben, 'Given up')
  const created = await enroll(ben, devId, course, { note: 'zanzibar' })
  const own = await dev.get('/account/enrollments?limit=100')
  assert.ok(own.json.data.length >= 3)
  assert.ok(own.json.data.every((one: { member_id: string }) => one.member_id === devId))
  const reply = await dev.get(`/account/access?item=${course}`)
  // The course was never published: staff gave access, and there is nothing to use yet.
  assert.deepEqual([reply.json.has_access, reply.json.access.state], [false, 'unpublished'])
  assert.equal(reply.json.entitlement_ids.length, 1)
  assert.ok(!reply.text.includes('zanzibar'))
  const eli = await app.actor('eli', { scopes: OWN })
  assert.equal((await eli.get(`/account/enrollments/${created.id}`)).status, 404)
  const stranger = await eli.write('DELETE', `/account/enrollments/${created.id}`)
  assert.equal(stranger.status, 404)
  const open = await eli.get(`/account/access?item=${await courseNamed(ben, 'sourdough-from-scratch')}`)
  assert.equal(open.json.access.state, 'none')
  const hidden = await eli.get(`/account/access?item=${course}`)
  assert.deepEqual([hidden.status, hidden.text.includes('Given up')], [404, false], 'F-19 a draft is not there')
  for (let time = 0; time < 2; time++)
    assert.equal((await dev.write('DELETE', `/account/enrollments/${created.id}`)).status, 204)
  assert.equal((await dev.get(`/account/enrollments/${created.id}`)).json.access.reason, 'revoked')
  const line = randomUUID()
  await app.database.query(
    `insert into entitlements (school_id, id, member_id, item_type, item_id, source, source_id, starts_at, created_at)
     select school_id, gen_random_uuid(), member_id, 'course', course_id, 'order_line', $1, stoa.now(), stoa.now()
     from enrollments where school_id = $2 and id = $3`,
    [line, app.a.id, fromId('enr', created.id)],
  )
  await enroll(ben, devId, course, { ends_at: await inDays(1) })
  const before = await sum()
  const paid = await dev.write('DELETE', `/account/enrollments/${created.id}`)
  assert.deepEqual([paid.status, paid.json.code], [409, 'access_not_granted_here'])
  assert.equal(await sum(), before)
})

test('mails are sent once in the person’s language, not with notify=false, and a week before access ends', async () => {
  const ben = await staff()
  const course = await makeCourse(ben, 'Mailed')
  const eli = await readId(ben, 'eli')
  await ben.write('PATCH', `/members/${eli}`, { locale: 'pt-PT' })
  const until = await inDays(20)
  await enroll(ben, eli, course, { notify: true, ends_at: until })
  const [enrolled] = await mailbox.waitFor('eli@crumb.example', 1, /Mailed/)
  assert.match(enrolled?.email.subject ?? '', /^Está inscrito em «Mailed» em Crumb & Crust$/)
  const ada = await readId(ben, 'ada')
  await enroll(ben, ada, course, { ends_at: until })
  await enroll(ben, ada, course)
  await app.moveClock(13 * DAY + 60)
  // A mail that is under way when the clock moves that far may come twice.
  const [ending] = await mailbox.waitFor('eli@crumb.example', 1, /^O seu acesso a «Mailed»/)
  assert.match(ending?.email.subject ?? '', /^O seu acesso a «Mailed» termina em .+ de \d{4} às \d\d:\d\d WES?T$/)
  assert.match(ending?.email.text ?? '', /O seu progresso é guardado[\s\S]*\/learn\/crs_/)
  const toAda = mailbox.arrived.filter(
    ({ to, email }) => to.includes('ada@crumb.example') && /Mailed/.test(email.subject ?? ''),
  )
  assert.deepEqual(toAda, [], 'not told, and where another reason goes on nothing ends')
})
