import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { LEARNING, moveTo, putLessons, readMemberId, TEACHING, teach } from '#testing/learning.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'

let mailbox: Mailbox | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})

after(() => mailbox?.stop())

const buildEmail = (name: 'dev' | 'eli'): string => `${name}@crumb.example`

const days = (name: string, value: number) => ({
  name,
  drip: { mode: 'days_after_enrollment', value, local_time: '07:00' },
})

const want = async (name: 'dev' | 'eli', lesson_opened: boolean): Promise<void> => {
  const actor = await app.actor(name, { scopes: LEARNING })
  const reply = await actor.write('PATCH', '/account', { notifications: { lesson_opened } })
  assert.deepEqual([reply.status, reply.json.notifications.lesson_opened], [200, lesson_opened], reply.text)
}

const readMails = (name: 'dev' | 'eli', count: number) =>
  mailbox?.waitFor(buildEmail(name), count, /^New in/) ?? Promise.reject(new Error('no mailbox'))

/** Waits until every fact was delivered and nothing is due; fails after a while. */
const untilIdle = async (): Promise<void> => {
  for (const end = performance.now() + 30_000; ; ) {
    const [row] = await app.database.query<{ waiting: number }>(
      `select count(*)::integer as waiting from jobs
        where kind in ('fact', 'lesson_notices', 'mail', 'bulk_mail') and due_at <= stoa.now() + interval '310 seconds'`,
    )
    if (row?.waiting === 0) return
    assert.ok(performance.now() < end, 'the worker did not come to an end')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

test('only members who requested it get a mail when lessons become available, and only one', async () => {
  await moveTo(app, '2038-02-01T12:00:00Z')
  const ada = await app.actor('ada', { scopes: TEACHING })
  const course = await teach(ada, 'Rye week', [{ name: 'Now' }, days('Mill', 1), days('Sieve', 1), days('Bake', 4)])
  assert.equal(
    (await (await app.actor('dev', { scopes: LEARNING })).get('/account')).json.notifications.lesson_opened,
    false,
  )
  await want('dev', true)
  for (const name of ['dev', 'eli'] as const) {
    const member_id = toId('mem', await readMemberId(app, name))
    const reply = await ada.write('POST', '/enrollments', { member_id, course_id: course.id, notify: false })
    assert.equal(reply.status, 201, reply.text)
  }
  await untilIdle()
  await moveTo(app, '2038-02-02T07:00:01Z')
  const [first] = await readMails('dev', 1)
  assert.match(first?.email.text ?? '', /“Mill”, “Sieve”/)
  assert.doesNotMatch(first?.email.text ?? '', /Now|Bake/)
  // A changed rule is evaluated again; a lesson that it makes available is notified.
  const staff = await app.actor('ada', { scopes: TEACHING })
  assert.equal((await staff.write('PUT', `/lessons/${course.lessons[3]}/drip`, { mode: 'immediate' })).status, 200)
  const [, second] = await readMails('dev', 2)
  assert.match(second?.email.text ?? '', /“Bake”/)
  // No lesson is notified twice, and none that became available while notices were off.
  await want('dev', false)
  const kept = course.lessons.map((id, at) => ({ id, name: ['Now', 'Mill', 'Sieve', 'Bake'][at] ?? '' }))
  const [, , , , silent = ''] = await putLessons(staff, course.id, [...kept, { name: 'Silent' }])
  await untilIdle()
  await want('dev', true)
  await untilIdle()
  await putLessons(staff, course.id, [...kept, { id: silent, name: 'Silent' }, { name: 'Told' }])
  const mails = await readMails('dev', 3)
  assert.match(mails[2]?.email.text ?? '', /“Told”/)
  await untilIdle()
  assert.equal((await readMails('dev', 3)).length, 3)
  const eli = (mailbox?.arrived ?? []).filter(
    one => one.to.includes(buildEmail('eli')) && /^New in/.test(one.email.subject ?? ''),
  )
  assert.deepEqual(eli, [])
})

test('F-19 no mail about lessons of an unpublished course is sent before it is published again', async () => {
  const ada = await app.actor('ada', { scopes: TEACHING })
  const course = await teach(ada, 'Barley week', [{ name: 'Malt' }])
  await want('eli', true)
  const member_id = toId('mem', await readMemberId(app, 'eli'))
  const reply = await ada.write('POST', '/enrollments', { member_id, course_id: course.id, notify: false })
  assert.equal(reply.status, 201, reply.text)
  await untilIdle()
  assert.equal((await ada.write('DELETE', `/courses/${course.id}/publication`)).status, 200)
  await putLessons(ada, course.id, [{ id: course.lessons[0] ?? '', name: 'Malt' }, { name: 'Kiln' }])
  await untilIdle()
  const notices = () =>
    (mailbox?.arrived ?? []).filter(one => one.to.includes(buildEmail('eli')) && /Kiln/.test(one.email.text ?? ''))
  assert.deepEqual(notices(), [])
  assert.equal((await ada.write('PUT', `/courses/${course.id}/publication`, {})).status, 200)
  const [mail] = await readMails('eli', 1)
  assert.match(mail?.email.text ?? '', /“Kiln”/)
  assert.equal(notices().length, 1)
})
