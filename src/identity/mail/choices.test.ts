import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MailChoice } from '#src/contract/mail.ts'
import { openDatabase } from '#src/db/database.ts'
import { testApp } from '#testing/app.ts'
import { readMemberId } from '#testing/learning.ts'
import { lockMember, storeProfile } from '../queries.ts'
import { turnOff, wantsMails } from './choices.queries.ts'

const app = testApp()

const buildChoice = (key: string): MailChoice => ({ key, title: { en: key, pt: key }, description: key })

test('a choice that is added is on, until the person turns it off by a link or in the profile, and on again', async () => {
  const memberId = await readMemberId(app, 'dev')
  const database = openDatabase(app.database.appUrl, { max: 1, wait: 10_000 })
  const [one, other] = [buildChoice('replies'), buildChoice('reminders')]
  const wanted = () =>
    database.statements(app.a.id, db =>
      Promise.all([one, other].map(choice => wantsMails(db, app.a.id, memberId, choice))),
    )
  const store = (notifications: Readonly<Record<string, boolean>>) =>
    database.transaction(app.a.id, async db => {
      const member = await lockMember(db, app.a.id, memberId)
      await storeProfile(db, app.a.id, { ...member, notifications })
    })
  try {
    assert.deepEqual(await wanted(), [true, true])
    const off = () => database.transaction(app.a.id, db => turnOff(db, app.a.id, memberId, one))
    assert.ok((await off())?.revision)
    assert.equal(await off(), undefined, 'it is off already')
    assert.deepEqual(await wanted(), [false, true])
    await store({ lesson_opened: true })
    assert.deepEqual(await wanted(), [false, true], 'what the profile does not name stays')
    await store({ lesson_opened: true, replies: true, reminders: false })
    assert.deepEqual(await wanted(), [true, false])
    await store({ replies: false, reminders: false })
    await store({ replies: false, reminders: true })
    assert.deepEqual(await wanted(), [false, true])
    const [row] = await app.database.query<{ muted_mails: string[]; notify_lesson_opened: boolean }>(
      'select muted_mails, notify_lesson_opened from members where id = $1',
      [memberId],
    )
    assert.deepEqual(row, { muted_mails: ['replies'], notify_lesson_opened: true })
  } finally {
    await database.close()
  }
})
