import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { jsonBody } from '#testing/http.ts'
import { startMailbox } from '#testing/mail.ts'
import { type Receiver, startReceiver, withStatus } from '#testing/receiver.ts'
import { type Connected, connect, REFRESHING, revokeAt } from '#testing/tokens.ts'
import { until } from '#testing/until.ts'

let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())

let receiver: Receiver
let narrow: Actor
before(async () => {
  receiver = await startReceiver()
  narrow = await app.actor('dev', { as: 'admin', scopes: ['school:read'], metadata: REFRESHING })
})
after(() => receiver.stop())
afterEach(async () => {
  await endWide()
  await app.database.query('delete from webhooks')
  receiver.received.length = 0
  receiver.answer(withStatus(204))
})

type Asking = Pick<Actor, 'get' | 'write'>
const begun: Connected[] = []

/** The same app and person with more scopes. */
const widen = async (): Promise<Asking> => {
  const one = await connect(app, 'dev', { parameters: { scope: 'school:read courses:read' } })
  begun.push(one)
  const authorization = `Bearer ${one.access}`
  return {
    get: path => app.send({ path: `/api/v1${path}`, headers: { authorization } }),
    write: (method, path, body) => app.send(jsonBody(method, `/api/v1${path}`, body, { authorization })),
  }
}

/** Ends the grants with more scopes. */
const endWide = async (): Promise<void> => {
  for (const one of begun.splice(0)) assert.equal((await revokeAt(app.port, one, one.refresh)).status, 200)
}

const other = () =>
  app.actor('dev', { scopes: ['school:read', 'courses:write'], metadata: { client_name: 'Oven Watch' } })

let count = 0
const addCourse = async (): Promise<void> => {
  count += 1
  const made = await (await other()).write('POST', '/courses', { name: `Loaf ${count}`, slug: `loaf-${count}` })
  assert.equal(made.status, 201, made.text)
}

const create = async (by: Asking, types: readonly string[]): Promise<string> => {
  const made = await by.write('POST', '/webhooks', { url: receiver.url, types })
  assert.equal(made.status, 201, made.text)
  return `/webhooks/${made.json.id}`
}

test('a token with fewer scopes than its app sees, counts and sends again only what it may read', async () => {
  const wide = await widen()
  const path = await create(wide, ['course.created', 'school.updated'])
  await addCourse()
  await until(async () => receiver.received.length === 1, 'the course')
  const test = await narrow.write('POST', `${path}/tests`, { type: 'school.updated' })
  assert.equal(test.status, 201, test.text)
  const read = async (actor: Asking): Promise<readonly string[]> =>
    (await actor.get(`${path}/deliveries`)).json.data.map(({ fact }: { fact: { type: string } }) => fact.type)
  assert.deepEqual(await read(narrow), ['school.updated'])
  assert.deepEqual(await read(wide), ['school.updated', 'course.created'])
  assert.deepEqual((await narrow.get(`${path}/deliveries?type=course.created`)).json.data, [])
  const [{ id }] = (await wide.get(`${path}/deliveries?type=course.created`)).json.data
  for (const reply of [
    await narrow.get(`${path}/deliveries/${id}`),
    await narrow.write('POST', `${path}/deliveries/${id}/attempts`),
  ])
    assert.deepEqual([reply.status, reply.json.detail], [404, 'There is no such delivery.'])
  const counted = async (actor: Asking) =>
    (await actor.write('POST', `${path}/replays?dry_run=true`, { from: 1 })).json.result.count
  assert.ok((await counted(wide)) > 0)
  assert.equal(await counted(narrow), 0)
  const named = await narrow.write('POST', `${path}/replays?dry_run=true`, { from: 1, types: ['course.created'] })
  assert.deepEqual([named.status, named.json.code], [403, 'insufficient_scope'])
  assert.match(String(named.headers['www-authenticate']), /scope="courses:read"/)
})

test('a token with fewer scopes than its app has nothing sent to an address of its own', async () => {
  const wide = await widen()
  const url = 'https://hooks.example.org/elsewhere'
  const paths = [await create(wide, ['course.created']), await create(wide, ['*'])]
  const writes = [
    ...paths.map(path => () => narrow.write('PATCH', path, { url })),
    () => narrow.write('POST', '/webhooks', { url, types: ['*'] }),
  ]
  for (const write of writes) {
    const refused = await write()
    assert.deepEqual([refused.status, refused.json.code], [403, 'insufficient_scope'], refused.text)
    assert.match(String(refused.headers['www-authenticate']), /scope="courses:read"/)
  }
  for (const path of paths) assert.equal((await wide.get(path)).json.url, receiver.url)
  assert.equal((await narrow.write('PATCH', paths[0] ?? '', { description: 'Till' })).status, 200)
  assert.equal((await wide.write('PATCH', paths[1] ?? '', { url })).status, 200)
  await endWide()
  assert.equal((await narrow.write('POST', '/webhooks', { url, types: ['*'] })).status, 201)
})

test('what waits for a webhook whose app lost the scope is not sent, and what comes after it is not told', async () => {
  const wide = await widen()
  const path = await create(wide, ['course.*', 'school.updated'])
  receiver.answer(withStatus(503, { 'retry-after': '600' }))
  await addCourse()
  const look = async () => (await narrow.get(path)).json
  await until(async () => {
    const [row] = await app.database.query<{ attempts: number }>('select attempts from webhook_deliveries')
    return row?.attempts === 1
  }, 'an attempt')
  const before = await look()
  await endWide()
  receiver.answer(withStatus(204))
  assert.deepEqual((await narrow.get(`${path}/deliveries`)).json.data, [])
  await addCourse()
  await app.moveClock(3600)
  narrow = await app.actor('dev', { scopes: ['school:read'], metadata: REFRESHING })
  await until(async () => (await look()).waiting_count === 0, 'nothing waits')
  const later = await look()
  assert.deepEqual([later.status, later.last_sequence], ['active', before.last_sequence])
  assert.equal(receiver.received.length, 1)
  const rows = await app.database.query<{ status: string }>('select status from webhook_deliveries')
  assert.deepEqual(rows, [{ status: 'dropped' }])
})

test('numbers beyond those of facts are refused, and no error of the server', async () => {
  const path = await create(narrow, ['school.updated'])
  for (const number of ['9223372036854775808', '1e300', '9007199254740993']) {
    const read = await narrow.get(`${path}/deliveries?sequence[gte]=${number}`)
    assert.deepEqual([read.status, read.json.code], [400, 'invalid_parameter'], number)
    const refused = await narrow.write('POST', `${path}/replays`, { from: Number(number) })
    assert.deepEqual([refused.status, refused.json.errors[0].pointer], [422, '/from'], refused.text)
  }
})
