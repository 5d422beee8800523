import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { type AppProcess, startServer } from '#testing/app-process.ts'
import { jsonBody, retryWhileBusy, send, type TestReply } from '#testing/http.ts'

const app = testApp()
const SCOPES = ['students:read', 'students:write', 'courses:read', 'courses:write', 'members:read', 'members:write']
const processes: AppProcess[] = []

const staff = () => app.actor('ben', { scopes: SCOPES })
const makeCourse = async (ben: Actor, name: string): Promise<string> =>
  (await ben.write('POST', '/courses', { name })).json.id
const courseNamed = async (ben: Actor, slug: string): Promise<string> =>
  (await ben.get(`/courses/slug:${slug}`)).json.id

type Counts = { created: number; updated: number; unchanged: number; failed: number }
const counts = ({ json }: TestReply): Counts => {
  const { created, updated, unchanged, failed } = json
  return { created, updated, unchanged, failed }
}
const only = (some: Partial<Counts>): Counts => ({ created: 0, updated: 0, unchanged: 0, failed: 0, ...some })

const batch = (actor: Actor, body: object, query = '') =>
  actor.write('POST', `/enrollments/batches${query}`, { notify: false, ...body })

const count = async (from: string, values: readonly unknown[] = []): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(`select count(*)::integer as count from ${from}`, values)
  return row?.count ?? -1
}

const newcomers = (many: number) => {
  const tag = randomUUID().slice(0, 8)
  return Array.from({ length: many }, (_, at) => ({
    email: `${tag}-${at}@crumb.example`,
    name: `Newcomer ${at}`,
    external_id: `${tag}-${at}`,
  }))
}

test('300 are enrolled in one batch; sent again nothing changes, with another end that end is moved', async () => {
  const ben = await staff()
  const course_id = await makeCourse(ben, 'In one batch')
  const rows = newcomers(300)
  const dry = await batch(ben, { course_id, rows }, '?dry_run=true')
  assert.deepEqual(counts({ ...dry, json: dry.json.result }), only({ created: 300 }))
  assert.equal(await count('members where email = $1', [rows[0]?.email]), 0, 'a dry run makes nobody')
  const first = await batch(ben, { course_id, rows })
  assert.deepEqual(counts(first), only({ created: 300 }), first.text.slice(0, 500))
  assert.match(first.json.results[7].id, /^enr_/)
  const written = await count('audit_log')
  assert.deepEqual(counts(await batch(ben, { course_id, rows })), only({ unchanged: 300 }))
  assert.equal(await count('audit_log'), written, 'what holds already is not written')
  const ends_at = '2099-06-01T00:00:00.000Z'
  const moved = rows.map((row, at) => (at < 10 ? { ...row, ends_at } : row))
  assert.deepEqual(counts(await batch(ben, { course_id, rows: moved })), only({ updated: 10, unchanged: 290 }))
  const { json } = await ben.get(`/enrollments?course_id=${course_id}&state=active&include_total=true`)
  assert.equal(json.total, 300)
  const ends = await Promise.all(
    [9, 10].map(async at => (await ben.get(`/enrollments/${first.json.results[at].id}`)).json.access.until),
  )
  assert.deepEqual(ends, [ends_at, null])
  assert.equal(await count(`members where email_verified and email = any ($1)`, [rows.map(({ email }) => email)]), 0)
})

test('each row is decided on its own: by id, external id or address, and a faulty row blocks no other', async () => {
  const ben = await staff()
  const course_id = await makeCourse(ben, 'Row by row')
  const dev = (await ben.get('/members?email=dev@crumb.example')).json.data[0].id
  const rows = [
    { member_id: dev },
    { external_id: 'invited-1' },
    { email: 'FEMI@crumb.example' },
    { email: 'dev@crumb.example' },
    { email: 'nameless@crumb.example' },
    { email: 'not an address', name: 'X' },
    { member_id: 'mem_00e00000000000000000000000' },
    { external_id: 'nobody' },
    {},
    { member_id: dev, course_id: 'crs_00e00000000000000000000000' },
    { email: 'eli@crumb.example', ends_at: '2001-01-01T00:00:00.000Z' },
    { email: 'late@crumb.example', name: 'Late', ends_at: '2001-01-01T00:00:00.000Z' },
    { member_id: dev, role: 'owner' },
    { email: 7 },
  ]
  const { json, text } = await batch(ben, { course_id, rows })
  const codes = json.results.map(
    (one: { status: string; errors?: { code: string }[] }) => one.errors?.[0]?.code ?? one.status,
  )
  assert.deepEqual(
    codes.slice(0, 12),
    [
      'created',
      'created',
      'created',
      'duplicate',
      'required',
      'email',
      'unknown',
      'unknown',
      'required',
      'unknown',
      'past',
      'past',
    ],
    text,
  )
  assert.match(json.results[3].errors[0].message, /refers to the same member and course as \/rows\/0$/)
  assert.deepEqual([json.created, json.failed], [3, rows.length - 3])
  assert.equal(
    await count(`members where email in ('late@crumb.example', 'nameless@crumb.example')`),
    0,
    'a failed row makes nobody',
  )
  const without = await batch(ben, { rows: [{ member_id: dev }] })
  assert.equal(without.json.results[0].errors[0].pointer, '/course_id')
})

test('a list that is sent again does not bring back what staff revoked, nor what has run out', async () => {
  const ben = await staff()
  const course_id = await makeCourse(ben, 'Sent nightly')
  const [one, other] = newcomers(2)
  const [row] = await app.database.query<{ soon: Date }>(`select stoa.now() + interval '1 hour' as soon`)
  const soon = row?.soon.toISOString()
  const rows = [one, { ...other, ends_at: soon }]
  const batchReply = await batch(ben, { course_id, rows })
  assert.deepEqual(counts(batchReply), only({ created: 2 }))
  await ben.write('DELETE', `/enrollments/${batchReply.json.results[0].id}?reason=left`)
  await app.moveClock(7200)
  const later = await staff()
  const again = await batch(later, { course_id, rows })
  assert.deepEqual(counts(again), only({ failed: 1, unchanged: 1 }))
  assert.equal(again.json.results[0].errors[0].code, 'revoked')
  const { json } = await later.get(`/enrollments?course_id=${course_id}&state=active`)
  assert.deepEqual(json.data, [])
})

suite('two processes on one database', () => {
  before(async () => {
    const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
    processes.push(...(await Promise.all([startServer(belonging), startServer(belonging)])))
  })
  after(() => Promise.all(processes.map(one => one.stop())))

  test('S-08 two concurrent batches of the same people enroll each once and have no failure', async () => {
    const ben = await staff()
    const course_id = await makeCourse(ben, 'Twice at once')
    const rows = newcomers(120)
    const host = new URL(app.a.baseUrl).host
    const path = '/api/v1/enrollments/batches'
    const sent = [rows, [...rows].reverse()].map((some, at) =>
      retryWhileBusy(() =>
        send(processes[at]?.port ?? 0, {
          ...jsonBody('POST', path, { course_id, rows: some, notify: false }),
          host,
          headers: { 'content-type': 'application/json', authorization: `Bearer ${ben.token}` },
        }),
      ),
    )
    const both = await Promise.all(sent)
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
      both.map(({ text }) => text.slice(0, 300)).join(),
    )
    assert.deepEqual(
      both.map(({ json }) => json.failed),
      [0, 0],
    )
    assert.equal(
      both.reduce((sum, { json }) => sum + json.created, 0),
      120,
    )
    const { json } = await ben.get(`/enrollments?course_id=${course_id}&include_total=true&limit=1`)
    assert.equal(json.total, 120)
    assert.equal(
      await count(`entitlements t join enrollments n on n.member_id = t.member_id and n.course_id = t.item_id where n.id = (
      select max(id::text)::uuid from enrollments) and t.revoked_at is null`),
      1,
    )
  })
})

test('decision 53: lecturers import only into their own courses, by address or by the ids of their own students', async () => {
  const ben = await staff()
  const carla = await app.actor('carla', { scopes: ['students:read', 'students:write'] })
  const [own, other] = [await courseNamed(ben, 'sourdough-from-scratch'), await makeCourse(ben, 'Not hers')]
  const readId = async (name: string) => (await ben.get(`/members?email=${name}@crumb.example`)).json.data[0].id
  const rows = [
    { member_id: await readId('eli') },
    { member_id: await readId('femi') },
    { email: 'femi@crumb.example', name: 'Femi' },
    { email: 'eli@crumb.example', course_id: other },
  ]
  const { json } = await batch(carla, { course_id: own, rows })
  const outcomes = json.results.map(
    (one: { status: string; errors?: { code: string }[] }) => one.errors?.[0]?.code ?? one.status,
  )
  assert.deepEqual(outcomes, ['created', 'unknown', 'created', 'unknown'])
  assert.deepEqual((await ben.get(`/enrollments?course_id=${other}`)).json.data, [])
})

suite('F-16 a batch reply to a lecturer about people who are not their students', () => {
  const teacher = () => app.actor('carla', { scopes: ['students:read', 'students:write'] })

  const stranger = async (ben: Actor) => {
    const tag = randomUUID().slice(0, 8)
    const [email, external_id] = [`${tag}@crumb.example`, `ext-${tag}`]
    const { json } = await ben.write('POST', '/members', { email, name: 'A Stranger', external_id })
    return { email, external_id, member_id: String(json.id) }
  }
  const nobody = () => {
    const tag = randomUUID().slice(0, 8)
    return { email: `${tag}@crumb.example`, external_id: `ext-${tag}`, member_id: 'mem_00e00000000000000000000000' }
  }

  test('a lecturer’s dry run has the same reply, byte for byte, for any address; a dry run of staff discloses accounts', async () => {
    const [ben, carla] = [await staff(), await teacher()]
    const course_id = await courseNamed(ben, 'sourdough-from-scratch')
    const there = await Promise.all([1, 2, 3].map(() => stranger(ben)))
    const buildRows = (people: readonly { email: string }[]) =>
      people.map(({ email }, at) => (at === 0 ? { email } : { email, name: 'Named' }))
    const absent = there.map(nobody)
    const dry = (actor: Actor, people: readonly { email: string }[]) =>
      batch(actor, { course_id, rows: buildRows(people) }, '?dry_run=true')
    const [some, none] = [await dry(carla, there), await dry(carla, absent)]
    assert.deepEqual([some.status, some.json], [200, { dry_run: true, status: 200, result: null, effects: [] }])
    assert.equal(some.text, none.text)
    assert.deepEqual(counts({ ...some, json: (await dry(ben, there)).json.result }), only({ created: 3 }))
    assert.deepEqual(counts({ ...some, json: (await dry(ben, absent)).json.result }), only({ created: 2, failed: 1 }))
    const emails = there.map(({ email }) => email)
    const enrolled = 'enrollments e join members m on m.school_id = e.school_id and m.id = e.member_id'
    assert.equal(await count(`${enrolled} where m.email = any ($1)`, [emails]), 0)
  })

  test('a failing row has the same result with and without an account, and enrolls nobody', async () => {
    const [ben, carla] = [await staff(), await teacher()]
    const course_id = await courseNamed(ben, 'sourdough-from-scratch')
    const other = await makeCourse(ben, 'Not to be told of')
    const failing = ({ email, external_id, member_id }: ReturnType<typeof nobody>) => [
      { email },
      { external_id },
      { member_id },
      { member_id, email, name: 'By id' },
      { external_id, email },
      { member_id, email: `other-${email}` },
      { external_id, email: `other-${email}` },
      { email, name: 'Elsewhere', course_id: other },
      { email, name: 'Over', ends_at: '2001-01-01T00:00:00.000Z' },
      { email, name: ' ' },
    ]
    const [there, absent] = [await stranger(ben), nobody()]
    const runBatch = async (people: ReturnType<typeof nobody>) =>
      (await batch(carla, { course_id, rows: failing(people) })).json
    const result = await runBatch(there)
    assert.equal(result.failed, failing(there).length, JSON.stringify(result))
    assert.deepEqual(result, await runBatch(absent))
    assert.deepEqual((await ben.get(`/enrollments?course_id=${course_id}&member_id=${there.member_id}`)).json.data, [])
  })

  test('an external id of a person who is not their student is treated as unknown, and is not stored', async () => {
    const [ben, carla] = [await staff(), await teacher()]
    const course_id = await courseNamed(ben, 'sourdough-from-scratch')
    const [there, first, second] = [await stranger(ben), nobody(), nobody()]
    const rows = [
      { email: first.email, name: 'First', external_id: there.external_id },
      { email: second.email, name: 'Second', external_id: second.external_id },
    ]
    const { json } = await batch(carla, { course_id, rows })
    assert.equal(json.created, 2, JSON.stringify(json))
    assert.ok(!JSON.stringify(json).includes(there.member_id))
    const created = await Promise.all(
      [first, second].map(async ({ email }) => (await ben.get(`/members?email=${email}`)).json.data[0].external_id),
    )
    assert.deepEqual(created, [null, null])
    assert.deepEqual(counts(await batch(carla, { course_id, rows })), only({ unchanged: 2 }), 'found by address')
  })
})

test('1,000 rows are taken within the limits of a request, and 1,001 are too many', async () => {
  const ben = await staff()
  const course_id = await makeCourse(ben, 'A thousand')
  const rows = newcomers(1001)
  assert.equal((await batch(ben, { course_id, rows })).status, 422)
  const reply = await batch(ben, { course_id, rows: rows.slice(0, 1000), notify: true })
  assert.deepEqual(counts(reply), only({ created: 1000 }), reply.text.slice(0, 300))
  assert.equal(await count(`facts where type = 'student.enrolled' and payload->>'course_id' = $1`, [course_id]), 1000)
})
