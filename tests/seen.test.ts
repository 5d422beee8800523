import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { enterAccount } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'

let writes = 0
const app = testApp({
  onStatement: text => {
    if (text.includes('set last_seen_at')) writes += 1
  },
})

type Row = {
  readonly id: string
  readonly last_seen_at: Date | null
  readonly revision: number
  readonly changed_in: string
  readonly updated_at: Date
}

const readRow = async (name: PersonName): Promise<Row> => {
  const [row] = await app.database.query<Row>(
    'select id, last_seen_at, revision, changed_in, updated_at from members where school_id = $1 and email = $2',
    [app.a.id, people[name].email],
  )
  if (row === undefined) throw new Error(`no ${name}`)
  return row
}

const forget = () => app.database.query('update members set last_seen_at = null')

// What was gathered is stored after two seconds; a busy machine gets more.
const PATIENCE_MS = 20_000

/** Waits until a member's last activity was stored. */
const untilSeen = async (name: PersonName): Promise<Date> => {
  for (const end = performance.now() + PATIENCE_MS; ; await pause(20)) {
    const { last_seen_at: at } = await readRow(name)
    if (at !== null) return at
    assert.ok(performance.now() < end, `${name} was not marked`)
  }
}

const count = async (from: string): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(`select count(*)::integer as count from ${from}`)
  return row?.count ?? -1
}

test('a request with a token updates the person’s last-seen time, and changes nothing else', async () => {
  const dev = await app.actor('dev')
  const [before, entries, facts] = [await readRow('dev'), await count('audit_log'), await count('facts')]
  assert.equal(before.last_seen_at, null)
  const { etag } = (await dev.get('/account')).headers
  const at = await untilSeen('dev')
  assert.deepEqual(await readRow('dev'), { ...before, last_seen_at: at })
  assert.deepEqual([await count('audit_log'), await count('facts')], [entries, facts])
  assert.equal((await dev.get('/account')).headers.etag, etag)
  const ben = await app.actor('ben', { scopes: ['members:read'] })
  const { json } = await ben.get(`/members/${toId('mem', before.id)}`)
  assert.equal(json.last_seen_at, at.toISOString())
  const since = await ben.get(`/members?last_seen_at[gte]=${at.toISOString()}`)
  assert.ok(since.json.data.some((one: { id: string }) => one.id === json.id))
})

test('account pages update the last-seen time; a request without a sign-in updates nobody', async () => {
  const eli = await enterAccount({ port: app.port, school: app.a, email: people.eli.email, password: PASSWORD })
  await untilSeen('eli')
  await app.send({ path: '/api/v1/school' })
  await app.send({ path: '/api/v1/account', headers: { authorization: `Bearer stoa_at_${'x'.repeat(43)}` } })
  assert.equal((await eli.open('/account')).status, 200)
  assert.equal((await readRow('femi')).last_seen_at, null)
})

test('many are stored in a few statements, each of them once in five minutes', async () => {
  const names = ['carla', 'femi', 'ada'] as const
  const actors = await Promise.all(names.map(name => app.actor(name)))
  const from = writes
  await Promise.all(actors.flatMap(actor => Array.from({ length: 20 }, () => actor.get('/account'))))
  await Promise.all(names.map(untilSeen))
  // What was gathered may have been stored in the middle of it.
  assert.ok(writes - from <= 2, `${writes - from} statements`)
  await forget()
  await app.moveClock(60)
  await Promise.all(actors.map(actor => actor.get('/account')))
  // Whoever is marked after them is stored with them or later.
  const [other] = await app.database.query<{ id: string }>(
    'select id from members where school_id = $1 and email = $2',
    [app.b.id, people.dev.email],
  )
  const there = await app.actor('dev', { school: app.b })
  await there.get('/account')
  for (const end = performance.now() + PATIENCE_MS; ; await pause(20)) {
    const [row] = await app.database.query('select from members where id = $1 and last_seen_at is not null', [
      other?.id,
    ])
    if (row !== undefined) break
    assert.ok(performance.now() < end, 'a visitor of the other school was not marked')
  }
  for (const name of names) assert.equal((await readRow(name)).last_seen_at, null, name)
})

test('updating the last-seen time invalidates no token, and waits for no lock on the member', async () => {
  const heard: string[] = []
  const idIn = async (name: PersonName): Promise<string> => {
    const [row] = await app.database.query<{ id: string }>(
      'select id from members where school_id = $1 and email = $2',
      [app.b.id, people[name].email],
    )
    return row?.id ?? ''
  }
  const isMarked = async (name: PersonName) =>
    (await count(`members where id = '${await idIn(name)}' and last_seen_at is not null`)) === 1
  const names = ['carla', 'femi', 'eli'] as const
  const actors = await Promise.all(names.map(name => app.actor(name, { school: app.b })))
  const [listening, holding] = [
    new pg.Client({ connectionString: app.database.ownerUrl }),
    new pg.Client({ connectionString: app.database.ownerUrl }),
  ]
  await Promise.all([listening.connect(), holding.connect()])
  listening.on('notification', ({ payload = '' }) => {
    if (!payload.endsWith(' heartbeat')) heard.push(payload)
  })
  await listening.query('listen stoa_changes')
  try {
    await holding.query('begin')
    await holding.query('select from members where id = $1 for update', [await idIn('carla')])
    await Promise.all(actors.map(actor => actor.get('/account')))
    for (const name of ['femi', 'eli'] as const)
      for (const end = performance.now() + PATIENCE_MS; !(await isMarked(name)); await pause(20))
        assert.ok(performance.now() < end, `${name} was not marked while another person was held`)
    assert.equal(await isMarked('carla'), false)
    await holding.query('rollback')
    assert.deepEqual(heard, [])
    await app.setRole('femi', 'admin')
    for (const end = performance.now() + PATIENCE_MS; heard.length === 0; await pause(20))
      assert.ok(performance.now() < end, 'a change of role was not told')
  } finally {
    await Promise.all([listening.end(), holding.end()])
  }
})
