import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formTo, post } from '#testing/account-pages.ts'
import { PASSWORD, startApp } from '#testing/app.ts'
import { type Browser, openBrowser, parseForm } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { arrange, type Integration, integrationsJson } from '#testing/integrations.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import {
  approve,
  authorizePath,
  CALLBACK,
  openConsent,
  pkce,
  readCallback,
  register,
  signInOn,
  tokenRequest,
} from '#testing/oauth.ts'
import { type ServerProcess, startProcess } from '#testing/process.ts'
import { type Connected, connect, introspectAt, refreshAt, revokeAt } from '#testing/tokens.ts'
import { until } from '#testing/until.ts'

const DAY = 24 * 3600
const YEAR = 365 * DAY
const FIXED = 'https://books.example/callback'

// Two processes, each with a worker.
let app: Awaited<ReturnType<typeof startApp>>
let other: ServerProcess
let mailbox: Mailbox
before(async () => {
  app = await startApp({
    mailbox: async () => {
      mailbox = await startMailbox()
      return mailbox
    },
  })
  other = await startProcess(
    { databaseUrl: app.database.appUrl, secret: app.secret },
    { STOA_SMTP_URL: mailbox.url, STOA_MAIL_FROM: 'school@mail.example', STOA_LOG_LEVEL: 'warn' },
  )
})
after(async () => {
  await other?.stop()
  await app?.stop()
  await mailbox?.stop()
})

const PATIENCE_MS = 30_000

/** Lets so much time pass and waits until every school was swept after it. */
const pass = async (seconds: number): Promise<void> => {
  await app.moveClock(seconds)
  for (const end = performance.now() + PATIENCE_MS; ; ) {
    const waiting = await app.database.query(
      `select from jobs where kind = 'sweep' and due_at < stoa.now() + interval '1 hour'`,
    )
    if (waiting.length === 0) return
    assert.ok(performance.now() < end, 'a school was not swept')
  }
}

const count = async (where: string, ...values: unknown[]): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(`select count(*)::integer as count from ${where}`, values)
  return row?.count ?? -1
}

const dev = { email: people.dev.email, password: PASSWORD }
const visitor = () => ({ port: app.port, school: app.a, ...dev })
const asking = (clientId: string, redirectUri = CALLBACK) => ({
  client_id: clientId,
  redirect_uri: redirectUri,
  scope: 'openid account:read',
  code_challenge: pkce().challenge,
})

const begin = (clientId: string, redirectUri = CALLBACK): Promise<TestReply> =>
  app.send({ path: authorizePath(asking(clientId, redirectUri)), headers: { accept: 'text/html' } })

const assertExists = async (clientId: string, redirectUri = CALLBACK): Promise<void> =>
  assert.equal((await begin(clientId, redirectUri)).status, 303, clientId)

const assertUnknown = async (clientId: string): Promise<void> => {
  const page = await begin(clientId)
  assert.equal(page.status, 400)
  assert.match(page.text, /register again/)
  const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token: 'x' }
  const { status, json } = await tokenRequest(app.port, app.a, fields)
  assert.deepEqual([status, json.error], [401, 'invalid_client'])
}

const registered = async (name: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  (await register(app.port, app.a, { client_name: name, ...more })).json.client_id

suite('clients', () => {
  test('one without consent is unknown a month after it was last seen, and may register again', async () => {
    const [early, late] = [await registered('early'), await registered('late')]
    const secret = await registered('secret', { token_endpoint_auth_method: 'client_secret_post' })
    await pass(29 * DAY)
    for (const id of [early, late, secret]) await assertExists(id)
    // Seen again; and what waits at the others is swept a day after it ended.
    assert.equal(await registered('late'), late)
    await pass(3 * DAY)
    for (const id of [early, secret]) await assertUnknown(id)
    assert.equal(await count('client_secrets where client_id = $1', secret), 0)
    await assertExists(late)
    assert.equal(await registered('early'), early)
    await assertExists(early)
  })

  test('one with consent is unknown two years after it was last used, and not before', async () => {
    const used = await connect(app, 'dev', { metadata: { client_name: 'used' } })
    const unused = await approve(visitor(), { metadata: { client_name: 'never exchanged' } })
    await pass(300 * DAY)
    assert.equal((await refreshAt(app.port, used, used.refresh)).json.error, 'invalid_grant')
    await pass(2 * YEAR - 301 * DAY)
    for (const id of [used.clientId, unused.clientId]) await assertExists(id)
    await pass(4 * DAY)
    for (const id of [used.clientId, unused.clientId]) await assertUnknown(id)
    const of = await count('grants where client_id = any($1)', [used.clientId, unused.clientId])
    assert.equal(of, 0)
  })

  test('pre-registered and removed ones stay', async () => {
    const stays = await arrange(app, ['--name', 'Stays', '--redirect-uri', FIXED])
    const removed = await registered('removed')
    await integrationsJson(app, ['remove', removed])
    await pass(3 * YEAR)
    await assertExists(stays.client_id, FIXED)
    const again = await register(app.port, app.a, { client_name: 'removed' })
    assert.deepEqual([again.status, again.json.error], [400, 'invalid_client_metadata'])
  })
})

suite('data of earlier approvals that later ones need', () => {
  const subject = /app|access/i
  const mails = () => mailbox.arrived.filter(({ to }) => to.includes(people.eli.email)).length

  test('the first approval of an app stays its first: no second mail after everything ended', async () => {
    const client = await connect(app, 'eli', { metadata: { client_name: 'first' } })
    await mailbox.waitFor(people.eli.email, 1, subject)
    await revokeAt(app.port, client, client.refresh)
    await pass(60 * DAY)
    assert.equal(await count('grants where client_id = $1', client.clientId), 1)
    const subjects = mails()
    await connect(app, 'eli', { metadata: { client_name: 'first' } })
    await pass(60 * DAY)
    // Mails to others, for which so much time passing is a reason, may still be under way.
    await until(async () => (await count(`jobs where kind = 'mail'`)) === 0, 'every mail is sent')
    assert.equal(mails(), subjects)
    assert.equal(await count('grants where client_id = $1', client.clientId), 1, 'the newer one answers for the older')
  })

  const silently = async (browser: Browser, client: Integration): Promise<string> => {
    const reply = await browser.open(authorizePath(asking(client.client_id, FIXED)))
    if (reply.status === 303 && readCallback(reply).searchParams.has('code')) return 'code'
    return 'page'
  }

  const agreed = async (name: string): Promise<{ browser: Browser; client: Integration }> => {
    const client = await arrange(app, ['--name', name, '--redirect-uri', FIXED])
    const browser = openBrowser(app.port, app.a)
    const page = await openConsent(browser, dev, asking(client.client_id, FIXED))
    await browser.submit(parseForm(page), [['decision', 'approve']])
    return { browser, client }
  }

  // The session has ended meanwhile: after signing in again the person continues to the page, or straight to the app.
  const later = async (client: Integration): Promise<string> => {
    const browser = openBrowser(app.port, app.a)
    const page = await browser.open(authorizePath(asking(client.client_id, FIXED)))
    const reply = await signInOn(browser, page, dev)
    return reply.status === 303 && readCallback(reply).searchParams.has('code') ? 'code' : 'page'
  }

  test('a consent is valid for its year, without the expired approvals that needed no page', async () => {
    const { browser, client } = await agreed('stands')
    for (let time = 0; time < 3; time++) assert.equal(await silently(browser, client), 'code')
    await pass(60 * DAY)
    assert.equal(await count('grants where client_id = $1', client.client_id), 1)
    assert.equal(await later(client), 'code')
    await pass(310 * DAY)
    assert.equal(await later(client), 'page')
  })

  test('a revoked consent does not become valid again', async () => {
    const { browser, client } = await agreed('ended')
    assert.equal(await silently(browser, client), 'code')
    await app.database.query(
      `update grants set revoked_at = stoa.now(), revoked_for = 'person_withdrew'
       where client_id = $1 and is_silent`,
      [client.client_id],
    )
    assert.equal(await silently(browser, client), 'page')
    await pass(60 * DAY)
    assert.equal(await later(client), 'page')
  })
})

suite('ended data', () => {
  test('access tokens go 30 days after they expired, and their approval when a newer one answers for it', async () => {
    const old = await connect(app, 'dev', { metadata: { client_name: 'tokens' } })
    const mate = await connect(app, 'dev', { metadata: { client_name: 'tokens' } })
    const tokens = () =>
      count('access_tokens t join grants g on g.id = t.grant_id where g.client_id = $1', old.clientId)
    await pass(29 * DAY)
    assert.equal(await tokens(), 2)
    const { json } = await refreshAt(app.port, mate, mate.refresh)
    await pass(2 * DAY)
    assert.equal(await tokens(), 1)
    assert.equal((await introspectAt(app.port, mate, json.refresh_token)).json.active, true)
    // The older family expired unused on the 30th day; a month later nobody uses it any more.
    const { json: next } = await refreshAt(app.port, mate, json.refresh_token)
    await pass(20 * DAY)
    assert.equal(await count('grants where client_id = $1', old.clientId), 2)
    const { json: last } = await refreshAt(app.port, mate, next.refresh_token)
    await pass(15 * DAY)
    assert.equal(await count('grants where client_id = $1', old.clientId), 1)
    assert.equal((await refreshAt(app.port, mate, last.refresh_token)).status, 200)
    assert.equal((await refreshAt(app.port, old, old.refresh)).json.error, 'invalid_grant')
  })

  test('a form that was kept is deleted after its 15 minutes', async () => {
    const browser = await enterAccount(visitor())
    const { action, fields } = formTo(await browser.open('/account/profile'), '/account/profile')
    browser.cookies.clear()
    await post(app.port, browser, action, fields)
    assert.equal(await count('kept_forms'), 1)
    await pass(DAY)
    assert.equal(await count('kept_forms'), 0)
  })

  test('B-08 C-02 a code or a refresh token used again while its grant is active still ends it, after sweeps', async () => {
    const client: Connected = await connect(app, 'dev', { metadata: { client_name: 'replayed' } })
    const mate = await connect(app, 'dev', { metadata: { client_name: 'replayed' } })
    let { refresh } = mate
    for (let month = 0; month < 3; month++) {
      refresh = (await refreshAt(app.port, mate, refresh)).json.refresh_token
      await pass(25 * DAY)
    }
    assert.equal((await refreshAt(app.port, mate, mate.refresh)).json.error, 'invalid_grant')
    assert.equal((await refreshAt(app.port, mate, refresh)).json.error, 'invalid_grant')
    assert.equal((await tokenRequest(app.port, app.a, client.exchange)).json.error, 'invalid_grant')
    assert.equal(await count(`security_events where kind = 'refresh_replayed' and client_id = $1`, client.clientId), 1)
  })

  test('sessions, requests, browsers, codes, outcomes and mails go, and more of them than one statement takes', async () => {
    await connect(app, 'dev', { metadata: { client_name: 'everything' } })
    const client = await registered('everything')
    await begin(client)
    await app.database.query(
      `insert into authorization_requests (school_id, handle_hash, browser_hash, client_id, redirect_uri, scopes,
         resources, code_challenge, locale, created_at, expires_at)
       select $1, sha256(n::text::bytea), '', $2, '', '{}', '{}', '', 'en', stoa.now(), stoa.now()
       from generate_series(1, 2500) n`,
      [app.a.id, client],
    )
    await app.database.query(
      `insert into idempotency_keys (school_id, member_id, client_id, operation, key, request_hash, status, headers,
         body, recorded_at)
       select $1, id, 'c', 'o', 'k', '', 200, '{}', '', stoa.now() from members where school_id = $1`,
      [app.a.id],
    )
    const kinds = ['authorization_requests', 'sessions', 'known_browsers', 'idempotency_keys', 'mails']
    for (const name of kinds) assert.ok((await count(name)) > 0, name)
    // A mail that is still on its way would be sent after the year, and kept for its month.
    const deadline = performance.now() + 20_000
    while ((await count('mails where sent_at is null and parked_at is null')) > 0)
      assert.ok(performance.now() < deadline, 'a mail is not sent')
    await pass(YEAR + 60 * DAY)
    for (const name of kinds) assert.equal(await count(name), 0, name)
  })

  test('people, and what happened, stay', async () => {
    assert.equal(await count('members where school_id = $1', app.a.id), 8)
    assert.ok((await count('security_events')) > 0)
    assert.doesNotMatch(other.log(), /job_failed/)
  })

  test('security events go two years later, more of them than one statement takes, and younger ones stay', async () => {
    const record = (kind: string, many: number) =>
      app.database.query(
        `insert into security_events (school_id, id, kind, recorded_at)
         select $1, gen_random_uuid(), $2, stoa.now() from generate_series(1, $3::integer)`,
        [app.a.id, kind, many],
      )
    const left = async () => [
      await count(`security_events where kind = 'swept_old'`),
      await count(`security_events where kind = 'swept_young'`),
    ]
    await record('swept_old', 2500)
    await pass(2 * YEAR - 10 * DAY)
    await record('swept_young', 3)
    await pass(5 * DAY)
    assert.deepEqual(await left(), [2500, 3])
    await pass(10 * DAY)
    assert.deepEqual(await left(), [0, 3])
  })
})
