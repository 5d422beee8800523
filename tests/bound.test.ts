import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { people } from '#src/demo/index.ts'
import { type PersonName, startApp } from '#testing/app.ts'
import { type AppProcess, startAppProcess } from '#testing/app-process.ts'
import { type Gate, openGate } from '#testing/gate.ts'
import { send, type TestReply } from '#testing/http.ts'
import { withinASecond } from '#testing/oauth.ts'
import { isTokenLookup } from '#testing/statements.ts'
import { type Connected, connect, revokeAt } from '#testing/tokens.ts'

// Two processes that cache their decisions about tokens, and receive changes over connections that can be frozen.
let gate: Gate
let app: Awaited<ReturnType<typeof startApp>>
let other: AppProcess
let queries = 0

before(async () => {
  gate = await openGate()
  app = await startApp({
    listenThrough: gate.through,
    onStatement: text => {
      if (isTokenLookup(text)) queries += 1
    },
  })
  const { appUrl } = app.database
  other = await startAppProcess({ databaseUrl: appUrl, listenUrl: gate.through(appUrl), secret: app.secret, ca: '' })
})
after(async () => {
  await other?.stop()
  await app?.stop()
  await gate?.close()
})

const callAt = (port: number, path: string, token: string): Promise<TestReply> =>
  send(port, { path, host: new URL(app.a.baseUrl).host, headers: { authorization: `Bearer ${token}` } })

const ACCOUNT = '/api/v1/account'
const SECOND = 1000
// Calls without a pause would take the processors from what they wait for.
const BETWEEN_CALLS = 5

/** Calls again and again; every call that begins a second from now or later must say so. */
const assertBound = async (port: number, path: string, token: string, condition: (reply: TestReply) => boolean) => {
  const from = performance.now()
  for (let at = from; at < from + 1.4 * SECOND; at = performance.now()) {
    const reply = await callAt(port, path, token)
    if (at >= from + SECOND)
      assert.ok(condition(reply), `${Math.round(at - from)} ms after: ${reply.status} ${reply.text}`)
    await pause(BETWEEN_CALLS)
  }
}

const bothKeep = (path: string, token: string, condition: (reply: TestReply) => boolean) =>
  Promise.all([app.port, other.port].map(port => assertBound(port, path, token, condition)))

const both = (path: string, token: string) => Promise.all([app.port, other.port].map(port => callAt(port, path, token)))

/** A person's app whose token both processes have just decided on. */
const warm = async (name: PersonName): Promise<Connected> => {
  const client = await connect(app, name, { metadata: { client_name: `warm ${name} ${performance.now()}` } })
  const before = queries
  const replies = await both(ACCOUNT, client.access)
  assert.ok(queries > before, 'lookups are counted')
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200],
  )
  return client
}

const isRefused = ({ status }: TestReply): boolean => status === 401
const email = (name: PersonName): string => people[name].email

const changes: Readonly<Record<string, () => Promise<void>>> = {
  'C-12 a revocation': async () => {
    const client = await warm('dev')
    await revokeAt(app.port, client, client.refresh)
    await bothKeep(ACCOUNT, client.access, isRefused)
  },
  'a change of role': async () => {
    const client = await warm('ben')
    const hasRole = (role: string) => (reply: TestReply) => 'contact_email' in reply.json === (role === 'admin')
    for (const role of ['member', 'admin'] as const) {
      await app.setRole('ben', role)
      await bothKeep('/api/v1/school', client.access, hasRole(role))
    }
  },
  'a suspension': async () => {
    const client = await warm('eli')
    await app.database.query(`update members set status = 'suspended' where email = $1`, [email('eli')])
    await bothKeep(ACCOUNT, client.access, isRefused)
    await app.database.query(`update members set status = 'active' where email = $1`, [email('eli')])
    await bothKeep(ACCOUNT, client.access, ({ status }) => status === 200)
  },
}

const takeHold = (how: string): void => {
  for (const [name, run] of Object.entries(changes))
    test(`${name} takes hold within a second in both processes, ${how}`, run)
}

suite('while changes are heard of', () => {
  takeHold('with the connection that hears of them')

  test('a token is decided once for many calls over more than a second', async () => {
    const client = await warm('femi')
    const counted = async () => {
      const [from, before] = [performance.now(), queries]
      let calls = 0
      for (; performance.now() < from + 2.5 * SECOND; calls++) {
        assert.equal((await callAt(app.port, ACCOUNT, client.access)).status, 200)
        await pause(BETWEEN_CALLS)
      }
      return { calls, statements: queries - before }
    }
    // A process that does not run for a second rightly sends a new query: on a slow machine the count is repeated.
    let counts = await counted()
    for (let more = 0; more < 4 && counts.statements >= counts.calls / 10; more++) counts = await counted()
    assert.ok(counts.statements < counts.calls / 10, `${counts.statements} statements for ${counts.calls} calls`)
  })

  test('invalidation of cached decisions arrives immediately, not only within the bound', async () => {
    const client = await warm('femi')
    await app.database.query(`update members set status = 'suspended' where email = $1`, [email('femi')])
    const { status } = await withinASecond(() => callAt(app.port, ACCOUNT, client.access), isRefused)
    assert.equal(status, 401)
    await app.database.query(`update members set status = 'active' where email = $1`, [email('femi')])
  })

  const unusual: Readonly<Record<string, (client: Connected) => Promise<unknown>>> = {
    'an epoch': () => app.database.query('update schools set tokens_epoch = stoa.now() where id = $1', [app.a.id]),
    'a blocked client': ({ clientId }) =>
      app.database.query('update clients set blocked_at = stoa.now() where id = $1', [clientId]),
    'a token deleted by hand': () => app.database.query('delete from access_tokens where school_id = $1', [app.a.id]),
    'the end of its hour': () => app.moveClock(3601),
  }
  for (const [name, change] of Object.entries(unusual))
    test(`${name} takes hold within a second in both processes`, async () => {
      const client = await warm('carla')
      await change(client)
      await bothKeep(ACCOUNT, client.access, isRefused)
    })
})

suite('with the connection cut', () => {
  const bothListen = async (): Promise<void> => {
    for (const end = performance.now() + 20 * SECOND; ; ) {
      const listening = await app.database.query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'stoa listener'`,
      )
      if (listening.length >= 2) return
      assert.ok(performance.now() < end, 'both processes listen')
    }
  }
  const cut = () =>
    app.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'stoa listener'`,
    )
  for (const [name, run] of Object.entries(changes))
    test(`${name} takes hold within a second in both processes when the connection is cut again and again`, async () => {
      await bothListen()
      await cut()
      const cutting = setInterval(() => void cut(), 50)
      await run().finally(() => clearInterval(cutting))
    })

  test('the connection is opened again, and tokens are cached again', async () => {
    const client = await warm('dev')
    const end = performance.now() + 20 * SECOND
    for (;;) {
      const [before, from] = [queries, performance.now()]
      while (performance.now() < from + 2 * SECOND) {
        await callAt(app.port, ACCOUNT, client.access)
        await pause(BETWEEN_CALLS)
      }
      if (queries - before <= 1) return
      assert.ok(performance.now() < end, 'tokens are not kept any more')
    }
  })
})

suite('with the connection frozen, so that its end is not detected', () => {
  before(() => gate.freeze())
  after(() => gate.thaw())

  takeHold('with nothing heard')

  test('the end of its hour takes hold within a second', async () => {
    const client = await warm('dev')
    await app.moveClock(3601)
    await bothKeep(ACCOUNT, client.access, isRefused)
  })
})

test('after the connection was frozen, tokens are kept again', async () => {
  const client = await warm('dev')
  const end = performance.now() + 20 * SECOND
  for (;;) {
    const [before, from] = [queries, performance.now()]
    while (performance.now() < from + 2 * SECOND) {
      await callAt(app.port, ACCOUNT, client.access)
      await pause(BETWEEN_CALLS)
    }
    if (queries - before <= 1) return
    assert.ok(performance.now() < end, 'tokens are not kept any more')
  }
})
