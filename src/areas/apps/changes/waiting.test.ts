import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, suite, test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { form, send, type TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { startProcess } from '#testing/process.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox | undefined
after(() => mailbox?.stop())
const openMailbox = async (): Promise<Mailbox> => {
  mailbox ??= await startMailbox()
  return mailbox
}

const SCOPES = ['school:read', 'courses:read', 'courses:write']
let count = 0

const addCourse = async (by: Actor): Promise<string> => {
  count += 1
  const made = await by.write('POST', '/courses', { name: `Waiting ${count}`, slug: `waiting-${count}` })
  assert.equal(made.status, 201, made.text)
  return made.json.id
}

const position = async (by: Actor): Promise<string> => {
  const { status, json } = await by.get('/school/changes?after=now')
  assert.equal(status, 200)
  return json.next_after
}

type Waiting = { readonly answered: TestReply; readonly waiting: { readonly reply: Promise<TestReply> } }

// A grant has one request that waits: of two, one is answered at once, and then the other one waits.
const startTwo = async (ask: () => Promise<TestReply>): Promise<Waiting> => {
  const both = [ask(), ask()] as const
  const first = await Promise.race(both.map(async (reply, at) => ({ at, answered: await reply })))
  return { answered: first.answered, waiting: { reply: both[first.at === 0 ? 1 : 0] } }
}

const startWaiting = async (ask: () => Promise<TestReply>): Promise<Waiting['waiting']> => {
  const { answered, waiting } = await startTwo(ask)
  assert.deepEqual([answered.status, answered.json.data], [200, []])
  return waiting
}

const courseIn = ({ status, text, json }: TestReply): readonly unknown[] => {
  assert.equal(status, 200, text)
  return json.data.map(({ data }: { data: { course_id: unknown } }) => data.course_id)
}

// Without notifications a look every second finds the same.
const testRevocation = (app: TestApp, dev: () => Actor) =>
  test('a request that waits is answered with 401 when its token is revoked', async () => {
    const own = await app.actor('dev', { scopes: SCOPES })
    const { reply } = await startWaiting(() => own.get('/school/changes?after=now&wait=25'))
    const revoked = await app.send(form('/api/oauth/revoke', { client_id: own.clientId, token: own.token }))
    assert.equal(revoked.status, 200, revoked.text)
    const { status, json } = await reply
    assert.deepEqual([status, json.code], [401, 'invalid_token'])
    assert.equal((await dev().get('/school/changes?after=now')).status, 200)
  })

suite('notified of facts', () => {
  const statements: string[] = []
  const app = testApp({ mailbox: openMailbox, onStatement: text => void statements.push(text) })
  let dev: Actor
  let patient: Actor
  before(async () => {
    dev = await app.actor('dev', { as: 'admin', scopes: SCOPES })
    patient = await app.actor('dev', { scopes: SCOPES, metadata: { client_name: 'Slow Dough' } })
  })

  test('a request waits for the next fact of its types, and no connection of the database waits with it', async () => {
    const start = await position(dev)
    // Nobody pays: this one would wait for all of its time.
    const control = new AbortController()
    const other = await startWaiting(() => patient.get('/school/changes?after=now&types=course.archived&wait=25'))
    const over = other.reply.then(() => control.abort())
    const { reply } = await startWaiting(() => dev.get(`/school/changes?after=${start}&types=course.*&wait=25`))
    await until(async () => {
      const [busy] = await app.database.query<{ count: number }>(
        `select count(*)::integer as count from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
      )
      return busy?.count === 0
    }, 'no connection is in use')
    const id = await addCourse(dev)
    const answer = await reply
    assert.deepEqual(courseIn(answer), [id])
    assert.equal(control.signal.aborted, false, 'it was woken, and not answered at the end of its time')
    const { json } = await dev.get(`/school/changes?after=${answer.json.next_after}`)
    assert.deepEqual(json.data, [])
    await app.setRole('dev', 'member')
    const ended = await other.reply
    assert.deepEqual([ended.status, ended.json.code], [403, 'role_required'])
    await app.setRole('dev', 'admin')
    await over
  })

  test('facts of other types keep it waiting, and its position passes them', async () => {
    const { reply } = await startWaiting(() => dev.get('/school/changes?after=now&types=webhook.*&wait=25'))
    const before = await position(dev)
    const id = await addCourse(dev)
    await until(
      async () => courseIn(await dev.get(`/school/changes?after=${before}&types=course.created`)).includes(id),
      'the course is in the feed',
    )
    const made = await dev.write('POST', '/webhooks', { url: 'https://hooks.example.org/', types: ['course.created'] })
    assert.equal(made.status, 201, made.text)
    const { json } = await reply
    assert.deepEqual(
      json.data.map(({ type }: { type: string }) => type),
      ['webhook.created'],
    )
    assert.deepEqual((await dev.get(`/school/changes?after=${json.next_after}`)).json.data, [])
  })

  test('an answer that has facts, or whose time is over, does not wait', async () => {
    const start = await position(dev)
    const id = await addCourse(dev)
    await until(async () => courseIn(await dev.get(`/school/changes?after=${start}`)).length > 0, 'a fact')
    assert.deepEqual(courseIn(await dev.get(`/school/changes?after=${start}&wait=25`)), [id])
    const { status, json } = await dev.get('/school/changes?after=now&wait=1')
    assert.deepEqual([status, json.data, json.has_more], [200, [], false])
    for (const wait of ['26', '-1', '1.5', 'long']) {
      const refused = await dev.get(`/school/changes?wait=${wait}`)
      assert.deepEqual([refused.status, refused.json.code], [400, 'invalid_parameter'], wait)
    }
  })

  test('a client that goes leaves its place to the next request of its grant', async () => {
    const host = new URL(app.a.baseUrl).host
    const headers = { host, authorization: `Bearer ${dev.token}` }
    const path = '/api/v1/school/changes?after=now&wait=25'
    const open = () => {
      const sent = request({ host: '127.0.0.1', port: app.port, path, headers, agent: false })
      const answered = new Promise<unknown>(resolve => sent.on('error', resolve).on('response', resolve))
      sent.end()
      return { sent, answered }
    }
    const both = [open(), open()] as const
    const first = await Promise.race(both.map(({ answered }, at) => answered.then(() => at)))
    for (const { sent } of first === 0 ? both.toReversed() : both) sent.destroy()
    await until(async () => {
      const { waiting } = await startTwo(() => dev.get('/school/changes?after=now&types=course.created&wait=25'))
      const id = await addCourse(dev)
      return courseIn(await waiting.reply).includes(id)
    }, 'another request waits')
  })

  testRevocation(app, () => dev)

  test('SIGTERM has it answered with its position, and the process ends', async () => {
    const server = await startProcess({ databaseUrl: app.database.appUrl, secret: app.secret })
    const host = new URL(app.a.baseUrl).host
    const headers = { authorization: `Bearer ${dev.token}` }
    const start = await position(dev)
    const ask = () => send(server.port, { path: `/api/v1/school/changes?after=${start}&wait=25`, host, headers })
    const { reply } = await startWaiting(ask)
    const stopped = server.stop()
    const { status, json } = await reply
    assert.deepEqual([status, json], [200, { data: [], next_after: start, has_more: false }])
    await stopped
    assert.equal(await server.ended(), 0)
  })
})

suite('behind a pooler, where no notification arrives', () => {
  const app = testApp({ mailbox: openMailbox, pooler: 'transaction' })
  let dev: Actor
  before(async () => {
    dev = await app.actor('dev', { as: 'admin', scopes: SCOPES })
  })

  test('a request waits for the next fact', async () => {
    const other = await app.actor('dev', { scopes: SCOPES, metadata: { client_name: 'Slow Dough' } })
    const late = await startWaiting(() => other.get('/school/changes?after=now&types=course.archived&wait=25'))
    let isLate = false
    const over = late.reply.then(() => {
      isLate = true
    })
    const { reply } = await startWaiting(() => dev.get('/school/changes?after=now&types=course.*&wait=25'))
    const id = await addCourse(dev)
    assert.deepEqual(courseIn(await reply), [id])
    assert.equal(isLate, false)
    await app.setRole('dev', 'member')
    assert.equal((await late.reply).status, 403)
    await app.setRole('dev', 'admin')
    await over
  })

  testRevocation(app, () => dev)
})
