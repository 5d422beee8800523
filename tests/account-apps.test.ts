import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { people } from '#src/demo/index.ts'
import { enterAccount, formTo, listFields, listForms, openWith, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type AppProcess, startServer } from '#testing/app-process.ts'
import { type Browser, openBrowser, parseForm } from '#testing/browser.ts'
import { jsonBody, send, type TestReply } from '#testing/http.ts'
import { authorizePath, CALLBACK, openConsent, pkce, readCallback, register, tokenRequest } from '#testing/oauth.ts'
import { type Connected, callAt, connect, lastCallAt, refreshAt } from '#testing/tokens.ts'

const app = testApp()

const personAt = (name: PersonName) => ({
  port: app.port,
  school: app.a,
  email: people[name].email,
  password: PASSWORD,
})

const connectNamed = (person: PersonName, client_name: string): Promise<Connected> =>
  connect(app, person, { metadata: { client_name } })

const livingGrants = async (clientId: string): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(
    'select count(*)::integer as count from grants where client_id = $1 and revoked_at is null',
    [clientId],
  )
  return row?.count ?? -1
}

const events = async (clientId: string): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(
    `select count(*)::integer as count from security_events where client_id = $1 and kind = 'person_withdrew'`,
    [clientId],
  )
  return row?.count ?? -1
}

test('the page of connected apps lists what each may do in words, since when, and which are not verified', async () => {
  const dev = await enterAccount(personAt('dev'))
  assert.match((await dev.open('/account/apps')).text, /No app is connected/)
  await connectNamed('dev', 'Crumb Counter')
  const page = await dev.open('/account/apps')
  assert.match(page.text, /Crumb Counter/)
  assert.match(page.text, /not verified/)
  assert.match(page.text, /Know who you are at this school/)
  assert.match(page.text, /See your own account/)
  assert.match(page.text, /Connected on \d+ \w+ \d{4} · last used on .* · ends on .* at the latest/)
  const ben = await enterAccount(personAt('ben'))
  assert.ok(!(await ben.open('/account/apps')).text.includes('Crumb Counter'))
})

test('D-07 the name of an app is shown as text on the page of connected apps, whatever it contains', async () => {
  const braced = ['$', '{7*7}'].join('')
  const names = ['<img src=x onerror=alert(1)>', '{{7*7}}', braced, '"><script>alert(1)</script>']
  for (const name of names) await connectNamed('eli', name)
  const { text } = await (await enterAccount(personAt('eli'))).open('/account/apps')
  for (const raw of ['<img src=x', '<script', '>49<', '&amp;lt;']) assert.ok(!text.includes(raw), raw)
  for (const shown of ['&lt;img src=x onerror=alert(1)&gt;', '{{7*7}}', braced, '&quot;&gt;&lt;script&gt;'])
    assert.ok(text.includes(`<h2><bdi>${shown}`), shown)
})

test('E-14 withdrawing without the token is 403, with that of another session of the person it is shown again, and nothing is withdrawn', async () => {
  const connection = await connectNamed('dev', 'Oven Guard')
  const [dev, ben, devElsewhere] = [
    await enterAccount(personAt('dev')),
    await enterAccount(personAt('ben')),
    await enterAccount(personAt('dev')),
  ]
  const page = await dev.open('/account/apps')
  const mine = listForms(page).find(({ fields }) => new Map(fields).get('app') !== 'all')
  assert.ok(mine)
  const readToken = async (browser: typeof dev) =>
    new Map(formTo(await browser.open('/account'), '/account/sign-out').fields).get('token') ?? ''
  const sent = listFields(mine)
  for (const token of ['', 'A'.repeat(43), await readToken(ben)])
    assert.equal((await post(app.port, dev, '/account/apps', listFields(mine, { token }))).status, 403)
  const elsewhere = listFields(mine, { token: await readToken(devElsewhere) })
  const { status, headers: shown } = await post(app.port, dev, '/account/apps', elsewhere)
  assert.equal(status, 303)
  assert.match(shown.location ?? '', /^\/account\/apps\?kept=/)
  const hostile: Record<string, string>[] = [
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'multipart/form-data; boundary=x' },
  ]
  for (const headers of hostile)
    assert.equal((await post(app.port, dev, '/account/apps', sent, headers)).status, 403, JSON.stringify(headers))
  assert.equal(await callAt(app.port, app.a, connection.access), 200)
  // Another member's app is not listed.
  const asBen = await post(app.port, ben, '/account/apps', listFields(mine, { token: await readToken(ben) }))
  assert.equal(asBen.status, 303)
  assert.equal(await callAt(app.port, app.a, connection.access), 200)
  for (const odd of ['', 'x', "' or 1=1--", '00000000-0000-0000-0000-000000000000'])
    assert.equal((await post(app.port, dev, '/account/apps', listFields(mine, { app: odd }))).status, 303)
  assert.equal(await callAt(app.port, app.a, connection.access), 200)
})

suite('in a second process too', () => {
  let other: AppProcess
  before(async () => {
    other = await startServer({ databaseUrl: app.database.appUrl, secret: app.secret })
  })
  after(() => other.stop())

  const soonDead = async (port: number, connection: Connected): Promise<void> => {
    assert.equal(await lastCallAt(port, app.a, connection.access), 401)
    const refreshed = await refreshAt(port, connection, connection.refresh)
    assert.deepEqual([refreshed.status, refreshed.json.error], [400, 'invalid_grant'])
  }

  test('E-24 a disconnected app loses every token of every approval immediately; other apps keep theirs', async () => {
    const [gone, kept] = [await connectNamed('carla', 'Proof Timer'), await connectNamed('carla', 'Bread Diary')]
    const again = await connectNamed('carla', 'Proof Timer')
    assert.equal(again.clientId, gone.clientId)
    for (const connection of [gone, again, kept]) assert.equal(await callAt(other.port, app.a, connection.access), 200)
    const carla = await enterAccount(personAt('carla'))
    const page = await carla.open('/account/apps')
    const card = page.text.split('<section').find(part => part.includes('Proof Timer')) ?? ''
    const done = await carla.submit(parseForm({ ...page, text: card }), [])
    assert.match(done.text, /The app is disconnected/)
    assert.ok(!done.text.includes('Proof Timer'))
    assert.match(done.text, /Bread Diary/)
    for (const connection of [gone, again]) for (const port of [app.port, other.port]) await soonDead(port, connection)
    assert.equal(await callAt(other.port, app.a, kept.access), 200)
    assert.equal(await events(gone.clientId), 1)
    const twice = await post(app.port, carla, '/account/apps', listFields(parseForm({ ...page, text: card })))
    assert.equal(twice.status, 303)
    assert.equal(await events(gone.clientId), 1)
  })

  test('E-24 all apps are disconnected together, with an event for each', async () => {
    const connection = [await connectNamed('ada', 'One'), await connectNamed('ada', 'Two')]
    const ada = await enterAccount(personAt('ada'))
    const done = await ada.submit(formTo(await ada.open('/account/apps'), '/account/apps', { app: 'all' }), [])
    assert.match(done.text, /All apps are disconnected/)
    for (const one of connection) await soonDead(other.port, one)
    for (const one of connection) assert.equal(await events(one.clientId), 1)
  })
})

test('whoever disconnects all apps is asked first where facts are sent to them, and the webhooks end with the access', async () => {
  const listens = (client_name: string) =>
    connect(app, 'ada', { metadata: { client_name }, parameters: { scope: 'school:read' } })
  for (const name of ['Listens', 'Listens too']) {
    const { access } = await listens(name)
    const made = await send(app.port, {
      ...jsonBody('POST', '/api/v1/webhooks', { url: 'https://hooks.example.org/', types: ['school.updated'] }),
      host: new URL(app.a.baseUrl).host,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${access}` },
    })
    assert.equal(made.status, 201, made.text)
  }
  const states = async () =>
    (
      await app.database.query<{ state: string }>(
        `select concat_ws(' ', status, disabled_reason) as state from webhooks`,
      )
    ).map(({ state }) => state)
  const ada = await enterAccount(personAt('ada'))
  const asked = await ada.submit(formTo(await ada.open('/account/apps'), '/account/apps', { app: 'all' }), [])
  assert.match(asked.text, /hooks\.example\.org/)
  assert.deepEqual(await states(), ['active', 'active'])
  const done = await ada.submit(formTo(asked, '/account/apps', { app: 'all' }), [])
  assert.match(done.text, /All apps are disconnected/)
  assert.deepEqual(await states(), ['disabled access_ended', 'disabled access_ended'])
})

/** Runs work while another connection locks the row of a member, as an open transaction does. */
const holdingMember = async (name: PersonName, work: () => Promise<void>): Promise<void> => {
  const client = new pg.Client({ connectionString: app.database.ownerUrl })
  await client.connect()
  try {
    await client.query('begin')
    const { rowCount } = await client.query(
      'select from members where school_id = $1 and email = $2 for no key update',
      [app.a.id, people[name].email],
    )
    assert.equal(rowCount, 1)
    await work()
    await client.query('commit')
  } finally {
    await client.end()
  }
}

// Waits until that many transactions of the application wait for a row.
const untilWaiting = async (count: number): Promise<void> => {
  const end = performance.now() + 5000
  for (;;) {
    const [row] = await app.database.query<{ n: number }>(
      `select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if ((row?.n ?? 0) >= count) return
    assert.ok(performance.now() < end, `${row?.n} of ${count} wait`)
    await pause(10)
  }
}

test('a concurrent withdrawal and approval: in either order, no grant outlives the withdrawal', async () => {
  const { clientId } = await connectNamed('dev', 'Racer')
  const dev = await enterAccount(personAt('dev'))
  const page = await dev.open('/account/apps')
  const card = page.text.split('<section').find(part => part.includes('Racer')) ?? ''
  const withdrawal = listFields(parseForm({ ...page, text: card }))
  const consent = await openConsent(dev, personAt('dev'), {
    client_id: clientId,
    redirect_uri: CALLBACK,
    scope: 'openid account:read',
    code_challenge: pkce().challenge,
  })
  const approval = [...listFields(parseForm(consent)), ['decision', 'approve']] as [string, string][]
  let replies: Promise<readonly { status: number; headers: { location?: string | undefined } }[]> = Promise.resolve([])
  await holdingMember('dev', async () => {
    // The approval waits first, the withdrawal after it.
    const approved = post(app.port, dev, '/oauth/authorize/consent', approval)
    await untilWaiting(1)
    const withdrawn = post(app.port, dev, '/account/apps', withdrawal)
    await untilWaiting(2)
    replies = Promise.all([approved, withdrawn])
  })
  for (const { status } of await replies) assert.equal(status, 303)
  assert.match((await replies)[0]?.headers.location ?? '', /[?&]code=/)
  assert.equal(await livingGrants(clientId), 0)
})

type Parameters = Readonly<Record<string, string>>
type Silently = () => Promise<TestReply>

// After a sign-in it is the consent page that leaves itself out.
const afterSignIn = async (parameters: Parameters): Promise<Silently> => {
  const fresh = openBrowser(app.port, app.a)
  const page = await fresh.open(authorizePath(parameters))
  const { email, password } = personAt('dev')
  const signedIn = await post(
    app.port,
    fresh,
    '/oauth/authorize/sign-in',
    listFields(parseForm(page), { email, password }),
  )
  const set = (signedIn.headers['set-cookie'] ?? []).map(line => line.split(';')[0])
  return () => openWith(app.port, set.join('; '), signedIn.headers.location ?? '')
}

const ways: readonly (readonly [string, (dev: Browser, parameters: Parameters) => Promise<Silently>])[] = [
  ['with prompt=none', async (dev, parameters) => () => dev.open(authorizePath({ ...parameters, prompt: 'none' }))],
  ['with its page left out', async (dev, parameters) => () => dev.open(authorizePath(parameters))],
  ['after a sign-in', (_dev, parameters) => afterSignIn(parameters)],
]

for (const [way, prepare] of ways)
  test(`an approval ${way} that arrives during the withdrawal of the app leaves no grant`, async () => {
    const { json: client } = await register(app.port, app.a, { client_name: `Quiet ${way}`, redirect_uris: [CALLBACK] })
    // The school vouches for it and it has a secret, so that consent is skipped.
    await app.database.query(
      `update clients set arranged_at = created_at, auth_method = 'client_secret_post' where id = $1`,
      [client.client_id],
    )
    await app.database.query(
      `insert into client_secrets (school_id, client_id, secret_hash, created_at)
      select school_id, id, sha256('s'::bytea), created_at from clients where id = $1`,
      [client.client_id],
    )
    const parameters: Parameters = {
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      scope: 'openid account:read',
      code_challenge: pkce().challenge,
    }
    const dev = await enterAccount(personAt('dev'))
    const consent = await openConsent(dev, personAt('dev'), parameters)
    const first = await dev.submit(parseForm(consent), [['decision', 'approve']])
    assert.ok(readCallback(first).searchParams.has('code'), first.text)
    assert.ok(readCallback(await (await prepare(dev, parameters))()).searchParams.has('code'))
    const silently = await prepare(dev, parameters)
    const page = await dev.open('/account/apps')
    const card = page.text.split('<section').find(part => part.includes(`Quiet ${way}`)) ?? ''
    assert.match(card, /verified by the school/)
    const withdrawal = listFields(parseForm({ ...page, text: card }))
    let [silent, withdrawn] = [Promise.resolve(first), Promise.resolve(first)]
    // In line: the withdrawal, then the silent approval, which must then see it.
    await holdingMember('dev', async () => {
      withdrawn = post(app.port, dev, '/account/apps', withdrawal)
      await untilWaiting(1)
      silent = silently()
      await untilWaiting(2)
    })
    assert.equal((await withdrawn).status, 303)
    const { status, headers, text } = await silent
    if (status === 200) assert.match(text, /value="approve"/)
    else assert.match(headers.location ?? '', /error=consent_required/)
    assert.equal(await livingGrants(client.client_id), 0)
  })

test('a code that waits when its app is withdrawn is worth nothing', async () => {
  const { json: client } = await register(app.port, app.a, { client_name: 'Late Loaf' })
  const { verifier, challenge } = pkce()
  const dev = await enterAccount(personAt('dev'))
  const fields = { client_id: client.client_id, redirect_uri: CALLBACK }
  const consent = await openConsent(dev, personAt('dev'), { ...fields, scope: 'openid', code_challenge: challenge })
  const reply = await dev.submit(parseForm(consent), [['decision', 'approve']])
  const code = readCallback(reply).searchParams.get('code') ?? ''
  const page = await dev.open('/account/apps')
  const card = page.text.split('<section').find(part => part.includes('Late Loaf')) ?? ''
  await dev.submit(parseForm({ ...page, text: card }), [])
  const exchange = { ...fields, grant_type: 'authorization_code', code, code_verifier: verifier }
  const refused = await tokenRequest(app.port, app.a, exchange)
  assert.deepEqual([refused.status, refused.json.error], [400, 'invalid_grant'])
})
