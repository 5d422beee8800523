import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { startApp } from '#testing/app.ts'
import { startServer } from '#testing/app-process.ts'
import { openBrowser } from '#testing/browser.ts'
import { codeIn, startMailbox } from '#testing/mail.ts'
import { askForReset, begin } from '#testing/people.ts'
import { until } from '#testing/until.ts'

const BACKLOG = 1000

test('a code is sent while a thousand mails wait that a person may turn off, with two processes', async () => {
  const app = await startApp()
  const mailbox = await startMailbox()
  const released = Promise.withResolvers<void>()
  let isReleased = false
  let held = 0
  mailbox.treat(async ({ email }) => {
    if (isReleased || !email.subject?.startsWith('New in')) return
    held++
    await released.promise
  })
  await app.database.query('update members set notify_lesson_opened = true where email = $1', [people.eli.email])
  await app.database.query(
    `with made as (
       insert into mails (school_id, id, member_id, kind, recipient, locale, "values", recorded_at, not_before)
       select m.school_id, gen_random_uuid(), m.id, 'lesson_opened', m.email, 'en', '{"course": "Rye", "lessons": "Mill"}',
         stoa.now(), stoa.now() - interval '1 hour'
       from members m, generate_series(1, $2) where m.school_id = $1 and m.email = $3
       returning school_id, id, not_before)
     insert into jobs (school_id, kind, id, due_at) select school_id, 'bulk_mail', id, not_before from made`,
    [app.a.id, BACKLOG, people.eli.email],
  )
  const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
  const processes = await Promise.all([1, 2].map(() => startServer(belonging, mailbox.url)))
  try {
    await until(async () => held === processes.length, 'each process sends one of them')
    for (const [school, name] of [
      [app.a, 'dev'],
      [app.a, 'ada'],
      [app.b, 'carla'],
    ] as const) {
      const begun = await begin({ port: app.port, school }, {}, openBrowser(app.port, school))
      await askForReset(begun, people[name].email)
      const [mail] = await mailbox.waitFor(people[name].email)
      assert.match(codeIn(mail), /^\d{6}$/)
    }
    assert.equal(held, processes.length, 'no other of them was begun meanwhile')
    assert.equal(mailbox.arrived.length, 3)
    isReleased = true
    released.resolve()
    await mailbox.waitFor(people.eli.email, 10)
  } finally {
    released.resolve()
    await Promise.all(processes.map(process => process.stop()))
    await mailbox.stop()
    await app.stop()
  }
})
