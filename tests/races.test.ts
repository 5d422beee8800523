import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import pg from 'pg'
import { people } from '#src/demo/index.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type AppProcess, startServer } from '#testing/app-process.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { form, jsonBody, send, type TestReply, type TestRequest } from '#testing/http.ts'
import {
  approve,
  authorizePath,
  CALLBACK,
  openConsent,
  pkce,
  readCallback,
  tokenRequest,
  withinASecond,
} from '#testing/oauth.ts'
import { runCommand } from '#testing/process.ts'

const app = testApp({ cachesPublicReads: true })
const processes: AppProcess[] = []

const choosePort = (at: number): number => {
  const process = processes[at % processes.length]
  if (process === undefined) throw new Error('no process runs')
  return process.port
}

const host = () => new URL(app.a.baseUrl).host

/** Sends the same request many times concurrently, half of them to each process. */
const race = (times: number, request: TestRequest | ((at: number) => TestRequest)): Promise<TestReply[]> =>
  Promise.all(
    Array.from({ length: times }, (_, at) =>
      send(choosePort(at), { host: host(), ...(typeof request === 'function' ? request(at) : request) }),
    ),
  )

const visitor = (name: PersonName, at = 0) => ({
  port: choosePort(at),
  school: app.a,
  email: people[name].email,
  password: PASSWORD,
})

const approval = (name: PersonName, scope = 'account:read', at = 0) =>
  approve(visitor(name, at), { parameters: { scope } })

const readToken = async (name: PersonName, scope: string): Promise<string> => {
  const { exchange } = await approval(name, scope)
  return (await tokenRequest(choosePort(1), app.a, exchange)).json.access_token
}

const tally = (replies: readonly TestReply[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status, json } of replies) {
    const name = status < 300 ? String(status) : `${status} ${json?.error ?? json?.code ?? ''}`.trim()
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

const call = (at: number, path: string, token: string): Promise<TestReply> =>
  send(choosePort(at), { path: `/api/v1${path}`, host: host(), headers: { authorization: `Bearer ${token}` } })

const count = async (from: string, values: readonly unknown[] = []): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(`select count(*)::integer as count from ${from}`, values)
  return row?.count ?? -1
}

suite('two processes on one database', () => {
  before(async () => {
    const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
    processes.push(...(await Promise.all([startServer(belonging), startServer(belonging)])))
  })
  after(() => Promise.all(processes.map(process => process.stop())))

  test('two processes of one installation serve the school', async () => {
    assert.notEqual(processes[0]?.pid, processes[1]?.pid)
    for (const { status, json } of await race(2, { path: '/api/v1/school' })) {
      assert.equal(status, 200)
      assert.equal(json.base_url, app.a.baseUrl)
    }
  })

  suite('RFC 6749 §4.1.2: one code, many concurrent exchanges', () => {
    test('S-08 of fifty over both processes exactly one succeeds', async () => {
      const { exchange } = await approval('dev')
      const replies = await race(50, form('/api/oauth/token', exchange))
      assert.deepEqual(tally(replies), { 200: 1, '400 invalid_grant': 49 })
      assert.equal(
        await count('access_tokens t join grants g on g.id = t.grant_id where g.code_used_at is not null'),
        1,
      )
    })

    // The update is delayed until every request has read the code as unused, so that all but one fail.
    test('a request that loses the update revokes nothing; a later replay does', async () => {
      const { exchange } = await approval('dev')
      const holder = new pg.Client({ connectionString: app.database.ownerUrl })
      await holder.connect()
      await holder.query('begin; select from grants for update')
      const racing = race(8, form('/api/oauth/token', exchange))
      const end = performance.now() + 900
      const waiting = `pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      let waitingCount = 0
      while (waitingCount < 8 && performance.now() < end) waitingCount = await count(waiting)
      await holder.query('commit')
      await holder.end()
      const replies = await racing
      assert.equal(waitingCount, 8, 'all had read before one wrote')
      assert.deepEqual(tally(replies), { 200: 1, '400 invalid_grant': 7 })
      const token = replies.find(({ status }) => status === 200)?.json.access_token
      for (const at of [0, 1]) assert.equal((await call(at, '/account', token)).status, 200)
      assert.equal(
        await count(`security_events where kind = 'code_replayed' and grant_id = (
        select grant_id from access_tokens order by issued_at desc limit 1)`),
        0,
      )
      assert.equal((await tokenRequest(choosePort(1), app.a, exchange)).json.error, 'invalid_grant')
      for (const at of [0, 1]) {
        const last = await withinASecond(
          () => call(at, '/account', token),
          ({ status }) => status === 401,
        )
        assert.equal(last.status, 401)
      }
    })
  })

  test('B-07 fifty exchanges of one code, half by another client: the rightful one gets it once, nothing is revoked', async () => {
    const [mine, other] = [await approval('dev'), await approval('eli', 'school:read')]
    assert.notEqual(mine.clientId, '')
    const { json: stranger } = await send(choosePort(0), {
      ...jsonBody('POST', '/api/oauth/register', { client_name: 'Stranger', redirect_uris: [CALLBACK] }),
      host: host(),
    })
    const replies = await race(50, at =>
      form('/api/oauth/token', at % 4 < 2 ? mine.exchange : { ...mine.exchange, client_id: stranger.client_id }),
    )
    assert.deepEqual(tally(replies), { 200: 1, '400 invalid_grant': 49 })
    assert.equal(replies.findIndex(({ status }) => status === 200) % 4 < 2, true)
    const crossed = await tokenRequest(choosePort(1), app.a, { ...mine.exchange, code: other.exchange.code ?? '' })
    assert.equal(crossed.json.error, 'invalid_grant')
    assert.equal((await tokenRequest(choosePort(0), app.a, other.exchange)).status, 200)
  })

  test('B-08 a used code in fifty concurrent requests: all refused, one event, and its tokens are invalid in both processes', async () => {
    const { exchange } = await approval('eli')
    const { access_token: token } = (await tokenRequest(choosePort(0), app.a, exchange)).json
    for (const at of [0, 1]) assert.equal((await call(at, '/account', token)).status, 200)
    const before = await count(`security_events where kind = 'code_replayed'`)
    assert.deepEqual(tally(await race(50, form('/api/oauth/token', exchange))), { '400 invalid_grant': 50 })
    assert.equal(await count(`security_events where kind = 'code_replayed'`), before + 1)
    for (const at of [0, 1]) {
      const last = await withinASecond(
        () => call(at, '/account', token),
        ({ status }) => status === 401,
      )
      assert.equal(last.status, 401)
    }
  })

  test('S-08 eight concurrent sign-ins over both processes: one session, one new cookie, and every reply continues', async () => {
    const { clientId } = await approval('dev')
    const browser = openBrowser(choosePort(0), app.a)
    const parameters = {
      client_id: clientId,
      redirect_uri: CALLBACK,
      scope: 'account:read',
      code_challenge: pkce().challenge,
    }
    const page = parseForm(await browser.open(authorizePath(parameters)))
    const typed = [['email', people.eli.email] as const, ['password', PASSWORD] as const]
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const empty = page.fields.filter(([name]) => name === 'request')
    const grants = await count('grants')
    const sessions = await count('sessions')
    const replies = await race(8, form(page.action, [...empty, ...typed], { cookie, accept: 'text/html' }))
    assert.deepEqual(
      replies.map(({ status }) => status),
      replies.map(() => 303),
    )
    assert.equal(new Set(replies.map(({ headers }) => String(headers['set-cookie']))).size, 1)
    assert.equal(await count('sessions'), sessions + 1)
    const goesOn = async (reply: TestReply): Promise<boolean> => {
      const jar = (reply.headers['set-cookie'] ?? []).map(line => line.split(';')[0]).join('; ')
      const { status, text } = await send(choosePort(1), {
        path: reply.headers.location ?? '/',
        host: host(),
        headers: { cookie: jar, accept: 'text/html' },
      })
      assert.equal(status, 200, text)
      return text.includes('name="decision"')
    }
    assert.deepEqual(
      await Promise.all(replies.map(goesOn)),
      replies.map(() => true),
    )
    assert.equal(await count('grants'), grants)
  })

  test('S-08 fifty identical concurrent registrations create one client', async () => {
    const metadata = { client_name: 'Raced', redirect_uris: [CALLBACK] }
    const replies = await race(50, jsonBody('POST', '/api/oauth/register', metadata))
    assert.deepEqual(tally(replies), { 201: 50 })
    assert.equal(new Set(replies.map(({ json }) => json.client_id)).size, 1)
    assert.equal(await count('clients where name = $1', ['Raced']), 1)
  })

  test('S-08 the first ID tokens of a school, requested concurrently, are signed with one key', async () => {
    const approvals = await Promise.all([0, 1, 2, 3].map(at => approval('eli', 'openid', at)))
    const replies = await Promise.all(
      approvals.map(({ exchange }, at) => tokenRequest(choosePort(at), app.a, exchange)),
    )
    assert.deepEqual(tally(replies), { 200: 4 })
    const kids = replies.map(
      ({ json }) => JSON.parse(Buffer.from(json.id_token.split('.')[0], 'base64url').toString()).kid,
    )
    assert.equal(new Set(kids).size, 1)
  })

  test('S-08 fifty submissions of one form leave exactly one valid code', async () => {
    const { verifier, challenge } = pkce()
    const { clientId } = await approval('dev')
    const browser = openBrowser(choosePort(0), app.a)
    const request = { client_id: clientId, redirect_uri: CALLBACK, scope: 'account:read', code_challenge: challenge }
    const consent = parseForm(await openConsent(browser, visitor('dev'), request))
    const grants = await count('grants')
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const replies = await race(50, form(consent.action, [...consent.fields, ['decision', 'approve']], { cookie }))
    const codes = replies.map(reply => readCallback(reply).searchParams.get('code') ?? '')
    assert.deepEqual(tally(replies), { 303: 50 })
    assert.equal(new Set(codes).size, 50)
    assert.equal(await count('grants'), grants + 1)
    const fields = {
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    }
    const exchanged = await race(50, at => form('/api/oauth/token', { ...fields, code: codes[at] ?? '' }))
    assert.deepEqual(tally(exchanged), { 200: 1, '400 invalid_grant': 49 })
  })

  test('S-08 exactly one of fifty changes with the same ETag succeeds', async () => {
    const token = await readToken('ada', 'school:read school:write')
    const current = await call(0, '/school', token)
    const facts = await count('facts')
    const headers = { authorization: `Bearer ${token}`, 'if-match': String(current.headers.etag) }
    const replies = await race(50, at => jsonBody('PATCH', '/api/v1/school', { description: `Loaf ${at}` }, headers))
    assert.deepEqual(tally(replies), { 200: 1, '412 precondition_failed': 49 })
    const winner = replies.find(({ status }) => status === 200)
    for (const at of [0, 1]) assert.equal((await call(at, '/school', token)).text, winner?.text)
    assert.equal(winner?.json.revision, current.json.revision + 1)
    assert.equal(await count('facts'), facts + 1)
  })

  test('G-06 twenty concurrent requests with one idempotency key over both processes have one effect', async () => {
    const token = await readToken('ada', 'school:read school:write')
    const [facts, entries] = [await count('facts'), await count('audit_log')]
    const { json } = await call(0, '/school', token)
    const headers = { authorization: `Bearer ${token}`, 'if-match': '*', 'idempotency-key': 'once-for-both' }
    const patch = jsonBody('PATCH', '/api/v1/school', { description: 'Once' }, headers)
    const replies = await race(20, patch)
    assert.ok(
      replies.every(({ status }) => status === 200 || status === 409),
      JSON.stringify(tally(replies)),
    )
    const [again, other] = await race(2, patch)
    assert.equal(again?.headers['idempotency-replayed'], 'true')
    const texts = [...replies, again, other].filter(reply => reply?.status === 200).map(reply => reply?.text)
    assert.ok(texts.length >= 3)
    assert.equal(new Set(texts).size, 1)
    assert.equal(again?.json.revision, json.revision + 1)
    assert.deepEqual([await count('facts'), await count('audit_log')], [facts + 1, entries + 1])
  })

  suite('within a second both processes know', () => {
    const bothSay = async (path: string, token: string, condition: (reply: TestReply) => boolean) => {
      const replies = await Promise.all([0, 1].map(at => withinASecond(() => call(at, path, token), condition)))
      assert.deepEqual(replies.map(condition), [true, true], JSON.stringify(replies.map(({ json }) => json)))
    }

    test('E-24 that an approval was taken back', async () => {
      const { exchange } = await approval('eli')
      const { json } = await tokenRequest(choosePort(0), app.a, exchange)
      await bothSay('/account', json.access_token, ({ status }) => status === 200)
      assert.equal((await tokenRequest(choosePort(0), app.a, exchange)).status, 400)
      await bothSay('/account', json.access_token, ({ status }) => status === 401)
    })

    test('that a role was changed, by a third process', async () => {
      const token = await readToken('ben', 'account:read school:read')
      await bothSay('/account', token, ({ json }) => json.role === 'admin')
      await bothSay('/school', token, ({ json }) => 'contact_email' in json)
      const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
      await runCommand(belonging, ['members', 'set-role', people.ben.email, 'member', '--school', app.a.baseUrl])
      await bothSay('/account', token, ({ json }) => json.role === 'member')
      await bothSay('/school', token, ({ json }) => !('contact_email' in json))
    })

    test('that a member was suspended, in the browser too', async () => {
      const { exchange, browser } = await approval('carla')
      const { json } = await tokenRequest(choosePort(1), app.a, exchange)
      await bothSay('/account', json.access_token, ({ status }) => status === 200)
      await app.database.query(`update members set status = 'suspended' where email = $1`, [people.carla.email])
      await bothSay('/account', json.access_token, ({ status }) => status === 401)
      const request = { client_id: exchange.client_id, redirect_uri: CALLBACK, scope: 'openid', prompt: 'none' }
      const silent = await browser.open(authorizePath({ ...request, code_challenge: pkce().challenge }))
      assert.equal(readCallback(silent).searchParams.get('error'), 'login_required')
    })
  })

  test('E-04 exactly ten of forty concurrent wrong passwords over both processes are checked', async () => {
    const browser = openBrowser(choosePort(0), app.a)
    const { clientId } = await approval('dev')
    const request = { client_id: clientId, redirect_uri: CALLBACK, scope: 'openid', code_challenge: pkce().challenge }
    const page = parseForm(await browser.open(authorizePath(request)))
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const attempt = (password: string) =>
      form(
        page.action,
        [...page.fields.filter(([name]) => name === 'request'), ['email', people.femi.email], ['password', password]],
        { cookie },
      )
    const sessions = await count('sessions')
    const replies = await race(40, at => attempt(`not the password ${at}`))
    assert.deepEqual(tally(replies), { 400: 10, 429: 30 })
    for (const { status, headers } of replies) assert.equal(status === 429, Number(headers['retry-after'] ?? 0) > 0)
    assert.deepEqual(tally(await race(2, attempt(PASSWORD))), { 429: 2 })
    assert.equal(await count('sessions'), sessions)
  })
})
