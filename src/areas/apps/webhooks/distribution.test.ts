import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { startMailbox } from '#testing/mail.ts'
import { type Receiver, startReceiver, withStatus } from '#testing/receiver.ts'
import { until } from '#testing/until.ts'

let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
  subscribers: {
    'category.created': async () => {
      throw new Error('no area can handle it')
    },
  },
})
after(() => mailbox?.stop())

const SCOPES = ['school:read', 'courses:read', 'courses:write']
let receiver: Receiver
let dev: Actor
before(async () => {
  receiver = await startReceiver()
  dev = await app.actor('dev', { as: 'admin', scopes: SCOPES })
})
after(() => receiver.stop())
afterEach(async () => {
  await app.database.query('delete from webhooks')
  receiver.received.length = 0
  receiver.answer(withStatus(204))
})

const subscribe = async (types: readonly string[], more = {}): Promise<string> => {
  const made = await dev.write('POST', '/webhooks', { url: receiver.url, types, ...more })
  assert.equal(made.status, 201, made.text)
  return `/webhooks/${made.json.id}`
}

let count = 0
const add = async (kind: 'courses' | 'categories'): Promise<string> => {
  count += 1
  const made = await dev.write('POST', `/${kind}`, { name: `Number ${count}`, slug: `number-${count}` })
  assert.equal(made.status, 201, made.text)
  return made.json.id
}

const look = async (path: string) => (await dev.get(path)).json
const got = (number: number) => until(async () => receiver.received.length >= number, `${number} requests`)
const settled = (path: string) => until(async () => (await look(path)).waiting_count === 0, 'nothing waits')

const numbered = () =>
  until(async () => {
    const rows = await app.database.query('select from facts where sequence is null')
    const [row] = await app.database.query<{ is_there: boolean }>(
      `select not exists (select from jobs where kind = 'distribution') as is_there`,
    )
    return rows.length === 0 && row?.is_there === true
  }, 'every fact is numbered and distributed')

test('a school without a webhook that is not disabled has no job of distribution', async () => {
  const path = await subscribe(['course.created'])
  await add('courses')
  await got(1)
  await settled(path)
  await numbered()
  await dev.write('DELETE', `${path}/activation`)
  await app.database.query(`create table public.created_jobs (kind text)`)
  await app.database.query(
    `create function public.note_job() returns trigger language plpgsql security definer as
       $$ begin insert into public.created_jobs values (new.kind); return new; end $$`,
  )
  await app.database.query(
    `create trigger note_job after insert on jobs for each row execute function public.note_job()`,
  )
  await add('courses')
  await until(
    async () => (await app.database.query('select from facts where sequence is null')).length === 0,
    'numbers',
  )
  const kinds = await app.database.query<{ kind: string }>('select kind from public.created_jobs')
  await app.database.query('drop trigger note_job on jobs')
  assert.ok(kinds.length > 0)
  assert.deepEqual(
    kinds.filter(({ kind }) => kind === 'distribution' || kind === 'webhook'),
    [],
  )
})

test('a new webhook, a new type and an enabling begin with the next fact', async () => {
  await add('courses')
  await numbered()
  const path = await subscribe(['course.created'])
  const first = await add('courses')
  await add('categories')
  await got(1)
  await numbered()
  await dev.write('PATCH', path, { types: ['course.created', 'category.created'] })
  const second = await add('categories')
  await got(2)
  await settled(path)
  await numbered()
  await dev.write('DELETE', `${path}/activation`)
  await add('courses')
  await numbered()
  await dev.write('PUT', `${path}/activation`)
  const third = await add('courses')
  await got(3)
  await settled(path)
  assert.deepEqual(
    receiver.received.map(({ json: { data } }) => data.course_id ?? data.category_id),
    [first, second, third],
  )
})

test('a fact that an area cannot handle is sent all the same', async () => {
  const path = await subscribe(['category.created'])
  const id = await add('categories')
  await got(1)
  await settled(path)
  assert.equal(receiver.received[0]?.json.data.category_id, id)
  const [fact] = await app.database.query<{ delivered_at: Date | null }>(
    `select delivered_at from facts where type = 'category.created' and payload->>'category_id' = $1`,
    [id],
  )
  assert.equal(fact?.delivered_at, null)
})

test('four are sent at once, in order one, and while it is failing one', async () => {
  const held: ServerResponse[] = []
  const release = (status: number): void => {
    for (const response of held.splice(0)) response.writeHead(status).end()
  }
  receiver.answer((_received, response) => void held.push(response))
  const path = await subscribe(['course.created'])
  for (let made = 0; made < 6; made += 1) await add('courses')
  await until(async () => held.length === 4, 'four at once')
  await numbered()
  assert.equal(held.length, 4)
  receiver.answer(withStatus(500))
  release(500)
  await until(async () => (await look(path)).status === 'failing', 'it is failing')
  await until(async () => (await look(path)).waiting_count === 6, 'all wait')
  receiver.received.length = 0
  receiver.answer((_received, response) => void held.push(response))
  await dev.write('PATCH', path, { ordered: true })
  const hasten = () => app.database.query(`update webhooks set next_attempt_at = stoa.now() where status = 'failing'`)
  await hasten()
  await dev.write('POST', `${path}/tests`, { type: 'course.created' })
  await got(1)
  assert.equal(receiver.received.length, 1)
  receiver.answer((_received, response) => void response.writeHead(204).end())
  release(204)
  await settled(path)
  const [, ...rest] = receiver.received.filter(({ json }) => json.test !== true).map(({ json }) => json.sequence)
  assert.deepEqual(
    rest,
    rest.toSorted((a, b) => a - b),
  )
})

test('acceptance 10: a replay of 3,000 facts is sent in number, twice with the same bodies, and a new fact goes before the rest', async () => {
  await numbered()
  await app.database.query(
    `insert into facts (school_id, id, type, payload, recorded_at, sequence, delivered_at)
     select $1, gen_random_uuid(), 'category.deleted', '{"category_id": "cat_00000000000000000000000000", "course_count": 0}',
       stoa.now(), (select max(sequence) from facts where school_id = $1) + n, stoa.now()
     from generate_series(1, 3000) n`,
    [app.a.id],
  )
  const path = await subscribe(['category.deleted', 'course.created'])
  const [{ first }] = (await app.database.query<{ first: number }>(
    `select min(sequence)::integer as first from facts where type = 'category.deleted' and school_id = $1`,
    [app.a.id],
  )) as [{ first: number }]
  const held: ServerResponse[] = []
  let holds = true
  receiver.answer((_received, response) => {
    if (holds && receiver.received.length > 100) held.push(response)
    else response.writeHead(204).end()
  })
  const replay = { from: first, types: ['category.deleted'] }
  const dry = await dev.write('POST', `${path}/replays?dry_run=true`, replay)
  assert.equal(dry.json.result.count, 3000, dry.text)
  const asked = await dev.write('POST', `${path}/replays`, replay)
  assert.deepEqual([asked.status, asked.json.count], [200, 3000], asked.text)
  await until(async () => held.length > 0, 'the replay is under way')
  const id = await add('courses')
  await until(
    async () => (await look(`${path}/deliveries?type=course.created`)).data.length === 1,
    'the new fact waits',
  )
  const before = receiver.received.length
  holds = false
  for (const response of held.splice(0)) response.writeHead(204).end()
  await until(async () => receiver.received.length === 3001, 'all of them', 120_000)
  const all = receiver.received.map(({ json }) => json)
  const at = all.findIndex(({ data }) => data.course_id === id)
  // What was under way when it came, and those beside it.
  assert.ok(at >= before && at < before + 8, `${at} of ${before}`)
  const replayed = all.filter(({ type }) => type === 'category.deleted')
  for (const [index, { sequence, previous }] of replayed.entries()) {
    assert.ok(Math.abs(sequence - first - index) < 4, `${sequence} at ${index}`)
    assert.equal(previous, sequence === first ? null : sequence - 1)
  }
  const bodies = new Map(receiver.received.map(({ body, json }) => [json.id, body]))
  assert.equal(bodies.size, 3001)
  await settled(path)
  receiver.received.length = 0
  const some = { ...replay, to: first + 99 }
  assert.equal((await dev.write('POST', `${path}/replays`, some)).json.count, 100)
  await got(100)
  await settled(path)
  assert.equal(receiver.received.length, 100)
  for (const { body, json } of receiver.received) assert.equal(body, bodies.get(json.id))
})
