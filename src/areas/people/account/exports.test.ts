import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { testApp } from '#testing/app.ts'
import { retryWhileBusy } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { fetched, readObjects } from '#testing/uploads.ts'

const BOTH = ['account:read', 'account:write', 'storage:write']
const DAY = 24 * 3600
let mailbox: Mailbox
// An application without a worker, and one with it.
const still = testApp()
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

/** Polls until a reply meets the condition; a slow machine gets some seconds. */
const until = async <Answer>(ask: () => Promise<Answer>, shouldSend: (answer: Answer) => boolean): Promise<Answer> => {
  const end = performance.now() + 20_000
  for (;;) {
    const answer = await ask()
    if (shouldSend(answer)) return answer
    if (performance.now() > end) throw new Error(`never: ${JSON.stringify(answer)}`)
    await pause(20)
  }
}

test('a person gets an export of all their personal data, which is deleted after a week', async () => {
  const [dev, eli] = [await app.actor('dev', { scopes: BOTH }), await app.actor('eli', { scopes: BOTH })]
  const before = await readObjects(app)
  const reply = await dev.write('POST', '/account/exports')
  assert.deepEqual([reply.status, reply.json.status, reply.json.file], [202, 'pending', null], reply.text)
  const path = `/account/exports/${reply.json.id}`
  const { json } = await until(
    () => dev.get(path),
    ({ json: { status } }) => status === 'ready',
  )
  const file = await fetched(json.file.url)
  assert.equal(file.status, 200)
  assert.match(String(file.headers.get('content-disposition')), /^attachment/)
  const { data, ...about } = JSON.parse(file.bytes.toString('utf8'))
  assert.equal(about.base_url, app.a.baseUrl)
  assert.equal(data.profile[0].email, 'dev@crumb.example')
  assert.deepEqual(data.groups[0].group.name, "Bakers' circle")
  assert.ok(data.reviews.some(({ title }: { title: string }) => title === 'Worth every early morning'))
  assert.deepEqual(data.enrollments.map(({ source }: { source: string }) => source).sort(), ['free', 'staff'])
  assert.ok(data.entitlements.some(({ source }: { source: string }) => source === 'staff'))
  for (const name of [
    'activity',
    'sessions',
    'connected_apps',
    'uploads',
    'mails',
    'holds',
    'quiz_attempts',
    'submissions',
    'lesson_completions',
    'lesson_positions',
    'certificates',
  ])
    assert.ok(Array.isArray(data[name]), name)
  assert.ok(data.sessions.length > 0 && data.connected_apps.length > 0 && data.uploads.length > 0)
  assert.ok(data.submissions.length > 0)
  for (const work of data.submissions) assert.ok('text' in work && 'feedback' in work && Array.isArray(work.file_ids))
  // Notes belong to the staff, and data about others is not in it.
  assert.ok(!file.bytes.toString('utf8').includes('eli@crumb.example'))
  const [mail] = await mailbox.waitFor('dev@crumb.example', 1, /copy of your data/)
  assert.ok(!mail?.email.text?.includes('/files/'), 'the mail is no key to the copy')

  // I-09: another person's is not there, nor is it an upload that can be taken away.
  assert.equal((await eli.get(path)).status, 404)
  const upload = String(json.file.file_id).replace('fil_', 'upl_')
  for (const method of ['GET', 'DELETE'] as const)
    assert.equal(
      (await (method === 'GET' ? dev.get(`/uploads/${upload}`) : dev.write(method, `/uploads/${upload}`))).status,
      404,
    )
  assert.equal((await fetched(json.file.url.replace(/signature=.{4}/, 'signature=AAAA'))).status, 404)

  await app.moveClock(8 * DAY)
  await until(
    () => readObjects(app),
    keys => keys.length === before.length,
  )
  assert.deepEqual(await app.database.query(`select from exports where status = 'ready'`), [])
})

test('a person can have one export at a time, and one a day', async () => {
  const femi = await still.actor('femi', { scopes: BOTH })
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => retryWhileBusy(() => femi.write('POST', '/account/exports'))),
  )
  assert.deepEqual([...new Set(replies.map(({ status, json }) => `${status} ${json.id}`))].length, 1)
  assert.equal((await femi.get('/account/exports?include_total=true')).json.total, 2)
  await still.database.query(`update exports set status = 'ready', file_id = gen_random_uuid(), expires_at = stoa.now()
    where status = 'pending'`)
  const again = await femi.write('POST', '/account/exports')
  assert.deepEqual([again.status, again.json.code], [429, 'rate_limited'])
  const wait = Number(again.headers['retry-after'])
  assert.ok(wait > DAY - 120 && wait <= DAY, String(wait))
  assert.equal((await femi.get('/account/exports?include_total=true')).json.total, 2)
})

test('an export with a read-only token is refused, and none is created', async () => {
  const eli = await still.actor('eli', { scopes: ['account:read'] })
  assert.equal((await eli.write('POST', '/account/exports')).json.code, 'insufficient_scope')
  assert.equal((await eli.get('/account/exports')).json.data.length, 1)
})
