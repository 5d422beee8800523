import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, suite, test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const ALL = [
  'curriculum:read',
  'students:read',
  'students:write',
  'courses:read',
  'courses:write',
  'members:read',
  'members:write',
]
const staff = () => app.actor('ben', { scopes: ALL })
const teacher = () => app.actor('carla', { scopes: ['students:read', 'students:write', 'courses:read'] })
const LEARNING = ['account:read', 'account:write', 'courses:read']

const courseNamed = async (actor: Actor, slug: string): Promise<string> =>
  (await actor.get(`/courses/slug:${slug}`)).json.id

const address = (): string => `${randomUUID()}@crumb.example`
const NAME = 'Zanzibar Quince'

const account = async (ben: Actor, email = address()): Promise<{ email: string; id: string }> => {
  const body = { email, name: NAME, external_id: `ext-${email}`, send_invitation: false }
  const { json, status, text } = await ben.write('POST', '/members', body)
  assert.equal(status, 201, text)
  return { email, id: json.id }
}

const remove = async (ben: Actor, id: string): Promise<void> => {
  const reply = await ben.write('DELETE', `/members/${id}`)
  assert.equal(reply.status, 202, reply.text)
  await approveAs(app, 'ben', reply.json.confirmation.url)
  assert.equal((await ben.get(`/members/${id}`)).json.status, 'deleted')
}

const enrollAs = (actor: Actor, email: string, course: string, more: object = {}) =>
  actor.write('POST', '/students', { email, name: 'Typed', course_ids: [course], notify: false, ...more })

const withoutAddress = (text: string, email: string): string => text.replaceAll(email, 'ADDRESS')

// Everything that a lecturer can read of the people in the courses they teach.
const seenBy = async (carla: Actor, course: string): Promise<readonly string[]> => {
  const lists = [
    '/students?limit=100',
    '/enrollments?limit=100',
    '/enrollments?after=0&limit=100',
    '/students?q=zanzibar',
  ]
  const expanded = [`/courses/${course}/enrollments?limit=100&expand=member`, '/enrollments?limit=100&expand=member']
  const others = ['/submissions?limit=100', '/quiz-attempts?limit=100', `/courses/${course}/certificates?limit=100`]
  const replies = await Promise.all([...lists, ...expanded, ...others].map(path => carla.get(path)))
  for (const { status, text } of replies) assert.equal(status, 200, text)
  return replies.map(({ text }) => text)
}

suite('F-16 a person whom a lecturer enrolls by address', () => {
  test('is answered the same whether the address has no account, an account, or one that was removed', async () => {
    const [ben, carla] = [await staff(), await teacher()]
    const course = await courseNamed(ben, 'first-loaf')
    const [there, removed] = [await account(ben), await account(ben)]
    await remove(ben, removed.id)
    const fresh = address()
    const distinct = new Set<string>()
    for (const email of [fresh, there.email, removed.email]) {
      const reply = await enrollAs(carla, email, course)
      assert.deepEqual(
        [reply.status, reply.json],
        [201, { status: 'pending', email, course_ids: [course] }],
        reply.text,
      )
      const again = await enrollAs(carla, email, course)
      const kept = Object.keys(reply.headers).filter(name => !/^(?:date|x-request-id|ratelimit.*|etag)$/.test(name))
      distinct.add(withoutAddress(JSON.stringify([reply.json, kept.sort(), again.status, again.json]), email))
    }
    assert.equal(distinct.size, 1, [...distinct].join('\n'))
  })

  test('is shown nowhere but by the typed address, and neither read nor changed by id, until they begin to learn', async () => {
    const [ben, carla] = [await staff(), await teacher()]
    const course = await courseNamed(ben, 'sourdough-from-scratch')
    const femi = (await ben.get('/members?email=femi@crumb.example')).json.data[0]
    const typed = 'Femi@Crumb.example'
    // Her earlier submission makes her visible to those who grade it.
    const before = await seenBy(carla, course)
    assert.equal((await enrollAs(carla, typed, course)).json.status, 'pending')
    const enrollment = (await ben.get(`/enrollments?member_id=${femi.id}`)).json.data[0]
    assert.equal(enrollment.access.state, 'active', 'the person has access at once')
    const students = await seenBy(carla, course)
    const news = students.filter((text, at) => text !== before[at])
    for (const secret of ['Femi', 'femi@', femi.id, enrollment.id]) assert.ok(!news.join('\n').includes(secret), secret)
    const paths = [`/students/${femi.id}`, `/students/${femi.id}/access?course_id=${course}`]
    paths.push(`/students/${femi.id}/progress?course_id=${course}`, `/enrollments/${enrollment.id}`)
    for (const path of paths) assert.equal((await carla.get(path)).status, 404, path)
    for (const path of paths) assert.equal((await ben.get(path)).status, 200, `staff: ${path}`)
    const reply = await carla.write('POST', '/enrollments', { member_id: femi.id, course_id: course })
    assert.deepEqual([reply.status, reply.json.errors[0].pointer], [422, '/member_id'])
    const { data } = (await carla.get('/pending-enrollments?include_total=true')).json
    const mine = data.filter((one: { email: string }) => one.email === typed)
    assert.deepEqual(mine, [{ id: enrollment.id, course_id: course, email: typed, created_at: enrollment.created_at }])
    await app.settled()
    const after = (await carla.get('/enrollments?after=0&limit=100')).json.next_after

    const learner = await app.actor('femi', { scopes: LEARNING })
    const listed = await ben.get(`/courses/${course}/lessons?limit=100`)
    assert.equal(listed.status, 200, listed.text)
    let done = 0
    for (const { id } of listed.json.data) {
      const { status } = await learner.write('PUT', `/account/lessons/${id}/completion`)
      if (status === 200) done++
    }
    assert.ok(done > 0, 'some lesson is open')
    const student = await carla.get(`/students/${femi.id}`)
    assert.deepEqual([student.status, student.json.name, student.json.email], [200, femi.name, femi.email])
    assert.ok((await carla.get('/students?q=femi')).json.data.length === 1)
    await app.settled()
    const changes = (await carla.get(`/enrollments?after=${encodeURIComponent(after)}&limit=100`)).json.data
    assert.ok(
      changes.some((one: { id: string }) => one.id === enrollment.id),
      'who reads on is told',
    )
    const left = (await carla.get('/pending-enrollments?limit=100')).json.data
    assert.ok(!left.some((one: { email: string }) => one.email === typed))
    const again = await enrollAs(carla, typed, await courseNamed(ben, 'first-loaf'))
    assert.deepEqual([again.json.id, again.json.name], [femi.id, femi.name], 'who is a student already is shown')
  })

  test('is shown once they accept the invitation of the school', async () => {
    const [ben, carla] = [await staff(), await teacher()]
    const course = await courseNamed(ben, 'first-loaf')
    const email = address()
    await enrollAs(carla, email, course)
    const member = (await ben.get(`/members?email=${email}`)).json.data[0]
    assert.deepEqual([member.status, member.name], ['invited', 'Typed'])
    assert.equal((await carla.get(`/students/${member.id}`)).status, 404)
    await app.database.query(`update members set status = 'active' where school_id = $1 and email = $2`, [
      app.a.id,
      email,
    ])
    assert.equal((await carla.get(`/students/${member.id}`)).json.name, 'Typed')
  })

  test('is visible once staff enroll them too, and staff always see who it is', async () => {
    const [ben, carla] = [await staff(), await teacher()]
    const course = await courseNamed(ben, 'first-loaf')
    const { email, id } = await account(ben)
    await enrollAs(carla, email, course)
    assert.equal((await ben.get(`/students/${id}`)).json.name, NAME)
    assert.equal((await enrollAs(ben, email, course)).json.id, id)
    assert.equal((await carla.get(`/students/${id}`)).json.name, NAME)
  })

  test('can be withdrawn by the lecturer: access ends, and nothing is disclosed', async () => {
    const [ben, carla] = [await staff(), await teacher()]
    const course = await courseNamed(ben, 'first-loaf')
    const { email, id } = await account(ben)
    await enrollAs(carla, email, course)
    const pending = async () =>
      (await carla.get(`/pending-enrollments?course_id=${course}&limit=100`)).json.data.find(
        (one: { email: string }) => one.email === email,
      )
    const { id: enrollment } = await pending()
    const eli = await app.actor('eli', { scopes: ['account:read'] })
    assert.notEqual((await eli.write('DELETE', `/pending-enrollments/${enrollment}`)).status, 204)
    assert.equal((await carla.write('DELETE', `/pending-enrollments/${enrollment}`)).status, 204)
    assert.equal((await carla.write('DELETE', `/pending-enrollments/${enrollment}`)).status, 404)
    assert.equal(await pending(), undefined)
    assert.equal((await ben.get(`/enrollments/${enrollment}`)).json.access.state, 'ended')
    assert.equal((await carla.get(`/students/${id}`)).status, 404)
    await enrollAs(carla, email, course)
    assert.equal((await pending()).id, enrollment)
  })

  test('gets neither id nor member in a batch reply, whether or not the address has an account', async () => {
    const [ben, carla] = [await staff(), await teacher()]
    const course_id = await courseNamed(ben, 'first-loaf')
    const [there, removed, fresh] = [await account(ben), await account(ben), address()]
    await remove(ben, removed.id)
    const rows = [there.email, removed.email, fresh].map(email => ({ email, name: 'Typed' }))
    for (const status of ['created', 'unchanged']) {
      const { json } = await carla.write('POST', '/enrollments/batches', { course_id, rows, notify: false })
      const expected = [0, 1, 2].map(row => ({ pointer: `/rows/${row}`, status, id: null, member_id: null }))
      assert.deepEqual(json.results, expected)
    }
    assert.ok(!(await seenBy(carla, course_id)).join().includes(there.id))
    const emails = (await carla.get('/pending-enrollments?limit=100')).json.data.map(
      (one: { email: string }) => one.email,
    )
    for (const { email } of rows) assert.ok(emails.includes(email), email)
  })

  test('comes back by their address after removal, and leaves no address after erasure', async () => {
    const [ben, carla] = [await staff(), await teacher()]
    const ada = await app.actor('ada', { scopes: ALL })
    const course = await courseNamed(ben, 'first-loaf')
    const { email, id } = await account(ben)
    await remove(ben, id)
    await enrollAs(carla, email, course, { notify: true })
    await mailbox.waitFor(email, 2)
    assert.equal((await ben.get(`/members/${id}`)).json.status, 'invited')
    const reply = await ada.write('POST', `/members/${id}/erasure`)
    assert.equal(reply.status, 202, reply.text)
    await approveAs(app, 'ada', reply.json.confirmation.url)
    const rows = await app.database.query('select from enrollments where pending_email = $1', [email])
    assert.equal(rows.length, 0)
  })
})
