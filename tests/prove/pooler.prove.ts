import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { people } from '#src/demo/index.ts'
import { startApp } from '#testing/app.ts'
import { assertHonest, ownFaults } from '#testing/faults/meet.ts'
import { jsonBody, type TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { fillWithMembers } from '#testing/many.ts'
import { authorizePath, CALLBACK } from '#testing/oauth.ts'
import { type PgBouncer, startPgBouncer } from '#testing/pgbouncer.ts'
import { startProcess } from '#testing/process.ts'
import { isTokenLookup } from '#testing/statements.ts'
import { stoa } from '#testing/stoa.ts'
import { callAt, connect, introspectAt, lastCallAt, refreshAt, revokeAt } from '#testing/tokens.ts'
import { until } from '#testing/until.ts'

let bouncer: PgBouncer
let mailbox: Mailbox
let app: Awaited<ReturnType<typeof startApp>>

before(async () => {
  mailbox = await startMailbox()
  app = await startApp({
    pooler: 'transaction',
    trustProxy: '127.0.0.0/8',
    databaseUrl: async direct => {
      bouncer = await startPgBouncer(direct)
      return bouncer.through(direct)
    },
    mailbox: async () => mailbox,
  })
})
after(async () => {
  await app?.stop()
  await bouncer?.close()
  await mailbox?.stop()
})

suite('through PgBouncer in transaction mode, with its own settings', () => {
  test('register, authorize, exchange, call, refresh, introspect, revoke', async () => {
    const dev = await connect(app, 'dev')
    assert.equal(await callAt(app.port, app.a, dev.access), 200)
    const refreshed = await refreshAt(app.port, dev, dev.refresh)
    assert.equal(refreshed.status, 200, refreshed.text)
    const introspected = await introspectAt(app.port, dev, refreshed.json.access_token)
    assert.deepEqual([introspected.status, introspected.json.active], [200, true])
    const revoked = await revokeAt(app.port, dev, refreshed.json.refresh_token)
    assert.equal(revoked.status, 200, revoked.text)
    assert.equal(await lastCallAt(app.port, app.a, refreshed.json.access_token), 401)
  })

  test('the worker sends the mail of an approval', async () => {
    await connect(app, 'femi', { metadata: { client_name: 'Proofing Basket' } })
    const [mail] = await mailbox.waitFor(people.femi.email)
    assert.match(mail?.email.text ?? '', /Proofing Basket/)
  })

  test('more concurrent reads and writes than connections get the values of their own requests', async () => {
    const ada = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
    const names = Array.from({ length: 24 }, (_, at) => `note ${at}`)
    const { data } = (await ada.get('/members?limit=1')).json
    const written = await Promise.all(
      names.map(note => ada.write('POST', `/members/${data[0].id}/notes`, { body: note })),
    )
    assert.deepEqual(
      written.map(({ status, json }) => [status, json.body]),
      names.map(name => [201, name]),
    )
    const read = await Promise.all(
      names.map(() => ada.get('/members?limit=5&include_total=true&fields=name,email,status')),
    )
    for (const { status, text } of read) assert.deepEqual([status, text], [200, read[0]?.text])
  })

  test('each school sees its own people, however its requests share connections', async () => {
    const [here, there] = await Promise.all([
      app.actor('ada', { scopes: ['members:read'] }),
      app.actor('ada', { scopes: ['members:read'], school: app.b }),
    ])
    const ids = ({ json }: TestReply): string[] => json.data.map(({ id }: { id: string }) => id)
    const [ownHere, ownThere] = [ids(await here.get('/members')), ids(await there.get('/members'))]
    assert.deepEqual(
      ownHere.filter(id => ownThere.includes(id)),
      [],
    )
    const turns = Array.from({ length: 40 }, (_, at) => at % 2 === 0)
    const lists = await Promise.all(turns.map(isHere => (isHere ? here : there).get('/members')))
    assert.deepEqual(
      lists.map(ids),
      turns.map(isHere => (isHere ? ownHere : ownThere)),
    )
  })

  test('a list of 3,000 people is streamed as CSV while other requests are served', async () => {
    await fillWithMembers(app.database, [{ schoolId: app.b.id, members: 3000 }])
    const ada = await app.actor('ada', { scopes: ['members:read'], school: app.b })
    const [csv, ...others] = await Promise.all([
      ada.get('/members?sort=name', { accept: 'text/csv' }),
      ...Array.from({ length: 10 }, () => ada.get('/members?limit=1')),
    ])
    assert.equal(csv?.status, 200)
    // Some of them were removed and are in no list.
    assert.ok(csv.text.trim().split('\n').length > 2800)
    for (const { status } of others) assert.equal(status, 200)
  })

  test('limits of time hold within each transaction', async () => {
    const [row] = await app.database.query<{ limits: string[] }>(
      `select array_agg(setting order by name) as limits from pg_settings
       where name in ('idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout')`,
    )
    assert.deepEqual(row?.limits, ['0', '0', '0'], 'the server itself has none')
    const ben = await app.actor('ben', { scopes: ['account:read', 'account:write'] })
    const holder = new pg.Client({ connectionString: app.database.ownerUrl })
    await holder.connect()
    try {
      await holder.query('begin')
      await holder.query('select from members where email = $1 for update', [people.ben.email])
      const reply = await ben.write('PATCH', '/account', { name: 'Ben of the ovens' })
      assert.equal(reply.status, 503, reply.text)
    } finally {
      await holder.end()
    }
  })

  test('a token is looked up each time, and its revocation applies immediately', async () => {
    const carla = await connect(app, 'carla')
    assert.equal(await callAt(app.port, app.a, carla.access), 200)
    await revokeAt(app.port, carla, carla.refresh)
    assert.equal(await callAt(app.port, app.a, carla.access), 401)
  })

  test('there was no server error of ours', () => assert.deepEqual(ownFaults(app), []))
})

suite('stoa serve and stoa doctor through PgBouncer', () => {
  const belonging = () => ({ databaseUrl: bouncer.through(app.database.appUrl), secret: app.secret })
  test('serve answers with nothing but STOA_POOLER, and with a direct address for changes', async () => {
    const eli = await connect(app, 'eli')
    for (const more of [{}, { STOA_DIRECT_DATABASE_URL: app.database.appUrl }]) {
      const server = await startProcess(belonging(), { STOA_POOLER: 'transaction', ...more })
      try {
        assert.equal(await callAt(server.port, app.a, eli.access), 200)
        assert.equal(server.log(), '')
      } finally {
        await server.stop()
      }
    }
  })

  const claimants = async (): Promise<number[]> => {
    const rows = await app.database.query<{ objid: number }>(
      `select objid::integer from pg_locks where locktype = 'advisory' and classid = 1937010529 and objsubid = 2
       and database = (select oid from pg_database where datname = current_database())`,
    )
    return rows.map(({ objid }) => objid)
  }

  test('claims of a killed process are due again within seconds, and those of another one stay', async () => {
    const start = () =>
      startProcess(belonging(), { STOA_POOLER: 'transaction', STOA_DIRECT_DATABASE_URL: app.database.appUrl })
    const stays = await start()
    await until(async () => (await claimants()).length === 1, 'the first process holds its lock')
    const [here = 0] = await claimants()
    const dies = await start()
    await until(async () => (await claimants()).length === 2, 'the second process holds its lock')
    const there = (await claimants()).find(one => one !== here)
    try {
      // Nobody has a handler for this kind, so that a claim stays as it is until somebody releases it.
      await app.database.query(
        `with claim as materialized (select stoa.now() + interval '300 s' as at)
         insert into jobs (school_id, kind, id, due_at, attempt, claimed_by, claimed_until)
         select $1, 'claimed', gen_random_uuid(), at, 1, claimant, at from claim, unnest($2::integer[]) as claimant`,
        [app.a.id, [here, there]],
      )
      await dies.kill()
      const claims = () =>
        app.database.query<{ claimant: number | null; due: boolean }>(
          `select claimed_by as claimant, due_at <= stoa.now() as due from jobs where kind = 'claimed' order by claimed_by`,
        )
      await until(async () => (await claims()).some(({ claimant }) => claimant === null), 'a claim is released')
      assert.deepEqual(await claims(), [
        { claimant: here, due: false },
        { claimant: null, due: true },
      ])
    } finally {
      await app.database.query(`delete from jobs where kind = 'claimed'`)
      await stays.stop()
    }
  })

  const finding = async (more: Readonly<Record<string, string>>) => {
    const { databaseUrl, secret } = belonging()
    const env = { STOA_DATABASE_URL: databaseUrl, STOA_SECRET: secret, ...more }
    const { out } = await stoa(['doctor', '--json'], env)
    const { findings } = JSON.parse(out) as { findings: { check: string; ok: boolean; says: string }[] }
    return findings.find(({ check }) => check === 'changes')
  }

  test('doctor says whether changes are heard', async () => {
    const pooler = { STOA_POOLER: 'transaction' }
    const nowhere = await finding(pooler)
    assert.deepEqual([nowhere?.ok, /each token is looked up/.test(nowhere?.says ?? '')], [true, true])
    const direct = await finding({ ...pooler, STOA_DIRECT_DATABASE_URL: app.database.appUrl })
    assert.deepEqual([direct?.ok, direct?.says], [true, 'heard at STOA_DIRECT_DATABASE_URL'])
    const wrong = await finding({ ...pooler, STOA_DIRECT_DATABASE_URL: bouncer.through(app.database.appUrl) })
    assert.deepEqual([wrong?.ok, /no notification arrives/.test(wrong?.says ?? '')], [false, true])
  })
})

suite('where changes are heard', () => {
  const CALLS = 10
  const lookupsOfCalls = async (listenThrough: (direct: string) => string): Promise<number> => {
    let lookups = 0
    const other = await startApp({
      pooler: 'transaction',
      databaseUrl: async direct => bouncer.through(direct),
      listenThrough,
      onStatement: text => {
        if (isTokenLookup(text)) lookups += 1
      },
    })
    try {
      const { access } = await connect(other, 'dev')
      let fewest = CALLS
      // A heartbeat arrives within this time if it can.
      for (const end = performance.now() + 5000; fewest > 0 && performance.now() < end; ) {
        const before = lookups
        for (let calls = 0; calls < CALLS; calls++) assert.equal(await callAt(other.port, other.a, access), 200)
        fewest = Math.min(fewest, lookups - before)
      }
      assert.ok(lookups > 0, 'lookups are counted')
      return fewest
    } finally {
      await other.stop()
    }
  }

  test('through a direct address what was decided of a token is used again', async () =>
    assert.equal(await lookupsOfCalls(direct => direct), 0))

  test('through the pooler no heartbeat arrives, and every token is looked up', async () =>
    assert.equal(await lookupsOfCalls(direct => bouncer.through(direct)), CALLS))
})

suite('while PgBouncer is killed and started again', () => {
  const ROUNDS = 3
  const LANES = 4
  const HEALED_MS = 30_000

  const isServed = async (): Promise<boolean> => (await app.send({ path: '/api/v1/school' })).status === 200

  const untilServed = async (): Promise<void> => {
    const end = performance.now() + HEALED_MS
    while (!(await isServed())) {
      assert.ok(performance.now() < end, 'requests are served again')
      await pause(50)
    }
  }

  test('503 in the gap, service after it, and nothing acknowledged is lost', async () => {
    const kept: { readonly id: string; readonly uri: string }[] = []
    const statuses = new Map<number, number>()
    let isOver = false
    let turn = 0
    const runClient = async (at: number): Promise<void> => {
      while (!isOver) {
        const uri = `${CALLBACK}/${turn}`
        const from = { 'x-forwarded-for': `10.${at}.${(turn >> 7) & 255}.${turn & 127}` }
        turn += 1
        const reply = await app.send(jsonBody('POST', '/api/oauth/register', { redirect_uris: [uri] }, from))
        assertHonest(reply, 'while PgBouncer is away')
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
        if (reply.status === 201) kept.push({ id: reply.json.client_id, uri })
        await pause(60)
      }
    }
    const clients = Promise.all(Array.from({ length: LANES }, (_, at) => runClient(at)))
    const untilKept = async (count: number): Promise<void> => {
      const end = performance.now() + HEALED_MS
      while (kept.length < count) {
        assert.ok(performance.now() < end, `${kept.length} of ${count} registrations: ${[...statuses]}`)
        await Promise.race([clients, pause(20)])
      }
    }
    for (let round = 0; round < ROUNDS; round++) {
      await untilKept(kept.length + 5)
      await bouncer.kill()
      assert.equal(await isServed(), false)
      await bouncer.start()
      await untilServed()
    }
    await untilKept(kept.length + 5)
    isOver = true
    await clients
    assert.deepEqual(
      [...statuses.keys()].filter(status => status !== 201 && status !== 503),
      [],
    )
    for (const { id, uri } of kept) {
      // An unknown client is refused first; a known one for a missing parameter.
      const reply = await app.send({ path: authorizePath({ client_id: id, redirect_uri: uri, scope: '' }) })
      assert.equal(reply.status, 303, `${id} was acknowledged and is gone: ${reply.text}`)
    }
    const dev = await connect(app, 'dev')
    assert.equal((await refreshAt(app.port, dev, dev.refresh)).status, 200)
    assert.deepEqual(ownFaults(app), [])
  })
})
