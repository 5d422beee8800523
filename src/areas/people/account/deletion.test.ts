import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { formatTime } from '#src/kit/format.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'

const BOTH = ['account:read', 'account:write']
const DAY = 24 * 3600
let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const begin = async (name: 'dev' | 'eli' | 'ada') => {
  const actor = await app.actor(name, { scopes: BOTH })
  const { status, json, text } = await actor.write('POST', '/account/deletion')
  assert.equal(status, 202, text)
  assert.match(json.confirmation.effects[0].access, /14 days/)
  assert.equal((await actor.get('/account/deletion')).json.status, 'none')
  await approveAs(app, name, json.confirmation.url)
  return actor
}

const readStatus = async (email: string): Promise<string | undefined> =>
  (
    await app.database.query<{ status: string }>('select status from members where school_id = $1 and email = $2', [
      app.a.id,
      email,
    ])
  )[0]?.status

const gone = async (email: string): Promise<void> => {
  const end = performance.now() + 30_000
  while ((await readStatus(email)) !== undefined) {
    if (performance.now() > end) throw new Error(`${email} is still there`)
    await pause(50)
  }
}

test('the last owner cannot go', async () => {
  const ada = await app.actor('ada', { scopes: BOTH })
  const refused = await ada.write('POST', '/account/deletion')
  assert.deepEqual([refused.status, refused.json.code], [409, 'last_owner'])
  assert.equal((await ada.get('/account/deletion')).json.status, 'none')
})

test('a cancelled deletion deletes nothing', async () => {
  const eli = await begin('eli')
  const { json } = await eli.get('/account/deletion')
  assert.equal(json.status, 'begun')
  assert.equal(Date.parse(json.due_at) - Date.parse(json.begun_at), 14 * DAY * 1000)
  const [mail] = await mailbox.waitFor('eli@crumb.example', 1, /will be deleted/)
  assert.ok(mail?.email.text?.includes(formatTime(json.due_at, 'Europe/Lisbon', 'en')))
  // Already under way: the same reply again, and no confirmation is needed.
  assert.deepEqual((await eli.write('POST', '/account/deletion')).json, json)
  assert.equal((await eli.write('DELETE', '/account/deletion')).status, 204)
  assert.equal((await eli.write('DELETE', '/account/deletion')).status, 204)
  assert.deepEqual((await eli.get('/account/deletion')).json, { status: 'none', begun_at: null, due_at: null })
})

test('a deletion that is due says farewell and then forgets the person everywhere; until then all works', async () => {
  const dev = await begin('dev')
  assert.equal((await dev.write('PATCH', '/account', { name: 'Dev P.' })).status, 200)
  await app.moveClock(13 * DAY)
  assert.equal(await readStatus('dev@crumb.example'), 'active')
  await app.moveClock(2 * DAY)
  await mailbox.waitFor('dev@crumb.example', 1, /was deleted/)
  // The way back has ended with that mail.
  const deletions = await app.database.query(`select from account_deletions where farewell_at is null`)
  assert.deepEqual(deletions, [])
  await app.moveClock(10)
  await gone('dev@crumb.example')
  const [row] = await app.database.query<{ status: string; erased: boolean }>(
    `select status, erased_at is not null as erased from members where school_id = $1 and name = 'Erased member'`,
    [app.a.id],
  )
  assert.deepEqual(row, { status: 'deleted', erased: true })
  for (const table of ['account_deletions', 'reviews', 'mails', 'sessions'])
    assert.deepEqual(
      await app.database.query(`select from ${table} t where t::text ilike '%dev@crumb%' and school_id = $1`, [
        app.a.id,
      ]),
      [],
      table,
    )
  const audit = await app.database.query(
    `select from audit_log where operation = 'createAccountDeletion' and request_id = 'worker'`,
  )
  assert.equal(audit.length, 1)
  assert.equal(await readStatus('eli@crumb.example'), 'active')
})
