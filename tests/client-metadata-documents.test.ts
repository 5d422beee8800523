import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { School } from '#src/contract/school.ts'
import { people } from '#src/demo/index.ts'
import { internet } from '#src/outbound/index.ts'
import { PASSWORD, startApp, type TestApp } from '#testing/app.ts'
import { startAppProcess } from '#testing/app-process.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { type Answer, type DocumentServer, json, startDocuments, usualDocument } from '#testing/documents.ts'
import { send, type TestReply } from '#testing/http.ts'
import { arrange, integrationsJson } from '#testing/integrations.ts'
import { authorizePath, CALLBACK, openConsent, pkce, readCallback, tokenRequest } from '#testing/oauth.ts'

const DOORS = 601
const MINUTES = 60

let web: DocumentServer
let app: Awaited<ReturnType<typeof startApp>>
const dev = { email: people.dev.email, password: PASSWORD }

before(async () => {
  web = await startDocuments()
  app = await startApp({ outside: web.outside })
})
after(async () => {
  await app?.stop()
  await web?.stop()
})

const asking = (clientId: string, more: Readonly<Record<string, string | undefined>> = {}) => ({
  client_id: clientId,
  redirect_uri: CALLBACK,
  scope: 'openid account:read',
  code_challenge: pkce().challenge,
  ...more,
})

/** Sends an authorization request without following redirects. */
const ask = (
  clientId: string,
  more: Readonly<Record<string, string | undefined>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<TestReply> => app.send({ path: authorizePath(asking(clientId, more)), headers })

type Row = Readonly<Record<string, unknown>>
const readRows = (clientId: string, of: Pick<TestApp, 'database'> = app): Promise<Row[]> =>
  of.database.query<Row>('select * from clients where id = $1', [clientId])

const begun = async (clientId: string): Promise<number> => {
  const rows = await app.database.query('select 1 from authorization_requests where client_id = $1', [clientId])
  return rows.length
}

const goesOn = (reply: TestReply): void => {
  assert.equal(reply.status, 303, reply.text)
  assert.match(reply.headers.location ?? '', /^\/oauth\/authorize\/sign-in\?request=/)
}

const isRefused = async (reply: TestReply, clientId: string, code = 'invalid_client'): Promise<void> => {
  assert.deepEqual([reply.status, reply.json?.error], [400, code], reply.text)
  assert.equal(reply.headers.location, undefined)
  assert.deepEqual(await readRows(clientId), [])
  assert.equal(await begun(clientId), 0)
}

test('the metadata says that documents are understood', async () => {
  const { json: metadata } = await app.send({ path: '/.well-known/oauth-authorization-server' })
  assert.equal(metadata.client_id_metadata_document_supported, true)
})

test('a document gets a person from the address to a token, and is fetched once', async () => {
  const clientId = web.describe()
  const browser = openBrowser(app.port, app.a)
  const { verifier, challenge } = pkce()
  const redirect = 'http://127.0.0.1:53817/callback'
  const [before, named] = [web.requests.length, web.resolved.length]
  const parameters = asking(clientId, { redirect_uri: redirect, code_challenge: challenge, state: 's' })
  const consent = await openConsent(browser, dev, parameters)
  const answer = readCallback(await browser.submit(parseForm(consent), [['decision', 'approve']]))
  assert.equal(answer.origin + answer.pathname, redirect)
  assert.equal(answer.searchParams.get('iss'), app.a.baseUrl)
  const exchange = {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirect,
    code: answer.searchParams.get('code') ?? '',
    code_verifier: verifier,
  }
  const withSecret = await tokenRequest(app.port, app.a, { ...exchange, client_secret: 'x' })
  assert.deepEqual([withSecret.status, withSecret.json.error], [401, 'invalid_client'])
  const tokens = await tokenRequest(app.port, app.a, exchange)
  assert.equal(tokens.status, 200, tokens.text)
  // Its document names no grant types.
  assert.match(tokens.json.refresh_token, /^stoa_rt_/)
  const account = await app.send({
    path: '/api/v1/account',
    headers: { authorization: `Bearer ${tokens.json.access_token}` },
  })
  assert.equal(account.json.email, people.dev.email)
  goesOn(await ask(clientId))
  assert.deepEqual([web.requests.length, web.resolved.length], [before + 1, named + 1])

  const [fetched] = web.requests.slice(before)
  assert.equal(fetched?.method, 'GET')
  assert.equal(fetched?.headers.host, new URL(clientId).host)
  assert.equal(fetched?.headers['accept-encoding'], 'identity')
  for (const name of ['cookie', 'authorization', 'referer']) assert.equal(fetched?.headers[name], undefined, name)
})

test('the document in /auth.md is accepted unchanged, except for its address', async () => {
  const { text } = await app.send({ path: '/auth.md' })
  const [, shown = ''] = /^```json\n([\s\S]*?)^```$/m.exec(text) ?? []
  const { client_id: placeholder, ...members } = JSON.parse(shown)
  assert.match(placeholder, /^https:/)
  const clientId = web.describe(members)
  for (const redirect of members.redirect_uris) goesOn(await ask(clientId, { redirect_uri: redirect }))
})

test('only the authorization endpoint fetches, and not for HEAD or a prefetch', async () => {
  const clientId = web.describe()
  const before = web.requests.length
  const token = { grant_type: 'authorization_code', client_id: clientId, code: 'x', redirect_uri: CALLBACK }
  const exchanged = await tokenRequest(app.port, app.a, { ...token, code_verifier: pkce().verifier })
  assert.deepEqual([exchanged.status, exchanged.json.error], [401, 'invalid_client'])
  const path = authorizePath(asking(clientId))
  await app.send({ method: 'HEAD', path })
  await isRefused(await ask(clientId, {}, { 'sec-purpose': 'prefetch' }), clientId)
  const posted = await app.send({
    method: 'POST',
    path: '/oauth/authorize',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: path.split('?')[1] ?? '',
  })
  assert.equal(posted.status, 303)
  assert.equal(web.requests.length, before)
  assert.deepEqual(await readRows(clientId), [])
})

test('D-09 the consent page says who published the app, that the school did not verify it, and where the code goes', async () => {
  for (const name of ['Google', 'Claude', 'Crumb & Crust', '<img src=x onerror=alert(1)>']) {
    const clientId = web.describe({ client_name: name })
    const page = await openConsent(openBrowser(app.port, app.a), dev, asking(clientId))
    assert.match(page.text, new RegExp(`vouched for by app\\.example:${web.port}, the address of its document`))
    assert.match(page.text, /not verified by the school/)
    assert.match(page.text, /an app on this computer \(127\.0\.0\.1\)/)
    assert.doesNotMatch(page.text, /<img|logo\.png|\(verified by/)
  }
  await app.moveClock(DOORS)
  const portuguese = await openConsent(openBrowser(app.port, app.a), dev, asking(web.describe(), { ui_locales: 'pt' }))
  assert.match(portuguese.text, /garantida por app\.example:\d+.*não verificada pela escola/)
})

suite('A-01 A-02 the redirect URIs of a document', () => {
  let clientId: string
  before(() => {
    clientId = web.describe({
      redirect_uris: [
        'http://localhost/cb',
        'http://127.0.0.1:9000/v4',
        'https://app.example/callback',
        'recipe-box://callback',
        'http://192.168.0.1/cb',
        'https://user@app.example/cb',
      ],
    })
  })
  const table: [string, boolean][] = [
    ['http://localhost/cb', true],
    ['http://localhost:53817/cb', true],
    ['http://127.0.0.1:1/v4', true],
    // Each host is its own: on a shared computer localhost may be another listener.
    ['http://127.0.0.1/cb', false],
    ['http://[::1]/cb', false],
    ['http://localhost/v4', false],
    ['http://localhost.evil.example/cb', false],
    ['http://localhost@evil.example/cb', false],
    ['http://LOCALHOST/cb', false],
    ['https://localhost/cb', false],
    ['https://app.example/callback', false],
    ['recipe-box://callback', false],
    ['http://192.168.0.1/cb', false],
    ['https://user@app.example/cb', false],
    ['javascript://127.0.0.1/%0aalert(1)', false],
    ['HTTP://127.0.0.1/v4', false],
  ]
  for (const [redirect, works] of table) {
    test(`${redirect}: ${works ? 'accepted' : 'error page, no redirect'}`, async () => {
      const reply = await ask(clientId, { redirect_uri: redirect, scope: 'nonsense' })
      if (works) {
        const answer = readCallback(reply)
        assert.equal(reply.status, 303)
        assert.ok((reply.headers.location ?? '').startsWith(`${redirect}?`))
        assert.equal(answer.searchParams.get('error'), 'invalid_scope')
        assert.equal(answer.searchParams.get('iss'), app.a.baseUrl)
        assert.equal(reply.headers['referrer-policy'], 'no-referrer')
      } else {
        assert.deepEqual(
          [reply.status, reply.json.error, reply.headers.location],
          [400, 'invalid_redirect_uri', undefined],
        )
      }
    })
  }

  test('the error for an HTTPS one says how it can be made to work', async () => {
    const reply = await ask(clientId, { redirect_uri: 'https://app.example/callback' })
    assert.match(reply.json.error_description, /once the school has registered its client_id/)
  })

  test('open registration still takes no localhost', async () => {
    const body = JSON.stringify({ redirect_uris: ['http://localhost/cb'] })
    const headers = { 'content-type': 'application/json' }
    const reply = await app.send({ method: 'POST', path: '/api/oauth/register', headers, body })
    assert.deepEqual([reply.status, reply.json.error], [400, 'invalid_redirect_uri'])
    assert.match(reply.json.error_description, /Client ID Metadata Document.*register an integration/)
  })
})

suite('K-04 a document that is not taken', () => {
  before(() => app.moveClock(DOORS))
  const at = (request: { url?: string | undefined }): string => `https://app.example:${web.port}${request.url}`
  const own =
    (members: Readonly<Record<string, unknown>>): Answer =>
    (request, response) =>
      json({ ...usualDocument(at(request)), ...members })(request, response)
  const raw =
    (body: string | Buffer, headers: Readonly<Record<string, string>> = {}, status = 200): Answer =>
    (_request, response) =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  const whole =
    (headers: Readonly<Record<string, string>>, status = 200): Answer =>
    (request, response) =>
      raw(JSON.stringify(usualDocument(at(request))), headers, status)(request, response)

  const padded =
    (size: number): Answer =>
    (request, response) => {
      const document = JSON.stringify(usualDocument(at(request)))
      raw(document + ' '.repeat(size - document.length))(request, response)
    }

  const answers: [string, Answer, string?][] = [
    ['another client_id inside', own({ client_id: 'https://app.example/other' })],
    ['no client_id inside', own({ client_id: undefined })],
    ['a client_id that is no string', own({ client_id: ['x'] })],
    ['a client_id with another spelling', (q, s) => own({ client_id: at(q).replace('app', 'APP') })(q, s)],
    ['5121 bytes', padded(5121)],
    [
      '6 KB in pieces without a length',
      (_q, s) => {
        s.writeHead(200, { 'content-type': 'application/json' })
        for (let piece = 0; piece < 6; piece++) s.write(' '.repeat(1024))
        s.end('{}')
      },
    ],
    ['HTML', whole({ 'content-type': 'text/html' })],
    ['text', whole({ 'content-type': 'text/plain' })],
    ['no media type', whole({ 'content-type': '' })],
    ['a type that only looks like JSON', whole({ 'content-type': 'application/jsonx' })],
    ['404', whole({}, 404)],
    ['201', whole({}, 201)],
    ['206', whole({}, 206)],
    ['500', whole({}, 500)],
    ['304', raw('', {}, 304)],
    ['compressed', (q, s) => raw(gzipSync(JSON.stringify(usualDocument(at(q)))), { 'content-encoding': 'gzip' })(q, s)],
    ['no JSON', raw('{"client_id":')],
    ['an array', raw('[]')],
    ['null', raw('null')],
    ['nothing', raw('')],
    ['a member twice', (q, s) => raw(`{"client_id":"${at(q)}","client_id":"${at(q)}"}`)(q, s)],
    ['bytes that are not UTF-8', raw(Buffer.from([0x22, 0xff, 0x22]))],
    ['another protocol', (_q, s) => void s.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end()],
    ['a header without end', (_q, s) => void s.writeHead(200, { 'x-long': 'x'.repeat(10_000) }).end('{}')],
    ['a closed connection', (_q, s) => void s.destroy()],
    [
      'a connection closed half-way',
      (_q, s) => {
        s.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
        s.write('{')
        setImmediate(() => s.destroy())
      },
    ],
    ['client_secret_post', own({ token_endpoint_auth_method: 'client_secret_post' })],
    ['private_key_jwt', own({ token_endpoint_auth_method: 'private_key_jwt' })],
    ['a secret for everybody to read', own({ client_secret: 'hush' })],
    ['no redirect URIs', own({ redirect_uris: [] }), 'invalid_redirect_uri'],
    ['none that can be used', own({ redirect_uris: ['app:/cb', 'ftp://x.example/'] }), 'invalid_redirect_uri'],
    ['metadata that registration refuses', own({ dpop_bound_access_tokens: true }), 'invalid_client_metadata'],
    ['another response type', own({ response_types: ['token'] }), 'invalid_client_metadata'],
  ]
  for (const [index, [name, answer, code]] of answers.entries()) {
    test(name, async () => {
      if (index % 20 === 19) await app.moveClock(DOORS)
      const clientId = web.publish(answer)
      await isRefused(await ask(clientId), clientId, code)
    })
  }

  test('a person sees a page, and the log says why without an address of anybody', async () => {
    await app.moveClock(DOORS)
    const clientId = web.publish(own({ client_id: 'x' }))
    const page = await ask(clientId, {}, { accept: 'text/html' })
    assert.equal(page.status, 400)
    assert.match(page.headers['content-type'] ?? '', /^text\/html/)
    assert.match(page.text, /client_id in the document is not the address/)
    assert.doesNotMatch(page.text, /app\.example/)
    assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/)
    const line = app.log.findLast(entry => entry.includes('document_refused')) ?? ''
    assert.equal(JSON.parse(line).host, 'app.example')
  })

  test('exactly 5 KB, and every JSON media type, are taken', async () => {
    const full = web.publish(padded(5120))
    goesOn(await ask(full))
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/client+json'])
      goesOn(await ask(web.publish(whole({ 'content-type': type }))))
  })

  test('a slow drip is cut off after 3 seconds in all', async () => {
    let timer: NodeJS.Timeout | undefined
    const clientId = web.publish((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      timer = setInterval(() => response.write(' '), 100)
      response.on('close', () => clearInterval(timer))
    })
    const begin = performance.now()
    await isRefused(await ask(clientId), clientId)
    const took = performance.now() - begin
    clearInterval(timer)
    assert.ok(took > 2500 && took < 10_000, `${took} ms`)
  })

  test('an answer that never begins, and a name that never resolves, are cut off too', async () => {
    const begin = performance.now()
    const arrived = Promise.withResolvers<void>()
    const silent = web.publish(() => arrived.resolve())
    const unnamed = `https://never.example:${web.port}/clients/1`
    const resolved = web.resolved.length
    let isOver = false
    const replies = Promise.all([ask(silent), ask(unnamed)]).finally(() => {
      isOver = true
    })
    await arrived.promise
    while (!web.resolved.includes('never.example', resolved)) await pause(5)
    // Others may be in the middle of a short one, as those are that store traces.
    let rows: unknown[]
    do
      rows = await app.database.query(
        "select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
      )
    while (rows.length > 0 && !isOver)
    assert.deepEqual([rows, isOver], [[], false], 'no transaction is open while others are waited for')
    const [first, second] = await replies
    await isRefused(first, silent)
    await isRefused(second, unnamed)
    assert.ok(performance.now() - begin < 10_000)
  })

  test('K-03 a redirect is not followed, wherever it leads', async () => {
    const good = web.describe()
    for (const [status, location] of [
      [302, good],
      [301, 'https://127.0.0.1/x'],
      [307, 'http://169.254.169.254/latest/meta-data'],
      [308, 'file:///etc/passwd'],
    ] as const) {
      const clientId = web.publish(raw('{}', { location }, status))
      const before = web.requests.length
      await isRefused(await ask(clientId), clientId)
      assert.equal(web.requests.length, before + 1)
    }
  })

  test('a certificate for another name is not trusted', async () => {
    const clientId = web.publish(whole({}), 'other.example')
    const before = web.requests.length
    await isRefused(await ask(clientId), clientId)
    assert.equal(web.requests.length, before)
  })

  test('an address that breaks the grammar is refused before any resolution or request', async () => {
    await app.moveClock(DOORS)
    const { port } = web
    const before = [web.requests.length, web.resolved.length]
    for (const clientId of [
      `https://app.example:${port}`,
      `https://app.example:${port}/`,
      `https://app.example:${port}/c#f`,
      `https://app.example:${port}/c?q`,
      `https://app.example:${port}/a/../c`,
      `https://app.example:${port}/a/%2e%2e/c`,
      `https://user@app.example:${port}/c`,
      `https://app.example@evil.example:${port}/c`,
      'https://app.example:22/c',
      'https://127.0.0.1/c',
      'https://[::1]/c',
      'https://2130706433/c',
      'https://0x7f.1/c',
      `https://localhost:${port}/c`,
      `https://app.example:${port}/${'c'.repeat(255)}`,
    ])
      await isRefused(await ask(clientId), clientId)
    for (const clientId of [`http://app.example:${port}/c`, `HTTPS://app.example:${port}/c`, 'file:///etc/passwd'])
      await isRefused(await ask(clientId), clientId)
    assert.deepEqual([web.requests.length, web.resolved.length], before)
  })
})

suite('failures and the cache', () => {
  before(() => app.moveClock(DOORS))

  test('a failure is not kept: the next request fetches again, and success then is success', async () => {
    let fails = true
    const clientId = web.publish((request, response) => {
      if (fails) response.writeHead(503, { 'content-type': 'application/json', 'cache-control': 'max-age=9999' }).end()
      else json(usualDocument(`https://app.example:${web.port}${request.url}`))(request, response)
    })
    await isRefused(await ask(clientId), clientId)
    fails = false
    goesOn(await ask(clientId))
    assert.equal((await readRows(clientId)).length, 1)
  })

  const lives: [string, Record<string, string>, number][] = [
    ['five minutes without a word', {}, 5],
    ['five minutes at least', { 'cache-control': 'max-age=1' }, 5],
    ['five minutes even with no-store', { 'cache-control': 'no-store' }, 5],
    ['as long as it says', { 'cache-control': 'max-age=1200' }, 20],
    ['a day at most', { 'cache-control': 'max-age=9999999' }, 24 * 60],
  ]
  for (const [name, headers, minutes] of lives) {
    test(`kept ${name}, by the school's clock`, async () => {
      const clientId = web.describe({}, headers)
      const before = web.requests.length
      goesOn(await ask(clientId))
      await app.moveClock(minutes * MINUTES - 20)
      goesOn(await ask(clientId))
      assert.equal(web.requests.length, before + 1)
      await app.moveClock(21)
      goesOn(await ask(clientId))
      assert.equal(web.requests.length, before + 2)
    })
  }

  test('a change of the document counts from the next fetch, and takes a callback away', async () => {
    let callback = 'http://127.0.0.1/old'
    const clientId = web.publish((request, response) =>
      json({ ...usualDocument(`https://app.example:${web.port}${request.url}`), redirect_uris: [callback] })(
        request,
        response,
      ),
    )
    goesOn(await ask(clientId, { redirect_uri: 'http://127.0.0.1/old' }))
    callback = 'http://127.0.0.1/new'
    assert.equal((await ask(clientId, { redirect_uri: 'http://127.0.0.1/new' })).status, 400)
    await app.moveClock(DOORS)
    goesOn(await ask(clientId, { redirect_uri: 'http://127.0.0.1/new' }))
    assert.equal((await ask(clientId, { redirect_uri: 'http://127.0.0.1/old' })).status, 400)
    assert.equal((await readRows(clientId)).length, 1)
  })

  test('when a stored document no longer exists, requests are refused, and the row is unchanged', async () => {
    let gone = false
    const clientId = web.publish((request, response) => {
      if (gone) response.writeHead(404).end()
      else json(usualDocument(`https://app.example:${web.port}${request.url}`))(request, response)
    })
    goesOn(await ask(clientId))
    gone = true
    const rows = await readRows(clientId)
    await app.moveClock(DOORS)
    const reply = await ask(clientId)
    assert.deepEqual([reply.status, reply.headers.location], [400, undefined])
    assert.deepEqual(await readRows(clientId), rows)
  })

  for (const status of [500, 503, 429])
    test(`an expired copy is used for a day while its server replies ${status}`, async () => {
      let fails = false
      const clientId = web.publish((request, response) => {
        if (fails) response.writeHead(status).end()
        else json(usualDocument(`https://app.example:${web.port}${request.url}`))(request, response)
      })
      goesOn(await ask(clientId))
      fails = true
      const rows = await readRows(clientId)
      await app.moveClock(5 * MINUTES + 1)
      const before = web.requests.length
      goesOn(await ask(clientId))
      assert.equal(web.requests.length, before + 1, 'it was tried')
      await app.moveClock(24 * 60 * MINUTES - 120)
      goesOn(await ask(clientId))
      await app.moveClock(121)
      const late = await ask(clientId)
      assert.deepEqual([late.status, late.json.error], [400, 'invalid_client'])
      assert.deepEqual(await readRows(clientId), rows)
      fails = false
      goesOn(await ask(clientId))
    })

  test('a document is kept by each school for itself', async () => {
    const clientId = web.describe()
    goesOn(await ask(clientId))
    const other = await app.send({ path: authorizePath(asking(clientId)) }, app.b)
    goesOn(other)
    const rows = await readRows(clientId)
    assert.deepEqual(new Set(rows.map(row => row.school_id)), new Set([app.a.id, app.b.id]))
  })
})

suite('limits of fetching', () => {
  const failing = (): string => web.publish((_request, response) => void response.writeHead(500).end())
  const isLimited = (reply: TestReply): boolean => {
    if (reply.status !== 429) return false
    assert.equal(reply.json.error, 'temporarily_unavailable')
    assert.ok(Number(reply.headers['retry-after']) > 0)
    return true
  }

  test('per URL: 12 in 10 minutes, and other URLs go on', async () => {
    await app.moveClock(DOORS)
    const clientId = failing()
    const before = web.requests.length
    for (let time = 0; time < 12; time++) assert.equal((await ask(clientId)).status, 400)
    assert.ok(isLimited(await ask(clientId)))
    assert.equal(web.requests.length, before + 12)
    goesOn(await ask(web.describe()))
    await app.moveClock(DOORS)
    assert.equal((await ask(clientId)).status, 400)
  })

  test('per network: 30 failures in 10 minutes, whatever the URL; what is kept and what works is not counted', async () => {
    await app.moveClock(DOORS)
    const kept = web.describe({}, { 'cache-control': 'max-age=3600' })
    goesOn(await ask(kept))
    const ends = web.describe()
    goesOn(await ask(ends))
    await app.moveClock(DOORS)
    const before = web.requests.length
    const replies: TestReply[] = []
    for (let batch = 0; batch < 8; batch++)
      replies.push(...(await Promise.all(Array.from({ length: 5 }, () => ask(failing())))))
    assert.equal(replies.filter(isLimited).length, 10)
    assert.equal(web.requests.length, before + 30)
    const unseen = web.describe()
    assert.ok(isLimited(await ask(unseen)))
    assert.deepEqual(await readRows(unseen), [])
    goesOn(await ask(kept))
    // Its copy has expired, and is used instead.
    goesOn(await ask(ends))
    assert.equal(web.requests.length, before + 30)
  })

  test('D-13 an untrusted forwarded address changes nothing', async () => {
    const reply = await ask(web.describe(), {}, { 'x-forwarded-for': '198.51.100.7' })
    assert.ok(isLimited(reply))
  })
})

test('per host: 120 failures in 10 minutes over all networks and schools, and one document more for each network', async () => {
  const proxied = await startApp({ outside: web.outside, trustProxy: '127.0.0.1' })
  const askFrom = (clientId: string, network: string, school = proxied.a): Promise<TestReply> =>
    proxied.send({ path: authorizePath(asking(clientId)), headers: { 'x-forwarded-for': network } }, school)
  try {
    const clientId = web.describe()
    goesOn(await askFrom(clientId, '203.0.113.1'))
    await proxied.moveClock(DOORS)
    const before = web.requests.length
    const statuses: number[] = []
    for (let network = 0; network < 7; network++) {
      const school = network % 2 === 0 ? proxied.a : proxied.b
      for (let index = 0; index < 18; index++) {
        const missing = `https://app.example:${web.port}/nothing/${network}/${index}`
        statuses.push((await askFrom(missing, `198.51.100.${network}`, school)).status)
      }
    }
    // The last network has 12 of the 120, and a reserve of two.
    assert.deepEqual(
      statuses.map(status => status === 400),
      statuses.map((_, index) => index < 122),
    )
    assert.equal(statuses.filter(status => status === 429).length, 4)
    assert.equal(web.requests.length - before, 122)
    // Earlier successes and the requests of other networks do not count against those who requested missing documents.
    goesOn(await askFrom(clientId, '198.51.100.6'))
    goesOn(await askFrom(web.describe(), '203.0.113.2'))
    goesOn(await askFrom(web.describe(), '203.0.113.3', proxied.b))
    assert.equal(web.requests.length - before, 125)
  } finally {
    await proxied.stop()
  }
})

test('many concurrent requests share one fetch', async () => {
  await app.moveClock(DOORS)
  const clientId = web.describe()
  const before = web.requests.length
  const replies = await Promise.all(Array.from({ length: 20 }, () => ask(clientId)))
  for (const reply of replies) goesOn(reply)
  assert.equal(web.requests.length, before + 1)
})

test('two processes that fetch concurrently leave one row, and both continue', async () => {
  await app.moveClock(DOORS)
  const second = await startAppProcess({ databaseUrl: app.database.appUrl, secret: app.secret, ca: web.ca })
  try {
    for (let round = 0; round < 5; round++) {
      const waiting: (() => void)[] = []
      // No request gets a reply before both have arrived, so that both store at once.
      const clientId = web.publish((request, response) => {
        waiting.push(() => json(usualDocument(`https://app.example:${web.port}${request.url}`))(request, response))
        if (waiting.length === 2) for (const answer of waiting) answer()
      })
      const request = { path: authorizePath(asking(clientId)), host: parseHost(app.a) }
      const replies = await Promise.all([app, second].map(({ port }) => send(port, request)))
      for (const reply of replies) goesOn(reply)
      assert.equal(waiting.length, 2)
      assert.equal((await readRows(clientId)).length, 1)
    }
  } finally {
    await second.stop()
  }
})

suite('a document whose client_id the school pre-registered', () => {
  const [ONE, TWO] = ['https://app.example/one', 'https://app.example/two']
  const uris = [ONE, TWO, 'http://127.0.0.1/callback']
  const landsAt = async (clientId: string, redirect: string): Promise<boolean> => {
    const reply = await ask(clientId, { redirect_uri: redirect, scope: 'nonsense' })
    const isThere = reply.status === 303 && (reply.headers.location ?? '').startsWith(`${redirect}?error=invalid_scope`)
    assert.ok(isThere || (reply.status === 400 && reply.headers.location === undefined), reply.text)
    return isThere
  }
  const preRegisterDocument = (clientId: string, ...more: string[]) =>
    arrange(app, ['--name', 'Recipe Box for schools', '--client-id', clientId, ...more])

  before(() => app.moveClock(DOORS))

  test('its HTTPS callbacks work from then on, fetched before or after', async () => {
    const existingId = web.describe({ redirect_uris: uris })
    assert.deepEqual([await landsAt(existingId, ONE), await landsAt(existingId, uris[2] ?? '')], [false, true])
    await preRegisterDocument(existingId)
    const unseen = web.describe({ redirect_uris: uris })
    await preRegisterDocument(unseen)
    for (const clientId of [existingId, unseen]) {
      for (const uri of uris) assert.equal(await landsAt(clientId, uri), true, uri)
      assert.equal(await landsAt(clientId, 'https://app.example/three'), false)
    }
  })

  test('if the school names redirect URIs, only those of the HTTPS ones, and only while the document has them', async () => {
    const clientId = web.describe({ redirect_uris: uris })
    await preRegisterDocument(
      clientId,
      '--redirect-uri',
      TWO,
      '--redirect-uri',
      'https://app.example/not-in-the-document',
    )
    assert.equal(await landsAt(clientId, TWO), true)
    assert.equal(await landsAt(clientId, 'http://127.0.0.1:5/callback'), true)
    assert.equal(await landsAt(clientId, ONE), false)
    assert.equal(await landsAt(clientId, 'https://app.example/not-in-the-document'), false)
    await preRegisterDocument(clientId)
    assert.equal(await landsAt(clientId, ONE), true)
  })

  test('name and scopes are those of the school, whatever the document contains; the page says that the school verified it', async () => {
    const clientId = web.describe({ redirect_uris: uris, client_name: 'Crumb & Crust', scope: 'openid school:read' })
    await preRegisterDocument(clientId, '--scope', 'openid email')
    const browser = openBrowser(app.port, app.a)
    const page = await openConsent(browser, dev, asking(clientId, { redirect_uri: ONE, scope: 'openid email' }))
    assert.match(page.text, /<bdi>Recipe Box for schools<\/bdi> <strong>\(verified by the school\)/)
    assert.match(page.text, /the web site app\.example/)
    const wider = await ask(clientId, { redirect_uri: ONE, scope: 'openid school:read' })
    assert.equal(readCallback(wider).searchParams.get('error'), 'invalid_scope')
    const denied = await browser.submit(parseForm(page), [['decision', 'deny']])
    assert.ok(denied.headers.location?.startsWith(`${ONE}?error=access_denied`))
    assert.equal(denied.headers['referrer-policy'], 'no-referrer')
  })

  test('a pre-registered client whose document cannot be fetched is still refused', async () => {
    const clientId = web.publish((_request, response) => void response.writeHead(500).end())
    await preRegisterDocument(clientId, '--redirect-uri', ONE)
    assert.equal(await landsAt(clientId, ONE), false)
  })

  test('a removed one is neither fetched again nor stored again', async () => {
    const clientId = web.describe({ redirect_uris: uris })
    assert.equal(await landsAt(clientId, 'http://127.0.0.1/callback'), true)
    await integrationsJson(app, ['remove', clientId])
    await app.moveClock(DOORS)
    const before = web.requests.length
    const rows = await readRows(clientId)
    assert.equal((await ask(clientId)).json.error, 'invalid_client')
    assert.equal(web.requests.length, before)
    assert.deepEqual(await readRows(clientId), rows)
  })
})

const parseHost = (school: School): string => new URL(school.siteOrigin).host

suite('K-01 the address behind a name', () => {
  const requests: string[] = []
  const inside: Record<string, readonly string[]> = {
    'loop.example': ['127.0.0.1'],
    'meta.example': ['169.254.169.254'],
    'mapped.example': ['::ffff:10.0.0.1'],
    'nat64.example': ['64:ff9b::a00:1'],
    'local6.example': ['fd00::1'],
    'nobody.example': [],
  }
  let guarded: Awaited<ReturnType<typeof startApp>>
  before(async () => {
    const resolve = async (host: string): Promise<readonly string[]> => {
      requests.push(host)
      const found = inside[host]
      if (found === undefined) throw new Error('ENOTFOUND secret-internal-name')
      return found
    }
    // The rule is the one that is shipped; only names are the test's.
    guarded = await startApp({ outside: { ...internet, ca: web.ca, resolve } })
  })
  after(() => guarded?.stop())

  for (const host of [...Object.keys(inside), 'unknown.example']) {
    test(`${host} is refused in the same words, and nothing is connected to`, async () => {
      const clientId = `https://${host}:${web.port}/clients/1`
      const before = web.requests.length
      const reply = await guarded.send({ path: authorizePath(asking(clientId)) })
      assert.equal(reply.status, 400)
      assert.equal(reply.json.error_description, 'The document at this client_id could not be fetched.')
      assert.ok(requests.includes(host))
      assert.equal(web.requests.length, before)
      assert.deepEqual(await readRows(clientId, guarded), [])
    })
  }
})

test('K-01 one address that may not be connected to refuses the whole name', async () => {
  let found: readonly string[] = ['127.0.0.1', '127.0.0.2']
  const mixed = await startApp({ outside: { ...web.outside, resolve: async () => found } })
  try {
    const path = authorizePath(asking(web.describe()))
    assert.equal((await mixed.send({ path })).status, 400)
    found = ['127.0.0.1']
    goesOn(await mixed.send({ path }))
  } finally {
    await mixed.stop()
  }
})
