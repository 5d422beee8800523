// One thing: the mails about comments, which share a mailbox.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { COMMENT_STAFF, COMMENTING, commented, commentedCourse } from '#testing/comments.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox | undefined
const app = testApp({
  trustProxy: '127.0.0.1',
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())

const arrived = (to: string, subject: RegExp) =>
  (mailbox?.arrived ?? []).filter(
    mail => mail.to.includes(`${to}@crumb.example`) && subject.test(mail.email.subject ?? ''),
  )

const quiet = (): Promise<void> =>
  until(async () => {
    const waiting = `select from jobs where kind in ('fact', 'mail', 'bulk_mail', 'comment_digest')
      and due_at <= stoa.now() + interval '10 minutes'`
    return (await app.database.query(waiting)).length === 0
  }, 'the delivery of facts and mails')

test('a reply is mailed to the author of the comment, without names or words; lecturers get a digest once a day', async () => {
  const ada = await app.actor('ada', { scopes: COMMENT_STAFF })
  const { id, slug } = await commentedCourse(app, ada, 'Mails about comments', ['dev', 'eli'])
  const dev = await app.actor('dev', { scopes: COMMENTING })
  const eli = await app.actor('eli', { scopes: COMMENTING })
  const root = await commented(dev, id, 'Words of Dev')
  const reply = await commented(eli, id, 'Words of Eli', root)
  await commented(dev, id, 'An answer to oneself', root)
  const [mail] = (await mailbox?.waitFor('dev@crumb.example', 1, /^A reply to your comment/)) ?? []
  assert.equal(mail?.email.subject, 'A reply to your comment on Mails about comments')
  assert.ok(mail?.email.text?.includes(`/courses/${slug}#${reply}`))
  assert.doesNotMatch(mail?.email.text ?? '', /Eli|Words/)
  await quiet()
  assert.equal(arrived('dev', /^A reply/).length, 1, 'nothing about one’s own replies')
  assert.equal(arrived('carla', /^Comments wait/).length, 0)
  await app.moveClock(24 * 3600 + 60)
  const [digest] = (await mailbox?.waitFor('carla@crumb.example', 1, /^Comments wait/)) ?? []
  assert.match(digest?.email.text ?? '', /Mails about comments/)
  assert.doesNotMatch(digest?.email.text ?? '', /Dev|Words/)
  await app.moveClock(24 * 3600 + 60)
  await quiet()
  assert.equal(arrived('carla', /^Comments wait/).length, 1, 'no news, no mail')
})

test('the staff get a mail about the first open report of a comment, and its author none', async () => {
  const ada = await app.actor('ada', { scopes: COMMENT_STAFF })
  const { id } = await commentedCourse(app, ada, 'Reported by mail', ['dev'])
  const dev = await app.actor('dev', { scopes: COMMENTING })
  const reported = await commented(dev, id, 'Reported words')
  for (const name of ['eli', 'femi'] as const) {
    const actor = await app.actor(name, { scopes: COMMENTING })
    assert.equal((await actor.write('PUT', `/account/comments/${reported}/report`, { reason: 'spam' })).status, 200)
  }
  await mailbox?.waitFor('ada@crumb.example', 1, /^A comment was reported/)
  await quiet()
  assert.deepEqual([arrived('ada', /reported/).length, arrived('dev', /reported/).length], [1, 0])
})

test('whoever turned off mails about replies gets none', async () => {
  const ada = await app.actor('ada', { scopes: COMMENT_STAFF })
  const { id } = await commentedCourse(app, ada, 'Muted replies', ['dev', 'eli'])
  const dev = await app.actor('dev', { scopes: COMMENTING })
  const eli = await app.actor('eli', { scopes: COMMENTING })
  const off = await eli.write('PATCH', '/account', { notifications: { comment_replied: false } })
  assert.equal(off.status, 200, off.text)
  const root = await commented(eli, id, 'Do not write to me')
  await commented(dev, id, 'A reply nevertheless', root)
  await quiet()
  assert.equal(arrived('eli', /^A reply/).length, 0)
})
