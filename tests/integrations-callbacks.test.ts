import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { arrange, integrationsHere } from '#testing/integrations.ts'
import { authorizePath, openConsent, pkce, readCallback, register, tokenRequest } from '#testing/oauth.ts'

const app = testApp()
const dev = { email: people.dev.email, password: PASSWORD }
const NATIVE = 'com.example.books:/oauth/callback'

const asking = (client_id: string, redirect_uri: string, challenge = pkce().challenge) => ({
  client_id,
  redirect_uri,
  scope: 'openid account:read',
  code_challenge: challenge,
})

suite('an integration may have callbacks on the device of the person', () => {
  const rows: readonly (readonly [registered: string, requested: string, shown: string])[] = [
    ['http://localhost/cb', 'http://localhost/cb', 'localhost'],
    ['http://localhost:8080/cb', 'http://localhost:53817/cb', 'localhost:53817'],
    ['http://localhost', 'http://localhost:1/', 'localhost:1'],
    [NATIVE, NATIVE, 'com.example.books:'],
    ['com.example.books://oauth/callback', 'com.example.books://oauth/callback', 'com.example.books:'],
    ['org.example.app-2:/cb?from=school', 'org.example.app-2:/cb?from=school', 'org.example.app-2:'],
  ]
  for (const [registered, requested, shown] of rows)
    test(`${registered}: the code goes to ${requested}`, async () => {
      const { client_id } = await arrange(app, ['--name', 'Books', '--redirect-uri', registered])
      const { verifier, challenge } = pkce()
      const browser = openBrowser(app.port, app.a)
      const page = await openConsent(browser, dev, asking(client_id, requested, challenge))
      assert.equal(page.status, 200, page.text)
      assert.ok(page.text.includes(`an app on this computer (${shown})`), page.text)
      const reply = await browser.submit(parseForm(page), [['decision', 'approve']])
      assert.equal(reply.status, 303)
      assert.ok(reply.headers.location?.startsWith(`${requested}${requested.includes('?') ? '&' : '?'}code=`))
      assert.equal(readCallback(reply).searchParams.get('iss'), app.a.baseUrl)
      const code = readCallback(reply).searchParams.get('code') ?? ''
      const exchange = { grant_type: 'authorization_code', client_id, redirect_uri: requested, code }
      const { status, json } = await tokenRequest(app.port, app.a, { ...exchange, code_verifier: verifier })
      assert.equal(status, 200)
      assert.equal(typeof json.access_token, 'string')
    })

  test('RFC 8252 §8.6 any program on the device may get the code, so consent is required each time', async () => {
    for (const [redirect] of rows) {
      const { client_id } = await arrange(app, ['--name', 'Books', '--redirect-uri', redirect])
      const browser = openBrowser(app.port, app.a)
      const page = await openConsent(browser, dev, asking(client_id, redirect))
      assert.equal((await browser.submit(parseForm(page), [['decision', 'approve']])).status, 303)
      const again = await browser.open(authorizePath(asking(client_id, redirect)))
      assert.equal(again.status, 200, 'the consent page again')
      const silently = await browser.open(authorizePath({ ...asking(client_id, redirect), prompt: 'none' }))
      assert.equal(readCallback(silently).searchParams.get('error'), 'consent_required')
    }
  })

  test('another host, scheme or path is not the registered one', async () => {
    const local = await arrange(app, ['--name', 'Books', '--redirect-uri', 'http://localhost/cb'])
    const native = await arrange(app, ['--name', 'Books', '--redirect-uri', NATIVE])
    const refused = [
      'http://127.0.0.1/cb',
      'http://[::1]/cb',
      'http://localhost/other',
      'http://LOCALHOST/cb',
      'http://localhost.evil.example/cb',
      'http://localhost@evil.example/cb',
      'https://localhost/cb',
      'com.example.books:/oauth/callback/',
      'com.example.books:/oauth/callback?x=1',
      'com.example.books:/',
      'com.example.books:///oauth/callback',
      'COM.example.books:/oauth/callback',
      'com.example.book:/oauth/callback',
      'com.example.books:/oauth/callback#f',
      'com.example.books:oauth/callback',
      `${NATIVE} `,
      `${NATIVE}\n`,
    ]
    for (const redirect of refused)
      for (const { client_id } of [local, native]) {
        const reply = await app.send({ path: authorizePath(asking(client_id, redirect)) })
        assert.deepEqual([reply.status, reply.json?.error], [400, 'invalid_redirect_uri'], redirect)
        assert.equal(reply.headers.location, undefined)
      }
  })

  const unusable = [
    'books:/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'javascript.x:alert(1)',
    'com.example.books:',
    'com.example.books:cb',
    'com.example.books:/cb#f',
    'com.example.books:/a b',
    'com.example.books://user@host/cb',
    'com.example.books:/cb?state=1',
    'com.example.books:/x/../cb',
    'Com.Example.Books:/cb',
    '.example:/cb',
    'com.:/cb',
    '1com.example:/cb',
    `com.example:/${'a'.repeat(250)}`,
    'http://localhost.evil.example/cb',
    'http://user@localhost/cb',
    'http://localhost/cb?x=1',
    'ftp://x.example/',
  ]
  for (const uri of unusable)
    test(`${JSON.stringify(uri.slice(0, 60))} is refused when the integration is created`, async () => {
      const { code, err } = await integrationsHere(app, ['create', '--name', 'Books', '--redirect-uri', uri])
      assert.equal(code, 1)
      assert.match(err, /cannot be a callback/)
      assert.match(err, /http:\/\/localhost/)
      assert.match(err, /scheme .* with a period/)
    })
})

test('D-02 open registration accepts none of them', async () => {
  for (const uri of ['http://localhost/cb', NATIVE, 'com.example.books://oauth/callback']) {
    const { status, json } = await register(app.port, app.a, { redirect_uris: [uri] })
    assert.deepEqual([status, json.error], [400, 'invalid_redirect_uri'], uri)
  }
})
