import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { form, send, type TestReply } from '#testing/http.ts'
import { authorizePath, CALLBACK } from '#testing/oauth.ts'
import { addSchool } from '#testing/schools.ts'

const app = testApp()

type LoopbackSchool = { readonly baseUrl: string; readonly site: string; readonly others: readonly string[] }

const LITERAL: LoopbackSchool = {
  baseUrl: 'http://127.0.0.1:4901',
  site: 'localhost:4901',
  others: ['127.0.0.1:4901', '[::1]:4901'],
}

// In the order in which they are created.
const schools: readonly LoopbackSchool[] = [
  LITERAL,
  { baseUrl: 'http://localhost:4902', site: 'localhost:4902', others: ['127.0.0.1:4902', '[::1]:4902'] },
  {
    baseUrl: 'http://rye.localhost:4903',
    site: 'rye.localhost:4903',
    others: ['localhost:4903', '127.0.0.1:4903', '[::1]:4903'],
  },
  { baseUrl: 'http://[::1]:4904', site: 'localhost:4904', others: ['127.0.0.1:4904', '[::1]:4904'] },
  { baseUrl: 'http://two.localhost:4901', site: 'two.localhost:4901', others: [] },
  { baseUrl: 'http://localhost', site: 'localhost', others: ['127.0.0.1', '[::1]'] },
]

before(async () => {
  for (const { baseUrl } of schools) await addSchool(app, baseUrl, 'Rye')
})

const forPrograms = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/anything',
  '/auth.md',
  '/auth.md?x=1',
  '/openapi.json',
  '/openapi.json?x=1',
  '/api/v1/school',
  '/api/v1/members',
  '/api/v1/anything',
  '/api/oauth/jwks',
  '/webhooks/anything',
  '/files/fil_00000000000000000000000000/a.png',
  '/assets/anything.css',
  '/credentials/anything',
  '/downloads/anything',
  '/calendar/anything.ics',
  '/healthz',
  '/readyz',
]

const pages = [
  '/',
  '/?x=1',
  '/account',
  '/account/sign-in?return_to=/account',
  '/learn',
  '/staff',
  '/staff/people?q=ada',
  '/checkout?offer=x',
  '/docs',
  '/docs/callback?code=x',
  '/oauth/authorize',
  authorizePath({ client_id: 'x', redirect_uri: CALLBACK, state: 'a b' }),
  '/oauth/authorize/consent?request=x',
  '/courses/sourdough',
  '/sitemap.xml',
  '/robots.txt',
  '/llms.txt',
  '/feed.xml',
  '/auth.mdx',
  '/apis',
  '/api',
  '//evil.example/x',
  '/%2F%2Fevil.example',
  '/anything',
]

const COOKIES = ['session', 'visit', 'known'].map(kind => `stoa-local-${kind}-4901=${'x'.repeat(43)}`).join('; ')

const ask = (host: string, path: string, method = 'GET', headers: Readonly<Record<string, string>> = {}) =>
  send(app.port, { method, path, host, headers: { accept: 'text/html', cookie: COOKIES, ...headers } })

// What differs between two replies to the same request.
const shape = ({ status, headers, text }: TestReply) => [
  status,
  headers['content-type'],
  headers.location,
  text.replaceAll(String(headers['x-request-id']), '').replace(/"uptime[^,}]*/g, ''),
]

for (const { baseUrl, site, others } of schools)
  suite(`a school at ${baseUrl}`, () => {
    test('answers programs under each of its hosts in the same words, with addresses of its base URL', async () => {
      for (const path of forPrograms) {
        const expected = await ask(site, path)
        for (const host of others) {
          const reply = await ask(host, path)
          assert.deepEqual(shape(reply), shape(expected), `${host}${path}`)
          assert.equal(reply.headers['set-cookie'], undefined)
        }
      }
      for (const host of [site, ...others]) {
        const { json } = await ask(host, '/.well-known/openid-configuration')
        assert.deepEqual([json.issuer, json.token_endpoint], [baseUrl, `${baseUrl}/api/oauth/token`])
        const resource = (await ask(host, '/.well-known/oauth-protected-resource')).json
        assert.equal(resource.resource, baseUrl)
      }
    })

    test('leads every other GET and HEAD to the host of its pages, and neither reads nor sets a cookie', async () => {
      for (const host of others)
        for (const path of pages)
          for (const method of ['GET', 'HEAD']) {
            const { status, headers, text } = await ask(host, path, method)
            assert.deepEqual([status, headers.location, text], [307, `http://${site}${path}`, ''], `${method} ${path}`)
            assert.equal(headers['set-cookie'], undefined)
            assert.equal(headers['cache-control'], 'no-store')
          }
      for (const path of ['/', '/account/sign-in', '/docs', '/sitemap.xml']) {
        const { status, text } = await ask(site, path)
        assert.equal(status, 200, `${site}${path} ${text}`)
      }
    })

    test('leads a posted authorization request to the GET with its parameters, and refuses every other form', async () => {
      const fields = { client_id: 'x', state: 'a b&c=d', scope: 'openid profile' }
      for (const host of [site, ...others]) {
        const { status, headers } = await send(app.port, { ...form('/oauth/authorize', fields), host })
        const location = new URL(String(headers.location), `http://${site}`)
        assert.deepEqual([status, location.origin, location.pathname], [303, `http://${site}`, '/oauth/authorize'])
        assert.deepEqual(Object.fromEntries(location.searchParams), fields)
        assert.equal(headers['set-cookie'], undefined)
      }
      for (const host of others)
        for (const path of [
          '/account/sign-in',
          '/oauth/authorize/sign-in',
          '/checkout',
          '/staff/people',
          '/anything',
        ]) {
          const headers = { accept: 'text/html', cookie: COOKIES, 'sec-fetch-site': 'same-origin' }
          const reply = await send(app.port, { ...form(path, { email: 'ada@crumb.example' }, headers), host })
          assert.equal(reply.status, 403, path)
          assert.match(reply.text, /form_refused/)
          assert.ok(reply.text.includes(`<a href="http://${site}${path}">`), reply.text)
          assert.equal(reply.headers['set-cookie'], undefined)
        }
    })

    test('leads addresses of sessions of an earlier version to the rest of them, under every host', async () => {
      const old = `/~${'az_-09'.repeat(4).slice(0, 22)}`
      for (const host of [site, ...others])
        for (const path of [
          '/',
          '/account/orders?x=1',
          '/checkout/chk_0?returned=1',
          '//evil.example',
          '/api/v1/school',
        ]) {
          const { status, headers } = await ask(host, `${old}${path}`)
          assert.deepEqual([status, headers.location], [307, `http://${site}${path}`], `${host}${path}`)
          assert.equal(headers['set-cookie'], undefined)
        }
      const posted = await send(app.port, {
        ...form(`${old}/account/sign-out`, {}, { accept: 'text/html' }),
        host: site,
      })
      assert.equal(posted.status, 403)
      assert.ok(posted.text.includes(`<a href="http://${site}/account/sign-out">`), posted.text)
      for (const path of [old, `${old}x/account`, `/~${'a'.repeat(21)}/account`, `/x${old}/account`])
        assert.equal((await ask(site, path)).status, 404, path)
    })
  })

test('no other host is one of a school, whatever is asked', async () => {
  const hosts = [
    'evil.example:4901',
    '127.0.0.1:4905',
    '127.0.0.3:4901',
    'x.localhost:4902',
    'localhost.evil.example:4901',
    'localhost.:4901',
    '0.0.0.0:4901',
    '[::]:4901',
    '[::ffff:127.0.0.1]:4901',
    '2130706433:4901',
  ]
  for (const host of hosts)
    for (const path of ['/', '/staff', '/api/v1/school', '/.well-known/openid-configuration', '/oauth/authorize']) {
      const { status, headers } = await ask(host, path)
      assert.deepEqual([status, headers.location], [404, undefined], `${host}${path}`)
    }
  assert.equal((await send(app.port, { ...form('/oauth/authorize', {}), host: 'evil.example:4901' })).status, 404)
})

test('a school on https has one host, at which a posted authorization request is led to the GET as well', async () => {
  const host = new URL(app.b.baseUrl).host
  assert.equal((await ask(host, '/')).status, 200)
  const { status, headers } = await send(app.port, { ...form('/oauth/authorize', { state: 's' }), host })
  assert.deepEqual([status, headers.location], [303, '/oauth/authorize?state=s'])
  const hosts = await app.database.query<{ host: string; purpose: string }>(
    'select host, purpose from hosts where school_id = $1',
    [app.b.id],
  )
  assert.deepEqual(hosts, [{ host, purpose: 'school' }])
})

suite('within the limit of a network', () => {
  const limited = testApp({ hasUsualRates: true })

  test('a request that would be led elsewhere is counted, and refused beyond it', async () => {
    const host = `127.0.0.1:${limited.port}`
    const statuses = new Map<number, number>()
    for (let sent = 0; sent < 6200; sent++) {
      const { status } = await send(limited.port, { path: '/', host })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 429) break
    }
    assert.deepEqual([...statuses.keys()], [307, 429])
  })
})
