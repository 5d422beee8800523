import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { nameConstraint } from '#src/contract/problem.ts'
import { conflict, invalidState } from '#src/contract/problems.ts'
import { databaseLimits } from '#src/db/connect.ts'
import { type OpenDatabase, openDatabase } from '#src/db/database.ts'
import { sql } from '#src/db/sql.ts'
import { findRefusal, isPassing } from '#src/db/sqlstates.ts'
import { newUuid } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { sumOfRows } from '#testing/matrix.ts'
import { until } from '#testing/until.ts'

const app = testApp({ databaseWait: 500 })

const withDatabase = async <T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> => {
  // Only requests to the application concern the queue for connections.
  const database = openDatabase(app.database.appUrl, { wait: 10_000 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** A connection of the database's owner, to hold locks and to end other connections. */
const withOwner = async <T>(work: (owner: pg.Client) => Promise<T>): Promise<T> => {
  const owner = new pg.Client({ connectionString: app.database.ownerUrl })
  await owner.connect()
  try {
    return await work(owner)
  } finally {
    await owner.end()
  }
}

const readFailure = async (statements: readonly string[]): Promise<unknown> =>
  withDatabase(database =>
    database
      .transaction(app.a.id, async db => {
        for (const text of statements) await db.run({ text, values: [] })
      })
      .then(
        () => assert.fail(`${statements.join('; ')} must fail`),
        (error: unknown) => error,
      ),
  )

const readCode = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? '') : String(error))

const raised = (state: string) => [`do $$ begin raise exception using errcode = '${state}'; end $$`]
const anybody = (school: string, email: string) =>
  `insert into members (school_id, id, email, email_folded, name, name_folded, created_at, updated_at)
    values ('${school}', gen_random_uuid(), '${email}', '${email}', 'x', 'x', stoa.now(), stoa.now())`
const places = 'create temp table places (r int4range, exclude using gist (r with &&))'
const taken = `insert into places values ('[1,3)')`
const orphan = `insert into credentials (school_id, member_id, kind, secret, created_at, updated_at)
  select school_id, gen_random_uuid(), 'password', 'x', stoa.now(), stoa.now() from members limit 1`
const parents = 'create temp table parents (id int primary key)'
const children = 'create temp table children (id int references parents deferrable initially immediate)'
const family = [parents, children, 'insert into parents values (1)', 'insert into children values (1)']

type Row = readonly [state: string, provoke: () => readonly string[], answer: string | undefined, on?: 'delete']

// Every SQL state without a refusal is our own bug: a 500, and the log has the reason.
const MAP: readonly Row[] = [
  [
    '23505',
    () => [`insert into hosts (host, school_id) select host, school_id from hosts where school_id = '${app.a.id}'`],
    '409 conflict',
  ],
  ['23505', () => [anybody(app.a.id, 'ada@crumb.example')], '409 email_taken'],
  ['23P01', () => [places, taken, taken], '409 conflict'],
  ['23503', () => [orphan], '422 invalid_body'],
  ['23503', () => [...family, 'delete from parents'], '409 conflict', 'delete'],
  ['42501', () => [anybody(app.b.id, 'new@crumb.example')], '404 not_found'],
  ['57014', () => [`set local statement_timeout = '20ms'`, 'select pg_sleep(5)'], '503 unavailable'],
  ['40001', () => raised('40001'), '503 unavailable'],
  ['40P01', () => raised('40P01'), '503 unavailable'],
  ['53300', () => raised('53300'), '503 unavailable'],
  ['53100', () => raised('53100'), '503 unavailable'],
  ['58030', () => raised('58030'), '503 unavailable'],
  ['57P01', () => raised('57P01'), '503 unavailable'],
  ['57P03', () => raised('57P03'), '503 unavailable'],
  ['08006', () => raised('08006'), '503 unavailable'],
  ['57P04', () => raised('57P04'), '503 unavailable'],
  ['25006', () => ['set transaction read only', 'update members set name = name'], '503 unavailable'],
  ['25P03', () => raised('25P03'), '503 unavailable'],
  ['25P04', () => raised('25P04'), '503 unavailable'],
  ['42501', () => ['select from pg_authid'], '503 unavailable'],
  ['55000', () => raised('55000'), '503 unavailable'],
  ['55006', () => raised('55006'), '503 unavailable'],
  ['72000', () => raised('72000'), '503 unavailable'],
  ['F0000', () => raised('F0000'), '503 unavailable'],
  ['XX000', () => raised('XX000'), '503 unavailable'],
  ['XX001', () => raised('XX001'), '503 unavailable'],
  ...['08001', '08003', '08P01', '28P01', '3D000', '42P05', '53000', '53200', '53400', '57000', '57P02', '57P05'].map(
    (state): Row => [state, () => raised(state), '503 unavailable'],
  ),
  ...['58000', '58P01', '72000', 'F0001', 'XX002'].map((state): Row => [state, () => raised(state), '503 unavailable']),
  ['26000', () => ['execute nothing'], '503 unavailable'],
  ['23514', () => [`update members set role = 'king'`], undefined],
  ['23502', () => ['update members set name = null'], undefined],
  ['22P02', () => [`select 'x'::uuid`], undefined],
  ['22003', () => ['select 2147483648::bigint::integer'], undefined],
  ['22012', () => ['select 1 / 0'], undefined],
  ['54000', () => raised('54000'), undefined],
  ['42P01', () => ['select from nowhere'], undefined],
  ['25P02', () => raised('25P02'), undefined],
]

for (const [state, provoke, answer, on = 'write'] of MAP) {
  test(`${state} on ${on} is ${answer ?? 'our fault'}, and nothing is kept`, async () => {
    const sum = await sumOfRows(app.database)
    const error = await readFailure(provoke())
    assert.equal(readCode(error), state)
    const refusal = findRefusal(error, on)
    assert.equal(refusal && `${refusal.problem.status} ${refusal.problem.code}`, answer)
    assert.equal(refusal?.extras.headers?.['retry-after'] !== undefined, answer === '503 unavailable')
    assert.equal(await sumOfRows(app.database), sum)
  })
}

test('28000 and 3D000 a login or a database that is gone is 503, and jobs are tried again', async () => {
  for (const [name, value, state] of [
    ['username', 'stoa_gone', '28000'],
    ['pathname', '/stoa_gone', '3D000'],
  ] as const) {
    const url = Object.assign(new URL(app.database.appUrl), { [name]: value })
    const database = openDatabase(url.href)
    const error = await database.shared.one(sql`select 1`).catch((failure: unknown) => failure)
    await database.close()
    assert.ok(['28000', '28P01', '3D000'].includes(readCode(error)), `${state}: ${readCode(error)}`)
    assert.equal(findRefusal(error)?.problem.code, 'unavailable')
    assert.ok(isPassing(error))
  }
})

test('0A000 a statement that was prepared before its table changed is 503 once, and works on another connection', async () => {
  await withOwner(async owner => {
    await owner.query('create table public.changing (a int); grant select on public.changing to public')
    const one = openDatabase(app.database.appUrl, { max: 1, wait: 10_000 })
    const read = () => one.shared.all({ text: 'select * from public.changing', values: [] })
    await read()
    await owner.query('alter table public.changing add b int')
    const error = await read().catch((failure: unknown) => failure)
    assert.deepEqual([readCode(error), isPassing(error)], ['0A000', true])
    assert.deepEqual(await read(), [])
    await one.close()
    await owner.query('drop table public.changing')
  })
})

test('a database that an administrator makes read-only refuses writes with 503, and is written again afterwards', async () => {
  const ada = await app.actor('ada', { scopes: ['school:read', 'school:write'] })
  const write = () => ada.write('PATCH', '/school', { description: 'read-only' }, { 'if-match': '*' })
  const end = () => app.database.query(ENDED)
  await withOwner(async owner => {
    const { rows } = await owner.query('select current_database() as name')
    const database = pg.escapeIdentifier(rows[0]?.name)
    await owner.query(`alter database ${database} set default_transaction_read_only = on`)
    await end()
    for (let times = 0; times < 20; times++) assertUnavailable(await write())
    assert.equal((await app.send({ path: '/api/v1/school' })).status, 200)
    await owner.query('set default_transaction_read_only = off')
    await owner.query(`alter database ${database} reset default_transaction_read_only`)
  })
  // Those that were opened meanwhile are closed when a write finds them; there are ten at most.
  let refused = 0
  for (let times = 0; times < 20; times++) {
    const reply = await write()
    if (reply.status === 200) continue
    assertUnavailable(reply)
    refused++
  }
  assert.ok(refused <= 10, `${refused} writes were refused`)
  assert.equal((await write()).status, 200)
})

test('a heartbeat that is refused because the database can only be read closes every connection of the process', async () => {
  const ada = await app.actor('ada', { scopes: ['school:read'] })
  // Tokens let the heartbeat go on.
  const read = () => ada.get('/school')
  const of = `from pg_stat_activity where datname = current_database() and application_name = 'stoa'`
  const beats = `query like '%into stoa.heartbeat%'`
  await withOwner(async owner => {
    await until(async () => {
      assert.equal((await read()).status, 200)
      return (await owner.query(`select ${of} and ${beats}`)).rowCount === 1
    }, 'a heartbeat is written on a connection that can write')
    const { rows: before } = await owner.query<{ pid: number }>(
      `select pid ${of} and not (${beats}) and query !~* '^listen'`,
    )
    assert.ok(before.length > 0)
    const { rows } = await owner.query('select current_database() as name')
    const database = pg.escapeIdentifier(rows[0]?.name)
    await owner.query(`alter database ${database} set default_transaction_read_only = on`)
    try {
      // Its next connection can only read; those of requests could still write.
      await until(async () => {
        await read()
        return ((await owner.query(`select pg_terminate_backend(pid) ${of} and ${beats}`)).rowCount ?? 0) > 0
      }, 'the connection of the heartbeat is ended')
      const pids = before.map(({ pid }) => pid)
      await until(async () => {
        await read()
        return (await owner.query(`select ${of} and pid = any ($1)`, [pids])).rowCount === 0
      }, 'every connection of before is closed')
    } finally {
      await owner.query('set default_transaction_read_only = off')
      await owner.query(`alter database ${database} reset default_transaction_read_only`)
    }
  })
  await app.database.query(ENDED)
  await until(async () => (await read()).status === 200, 'reads go on')
})

test('a constraint that an area names gives that problem, whatever its SQL state', async () => {
  const error = await readFailure([`update members set role = 'king'`])
  assert.equal(findRefusal(error), undefined)
  nameConstraint('another', conflict)
  assert.equal(findRefusal(error), undefined)
  nameConstraint('members_role_check', invalidState)
  assert.equal(findRefusal(error)?.problem, invalidState)
  assert.throws(() => nameConstraint('members_role_check', conflict))
})

test('an error outside the database is not mapped to a refusal', () => {
  for (const error of [new Error('x'), new TypeError('x'), 'x', undefined, null, { code: '23505' }])
    assert.equal(findRefusal(error), undefined)
})

test('55P03 a write that waits for a lock longer than the bound is 503', async () => {
  await withOwner(async owner => {
    await owner.query('begin')
    await owner.query('select from schools where id = $1 for update', [app.a.id])
    const error = await readFailure([`update schools set name = 'x' where id = '${app.a.id}'`])
    await owner.query('rollback')
    assert.equal(readCode(error), '55P03')
    assert.equal(findRefusal(error)?.problem.code, 'unavailable')
  })
})

test('40001 and 40P01 are tried three times, and a write that succeeds then is kept once', async () => {
  await withDatabase(async database => {
    for (const state of ['40001', '40P01']) {
      for (const failures of [0, 1, 2, 3]) {
        let attempts = 0
        const kind = `tried ${state} ${failures}`
        const done = await database
          .transaction(app.a.id, async (db, now) => {
            attempts++
            await db.run(sql`insert into security_events (school_id, id, kind, recorded_at)
              values (${app.a.id}, ${newUuid(now.getTime())}, ${kind}, ${now})`)
            if (attempts <= failures) await db.run({ text: raised(state).join(), values: [] })
          })
          .then(() => true, readCode)
        assert.deepEqual([attempts, done], [Math.min(failures + 1, 3), failures < 3 ? true : state])
        const kept = await app.database.query('select from security_events where kind = $1', [kind])
        assert.equal(kept.length, failures < 3 ? 1 : 0)
      }
    }
  })
})

test('40P01 two writes that wait for each other both end well', async () => {
  const ids = await app.database.query<{ id: string }>('select id from members where school_id = $1 limit 2', [
    app.a.id,
  ])
  const [first = '', second = ''] = ids.map(({ id }) => id)
  await withDatabase(async database => {
    const turn = Promise.withResolvers<void>()
    let holding = 0
    const touch = (one: string, other: string) =>
      database.transaction(app.a.id, async db => {
        await db.run(sql`update members set revision = revision + 1 where school_id = ${app.a.id} and id = ${one}`)
        if (++holding >= 2) turn.resolve()
        await turn.promise
        await db.run(sql`update members set revision = revision + 1 where school_id = ${app.a.id} and id = ${other}`)
      })
    const before = await app.database.query<{ n: number }>('select sum(revision)::int as n from members')
    await Promise.all([touch(first, second), touch(second, first)])
    const after = await app.database.query<{ n: number }>('select sum(revision)::int as n from members')
    assert.equal((after[0]?.n ?? 0) - (before[0]?.n ?? 0), 4)
  })
})

test('a COMMIT that did not commit is an error, also when the statement that failed was not awaited', async () => {
  await withDatabase(async database => {
    const sum = await sumOfRows(app.database)
    const wrong = { text: 'select 1 / 0', values: [] }
    const event = sql`insert into security_events (school_id, id, kind, recorded_at)
      values (${app.a.id}, ${newUuid(Date.now())}, 'lost', stoa.now())`
    const swallowed = database.transaction(app.a.id, async db => {
      await db.run(event)
      await db.run(wrong).catch(() => undefined)
    })
    await assert.rejects(swallowed, /rolled back/)
    const forgotten = database.transaction(app.a.id, async db => {
      await db.run(event)
      db.run(wrong).catch(() => undefined)
    })
    await assert.rejects(forgotten, /rolled back/)
    assert.equal(await sumOfRows(app.database), sum)
  })
})

test('S-03 a failed transaction leaves a clean connection: the next one is not part of it', async () => {
  await withDatabase(async database => {
    const failing = Array.from({ length: 20 }, () =>
      database.transaction(app.a.id, async db => {
        await db.run({ text: 'select 1 / 0', values: [] })
      }),
    )
    assert.ok((await Promise.allSettled(failing)).every(({ status }) => status === 'rejected'))
    const ids = await Promise.all(
      [app.a, app.b].flatMap(({ id }) =>
        Array.from({ length: 10 }, () =>
          database.statements(
            id,
            async db => (await db.one(sql<{ id: string }>`select stoa.school_id() as id`)).id === id,
          ),
        ),
      ),
    )
    assert.ok(ids.every(Boolean), 'each read is set to its own school')
  })
})

const assertUnavailable = (reply: TestReply): void => {
  assert.equal(reply.status, 503, reply.text)
  assert.deepEqual([reply.json.code, reply.json.retryable], ['unavailable', true])
  assert.match(String(reply.headers['retry-after']), /^[1-9]\d*$/)
}

const ENDED = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name like 'stoa%' and pid <> pg_backend_pid()`

const WAITING = `select pid from pg_stat_activity
  where datname = current_database() and application_name = 'stoa' and wait_event_type = 'Lock'`

// Polls until the database shows a waiting transaction, which the lock timeout bounds.
const waiting = async (owner: pg.Client): Promise<number> => {
  const until = performance.now() + databaseLimits.lock
  while (performance.now() < until) {
    const { rows } = await owner.query<{ pid: number }>(WAITING)
    if (rows[0] !== undefined) return rows[0].pid
  }
  return assert.fail('nobody waits for the lock')
}

test('S-03 a connection lost in the middle of a write is 503 with Retry-After, and the next request is served', async () => {
  const ada = await app.actor('ada', { scopes: ['school:read', 'school:write'] })
  const write = () => ada.write('PATCH', '/school', { description: 'cut off' }, { 'if-match': '*' })
  await withOwner(async owner => {
    const sum = await sumOfRows(app.database)
    await owner.query('begin')
    await owner.query('select from schools where id = $1 for update', [app.a.id])
    const cut = write()
    await owner.query('select pg_terminate_backend($1)', [await waiting(owner)])
    assertUnavailable(await cut)
    await owner.query('rollback')
    assert.equal(await sumOfRows(app.database), sum)
  })
  assert.equal((await write()).status, 200)
})

test('S-04 when every connection ends, the next requests succeed or get a retryable error', async () => {
  const request = () => app.send({ path: '/api/v1/school' })
  await Promise.all(Array.from({ length: 10 }, request))
  const ended = await app.database.query<{ pid: number }>(
    `select pid, pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'stoa'`,
  )
  assert.ok(ended.length > 0)
  for (const reply of await Promise.all(Array.from({ length: 20 }, request)))
    if (reply.status !== 200) assertUnavailable(reply)
  // A session ends some time after its termination was requested.
  const pids = ended.map(({ pid }) => pid)
  while ((await app.database.query('select from pg_stat_activity where pid = any ($1)', [pids])).length > 0);
  const [first, second] = [await request(), await request()]
  assert.deepEqual([first.status, second.status], [200, 200])
})

test('the limits of the database are those that the conventions promise', () => {
  assert.deepEqual([databaseLimits.statement, databaseLimits.lock], [5000, 4000])
  assert.ok(databaseLimits.wait < databaseLimits.lock)
})

test('S-06 when every connection waits, requests are 503 in bounded time, health answers, and all is well after', async () => {
  const request = () => app.send({ path: '/api/v1/school' })
  await request()
  await withOwner(async owner => {
    await owner.query('begin')
    await owner.query('lock table schools in access exclusive mode')
    const start = performance.now()
    const replies = Promise.all(Array.from({ length: 80 }, request))
    await waiting(owner)
    assert.equal((await app.send({ path: '/healthz' })).status, 200)
    for (const reply of await replies) {
      assertUnavailable(reply)
      // Also where the pool is so busy that the school is not read.
      assert.equal(reply.json.type, `${app.a.baseUrl}/problems/unavailable`)
    }
    // In an endless line each ten of them would wait for the lock in turn.
    assert.ok(performance.now() - start < 5 * databaseLimits.lock, 'the line is bounded')
    await owner.query('rollback')
  })
  assert.equal((await request()).status, 200)
})

test('a copy of a statement that was to be prepared after a failure fails too, and the transaction is retried', async () => {
  await withDatabase(async database => {
    let attempts = 0
    // Each text is new to the connection. The first to be awaited is the last that was sent: it has no Parse of its own.
    const twin = sql<{ n: number }>`select 11 as n`
    const fails = sql`do $$ begin raise exception using errcode = '40001'; end $$`
    const { n } = await database.transaction(app.a.id, async db => {
      attempts++
      if (attempts > 1) return db.one(twin)
      const [failing, first, second] = [db.run(fails), db.one(twin), db.one(twin)]
      for (const one of [failing, first]) one.catch(() => undefined)
      return second
    })
    assert.deepEqual([n, attempts], [11, 2])
  })
})
