import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { awardTo, must, newcomer, readCodes, SOURDOUGH } from '#testing/awards.ts'
import { approveAs } from '#testing/confirming.ts'
import { createCourse } from '#testing/curriculum.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { retryWhileBusy } from '#testing/quizzes.ts'
import { newSerial, readSerial, showSerial } from './certificates/rules.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const SCOPES = ['courses:read', 'courses:write', 'account:read', 'members:read', 'members:write']
let signedIn: Promise<Actor> | undefined
const ada = () => {
  signedIn ??= app.actor('ada', { scopes: SCOPES })
  return signedIn
}

const verify = (serial: string) => app.send({ path: `/api/v1/certificates/${serial}/verification` })

/** Records that a member completed a course, as the area progress does. */
const complete = (course: string, member: string) =>
  app.database.query(
    `insert into facts (school_id, id, type, payload, recorded_at)
     select $1::uuid, $2, 'enrollment.completed', $3, stoa.now()
     from (select set_config('stoa.school_id', $1::text, true)) as school`,
    [app.a.id, randomUUID(), JSON.stringify({ enrollment_id: 'enr_0', course_id: course, member_id: member })],
  )

const until = async <T>(read: () => Promise<T | undefined>): Promise<T> => {
  for (const end = performance.now() + 20_000; ; await pause(20)) {
    const found = await read()
    if (found !== undefined) return found
    assert.ok(performance.now() < end, 'it never came')
  }
}

test('a serial has 100 random bits, and is read as people type it', () => {
  const serials = Array.from({ length: 2000 }, () => newSerial())
  assert.equal(new Set(serials).size, 2000)
  for (const serial of serials) assert.match(serial, /^[0-9A-HJKMNP-TV-Z]{20}$/)
  // Every place takes every character, so that no bits are lost to a prefix.
  for (let place = 0; place < 20; place++) assert.equal(new Set(serials.map(one => one[place])).size, 32)
  const serial = 'BAKEDWARM0BREAD1EM00'
  for (const typed of [
    showSerial(serial),
    ' baked-warmo bread-Lemoo ',
    'bakedwarm0breadIem0O',
    'ＢAKED–WARM0\u2011BREAD\u00a01EM0٠\u200b',
  ])
    assert.equal(readSerial(typed), serial, typed)
  for (const typed of ['', 'BAKED', `${serial}0`, 'BAKEDWARM0BREAD1EM0U', '%', 'BAKEDWARM0BREAD1EM0é'])
    assert.equal(readSerial(typed), undefined, typed)
})

test('completing a course with a template issues one certificate and one mail, however often the fact is delivered', async () => {
  const actor = await ada()
  const { id: course } = await must(actor.get(SOURDOUGH))
  const { data } = await must(actor.get('/members?email=dev@crumb.example'))
  const dev = data[0].id
  await complete(course, dev)
  await complete(course, dev)
  const free = await must(actor.get('/courses/slug:first-loaf'))
  assert.equal(free.certificate_template_id, null)
  await complete(free.id, dev)
  const learner = await app.actor('dev', { scopes: ['account:read', 'courses:read'] })
  const certificate = await until(async () => (await must(learner.get('/account/certificates'))).data[0])
  assert.deepEqual(
    [certificate.status, certificate.source, certificate.name, certificate.course_name, certificate.school_name],
    ['valid', 'completion', 'Dev Patel', 'Sourdough from scratch', 'Crumb & Crust'],
  )
  assert.match(
    certificate.text,
    /^This certifies that\nDev Patel\nhas completed the course\nSourdough from scratch\nat /,
  )
  // What was recorded after it is delivered after it, so that nothing more comes.
  const [mail] = await mailbox.waitFor('dev@crumb.example', 1, /certificate/)
  assert.match(mail?.email.subject ?? '', /“Sourdough from scratch”/)
  assert.ok(mail?.email.text?.includes(`\n${certificate.url}\n`), mail?.email.text)
  await until(async () => {
    const [row] = await app.database.query<{ waiting: number }>(
      `select count(*)::integer as waiting from facts where type like 'enrollment.%' and delivered_at is null`,
    )
    return row?.waiting === 0 || undefined
  })
  assert.equal((await must(learner.get('/account/certificates?include_total=true'))).total, 1)
  assert.equal(mailbox.arrived.filter(one => /certificate/.test(one.email.subject ?? '')).length, 1)
  const verified = await verify(
    encodeURIComponent(certificate.serial.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')),
  )
  assert.deepEqual(
    [verified.status, verified.json.status, verified.json.name, verified.json.awarded_on],
    [200, 'valid', 'Dev Patel', certificate.awarded_on],
  )
  assert.deepEqual(
    Object.keys(verified.json).sort(),
    ['awarded_on', 'course_name', 'issued_at', 'name', 'revoked_at', 'school_name', 'serial', 'status', 'url'],
    'nothing but what stands on the paper',
  )
  assert.equal((await learner.get(`/account/certificates/${certificate.id}`)).json.id, certificate.id)
  assert.equal((await learner.get('/account/certificates/BAKED-WARM0-BREAD-DEM00')).status, 404, "Ada's is not Dev's")
})

test('staff award a certificate once; what cannot be printed is refused and nothing is written', async () => {
  const actor = await ada()
  const someone = await newcomer(actor, 'Zoë Łukasz')
  const path = `${SOURDOUGH}/certificates`
  const listed = async () => (await must(actor.get(`${path}?include_total=true`))).total
  const before = await listed()
  const refused = async (body: object, expected: unknown[], at = path) =>
    assert.deepEqual(readCodes(await actor.write('POST', at, body)), expected)
  await refused({ member_id: `mem_${'0'.repeat(26)}` }, [422, 'invalid_body', '/member_id unknown'])
  await refused({ member_id: someone, awarded_on: '2999-01-01' }, [422, 'invalid_body', '/awarded_on range'])
  for (const day of ['2026-02-30', '0000-00-00', '2026-1-1', '+275760-09-13'])
    assert.equal((await actor.write('POST', path, { member_id: someone, awarded_on: day })).status, 422, day)
  await refused({ member_id: someone, name: '\u200b\u00a0' }, [422, 'invalid_body', '/name line'])
  await refused({ member_id: someone }, [409, 'no_certificate_template'], '/courses/slug:first-loaf/certificates')
  const mine = await awardTo(actor, someone, { awarded_on: '2020-02-29', hours: 12, name: '  Zoë\u200b  Łukasz ' })
  assert.deepEqual([mine.name, mine.awarded_on, mine.hours, mine.source], ['Zoë Łukasz', '2020-02-29', 12, 'staff'])
  await refused({ member_id: someone }, [409, 'certificate_exists'])
  const raced = await newcomer(actor, 'Raced')
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => retryWhileBusy(() => actor.write('POST', path, { member_id: raced }))),
  )
  assert.deepEqual(
    replies.map(({ status }) => status).sort(),
    [201, ...Array.from({ length: 7 }, () => 409)],
    'one at a time',
  )
  assert.equal(await listed(), before + 2)
})

test('a certificate keeps what it says when person, course, template and school change; a replacement takes what is new', async () => {
  const actor = await app.actor('ada', { scopes: [...SCOPES, 'school:read', 'school:write'] })
  const someone = await newcomer(actor, 'Old Name')
  const old = await awardTo(actor, someone)
  await must(actor.write('PATCH', `/members/${someone}`, { name: 'New Name' }))
  const course = await must(actor.get(SOURDOUGH))
  await must(actor.write('PATCH', SOURDOUGH, { name: 'Sourdough, renamed' }))
  await must(
    actor.write('PATCH', `/certificate-templates/${course.certificate_template_id}`, {
      title: 'Diploma',
      text: '{name}!',
    }),
  )
  const { text, name, title, course_name: courseName } = await must(actor.get(`/certificates/${old.id}`))
  assert.deepEqual([text, name, title, courseName], [old.text, 'Old Name', 'Certificate', 'Sourdough from scratch'])
  const twice = await Promise.all([1, 2].map(() => actor.write('POST', `/certificates/${old.id}/replacements`, {})))
  assert.deepEqual(twice.map(({ status }) => status).sort(), [201, 409])
  const fresh = twice.find(({ status }) => status === 201)?.json
  assert.deepEqual([fresh.name, fresh.title, fresh.course_name], ['New Name', 'Diploma', 'Sourdough, renamed'])
  assert.notEqual(fresh.serial, old.serial)
  const [before, now] = [await verify(old.serial), await verify(fresh.serial)]
  assert.deepEqual([before.json.status, before.json.name, now.json.status], ['replaced', 'Old Name', 'valid'])
  assert.ok(!before.text.includes(fresh.serial), 'who has the old address is not told the new one')
  const read = await must(actor.get(`/certificates/${old.id}`))
  assert.deepEqual([read.replaced_by_id, read.allowed_actions], [fresh.id, ['getCertificate']])
  for (const [method, path] of [
    ['PUT', 'revocation'],
    ['DELETE', 'revocation'],
    ['POST', 'replacements'],
  ] as const)
    assert.equal(
      (await actor.write(method, `/certificates/${old.id}/${path}`, method === 'DELETE' ? undefined : {})).json.code,
      'invalid_state',
    )
  await must(actor.write('PATCH', SOURDOUGH, { name: 'Sourdough from scratch' }))
  await must(actor.write('PATCH', `/certificate-templates/${course.certificate_template_id}`, { title: 'Certificate' }))
})

test('a certificate is revoked and restored; saying it twice writes nothing; completing again does not undo it', async () => {
  const actor = await ada()
  const someone = await newcomer(actor, 'Rita Vale')
  const { id, serial, revision } = await awardTo(actor, someone)
  const path = `/certificates/${id}/revocation`
  const match = { 'if-match': `"${revision + 5}-x"` }
  assert.equal((await actor.write('PUT', path, { reason: 'Wrong' }, match)).status, 412)
  assert.equal((await verify(serial)).json.status, 'valid')
  const revoked = await must(actor.write('PUT', path, { reason: 'Copied the bread' }))
  assert.deepEqual([revoked.status, revoked.revocation_reason, revoked.revision], ['revoked', 'Copied the bread', 2])
  assert.equal((await must(actor.write('PUT', path, { reason: 'Copied the bread' }))).revision, 2)
  const open = await verify(serial)
  assert.equal(open.json.status, 'revoked')
  assert.ok(!open.text.includes('Copied'), 'why is nobody else’s business')
  assert.equal((await actor.write('POST', `/certificates/${id}/replacements`, {})).status, 409)
  const { id: course } = await must(actor.get(SOURDOUGH))
  await complete(course, someone)
  await until(async () => {
    const rows = await app.database.query(
      `select id from facts where type = 'enrollment.completed' and payload ->> 'member_id' = $1 and delivered_at is not null`,
      [someone],
    )
    return rows.length > 0 || undefined
  })
  assert.equal((await must(actor.get(`${SOURDOUGH}/certificates?member_id=${someone}`))).data.length, 1)
  assert.equal((await verify(serial)).json.status, 'revoked')
  const restored = await must(actor.write('DELETE', path))
  assert.deepEqual([restored.status, restored.revision], ['valid', 3])
  assert.equal((await must(actor.write('DELETE', path))).revision, 3)
})

test('erasing a person takes their name from what anybody can look up; merging accounts keeps certificates', async () => {
  const actor = await ada()
  const [gone, from, into] = await Promise.all(
    ['Marker Gone', 'Merged From', 'Merged Into'].map(name => newcomer(actor, name)),
  )
  const lost = await awardTo(actor, gone ?? '')
  const moved = await awardTo(actor, from ?? '')
  const kept = await awardTo(actor, into ?? '')
  const confirm = async (path: string, body?: object) => {
    const { confirmation } = await must(actor.write('POST', path, body), 202)
    await approveAs(app, 'ada', confirmation.url)
  }
  await confirm(`/members/${gone}/erasure`)
  await confirm(`/members/${into}/merges`, { member_id: from })
  const erased = await verify(lost.serial)
  assert.deepEqual([erased.json.status, erased.json.name], ['withdrawn', null])
  assert.ok(!erased.text.includes('Marker'))
  const [left] = await app.database.query<{ rows: number }>(
    `select count(*)::integer as rows from certificates c where c::text like '%Marker Gone%'`,
  )
  assert.equal(left?.rows, 0)
  assert.deepEqual(
    [(await verify(moved.serial)).json.status, (await verify(kept.serial)).json.status],
    ['replaced', 'valid'],
  )
  const { data } = await must(actor.get(`${SOURDOUGH}/certificates?member_id=${into}`))
  assert.deepEqual(data.map((one: { id: string }) => one.id).sort(), [moved.id, kept.id].sort())
})

test('F-01 a serial of one school is unknown in another, and an invalid serial is not found', async () => {
  const { serial } = await awardTo(await ada(), await newcomer(await ada(), 'Of A'))
  const path = `/api/v1/certificates/${serial}/verification`
  assert.equal((await app.send({ path })).status, 200)
  const elsewhere = await app.send({ path }, app.b)
  const unknown = await app.send({ path: '/api/v1/certificates/00000-00000-00000-00000/verification' }, app.b)
  const { request_id: _one, ...body } = elsewhere.json
  const { request_id: _other, ...same } = unknown.json
  assert.deepEqual(body, same)
  for (const typed of ["'%20OR%201=1--", '%25', '%F0%9F%A6%8A', '..%2f', 'a'.repeat(500), '%00'])
    assert.ok([400, 404].includes((await verify(typed)).status), typed)
})

test('a certificate names the full hours of the lessons, and no duration below one hour', async () => {
  const { ada: staff, carla, path, add } = await createCourse(app, 'Short')
  const { certificate_template_id } = await must((await ada()).get(SOURDOUGH))
  await must(staff.write('PATCH', path, { certificate_template_id }))
  const { json: lesson } = await add({ name: 'One', type: 'text', status: 'published', duration_seconds: 60 })
  const hours: (number | null)[] = []
  for (const duration_seconds of [60, 3599, 3600, 10_799]) {
    await must(carla.write('PATCH', `/lessons/${lesson.id}`, { duration_seconds }))
    const member_id = await newcomer(await ada(), `Learner ${duration_seconds}`)
    hours.push((await must((await ada()).write('POST', `${path}/certificates`, { member_id }), 201)).hours)
  }
  assert.deepEqual(hours, [null, null, 1, 2])
})
