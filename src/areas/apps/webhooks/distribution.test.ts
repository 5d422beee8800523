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
    'category.created': [
      async () => {
        throw new Error('no area can handle it')
      },
    ],
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
  const path = await subscribe(['course.created'])
  for (let made = 0; made < 6; made += 1) await add('courses')
  await got(6)
  await settled(path)
  const from = receiver.received[0]?.json.sequence
  const held: ServerResponse[] = []
  /** Sends the six again, and answers once so many requests are under way. */
  const countHeld = async (expected: number, begin: () => Promise<unknown>): Promise<void> => {
    receiver.answer((_received, response) => void held.push(response))
    await begin()
    await until(async () => held.length >= expected, `${expected} at once, not ${held.length}`)
    const [running] = await app.database.query<{ count: number }>(
      `select count(*)::integer as count from jobs where kind = 'webhook' and claimed_until is not null`,
    )
    assert.equal(running?.count, 1)
    assert.equal(held.length, expected)
    receiver.answer(withStatus(204))
    for (const response of held.splice(0)) response.writeHead(204).end()
    await settled(path)
  }
  const replay = async () => {
    const asked = await dev.write('POST', `${path}/replays`, { from })
    assert.deepEqual([asked.status, asked.json.count], [200, 6], asked.text)
  }
  await countHeld(4, replay)
  await dev.write('PATCH', path, { ordered: true })
  await countHeld(1, replay)
  await dev.write('PATCH', path, { ordered: false })
  receiver.answer(withStatus(500))
  await replay()
  await until(async () => (await look(path)).status === 'failing', 'it is failing')
  await until(
    async () => (await app.database.query('select from jobs where claimed_until is not null')).length === 0,
    'the end of the run',
  )
  await countHeld(1, async () => {
    await app.moveClock(2 * 3600)
    dev = await app.actor('dev', { scopes: SCOPES })
  })
  assert.equal((await look(path)).status, 'active')
})

/** Records so many facts that a category was deleted, in one transaction, and waits until they have numbers. */
const addFacts = async (number: number): Promise<void> => {
  await app.database.query(
    `insert into facts (school_id, id, type, payload, recorded_at, delivered_at)
     select $1, gen_random_uuid(), 'category.deleted', '{"category_id": "cat_00000000000000000000000000", "course_count": 0}',
       stoa.now(), stoa.now()
     from generate_series(1, $2::integer)`,
    [app.a.id, number],
  )
  await add('courses')
  await numbered()
}

test('acceptance 10: of 3,000 facts a replay sends each in number, again with the same bodies, and a new fact before the rest', async () => {
  await addFacts(3000)
  const path = await subscribe(['category.deleted', 'course.created'])
  const [{ first }] = (await app.database.query<{ first: number }>(
    `select min(sequence)::integer as first from facts where type = 'category.deleted' and school_id = $1`,
    [app.a.id],
  )) as [{ first: number }]
  const held: ServerResponse[] = []
  // As many of the replay as are sent at once, for which the new fact has to wait.
  receiver.answer((_received, response) => {
    if (receiver.received.length > 100 && held.length < 4) held.push(response)
    else response.writeHead(204).end()
  })
  const replay = { from: first, types: ['category.deleted'] }
  const dry = await dev.write('POST', `${path}/replays?dry_run=true`, replay)
  assert.equal(dry.json.result.count, 3000, dry.text)
  const asked = await dev.write('POST', `${path}/replays`, replay)
  assert.deepEqual([asked.status, asked.json.count], [200, 3000], asked.text)
  await until(async () => held.length > 0, 'the replay is under way', 60_000)
  const id = await add('courses')
  await until(
    async () => (await look(`${path}/deliveries?type=course.created`)).data.length === 1,
    'the new fact waits',
  )
  const before = receiver.received.length
  for (const response of held) response.writeHead(204).end()
  await until(async () => receiver.received.length >= 200, 'the replay goes on', 60_000)
  const off = await dev.write('DELETE', `${path}/activation`)
  assert.equal(off.json.status, 'disabled', off.text)
  // On a slow machine the turn that was held is sent again.
  const all = [...new Map(receiver.received.map(({ json }) => [json.id, json])).values()]
  const at = all.findIndex(({ data }) => data.course_id === id)
  // What was read when it came, and those beside it.
  assert.ok(at >= 0 && at < before + 24, `${at} of ${before}`)
  const replayed = all.filter(({ type }) => type === 'category.deleted')
  for (const [index, { sequence, previous }] of replayed.entries()) {
    assert.ok(Math.abs(sequence - first - index) < 20, `${sequence} at ${index}`)
    assert.equal(previous, sequence === first ? null : sequence - 1)
  }
  const bodies = new Map(receiver.received.map(({ body, json }) => [json.id, body]))
  const [stored] = await app.database.query(
    `select count(*)::integer as count, min(sequence)::integer as first, max(sequence)::integer as last,
       (count(*) filter (where previous is distinct from nullif(sequence - 1, $1 - 1)))::integer as others
     from webhook_deliveries where type = 'category.deleted'`,
    [first],
  )
  assert.deepEqual(stored, { count: 3000, first, last: first + 2999, others: 0 })
  await dev.write('PUT', `${path}/activation`)
  receiver.received.length = 0
  const some = { ...replay, to: first + 99 }
  assert.equal((await dev.write('POST', `${path}/replays`, some)).json.count, 100)
  const repeated = () => receiver.received.filter(({ json }) => json.sequence < first + 100)
  await until(async () => repeated().length >= 100, 'the first hundred once more')
  await settled(path)
  assert.equal(new Set(repeated().map(({ json }) => json.id)).size, 100)
  for (const { body, json } of repeated()) assert.equal(body, bodies.get(json.id))
})

test('of what waits when a webhook is disabled the log keeps the first 10,000', async () => {
  // With those of the test before.
  await addFacts(7005)
  const path = await subscribe(['category.deleted'])
  const rows = await app.database.query<{ sequence: number }>(
    `insert into webhook_deliveries (school_id, id, webhook_id, fact_id, type, sequence, next_attempt_at, created_at)
     select f.school_id, gen_random_uuid(), w.id, f.id, f.type, f.sequence, stoa.now(), stoa.now()
     from facts f cross join webhooks w where f.school_id = $1 and f.type = 'category.deleted' and f.sequence is not null
     returning sequence::integer as sequence`,
    [app.a.id],
  )
  assert.equal(rows.length, 10_005)
  const sequences = rows.map(({ sequence }) => sequence).toSorted((a, b) => a - b)
  const off = await dev.write('DELETE', `${path}/activation`)
  assert.deepEqual(
    [off.json.status, off.json.waiting_count, off.json.missed_from],
    ['disabled', 0, sequences[0]],
    off.text,
  )
  const left = await app.database.query(
    `select status, count(*)::integer as count, max(sequence)::integer as last from webhook_deliveries group by status`,
  )
  assert.deepEqual(left, [{ status: 'dropped', count: 10_000, last: sequences[9999] }])
})
