// One thing: what receivers get, in tests that share one of them.
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { startMailbox } from '#testing/mail.ts'
import { isSignedWith, type Receiver, startReceiver, withStatus } from '#testing/receiver.ts'
import { until } from '#testing/until.ts'

let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())

const SCOPES = ['school:read', 'courses:read', 'courses:write', 'coupons:read', 'coupons:write']
const HOUR = 3600
let receiver: Receiver
let dev: Actor

before(async () => {
  receiver = await startReceiver()
})
beforeEach(async () => {
  dev = await app.actor('dev', { as: 'admin', scopes: SCOPES })
})
after(() => receiver.stop())
afterEach(async () => {
  await app.database.query('delete from webhooks')
  await app.database.query(`delete from jobs where kind = 'webhook'`)
  receiver.received.length = 0
  receiver.answer(withStatus(204))
})

const subscribe = async (
  types: readonly string[],
  more = {},
): Promise<{ path: string; secret: string; id: string }> => {
  const made = await dev.write('POST', '/webhooks', { url: receiver.url, types, ...more })
  assert.equal(made.status, 201, made.text)
  return { path: `/webhooks/${made.json.id}`, secret: made.json.secret, id: made.json.id }
}

let count = 0
/** Causes `course.created`; returns the id of the course. */
const addCourse = async (): Promise<string> => {
  count += 1
  const made = await dev.write('POST', '/courses', { name: `Course ${count}`, slug: `course-sent-${count}` })
  assert.equal(made.status, 201, made.text)
  return made.json.id
}

/** Causes `category.created`. */
const addCategory = async (): Promise<void> => {
  count += 1
  const made = await dev.write('POST', '/categories', { name: `Category ${count}`, slug: `category-${count}` })
  assert.equal(made.status, 201, made.text)
}

const got = (number: number, patience?: number) =>
  until(async () => receiver.received.length >= number, `${number} requests, not ${receiver.received.length}`, patience)

const look = async (path: string) => (await dev.get(path)).json

// A clock that moves ends the claim of a run, so that what it sends would be sent by another one too.
const isIdle = async (): Promise<boolean> =>
  (await app.database.query(`select from jobs where kind = 'webhook' and claimed_until is not null`)).length === 0

const settledAs = (path: string, holds: (webhook: Awaited<ReturnType<typeof look>>) => boolean, what: string) =>
  until(async () => holds(await look(path)), what)

test('a fact is sent once, thin, signed and with what is read at its address', async () => {
  const { path, secret } = await subscribe(['course.created'])
  const id = await addCourse()
  await addCategory()
  await got(1)
  const [one] = receiver.received
  assert.ok(one)
  assert.ok(isSignedWith(secret, one))
  assert.equal(one.headers['webhook-id'], one.json.id)
  assert.equal(one.headers['content-type'], 'application/json')
  assert.equal(one.headers['user-agent'], 'Stoa')
  assert.deepEqual(
    [one.json.type, one.json.previous, one.json.subject, one.json.data],
    ['course.created', null, { id, href: `${app.a.baseUrl}/api/v1/courses/${id}` }, { course_id: id }],
  )
  await settledAs(path, ({ waiting_count }) => waiting_count === 0, 'the mark')
  const webhook = await look(path)
  assert.equal(webhook.last_sequence, one.json.sequence)
  assert.notEqual(webhook.last_delivered_at, null)
  const { data } = await look(`${path}/deliveries`)
  assert.equal(data.length, 1)
  assert.deepEqual([data[0].status, data[0].attempts, data[0].last_outcome], ['delivered', 1, '204'])
  assert.deepEqual(data[0].fact, one.json)
  assert.equal(receiver.received.length, 1)
})

test('envelopes follow in number, and each names the one before it', async () => {
  await subscribe(['course.created'], { ordered: true })
  for (let made = 0; made < 5; made += 1) await addCourse()
  await got(5)
  const sequences = receiver.received.map(({ json }) => json.sequence)
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => a - b),
  )
  assert.deepEqual(
    receiver.received.map(({ json }) => json.previous),
    [null, ...sequences.slice(0, -1)],
  )
})

test('acceptance 2: what a slow and a fast transaction record comes in the order of commits, in the feed too', async () => {
  const { next_after: start } = await look('/school/changes?after=now')
  await subscribe(['course.*', 'category.*'])
  const slow = app.database.query(`
    begin;
    insert into facts (school_id, id, type, payload, recorded_at)
      select id, gen_random_uuid(), 'category.deleted', '{"category_id": "cat_00000000000000000000000000", "course_count": 0}', stoa.now()
      from schools where base_url = '${app.a.baseUrl}';
    select pg_sleep(1);
    commit`)
  const id = await addCourse()
  await slow
  await got(2)
  const [first, second] = receiver.received.map(({ json }) => json).toSorted((a, b) => a.sequence - b.sequence)
  assert.deepEqual([first?.type, second?.type].sort(), ['category.deleted', 'course.created'])
  assert.equal(second?.previous, first?.sequence)
  assert.ok(receiver.received.some(({ json }) => json.data.course_id === id))
  const feed = (await look(`/school/changes?after=${start}&types=course.created,category.deleted`)).data
  assert.deepEqual(
    feed.map(({ sequence }: { sequence: number }) => sequence),
    [first?.sequence, second?.sequence],
  )
})

test('acceptance 4: after a rotation both secrets sign for a day, at once only the new one', async () => {
  const { path, secret } = await subscribe(['course.created'])
  const rotated = (await dev.write('PUT', `${path}/secret`)).json
  assert.notEqual(rotated.previous_secret_expires_at, null)
  await addCourse()
  await got(1)
  const [both] = receiver.received
  assert.ok(both)
  assert.deepEqual([isSignedWith(secret, both), isSignedWith(rotated.secret, both)], [true, true])
  await app.moveClock(24 * HOUR)
  dev = await app.actor('dev', { scopes: SCOPES })
  await addCourse()
  await got(2)
  const [, late] = receiver.received
  assert.ok(late)
  assert.deepEqual([isSignedWith(secret, late), isSignedWith(rotated.secret, late)], [false, true])
  const leaked = (await dev.write('PUT', `${path}/secret`, { at_once: true })).json
  await addCourse()
  await got(3)
  const [, , last] = receiver.received
  assert.ok(last)
  assert.deepEqual([isSignedWith(rotated.secret, last), isSignedWith(leaked.secret, last)], [false, true])
})

test('a test is an example, marked, outside the numbering, and tried once', async () => {
  const { path } = await subscribe(['course.created'])
  receiver.answer(withStatus(500))
  const sent = (await dev.write('POST', `${path}/tests`, { type: 'coupon.created' })).json
  await got(1)
  const [one] = receiver.received
  assert.deepEqual(
    [one?.headers['webhook-id'], one?.json.id, one?.json.test, one?.json.sequence],
    [sent.id, sent.id, true, 0],
  )
  await settledAs(`${path}/deliveries/${sent.id}`, ({ status }) => status === 'failed', 'the failure of the test')
  assert.equal((await look(path)).status, 'active')
  receiver.answer(withStatus(204))
  await addCourse()
  await got(2)
  assert.equal(receiver.received[1]?.json.previous, null)
})

test('acceptance 5: what one type gets is retried and fails alone, and the gap shows in the next envelope', async () => {
  const { path } = await subscribe(['course.created', 'category.created'])
  receiver.answer(({ json }, response) => void response.writeHead(json.type === 'category.created' ? 500 : 200).end())
  await addCategory()
  await got(1)
  const [bad] = receiver.received
  const tries = () => receiver.received.filter(({ json }) => json.id === bad?.json.id).length
  const [{ id }] = (await look(`${path}/deliveries`)).data
  const isOver = async () => (await look(`${path}/deliveries/${id}`)).status === 'failed'
  const isTried = async () => {
    const [clock] = await app.database.query<{ now: Date }>('select stoa.now() as now')
    const { status, next_attempt_at: next } = await look(`${path}/deliveries/${id}`)
    return status === 'failed' || Date.parse(next) > (clock?.now.getTime() ?? 0)
  }
  // Less than the twelve hours without a success that would make the webhook failing.
  for (let step = 1; step <= 24 && !(await isOver()); step += 1) {
    await until(isIdle, 'the end of the run')
    await app.moveClock(11 * HOUR)
    dev = await app.actor('dev', { scopes: SCOPES })
    await until(isTried, 'the attempt that is due')
    const course = await addCourse()
    await until(async () => receiver.received.some(({ json }) => json.data.course_id === course), 'the course')
    await settledAs(path, ({ waiting_count }) => waiting_count <= 1, 'its mark')
    assert.equal((await look(path)).status, 'active')
  }
  await settledAs(`${path}/deliveries/${id}`, ({ status }) => status === 'failed', 'the end of the attempts')
  assert.equal(tries(), 10)
  assert.equal((await look(path)).status, 'active')
  const courses = receiver.received.filter(({ json }) => json.type === 'course.created')
  assert.equal(courses[0]?.json.previous, bad?.json.sequence)
  const bodies = new Set(receiver.received.filter(({ json }) => json.id === bad?.json.id).map(({ body }) => body))
  assert.equal(bodies.size, 1)
})

test('five deliveries that fail in a row make it failing, and one success brings all that wait', async () => {
  const { path } = await subscribe(['course.created'])
  receiver.answer(withStatus(500))
  for (let made = 0; made < 8; made += 1) await addCourse()
  await settledAs(path, ({ status }) => status === 'failing', 'the state failing')
  await until(async () => (await look(path)).waiting_count === 8, 'everything waits')
  receiver.answer(withStatus(200))
  await app.moveClock(2 * HOUR)
  dev = await app.actor('dev', { scopes: SCOPES })
  await settledAs(path, ({ status, waiting_count }) => status === 'active' && waiting_count === 0, 'all of them')
  const ids = new Set(
    (await look(`${path}/deliveries?status=delivered`)).data.map(({ fact }: { fact: { id: string } }) => fact.id),
  )
  assert.equal(ids.size, 8)
})

test('a failing webhook is mailed about after a day and disabled after five', async () => {
  const { path } = await subscribe(['course.created'])
  receiver.answer(withStatus(500))
  for (let made = 0; made < 5; made += 1) await addCourse()
  await settledAs(path, ({ status }) => status === 'failing', 'the state failing')
  const before = receiver.received.length
  await app.moveClock(25 * HOUR)
  await got(before + 1)
  await until(
    async () => mailbox?.arrived.some(({ email }) => email.text?.includes(`127.0.0.1:${receiver.port}`)) === true,
    'the mail about the failing webhook',
  )
  const mail = mailbox?.arrived.find(({ email }) => email.text?.includes(`127.0.0.1:${receiver.port}`))
  assert.ok(mail?.email.text?.includes(`/staff${path}`), mail?.email.text)
  await app.moveClock(4 * 24 * HOUR)
  dev = await app.actor('dev', { scopes: SCOPES })
  await settledAs(path, ({ status }) => status === 'disabled', 'the end')
  const ended = await look(path)
  assert.deepEqual([ended.disabled_reason, ended.waiting_count], ['failing', 0])
  assert.notEqual(ended.missed_from, null)
  receiver.answer(withStatus(200))
  const back = (await dev.write('PUT', `${path}/activation`)).json
  assert.deepEqual([back.status, back.missed_from], ['active', ended.missed_from])
  receiver.received.length = 0
  const replay = await dev.write('POST', `${path}/replays`, { from: ended.missed_from })
  assert.deepEqual([replay.status, replay.json.count], [200, 5], replay.text)
  await got(5)
  assert.equal((await look(path)).missed_from, null)
})

test('410 disables at once, 429 waits as long as it says, and a redirect is not followed', async () => {
  const { path } = await subscribe(['course.created'])
  receiver.answer(withStatus(429, { 'retry-after': '7200' }))
  await addCourse()
  await got(1)
  await until(async () => (await look(`${path}/deliveries`)).data[0].attempts === 1, 'the mark')
  const [waiting] = (await look(`${path}/deliveries`)).data
  const pause = Date.parse(waiting.next_attempt_at) - Date.parse(waiting.last_attempt_at)
  assert.equal(Math.round(pause / 1000), 7200)
  receiver.answer(withStatus(302, { location: 'https://hooks.example.org/' }))
  assert.equal((await dev.write('POST', `${path}/deliveries/${waiting.id}/attempts`)).status, 200)
  await got(2)
  await settledAs(`${path}/deliveries/${waiting.id}`, ({ last_outcome }) => last_outcome === 'redirect', 'the redirect')
  receiver.answer(withStatus(410))
  assert.equal((await dev.write('POST', `${path}/deliveries/${waiting.id}/attempts`)).status, 200)
  await settledAs(path, ({ disabled_reason }) => disabled_reason === 'gone', 'the end')
  assert.equal(receiver.received.length, 3)
})

test('acceptance 3: what waits is not sent once the member is no staff any more, nor after a promotion', async () => {
  const { path } = await subscribe(['course.created'])
  receiver.answer(withStatus(503, { 'retry-after': '600' }))
  for (let made = 0; made < 10; made += 1) await addCourse()
  await until(
    async () =>
      (await look(`${path}/deliveries`)).data.filter(({ attempts }: { attempts: number }) => attempts > 0).length > 0,
    'a first attempt',
  )
  await app.setRole('dev', 'lecturer')
  const before = receiver.received.length
  receiver.answer(withStatus(200))
  await app.moveClock(3 * HOUR)
  const rows = () =>
    app.database.query<{ status: string; disabled_reason: string | null }>(
      'select status, disabled_reason from webhooks',
    )
  await until(async () => (await rows())[0]?.status === 'disabled', 'the end of the webhook')
  assert.deepEqual(await rows(), [{ status: 'disabled', disabled_reason: 'access_ended' }])
  dev = await app.actor('dev', { as: 'admin', scopes: SCOPES })
  assert.equal((await look(path)).status, 'disabled')
  assert.equal((await dev.write('PUT', `${path}/activation`)).json.status, 'active')
  await addCourse()
  await got(before + 1)
  await settledAs(path, ({ waiting_count }) => waiting_count === 0, 'nothing waits')
  assert.equal(receiver.received.length, before + 1)
})

test('acceptance 8: in order nothing is sent before what failed is delivered', async () => {
  const { path } = await subscribe(['course.created'], { ordered: true })
  receiver.answer(withStatus(500))
  for (let made = 0; made < 3; made += 1) await addCourse()
  await settledAs(path, ({ waiting_count }) => waiting_count === 3, 'three that wait')
  await got(1)
  const [first] = receiver.received
  receiver.answer(withStatus(200))
  await app.moveClock(HOUR)
  dev = await app.actor('dev', { scopes: SCOPES })
  await settledAs(path, ({ waiting_count }) => waiting_count === 0, 'all of them')
  const ids = receiver.received.map(({ json }) => json.id)
  const firstOfOthers = ids.findIndex(id => id !== first?.json.id)
  assert.equal(ids.lastIndexOf(first?.json.id ?? '') + 1, firstOfOthers)
  const sequences = receiver.received.slice(firstOfOthers - 1).map(({ json }) => json.sequence)
  assert.deepEqual(
    sequences,
    sequences.toSorted((a, b) => a - b),
  )
})

test('acceptance 10: a replay sends the same ids and bodies again, in number', async () => {
  const { path } = await subscribe(['course.created'], { ordered: true })
  for (let made = 0; made < 6; made += 1) await addCourse()
  await got(6)
  await settledAs(path, ({ waiting_count }) => waiting_count === 0, 'the marks')
  const first = receiver.received.map(({ body }) => body)
  receiver.received.length = 0
  const from = JSON.parse(first[0] ?? '{}').sequence
  const dry = await dev.write('POST', `${path}/replays?dry_run=true`, { from })
  assert.deepEqual([dry.status, dry.json.result.count], [200, 6])
  const failed = await dev.write('POST', `${path}/replays`, { from, only: 'failed' })
  assert.equal(failed.json.count, 0)
  assert.equal((await dev.write('POST', `${path}/replays`, { from })).json.count, 6)
  await got(6)
  await settledAs(path, ({ waiting_count }) => waiting_count === 0, 'the marks')
  assert.deepEqual(
    receiver.received.map(({ body }) => body),
    first,
  )
})

test('a webhook whose secret cannot be unsealed is disabled, and nothing is sent or tried again', async () => {
  const { path } = await subscribe(['course.created'])
  await app.database.query(`update webhooks set secret_sealed = '\\x00'`)
  await addCourse()
  await settledAs(path, ({ status }) => status === 'disabled', 'the end of the webhook')
  assert.equal((await look(path)).disabled_reason, 'secret_lost')
  assert.deepEqual(
    (await look(`${path}/deliveries`)).data.map(({ status }: { status: string }) => status),
    ['dropped'],
  )
  assert.equal(receiver.received.length, 0)
})
