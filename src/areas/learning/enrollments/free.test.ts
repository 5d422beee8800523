// One thing: enrolling oneself in a free course, in every situation that a course and a person may be in.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { toId } from '#src/kit/ids.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { type AppProcess, startServer } from '#testing/app-process.ts'
import { send } from '#testing/http.ts'
import { enrollIn, LEARNING, readMemberId, TEACHING } from '#testing/learning.ts'
import { addMembers, availableOffer, newLine, openSales, reserveLine, sellCourse } from '#testing/offers.ts'
import { retryWhileBusy } from '#testing/quizzes.ts'

const app = testApp()
const FREE = { payment_type: 'free', amount: 0 }
const PAID = { payment_type: 'one_time', amount: 4900 }
const DAY = 24 * 3600

const staff = () => app.actor('ada', { scopes: TEACHING })
const learner = (name: PersonName = 'dev') => app.actor(name, { scopes: LEARNING })

let sales: ReturnType<typeof openSales> | undefined
after(() => sales?.close())

/** Reserves a seat in a course for somebody, for an hour. */
const reserveFor = (priceId: string, memberId: string) => {
  sales ??= openSales(app.database.appUrl, app.a.id)
  return sales.run(async place => {
    const offer = await availableOffer(place, priceId)
    const until = new Date(place.now.getTime() + 3_600_000)
    await reserveLine(place, { lineId: newLine(), offer, memberId, until })
  })
}

const readPrices = async (courseId: string): Promise<string[]> =>
  (await (await staff()).get(`/courses/${courseId}/prices`)).json.data.map(({ id }: { id: string }) => id)

/** The refusal of an enrollment, and that it wrote nothing. */
const refusal = async (name: PersonName, body: object) => {
  const counts = () =>
    app.database.query(
      `select (select count(*) from entitlements) as entitlements, (select count(*) from enrollments) as enrollments,
        (select count(*) from seat_reservations) as reservations, (select count(*) from facts) as facts`,
    )
  const before = await counts()
  const reply = await (await learner(name)).write('POST', '/account/enrollments', body)
  assert.deepEqual(await counts(), before, 'a refusal writes nothing')
  const { request_id: _, ...rest } = reply.json
  return { code: reply.json.code, rest }
}

test('a person enrolls in a free course without a mail, and staff see the enrollment', async () => {
  const ada = await staff()
  const course = await sellCourse(ada, 'Free for all', [FREE])
  const dev = await learner()
  const done = await dev.write('POST', '/account/enrollments', { course_id: course.id })
  assert.equal(done.status, 201, done.text)
  assert.match(String(done.headers.location), new RegExp(`/api/v1/account/enrollments/${done.json.id}$`))
  const { course_id, source, access } = done.json
  assert.deepEqual([course_id, source, access.state, access.until], [course.id, 'free', 'active', null])
  assert.equal((await dev.get(`/account/enrollments/${done.json.id}`)).status, 200)
  assert.equal((await dev.get(`/courses/${course.id}/prices`)).json.has_access, true)
  const { data } = (await ada.get(`/enrollments?course_id=${course.id}`)).json
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [done.json.id],
  )
  const facts = await app.database.query<{ type: string; payload: { notify?: boolean } }>(
    `select type, payload from facts where payload ->> 'course_id' = $1 or payload ->> 'item_id' = $1 order by type`,
    [course.id],
  )
  assert.deepEqual(
    facts.filter(({ type }) => /granted|enrolled/.test(type)).map(({ type, payload }) => [type, payload.notify]),
    [
      ['entitlement.granted', undefined],
      ['student.enrolled', false],
    ],
  )
  const reserved = await app.database.query<{ course_id: string }>('select course_id from seat_reservations')
  assert.ok(!reserved.some(({ course_id: id }) => toId('crs', id) === course.id))
  const audit = await app.database.query<{ fields: string[] }>(
    `select fields from audit_log where operation = 'createAccountEnrollment'`,
  )
  assert.deepEqual(audit, [{ fields: ['course_id'] }])
})

test('enrolling again is refused, also for somebody whom staff enrolled', async () => {
  const ada = await staff()
  const course = await sellCourse(ada, 'Only once', [FREE])
  const dev = await learner()
  assert.equal((await dev.write('POST', '/account/enrollments', { course_id: course.id })).status, 201)
  assert.equal((await refusal('dev', { course_id: course.id })).code, 'already_has_access')
  await enrollIn(app, 'eli', course.id)
  assert.equal((await refusal('eli', { course_id: course.id })).code, 'already_has_access')
})

test('F-01 draft, scheduled, archived and deleted courses and those of another school are refused like an unknown id', async () => {
  const ada = await staff()
  const nobodys = 'crs_00000000000000000000000000'
  const expected = await refusal('dev', { course_id: nobodys })
  assert.deepEqual([expected.code, expected.rest.errors[0].pointer], ['invalid_body', '/course_id'])
  const courses = await Promise.all(
    ['Draft', 'Scheduled', 'Archived', 'Deleted'].map(name => sellCourse(ada, `${name} and free`, [FREE])),
  )
  const [draft, scheduled, archived, deleted] = courses
  assert.ok(draft && scheduled && archived && deleted)
  await ada.write('DELETE', `/courses/${draft.id}/publication`)
  await ada.write('DELETE', `/courses/${scheduled.id}/publication`)
  await ada.write('PUT', `/courses/${scheduled.id}/publication`, { at: '2100-01-01T00:00:00.000Z' })
  await ada.write('PUT', `/courses/${archived.id}/archive`)
  await app.database.query('update courses set deleted_at = stoa.now() where id = $1', [deleted.uuid])
  const other = await app.actor('ada', { scopes: ['courses:read', 'courses:write'], school: app.b })
  const { json: theirs } = await other.write('POST', '/courses', { name: 'Theirs' })
  await other.write('POST', `/courses/${theirs.id}/prices`, FREE)
  await other.write('PUT', `/courses/${theirs.id}/publication`, {})
  const [price] = await readPrices(archived.id)
  for (const id of [...courses.map(({ id }) => id), theirs.id])
    assert.deepEqual((await refusal('dev', { course_id: id })).rest, expected.rest, id)
  // Whoever knows a price of it learns no more, and neither do those who teach it.
  assert.deepEqual((await refusal('dev', { course_id: archived.id, price_id: price })).rest, expected.rest)
  const { request_id: _, ...asAda } = (
    await (await learner('ada')).write('POST', '/account/enrollments', { course_id: draft.id })
  ).json
  assert.deepEqual(asAda, expected.rest)
})

test('the price must be an active free price of the course; the default is the oldest', async () => {
  const ada = await staff()
  const paid = await sellCourse(ada, 'Paid', [PAID])
  const [paidPrice = ''] = await readPrices(paid.id)
  assert.equal((await refusal('dev', { course_id: paid.id })).code, 'price_not_free')
  assert.equal((await refusal('dev', { course_id: paid.id, price_id: paidPrice })).code, 'price_not_free')
  const unpriced = await sellCourse(ada, 'Without a price', [])
  assert.equal((await refusal('dev', { course_id: unpriced.id })).code, 'price_not_free')
  const both = await sellCourse(ada, 'Two free prices', [FREE, { ...FREE, access: { days: 7 } }, PAID])
  const [long = '', week = ''] = await readPrices(both.id)
  for (const price_id of [paidPrice, 'prc_00000000000000000000000000']) {
    const { rest } = await refusal('dev', { course_id: both.id, price_id })
    assert.deepEqual([rest.code, rest.errors[0].pointer, rest.errors[0].code], ['invalid_body', '/price_id', 'unknown'])
  }
  const days = async (name: PersonName, body: object) => {
    const { status, json, text } = await (await learner(name)).write('POST', '/account/enrollments', body)
    assert.equal(status, 201, text)
    const { from, until } = json.access
    return until === null ? null : (Date.parse(until) - Date.parse(from)) / 1000 / DAY
  }
  assert.equal(await days('dev', { course_id: both.id }), null)
  assert.equal(await days('eli', { course_id: both.id, price_id: week }), 7)
  await ada.write('DELETE', `/courses/${both.id}/prices/${long}`)
  assert.equal((await refusal('femi', { course_id: both.id, price_id: long })).rest.errors[0].code, 'unknown')
  assert.equal(await days('femi', { course_id: both.id }), 7)
})

test('a free price without seats is skipped, and the first refusal is returned when none is available', async () => {
  const ada = await staff()
  const first = { ...FREE, enrollment_cap: 1 }
  const course = await sellCourse(ada, 'First one, then two', [
    first,
    { ...FREE, enrollment_cap: 2, access: { days: 7 } },
  ])
  const enrollAs = async (name: PersonName) =>
    (await learner(name)).write('POST', '/account/enrollments', { course_id: course.id })
  assert.equal((await enrollAs('dev')).json.access.until, null)
  assert.notEqual((await enrollAs('eli')).json.access.until, null)
  assert.equal((await refusal('femi', { course_id: course.id })).code, 'sold_out')
  assert.equal((await refusal('dev', { course_id: course.id })).code, 'already_has_access')
})

test('a free price with a fixed end is refused from that instant on', async () => {
  const course = await sellCourse(await staff(), 'Open house', [
    { ...FREE, access: { until: '2100-01-01T00:00:00.000Z' } },
  ])
  const done = await (await learner()).write('POST', '/account/enrollments', { course_id: course.id })
  assert.deepEqual([done.status, done.json.access.until], [201, '2100-01-01T00:00:00.000Z'])
  await app.database.query('update course_prices set access_until = stoa.now() where id = $1', [course.prices[0]])
  assert.equal((await refusal('eli', { course_id: course.id })).code, 'offer_ended')
})

test('enrolling again after giving up free access does not extend it', async () => {
  const course = await sellCourse(await staff(), 'A week', [{ ...FREE, access: { days: 7 } }])
  const dev = await learner()
  const enrollAgain = () => dev.write('POST', '/account/enrollments', { course_id: course.id })
  const first = await enrollAgain()
  assert.equal(first.status, 201)
  assert.equal((await dev.write('DELETE', `/account/enrollments/${first.json.id}`)).status, 204)
  const again = await enrollAgain()
  assert.deepEqual(
    [again.status, again.json.id, again.json.access.until],
    [201, first.json.id, first.json.access.until],
  )
  // As if a week had passed.
  for (const column of ['starts_at', 'ends_at'])
    await app.database.query(
      `update entitlements set ${column} = ${column} - interval '${column === 'starts_at' ? 8 : 7} days' where item_id = $1`,
      [course.uuid],
    )
  assert.equal((await refusal('dev', { course_id: course.id })).code, 'free_access_used')
})

test('a hold on the course or on everything refuses an enrollment until it is lifted', async () => {
  const ada = await staff()
  const course = await sellCourse(ada, 'On hold', [FREE])
  const dev = await readMemberId(app, 'dev')
  const member = (await ada.get('/members?email=dev@crumb.example')).json.data[0].id
  await enrollIn(app, 'dev', (await sellCourse(ada, 'Another', [FREE])).id)
  for (const item of [course.uuid, null]) {
    await app.database.query(
      `insert into holds (school_id, id, member_id, item_type, item_id, reason, starts_at, created_at)
       values ($1, gen_random_uuid(), $2, $3, $4, 'staff', stoa.now(), stoa.now())`,
      [app.a.id, dev, item === null ? null : 'course', item],
    )
    assert.equal((await refusal('dev', { course_id: course.id })).code, 'access_on_hold', member)
    await app.database.query('update holds set ends_at = stoa.now() where ends_at is null')
  }
  assert.equal((await (await learner()).write('POST', '/account/enrollments', { course_id: course.id })).status, 201)
})

test('somebody with upcoming or ended access can enroll', async () => {
  const ada = await staff()
  const [soon, past] = [await sellCourse(ada, 'From next year', [FREE]), await sellCourse(ada, 'Last year', [FREE])]
  await enrollIn(app, 'dev', soon.id, { startsAt: new Date('2100-01-01T00:00:00.000Z') })
  await enrollIn(app, 'dev', past.id)
  await app.database.query(`update entitlements set revoked_at = stoa.now() where item_id = $1`, [past.uuid])
  const dev = await learner()
  for (const { id } of [soon, past]) {
    const done = await dev.write('POST', '/account/enrollments', { course_id: id })
    assert.deepEqual([done.status, done.json.access.state], [201, 'active'], done.text)
  }
})

test('a full course refuses enrollments; learners and reservations take its seats', async () => {
  const ada = await staff()
  const course = await sellCourse(ada, 'Two seats', [{ ...FREE, enrollment_cap: 2 }])
  const [price = ''] = course.prices
  await enrollIn(app, 'eli', course.id)
  await reserveFor(price, await readMemberId(app, 'femi'))
  assert.equal((await refusal('dev', { course_id: course.id })).code, 'sold_out')
  // The seat of whoever is buying is theirs.
  assert.equal(
    (await (await learner('femi')).write('POST', '/account/enrollments', { course_id: course.id })).status,
    201,
  )
  assert.equal((await refusal('dev', { course_id: course.id })).code, 'sold_out')
  const { data } = (await ada.get(`/courses/${course.id}/prices`)).json
  assert.equal(data[0].seats_left, 0)
})

test('a dry run describes the effects and takes no seat', async () => {
  const course = await sellCourse(await staff(), 'Only to see', [{ ...FREE, enrollment_cap: 1 }])
  const dev = await learner()
  const dry = await dev.write('POST', '/account/enrollments?dry_run=true', { course_id: course.id })
  assert.equal(dry.status, 200, dry.text)
  assert.deepEqual(
    dry.json.effects.map(({ type }: { type: string }) => type),
    ['entitlement.granted', 'student.enrolled'],
  )
  assert.deepEqual(await app.database.query('select from entitlements where item_id = $1', [course.uuid]), [])
  assert.deepEqual(await app.database.query('select from seat_reservations where course_id = $1', [course.uuid]), [])
})

test('a body of another shape is refused', async () => {
  const dev = await learner()
  for (const body of [
    {},
    { course_id: null },
    { course_id: 'slug:first-loaf' },
    { course_id: 1 },
    { course_id: 'crs_00000000000000000000000000', member_id: 'x' },
    [],
  ]) {
    const refused = await dev.write('POST', '/account/enrollments', body)
    assert.deepEqual([refused.status, refused.json.code], [422, 'invalid_body'], JSON.stringify(body))
  }
})

suite('two processes on one database', () => {
  const processes: AppProcess[] = []
  before(async () => {
    const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
    processes.push(...(await Promise.all([startServer(belonging), startServer(belonging)])))
  })
  after(() => Promise.all(processes.map(process => process.stop())))

  const enrollAt = (at: number, token: string, courseId: string) =>
    retryWhileBusy(() =>
      send(processes[at % 2]?.port ?? 0, {
        method: 'POST',
        path: '/api/v1/account/enrollments',
        host: new URL(app.a.baseUrl).host,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ course_id: courseId }),
      }),
    )

  test('G-02 enrolling many times at once enrolls once', async () => {
    const { token } = await learner()
    const course = await sellCourse(await staff(), 'Pressed twice', [{ ...FREE, enrollment_cap: 5 }])
    const replies = await Promise.all(Array.from({ length: 8 }, (_, at) => enrollAt(at, token, course.id)))
    const codes = replies.map(({ status, json }) => (status === 201 ? '201' : json.code)).sort()
    assert.deepEqual(codes, ['201', ...Array(7).fill('already_has_access')])
    const rows = await app.database.query('select from entitlements where item_id = $1', [course.uuid])
    assert.equal(rows.length, 1)
    const facts = await app.database.query(
      `select from facts where type = 'student.enrolled' and payload ->> 'course_id' = $1`,
      [course.id],
    )
    assert.equal(facts.length, 1)
  })

  test('G-03 two of four people who enroll at once get the two seats', async () => {
    const names = ['dev', 'eli', 'femi', 'carla'] as const
    const tokens = await Promise.all(names.map(async name => (await learner(name)).token))
    const course = await sellCourse(await staff(), 'Two at once', [{ ...FREE, enrollment_cap: 2 }])
    // One seat is reserved for somebody who does not come.
    const wide = await sellCourse(await staff(), 'Three at once', [{ ...FREE, enrollment_cap: 3 }])
    await reserveFor(wide.prices[0] ?? '', (await addMembers(app, 1))[0] ?? '')
    for (const { id, uuid } of [course, wide]) {
      const replies = await Promise.all(tokens.map((token, at) => enrollAt(at, token, id)))
      const codes = replies.map(({ status, json }) => (status === 201 ? '201' : json.code)).sort()
      assert.deepEqual(codes, ['201', '201', 'sold_out', 'sold_out'])
      const rows = await app.database.query('select distinct member_id from entitlements where item_id = $1', [uuid])
      assert.equal(rows.length, 2)
    }
  })
})
