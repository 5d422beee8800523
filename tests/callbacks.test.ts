import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { PASSWORD, startApp } from '#testing/app.ts'
import { type Browser, openBrowser, parseForm } from '#testing/browser.ts'
import { type DocumentServer, HOST, json, startDocuments, usualDocument } from '#testing/documents.ts'
import { send, type TestReply } from '#testing/http.ts'
import { arrange, type Integration, integrationsHere, integrationsJson } from '#testing/integrations.ts'
import { authorizePath, openConsent, pkce, readCallback, register } from '#testing/oauth.ts'
import { until } from '#testing/until.ts'

const FIRST = 'https://books.example/callback'
const SECOND = 'https://elsewhere.example/callback'
const SAME_SITE = 'https://books.example/other'
const DEV = { email: people.dev.email, password: PASSWORD }
// As long as a document is kept at least.
const KEPT = 5 * 60 + 1

let web: DocumentServer
let app: Awaited<ReturnType<typeof startApp>>
before(async () => {
  web = await startDocuments()
  app = await startApp({ outside: web.outside })
})
after(async () => {
  await app?.stop()
  await web?.stop()
})

type Described = { readonly client_id: string; lists(...uris: string[]): Promise<void> }

/** A client whose document the school has pre-registered, and whose document can change. */
const described = async (uris: readonly string[], ...more: string[]): Promise<Described> => {
  let listed: readonly string[] = uris
  const id = web.publish((request, response) => {
    const clientId = `https://${HOST}:${web.port}${request.url}`
    json({ ...usualDocument(clientId), redirect_uris: listed })(request, response)
  })
  await arrange(app, ['--name', 'Recipe Box', '--client-id', id, ...more])
  return {
    client_id: id,
    lists: async (...now) => {
      listed = now
      await app.moveClock(KEPT)
    },
  }
}

const asking = (client: Pick<Integration, 'client_id'>, redirectUri: string, more = {}) => ({
  client_id: client.client_id,
  redirect_uri: redirectUri,
  scope: 'openid account:read',
  code_challenge: pkce().challenge,
  ...more,
})

const outcome = (reply: TestReply): string => {
  if (reply.status === 400) return 'refused'
  if (reply.status !== 303) return reply.text.includes('name="password"') ? 'sign-in page' : 'consent page'
  const url = readCallback(reply)
  return url.searchParams.has('code') ? `code to ${url.host}` : (url.searchParams.get('error') ?? '')
}

const ask = async (browser: Browser, client: Described, uri: string, more = {}): Promise<string> =>
  outcome(await browser.open(authorizePath(asking(client, uri, more))))

const agree = async (client: Pick<Integration, 'client_id'>, uri: string, own?: Browser): Promise<Browser> => {
  const browser = own ?? openBrowser(app.port, app.a)
  const page = await openConsent(browser, DEV, asking(client, uri))
  assert.equal(outcome(page), 'consent page')
  assert.equal(
    outcome(await browser.submit(parseForm(page), [['decision', 'approve']])),
    `code to ${new URL(uri).host}`,
  )
  return browser
}

const readGrants = async ({ client_id }: Pick<Integration, 'client_id'>): Promise<number> =>
  (await app.database.query('select from grants where client_id = $1', [client_id])).length

suite('a code is sent without a page only to the site of the last approval', () => {
  test('a document that moves to another host needs consent on a page first, with prompt=none too', async () => {
    const client = await described([FIRST])
    const browser = await agree(client, FIRST)
    assert.equal(await ask(browser, client, FIRST), 'code to books.example')
    await client.lists(FIRST, SECOND)
    assert.equal(await ask(browser, client, SECOND, { prompt: 'none' }), 'consent_required')
    const page = await browser.open(authorizePath(asking(client, SECOND)))
    assert.equal(outcome(page), 'consent page')
    assert.match(page.text, /elsewhere\.example/)
    // A person who did not answer the consent page has approved nothing.
    assert.equal(await ask(browser, client, FIRST), 'code to books.example')
    assert.equal(outcome(await browser.submit(parseForm(page), [['decision', 'approve']])), 'code to elsewhere.example')
    assert.equal(await ask(browser, client, SECOND), 'code to elsewhere.example')
    // The one that was approved last counts, and not any of earlier days.
    assert.equal(await ask(browser, client, FIRST), 'consent page')
  })

  test('another path of the same site needs no page', async () => {
    const client = await described([FIRST, SAME_SITE])
    const browser = await agree(client, FIRST)
    assert.equal(await ask(browser, client, SAME_SITE), 'code to books.example')
  })

  test('a silent approval does not stand for one on a page', async () => {
    const client = await arrange(app, ['--name', 'Two sites', '--redirect-uri', FIRST, '--redirect-uri', SECOND])
    const browser = await agree(client, FIRST)
    const path = authorizePath(asking(client, FIRST))
    for (let times = 0; times < 3; times++) assert.equal(outcome(await browser.open(path)), 'code to books.example')
    assert.equal(outcome(await browser.open(authorizePath(asking(client, SECOND)))), 'consent page')
  })

  test('nor after a sign-in that the request required', async () => {
    const client = await described([FIRST, SECOND])
    await agree(client, FIRST)
    const browser = openBrowser(app.port, app.a)
    assert.equal(outcome(await openConsent(browser, DEV, asking(client, SECOND))), 'consent page')
  })
})

/** A page that waits for a decision. */
const waiting = async (client: Pick<Integration, 'client_id'>, uri: string) => {
  const browser = openBrowser(app.port, app.a)
  const page = await openConsent(browser, DEV, asking(client, uri))
  assert.equal(outcome(page), 'consent page')
  return { browser, form: parseForm(page) }
}

suite('changes between the page and the decision', () => {
  const decisions = ['approve', 'deny']

  test('a callback that the document no longer lists gets nothing', async () => {
    const client = await described([FIRST, SECOND])
    const pages = await Promise.all(decisions.map(() => waiting(client, SECOND)))
    await client.lists(FIRST)
    await openConsent(openBrowser(app.port, app.a), DEV, asking(client, FIRST))
    for (const [index, decision] of decisions.entries()) {
      const { browser, form } = pages[index] ?? assert.fail()
      const reply = await browser.submit(form, [['decision', decision]])
      assert.deepEqual([reply.status, reply.headers.location], [400, undefined], decision)
      assert.match(reply.text, /no longer lists/)
      const handle = new Map(form.fields).get('request') ?? ''
      const shown = await browser.open(`/oauth/authorize/consent?request=${handle}`)
      assert.deepEqual([shown.status, shown.headers.location], [400, undefined])
    }
    assert.equal(await readGrants(client), 0)
  })

  test('nor one that the school no longer arranges', async () => {
    const client = await described([FIRST, SECOND])
    const { browser, form } = await waiting(client, SECOND)
    await arrange(app, ['--name', 'Recipe Box', '--client-id', client.client_id, '--redirect-uri', FIRST])
    const reply = await browser.submit(form, [['decision', 'approve']])
    assert.deepEqual([reply.status, reply.headers.location], [400, undefined])
    assert.equal(await readGrants(client), 0)
  })

  test('a page is not left out for it after a sign-in either', async () => {
    const client = await described([FIRST, SECOND])
    await agree(client, SECOND)
    const browser = openBrowser(app.port, app.a)
    const signIn = await browser.open(authorizePath(asking(client, SECOND)))
    assert.equal(outcome(signIn), 'sign-in page')
    await client.lists(FIRST)
    await openConsent(openBrowser(app.port, app.a), DEV, asking(client, FIRST))
    const reply = await browser.submit(parseForm(signIn), Object.entries(DEV))
    assert.deepEqual([reply.status, reply.headers.location], [400, undefined])
    assert.equal(await readGrants(client), 1)
  })

  for (const decision of decisions) {
    test(`an app that the school removed gets nothing, and the person sees why: ${decision}`, async () => {
      const client = await arrange(app, ['--name', 'Bookkeeping', '--redirect-uri', FIRST])
      const { browser, form } = await waiting(client, FIRST)
      await integrationsJson(app, ['remove', client.client_id])
      const reply = await browser.submit(form, [['decision', decision]])
      assert.deepEqual([reply.status, reply.headers.location], [400, undefined])
      assert.match(reply.text, /has removed this app/)
      assert.equal(await readGrants(client), 0)
    })
  }

  test('a resource that no longer belongs to this school is reported on the page', async () => {
    const client = await arrange(app, ['--name', 'Of another address', '--redirect-uri', FIRST])
    const { browser, form } = await waiting(client, FIRST)
    const elsewhere = ['https://before.example']
    await app.database.query('update authorization_requests set resources = $2 where client_id = $1', [
      client.client_id,
      elsewhere,
    ])
    const reply = await browser.submit(form, [['decision', 'approve']])
    assert.deepEqual([reply.status, reply.headers.location], [400, undefined])
    assert.equal(await readGrants(client), 0)
  })
})

test('no callback is on the host of the uploaded pages of a school on loopback, registered with it or without a port', async () => {
  const host = '127.0.0.1:3999'
  const client = (await register(app.port, app.a, { redirect_uris: ['http://127.0.0.1/callback'] })).json
  await app.database.query(`insert into hosts (host, school_id, purpose) values ($1, $2, 'pages')`, [host, app.a.id])
  // The address of a school is cached for a second.
  await until(async () => {
    const refused = await register(app.port, app.a, { redirect_uris: [`http://${host}/callback`] })
    return refused.status === 400 && refused.json.error === 'invalid_redirect_uri'
  }, 'the school has a host for its pages')
  const { status, headers } = await openBrowser(app.port, app.a).open(
    authorizePath(asking(client, `http://${host}/callback`)),
  )
  assert.deepEqual([status, headers.location], [400, undefined])
  await app.database.query('delete from hosts where host = $1', [host])
})

suite('callbacks on the host of the school', () => {
  test('a registration at the port of the school is refused, and so is a request that names it', async () => {
    for (const address of ['127.0.0.1', '[::1]']) {
      const own = `http://${address}:${app.port}/callback`
      const refused = await register(app.port, app.a, { redirect_uris: [own] })
      assert.deepEqual([refused.status, refused.json.error], [400, 'invalid_redirect_uri'])
      assert.match(refused.json.error_description, /the port that the app listens on/)
      const { json: client } = await register(app.port, app.a, { redirect_uris: [`http://${address}/callback`] })
      const reply = await app.send({ path: authorizePath(asking(client, own)), headers: { accept: 'text/html' } })
      assert.deepEqual([reply.status, reply.headers.location], [400, undefined])
      assert.match(reply.text, /an address of the school itself/)
    }
  })

  test('a document may list one, and a request for it is refused; on another port every path may be one', async () => {
    const uris = ['http://localhost/account/x', 'http://127.0.0.1/account/x', 'http://[::1]/account/x']
    const client = await described(uris)
    const at = (uri: string, port: number) => asking(client, uri.replace('/account', `:${port}/account`))
    for (const uri of uris) {
      const path = authorizePath(at(uri, app.port))
      const reply = await app.send({ path, headers: { accept: 'text/html' } })
      assert.deepEqual([reply.status, reply.headers.location], [400, undefined], uri)
      assert.match(reply.text, /an address of the school itself/)
      const consent = await openConsent(openBrowser(app.port, app.a), DEV, at(uri, 53817))
      assert.equal(outcome(consent), 'consent page', uri)
    }
  })

  test('an integration cannot have one', async () => {
    for (const [school, uri] of [
      [app.a, `http://127.0.0.1:${app.port}/x`],
      [app.a, `http://[::1]:${app.port}/x`],
      [app.a, `http://localhost:${app.port}/x`],
      [app.b, 'https://rye.example:8443/callback'],
    ] as const) {
      const { code, err } = await integrationsHere(app, ['create', '--name', 'Own', '--redirect-uri', uri], school)
      assert.equal(code, 1)
      assert.match(
        err,
        /cannot be a callback: A redirect URI may not be (?:an address of the school itself|on the host of the school)/,
      )
    }
  })

  test('on HTTPS no port of the host of the school is called back, whoever listed it', async () => {
    const uri = 'https://rye.example:8443/callback'
    const client = await arrange(app, ['--name', 'Of before', '--redirect-uri', FIRST])
    await app.database.query('update clients set school_id = $2, redirect_uris = $3 where id = $1', [
      client.client_id,
      app.b.id,
      [uri],
    ])
    const path = authorizePath(asking(client, uri))
    const reply = await send(app.port, { path, host: 'rye.example', headers: { accept: 'text/html' } })
    assert.deepEqual([reply.status, reply.headers.location], [400, undefined])
    assert.match(reply.text, /on the host of the school/)
  })
})
