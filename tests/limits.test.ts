import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { formatCookie } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { form, jsonBody, type TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox, WITH_CODE } from '#testing/mail.ts'
import { authorizePath, CALLBACK, openConsent, pkce, register, signInOn } from '#testing/oauth.ts'
import { askForReset, begin, fillIn, isConsent, newestCode } from '#testing/people.ts'

let mailbox: Mailbox
const app = testApp({
  trustProxy: '127.0.0.1',
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const HOUR = 3601
const at = () => ({ port: app.port, school: app.a })

/** Registers a client with new metadata, from a network. */
let described = 0
const registerFrom = (network: string, client_name = `Client ${++described}`): Promise<TestReply> =>
  app.send(
    jsonBody('POST', '/api/oauth/register', { client_name, redirect_uris: [CALLBACK] }, { 'x-forwarded-for': network }),
  )

/** Sets how often a limit was used already, as if many had come before. */
const preset = async (name: string, caller: string, count: number, schoolId = app.a.id): Promise<void> => {
  await app.database.query(
    `insert into limits (key, starts_at, ends_at, count)
     values (sha256(convert_to($1, 'UTF8')), stoa.now(), stoa.now() + interval '1 hour', $2)
     on conflict (key) do update set count = excluded.count, starts_at = excluded.starts_at, ends_at = excluded.ends_at`,
    [`${name}\n${schoolId}\n${caller}`, count],
  )
}

const readStatuses = async (count: number, one: (index: number) => Promise<TestReply>): Promise<number[]> => {
  const statuses: number[] = []
  for (let index = 0; index < count; index++) statuses.push((await one(index)).status)
  return statuses
}

const allowed = (count: number, refused: number, as: number): number[] => [
  ...Array.from({ length: count }, () => as),
  ...Array.from({ length: refused }, () => 429),
]

suite('D-13 registration', () => {
  test('a network has exactly 60 new clients an hour, and IPv6 networks of one /48 and one /32 have a bound together', async () => {
    assert.deepEqual(await readStatuses(62, () => registerFrom('2001:db8:1:1::1')), allowed(60, 2, 201))
    await preset('register:network', '2001:db8:1::/48', 239)
    assert.deepEqual(await readStatuses(3, index => registerFrom(`2001:db8:1:${index + 2}::1`)), allowed(1, 2, 201))
    await preset('register:network', '2001:db8::/32', 959)
    assert.deepEqual(await readStatuses(3, index => registerFrom(`2001:db8:${index + 2}::1`)), allowed(1, 2, 201))
    assert.equal((await registerFrom('2001:db9::1')).status, 201, 'another provider')
  })

  test('a request refused for a wider network is not counted for the narrower one', async () => {
    await app.moveClock(HOUR)
    await preset('register:network', '2001:db8:7::/48', 240)
    assert.deepEqual(await readStatuses(70, () => registerFrom('2001:db8:7:1::1')), allowed(0, 70, 201))
    await app.database.query('delete from limits where count = 240')
    assert.deepEqual(await readStatuses(61, () => registerFrom('2001:db8:7:1::1')), allowed(60, 1, 201))
  })

  test('after 2,000 registrations of a school in an hour, each network has three, up to 10,000; existing clients continue', async () => {
    await app.moveClock(HOUR)
    const client = await registerFrom('203.0.113.1')
    await preset('register:school', '', 1999)
    assert.deepEqual(await readStatuses(6, () => registerFrom('203.0.113.2')), allowed(4, 2, 201))
    assert.deepEqual(await readStatuses(4, () => registerFrom('203.0.113.3')), allowed(3, 1, 201))
    const again = await registerFrom('203.0.113.2', client.json.client_name)
    assert.deepEqual([again.status, again.json.client_id], [201, client.json.client_id])
    await preset('register:school:most', '', 7999)
    assert.deepEqual(await readStatuses(3, index => registerFrom(`203.0.113.${index + 4}`)), allowed(1, 2, 201))
  })

  test('above the limit, clients without use within an hour of registration are deleted; used ones remain', async () => {
    await app.database.query('delete from limits')
    await app.database.query('delete from clients')
    const used = await registerFrom('203.0.113.1')
    const waiting = await registerFrom('203.0.113.1')
    const parameters = { redirect_uri: CALLBACK, scope: 'openid', code_challenge: pkce().challenge }
    const browser = openBrowser(app.port, app.a)
    const dev = { email: people.dev.email, password: PASSWORD }
    const page = await openConsent(browser, dev, { ...parameters, client_id: used.json.client_id })
    assert.equal((await browser.submit(parseForm(page), [['decision', 'approve']])).status, 303)
    const path = authorizePath({ ...parameters, client_id: waiting.json.client_id })
    const unused = await registerFrom('203.0.113.1')
    await app.moveClock(HOUR - 60)
    assert.equal((await app.send({ path })).status, 303)
    await app.moveClock(61)
    const young = await registerFrom('203.0.113.1')
    const areThere = async (): Promise<boolean[]> => {
      const rows = await app.database.query<{ id: string }>('select id from clients where school_id = $1', [app.a.id])
      const ids = rows.map(({ id }) => id)
      return [used, waiting, young, unused].map(({ json }) => ids.includes(json.client_id))
    }
    assert.equal((await registerFrom('203.0.113.8')).status, 201)
    assert.deepEqual(await areThere(), [true, true, true, true], 'within the limit nobody makes room')
    await preset('register:school', '', 2000)
    assert.equal((await registerFrom('203.0.113.9')).status, 201)
    assert.deepEqual(await areThere(), [true, true, true, false])
  })
})

suite('E-04 codes by mail', () => {
  const askFrom = async (
    email: string,
    network: string,
    browser = openBrowser(app.port, app.a),
  ): Promise<TestReply> => {
    const page = await browser.open('/account/reset')
    const request = form('/account/reset', [
      ...parseForm(page).fields.filter(([name]) => name !== 'email'),
      ['email', email],
    ])
    const headers = {
      ...request.headers,
      cookie: formatCookie(browser),
      accept: 'text/html',
      'x-forwarded-for': network,
    }
    return app.send({ ...request, headers })
  }
  const signedIn = async (email: string) => {
    const { browser, page } = await begin(at())
    assert.ok(isConsent(await signInOn(browser, page, { email, password: PASSWORD })))
    return browser
  }

  test('five from one network do not block the person elsewhere, and twenty from many do not block a known browser', async () => {
    const { email } = people.dev
    const browser = await signedIn(email)
    assert.deepEqual(await readStatuses(7, () => askFrom(email, '198.51.100.1')), allowed(5, 2, 303))
    assert.equal((await askFrom(email, '203.0.113.50')).status, 303, 'the person at home')
    const strangers = await readStatuses(16, index => askFrom(email, `198.51.100.${10 + Math.floor(index / 5)}`))
    assert.deepEqual(strangers, allowed(14, 2, 303))
    assert.equal((await askFrom(email, '203.0.113.51')).status, 429)
    assert.deepEqual(await readStatuses(6, () => askFrom(email, '198.51.100.1', browser)), allowed(5, 1, 303))
    const mails = await mailbox.waitFor(email, 25, WITH_CODE)
    assert.equal(mails.length, 25, 'twenty for strangers, five for the known browser')
    await app.moveClock(HOUR)
    assert.equal((await askFrom(email, '198.51.100.1')).status, 303)
  })

  test('a browser that knows one member is a stranger to another, and an unknown address answers alike', async () => {
    const browser = await signedIn(people.carla.email)
    for (const email of [people.eli.email, 'nobody@crumb.example'])
      assert.deepEqual(await readStatuses(6, () => askFrom(email, '198.51.100.2', browser)), allowed(5, 1, 303))
  })

  test('a code that is used is given back to its network, and the mails to one address stay counted', async () => {
    await app.moveClock(HOUR)
    const { email } = people.ben
    await preset('code:network', '127.0.0.1', 99)
    for (let round = 0; round < 2; round++) {
      const authorization = await begin(at())
      const page = await askForReset(authorization, email)
      const code = await newestCode(mailbox, email, round + 1)
      const done = await fillIn(authorization.browser, page, {
        code,
        password: `a rye needs ${round} days of patience`,
      })
      assert.ok(isConsent(done), done.text)
    }
    assert.equal((await askForReset(await begin(at()), 'one@crumb.example')).status, 200)
    assert.equal((await askForReset(await begin(at()), 'two@crumb.example')).status, 429)
  })
})

suite('D-13 authorization requests', () => {
  const asking = async () => ({
    client_id: String((await register(app.port, app.a)).json.client_id),
    redirect_uri: CALLBACK,
    scope: 'openid',
    code_challenge: pkce().challenge,
  })
  const readCount = async (where: string): Promise<number> => {
    const [row] = await app.database.query<{ n: number }>(
      `select count(*)::integer as n from authorization_requests where ${where}`,
    )
    return row?.n ?? -1
  }

  test('a successful sign-in refunds the network’s count', async () => {
    await app.database.query('delete from limits')
    const path = authorizePath(await asking())
    await preset('authorize:network', '127.0.0.1', 299)
    for (let round = 0; round < 3; round++) {
      const { browser, page } = await begin(at())
      assert.ok(isConsent(await signInOn(browser, page, { email: people.dev.email, password: PASSWORD })))
    }
    assert.deepEqual(await readStatuses(3, () => app.send({ path })), allowed(1, 2, 303))
  })

  test('a signed-in member has exactly 100 in ten minutes, of which the last 20 wait', async () => {
    await app.database.query('delete from limits')
    const browser = openBrowser(app.port, app.a)
    const first = await openConsent(browser, { email: people.eli.email, password: PASSWORD }, await asking())
    assert.ok(isConsent(first))
    const path = authorizePath({ ...(await asking()), state: 's'.repeat(1000) })
    const cookie = formatCookie(browser)
    const handles: string[] = []
    const statuses = await readStatuses(102, async () => {
      const reply = await app.send({ path, headers: { cookie } })
      handles.push(String(reply.headers.location))
      return reply
    })
    assert.deepEqual(statuses, allowed(100, 2, 303))
    const [member] = await app.database.query<{ id: string }>(
      'select id from members where email = $1 and school_id = $2',
      [people.eli.email, app.a.id],
    )
    assert.equal(await readCount(`member_id = '${member?.id}' and decision is null`), 20)
    const open = (at: number) => browser.open(handles[at] ?? '')
    assert.equal((await open(0)).status, 400, 'the oldest gave way')
    assert.ok(isConsent(await open(80)))
    assert.ok(isConsent(await open(99)))
    await app.moveClock(601)
    assert.equal((await app.send({ path, headers: { cookie } })).status, 303)
  })

  test('new requests delete the counters of requests that ended an hour ago', async () => {
    await app.moveClock(2 * 3600 + 60)
    const ended = await readCount(`expires_at < stoa.now() - interval '1 hour' and decision is null`)
    assert.ok(ended > 4)
    const path = authorizePath(await asking())
    assert.deepEqual(await readStatuses(2, () => app.send({ path })), [303, 303])
    assert.equal(await readCount(`expires_at < stoa.now() - interval '1 hour' and decision is null`), ended - 4)
  })
})
