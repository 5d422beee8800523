import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'

const CONNECTIONS = 4
const app = testApp({ connections: CONNECTIONS })
const SCOPES = { scopes: ['members:read', 'members:write'] }

/** Holds the row of one member while work is done. */
const holding = async (memberId: string, work: (release: () => Promise<void>) => Promise<void>): Promise<void> => {
  const holder = new pg.Client({ connectionString: app.database.ownerUrl })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('select from members where id = $1 for update', [memberId])
    await work(async () => void (await holder.query('rollback')))
  } finally {
    await holder.end()
  }
}

const countWaiting = async (forMs = 0): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and application_name = 'stoa' and wait_event_type = 'Lock'
       and clock_timestamp() - query_start >= make_interval(secs => $1 / 1000.0)`,
    [forMs],
  )
  return row?.count ?? 0
}

const untilWaiting = async (count: number, forMs = 0): Promise<void> => {
  const end = performance.now() + 30_000
  while ((await countWaiting(forMs)) < count) assert.ok(performance.now() < end, `${count} statements wait for the row`)
}

// After that many replies the server has read everything that was sent before.
const untilRead = async (): Promise<void> => {
  for (let at = 0; at < 30; at++) assert.equal((await app.send({ path: '/healthz' })).status, 200)
}

const readMember = async (actor: Actor, email: string): Promise<{ path: string; uuid: string }> => {
  const { json } = await actor.get(`/members?q=${email}`)
  const [row] = await app.database.query<{ id: string }>(
    'select id from members where email = $1 order by school_id <> $2',
    [email, app.a.id],
  )
  return { path: `/members/${json.data[0].id}`, uuid: row?.id ?? '' }
}

const isOk = ({ status }: TestReply): boolean => status === 200

test('a write waits for a row that others hold for longer than a second', async () => {
  const ada = await app.actor('ada', SCOPES)
  const dev = await readMember(ada, 'dev@crumb.example')
  await holding(dev.uuid, async release => {
    const replies = Array.from({ length: CONNECTIONS }, (_, at) => ada.write('PUT', `${dev.path}/tags/held-${at}`))
    // A school that is alone uses every connection.
    await untilWaiting(CONNECTIONS, 1500)
    await release()
    for (const reply of await Promise.all(replies)) assert.ok(isOk(reply), reply.text)
  })
})

test('a school whose requests wait for a row leaves a connection to another school', async () => {
  const [ada, other] = [await app.actor('ada', SCOPES), await app.actor('ada', { ...SCOPES, school: app.b })]
  const dev = await readMember(ada, 'dev@crumb.example')
  const theirs = await readMember(other, 'dev@crumb.example')
  await holding(dev.uuid, async release => {
    const replies = Array.from({ length: 3 * CONNECTIONS }, (_, at) =>
      ada.write('PUT', `${dev.path}/tags/shared-${at}`),
    )
    await untilWaiting(CONNECTIONS - 1)
    await untilRead()
    assert.equal(await countWaiting(), CONNECTIONS - 1)
    const reply = await other.write('PUT', `${theirs.path}/tags/served`)
    assert.ok(isOk(reply), reply.text)
    await release()
    for (const one of await Promise.all(replies)) assert.ok(isOk(one), one.text)
  })
})

test('requests of two schools that wait for connections are served in turns', async () => {
  const [ada, other] = [await app.actor('ada', SCOPES), await app.actor('ada', { ...SCOPES, school: app.b })]
  const eli = await readMember(ada, 'eli@crumb.example')
  const theirs = await readMember(other, 'dev@crumb.example')
  const [MANY, FEW] = [40, 4]
  const order: string[] = []
  const put = async (name: string, actor: Actor, path: string): Promise<TestReply> => {
    const reply = await actor.write('PUT', path)
    order.push(name)
    return reply
  }
  await holding(eli.uuid, async release => {
    const replies = Array.from({ length: MANY }, (_, at) => put('a', ada, `${eli.path}/tags/turn-${at}`))
    await untilWaiting(CONNECTIONS - 1)
    await untilRead()
    for (let at = 0; at < FEW; at++) replies.push(put('b', other, `${theirs.path}/tags/turn-${at}`))
    await untilRead()
    await release()
    for (const one of await Promise.all(replies)) assert.ok(isOk(one), one.text)
  })
  assert.ok(order.lastIndexOf('b') < MANY / 2, order.join(''))
})

test('forty tags of one member and sixty uploads of one school all succeed concurrently', async () => {
  const ada = await app.actor('ada', { scopes: ['members:read', 'members:write', 'storage:write'] })
  const carla = await readMember(ada, 'carla@crumb.example')
  const tagged = Array.from({ length: 40 }, (_, at) => ada.write('PUT', `${carla.path}/tags/many-${at}`))
  for (const reply of await Promise.all(tagged)) assert.ok(isOk(reply), reply.text)
  const people = [
    ada,
    await app.actor('ben', { scopes: ['storage:write'] }),
    await app.actor('dev', { scopes: ['storage:write'] }),
  ]
  const file = { filename: 'loaf.txt', content_type: 'text/plain', byte_size: 3, purpose: 'submission' }
  const uploads = Array.from({ length: 60 }, (_, at) => people[at % people.length]?.write('POST', '/uploads', file))
  for (const reply of await Promise.all(uploads)) assert.equal(reply?.status, 201, reply?.text)
})
