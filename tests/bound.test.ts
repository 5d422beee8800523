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

// Two processes that keep what they decided of tokens, and hear of changes on connections that can be frozen.
let gate: Gate
let app: Awaited<ReturnType<typeof startApp>>
let other: AppProcess
let asked = 0

before(async () => {
  gate = await openGate()
  app = await startApp({
    listenThrough: gate.through,
    onStatement: text => {
      if (isTokenLookup(text)) asked += 1
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
const assertBound = async (port: number, path: string, token: string, isSo: (reply: TestReply) => boolean) => {
  const from = performance.now()
  for (let at = from; at < from + 1.4 * SECOND; at = performance.now()) {
    const reply = await callAt(port, path, token)
    if (at >= from + SECOND) assert.ok(isSo(reply), `${Math.round(at - from)} ms after: ${reply.status} ${reply.text}`)
    await pause(BETWEEN_CALLS)
  }
}

const bothKeep = (path: string, token: string, isSo: (reply: TestReply) => boolean) =>
  Promise.all([app.port, other.port].map(port => assertBound(port, path, token, isSo)))

const both = (path: string, token: string) => Promise.all([app.port, other.port].map(port => callAt(port, path, token)))

/** A person's app whose token both processes have just decided on. */
const warm = async (name: PersonName): Promise<Connected> => {
  const who = await connect(app, name, { metadata: { client_name: `warm ${name} ${performance.now()}` } })
  const before = asked
  const replies = await both(ACCOUNT, who.access)
  assert.ok(asked > before, 'lookups are counted')
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200],
  )
  return who
}

const isRefused = ({ status }: TestReply): boolean => status === 401
const email = (name: PersonName): string => people[name].email

const changes: Readonly<Record<string, () => Promise<void>>> = {
  'C-12 a revocation': async () => {
    const who = await warm('dev')
    await revokeAt(app.port, who, who.refresh)
    await bothKeep(ACCOUNT, who.access, isRefused)
  },
  'a change of role': async () => {
    const who = await warm('ben')
    const hasRole = (role: string) => (reply: TestReply) => 'contact_email' in reply.json === (role === 'admin')
    for (const role of ['member', 'admin'] as const) {
      await app.setRole('ben', role)
      await bothKeep('/api/v1/school', who.access, hasRole(role))
    }
  },
  'a suspension': async () => {
    const who = await warm('eli')
    await app.database.query(`update members set status = 'suspended' where email = $1`, [email('eli')])
    await bothKeep(ACCOUNT, who.access, isRefused)
    await app.database.query(`update members set status = 'active' where email = $1`, [email('eli')])
    await bothKeep(ACCOUNT, who.access, ({ status }) => status === 200)
  },
}

const takeHold = (how: string): void => {
  for (const [name, run] of Object.entries(changes))
    test(`${name} takes hold within a second in both processes, ${how}`, run)
}

suite('while changes are heard of', () => {
  takeHold('with the connection that hears of them')

  test('a token is decided once for many calls over more than a second', async () => {
    const who = await warm('femi')
    const counted = async () => {
      const [from, before] = [performance.now(), asked]
      let calls = 0
      for (; performance.now() < from + 2.5 * SECOND; calls++) {
        assert.equal((await callAt(app.port, ACCOUNT, who.access)).status, 200)
        await pause(BETWEEN_CALLS)
      }
      return { calls, statements: asked - before }
    }
    // A process that does not get its turn for a second rightly asks anew: on a busy machine it is counted again.
    let seen = await counted()
    for (let more = 0; more < 4 && seen.statements >= seen.calls / 10; more++) seen = await counted()
    assert.ok(seen.statements < seen.calls / 10, `${seen.statements} statements for ${seen.calls} calls`)
  })

  test('what is decided without the database is heard of at once, not only within the bound', async () => {
    const who = await warm('femi')
    await app.database.query(`update members set status = 'suspended' where email = $1`, [email('femi')])
    const { status } = await withinASecond(() => callAt(app.port, ACCOUNT, who.access), isRefused)
    assert.equal(status, 401)
    await app.database.query(`update members set status = 'active' where email = $1`, [email('femi')])
  })

  const unusual: Readonly<Record<string, (who: Connected) => Promise<unknown>>> = {
    'an epoch': () => app.database.query('update schools set tokens_epoch = stoa.now() where id = $1', [app.a.id]),
    'a blocked client': ({ clientId }) =>
      app.database.query('update clients set blocked_at = stoa.now() where id = $1', [clientId]),
    'a token deleted by hand': () => app.database.query('delete from access_tokens where school_id = $1', [app.a.id]),
    'the end of its hour': () => app.moveClock(3601),
  }
  for (const [name, change] of Object.entries(unusual))
    test(`${name} takes hold within a second in both processes`, async () => {
      const who = await warm('carla')
      await change(who)
      await bothKeep(ACCOUNT, who.access, isRefused)
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
    const who = await warm('dev')
    const end = performance.now() + 20 * SECOND
    for (;;) {
      const [before, from] = [asked, performance.now()]
      while (performance.now() < from + 2 * SECOND) {
        await callAt(app.port, ACCOUNT, who.access)
        await pause(BETWEEN_CALLS)
      }
      if (asked - before <= 1) return
      assert.ok(performance.now() < end, 'tokens are not kept any more')
    }
  })
})

suite('with the connection frozen, so that its end is not noticed', () => {
  before(() => gate.freeze())
  after(() => gate.thaw())

  takeHold('with nothing heard')

  test('the end of its hour takes hold within a second', async () => {
    const who = await warm('dev')
    await app.moveClock(3601)
    await bothKeep(ACCOUNT, who.access, isRefused)
  })
})

test('after the connection was frozen, tokens are kept again', async () => {
  const who = await warm('dev')
  const end = performance.now() + 20 * SECOND
  for (;;) {
    const [before, from] = [asked, performance.now()]
    while (performance.now() < from + 2 * SECOND) {
      await callAt(app.port, ACCOUNT, who.access)
      await pause(BETWEEN_CALLS)
    }
    if (asked - before <= 1) return
    assert.ok(performance.now() < end, 'tokens are not kept any more')
  }
})
