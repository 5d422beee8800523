// One thing: a person whose access the school ended, or whose account ends meanwhile, does not enroll in a free course.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lockAwaited, writingTo } from '#testing/access.ts'
import { testApp } from '#testing/app.ts'
import { LEARNING, readMemberId, TEACHING } from '#testing/learning.ts'
import { offerFor, sellCourse } from '#testing/offers.ts'

const app = testApp()
const writing = writingTo(app)
const FREE = { payment_type: 'free', amount: 0 }
const PAID = { payment_type: 'one_time', amount: 4900 }

const staff = () => app.actor('ada', { scopes: [...TEACHING, 'members:read', 'members:write'] })
const learner = (name: 'dev' | 'eli' | 'femi' = 'dev') => app.actor(name, { scopes: LEARNING })

test('a person whose access the school ended does not enroll again, until the school gives access', async () => {
  const ada = await staff()
  const course = await sellCourse(ada, 'Asked to leave', [FREE, { ...FREE, access: { days: 7 } }, PAID])
  const dev = await learner()
  const enroll = async () => {
    const { status, json } = await dev.write('POST', '/account/enrollments', { course_id: course.id })
    return status === 201 ? json.id : json.code
  }
  const id = await enroll()
  assert.equal((await dev.write('DELETE', `/account/enrollments/${id}`)).status, 204)
  assert.equal(await enroll(), id, 'who gave it up comes back')
  assert.equal((await ada.write('DELETE', `/enrollments/${id}?reason=rude`)).status, 200)
  assert.equal(await enroll(), 'access_ended_by_school')
  for (const price_id of (await ada.get(`/courses/${course.id}/prices`)).json.data
    .filter(({ payment_type }: { payment_type: string }) => payment_type === 'free')
    .map((price: { id: string }) => price.id)) {
    const refused = await dev.write('POST', '/account/enrollments', { course_id: course.id, price_id })
    assert.deepEqual([refused.status, refused.json.code], [409, 'access_ended_by_school'])
    assert.doesNotMatch(refused.text, /rude/)
  }
  // It concerns free prices of this course, and this person.
  const memberId = await readMemberId(app, 'dev')
  const offers = await writing(where => Promise.all(course.prices.map(price => offerFor(where, price, memberId))))
  assert.deepEqual(
    offers.map(offer => (offer !== undefined && 'unavailable' in offer ? offer.unavailable : 'offered')),
    ['not_for_you', 'not_for_you', 'offered'],
  )
  assert.equal(
    (await (await learner('eli')).write('POST', '/account/enrollments', { course_id: course.id })).status,
    201,
  )
  const other = await sellCourse(ada, 'Welcome here', [FREE])
  assert.equal((await dev.write('POST', '/account/enrollments', { course_id: other.id })).status, 201)
  // Whom the school enrolls again may come back, also after giving that up.
  const { json: me } = await dev.get('/account')
  const again = await ada.write('POST', '/enrollments', { member_id: me.id, course_id: course.id, notify: false })
  assert.equal(again.status, 201, again.text)
  assert.equal((await dev.write('DELETE', `/account/enrollments/${id}`)).status, 204)
  assert.equal(await enroll(), id)
})

test('a pending enrollment that is deleted does not keep the person from enrolling', async () => {
  const ada = await staff()
  const carla = await app.actor('carla', { scopes: TEACHING })
  const { id } = (await ada.get('/courses/slug:first-loaf')).json
  assert.equal((await ada.write('POST', `/courses/${id}/prices`, FREE)).status, 201)
  const typed = { email: 'femi@crumb.example', name: 'Femi', course_ids: [id], notify: false }
  assert.equal((await carla.write('POST', '/students', typed)).json.status, 'pending')
  const { data } = (await carla.get(`/pending-enrollments?course_id=${id}`)).json
  const pending = data.find(({ email }: { email: string }) => email === typed.email)
  assert.equal((await carla.write('DELETE', `/pending-enrollments/${pending?.id}`)).status, 204)
  const done = await (await learner('femi')).write('POST', '/account/enrollments', { course_id: id })
  assert.equal(done.status, 201, done.text)
})

test('an account that ends while an enrollment waits gets no access', async () => {
  const course = await sellCourse(await staff(), 'Too late', [FREE])
  const eli = await learner('eli')
  const memberId = await readMemberId(app, 'eli')
  let reply: ReturnType<typeof eli.write> | undefined
  await writing(async ({ db }) => {
    const text = `update members set status = 'suspended' where school_id = $1 and id = $2`
    await db.run({ text, values: [app.a.id, memberId] } as never)
    reply = eli.write('POST', '/account/enrollments', { course_id: course.id })
    await lockAwaited(app)
  })
  const { status, json } = (await reply) ?? {}
  assert.deepEqual([status, json?.code], [401, 'invalid_token'])
  assert.deepEqual(await app.database.query('select from entitlements where item_id = $1', [course.uuid]), [])
})
