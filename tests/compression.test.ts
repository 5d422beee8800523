import assert from 'node:assert/strict'
import { request } from 'node:http'
import { suite, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { endpoint } from '#src/contract/endpoint.ts'
import { startApp, testApp } from '#testing/app.ts'
import { openBrowser } from '#testing/browser.ts'

const LONG = 'crumb '.repeat(30_000)

const app = testApp({
  cachesPublicReads: true,
  morePages: () => [
    endpoint({
      route: 'GET /long.txt',
      handle: async () => ({ status: 200, headers: { 'content-type': 'application/zip' }, body: LONG }),
    }),
  ],
})

type Raw = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET', port = app.port) =>
  new Promise<Raw>((resolve, reject) => {
    const host = new URL(app.a.baseUrl).host
    request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers } }, reply => {
      const pieces: Buffer[] = []
      reply.on('data', piece => pieces.push(piece))
      reply.on('error', reject)
      reply.on('end', () =>
        resolve({
          status: reply.statusCode ?? 0,
          headers: reply.headers as Raw['headers'],
          body: Buffer.concat(pieces),
        }),
      )
    })
      .on('error', reject)
      .end()
  })

const decoded = ({ headers, body }: Raw): string => {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body).toString()
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
}

const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' }
const PUBLIC = ['/openapi.json', '/api/v1/courses', '/', '/courses', '/assets/site.css', '/auth.md', '/feed.xml']

suite('responses are compressed as requests accept it', () => {
  for (const path of PUBLIC)
    test(`GET ${path} in each coding has the content of the response without one`, async () => {
      const plain = await get(path)
      assert.equal(plain.status, 200)
      assert.equal(plain.headers['content-encoding'], undefined)
      assert.match(String(plain.headers.vary), /(^|, )Accept-Encoding$/)
      if (plain.body.length < 1400) return
      for (const [accepted, coding, suffix] of [
        ['br', 'br', '-br'],
        ['gzip', 'gzip', '-gz'],
      ] as const) {
        const coded = await get(path, { 'accept-encoding': accepted })
        assert.equal(coded.headers['content-encoding'], coding)
        assert.equal(decoded(coded), plain.body.toString())
        assert.ok(coded.body.length < plain.body.length)
        assert.equal(coded.headers['content-length'], String(coded.body.length))
        assert.equal(coded.headers.vary, plain.headers.vary)
        const etag = plain.headers.etag?.replace(/"$/, `${suffix}"`)
        assert.equal(coded.headers.etag, etag)
      }
    })

  test('the description of the API takes at most a sixth of its bytes', async () => {
    const [plain, coded] = [await get('/openapi.json'), await get('/openapi.json', { 'accept-encoding': 'gzip' })]
    assert.ok(coded.body.length * 6 < plain.body.length, `${coded.body.length} of ${plain.body.length}`)
  })

  test('HEAD has the headers of GET', async () => {
    for (const path of PUBLIC)
      for (const accepted of ['', 'gzip', 'br', 'identity;q=0, gzip']) {
        // An asset that is compressed for the first time is replaced by a smaller form.
        const [one, other] = await settledPair(path, accepted)
        assert.deepEqual(other, one, `${path} ${accepted}`)
      }
  })

  test('If-None-Match names the content with and without a coding', async () => {
    for (const path of PUBLIC) {
      const etag = String((await get(path)).headers.etag)
      for (const tag of [etag, etag.replace(/"$/, '-br"'), etag.replace(/"$/, '-gz"')])
        for (const written of [tag, `W/${tag}`, `"x", ${tag}`])
          for (const accepted of ['', 'br']) {
            const reply = await get(path, { 'if-none-match': written, 'accept-encoding': accepted })
            assert.equal(reply.status, 304, `${path} ${written}`)
            assert.equal(reply.headers.etag, tag)
            assert.equal(reply.body.length, 0)
            assert.match(String(reply.headers.vary), /Accept-Encoding/)
          }
      const other = etag.replace(/"$/, '-zz"')
      assert.equal((await get(path, { 'if-none-match': other })).status, 200)
    }
  })

  test('If-Match takes the ETag of an encoded response', async () => {
    const actor = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
    const bearer = { authorization: `Bearer ${actor.token}`, 'accept-encoding': 'br' }
    const { json } = await actor.write('POST', '/courses', { name: 'Compressed', description: 'crumb '.repeat(500) })
    const read = await get(`/api/v1/courses/${json.id}`, bearer)
    assert.match(String(read.headers.etag), /-br"$/)
    const match = { 'if-match': String(read.headers.etag) }
    assert.equal((await actor.write('PATCH', `/courses/${json.id}`, { name: 'Once' }, match)).status, 200)
    const stale = await actor.write('PATCH', `/courses/${json.id}`, { name: 'Twice' }, match)
    assert.equal(stale.status, 412)
  })

  test('lists as CSV are compressed while they are read, and cut off as without', async () => {
    const { token } = await app.actor('ada', { scopes: ['courses:read'] })
    const headers = { authorization: `Bearer ${token}`, accept: 'text/csv' }
    const plain = await get('/api/v1/courses', headers)
    for (const accepted of ['br', 'gzip']) {
      const coded = await get('/api/v1/courses', { ...headers, 'accept-encoding': accepted })
      assert.equal(coded.headers['content-encoding'], accepted)
      assert.equal(decoded(coded), plain.body.toString())
      const head = await get('/api/v1/courses', { ...headers, 'accept-encoding': accepted }, 'HEAD')
      assert.equal(head.headers['content-encoding'], accepted)
      assert.equal(head.headers['content-length'], undefined)
    }
  })

  test('a problem of 1,400 bytes is compressed, and a smaller one only where plain content is refused', async () => {
    const small = await get('/api/v1/nothing', BROWSER)
    assert.equal(small.status, 404)
    assert.equal(small.headers['content-encoding'], undefined)
    assert.match(String(small.headers.vary), /Accept-Encoding/)
    const refused = await get('/api/v1/nothing', { 'accept-encoding': 'gzip, identity;q=0' })
    assert.equal(refused.headers['content-encoding'], 'gzip')
    assert.equal(JSON.parse(decoded(refused)).code, 'not_found')
  })
})

// Whatever belongs to one request.
const common = ({ headers }: Raw) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !['x-request-id', 'ratelimit', 'date', 'content-length'].includes(name)),
  )

const settledPair = async (path: string, accepted: string) => {
  const headers = { 'accept-encoding': accepted }
  const whole = await get(path, headers)
  const head = await get(path, headers, 'HEAD')
  assert.equal(head.body.length, 0)
  assert.ok(Number(head.headers['content-length']) > 0)
  return [common(whole), common(head)]
}

suite('what is not compressed', () => {
  test('pages with the token of a form, and the OAuth endpoints', async () => {
    const paths = ['/oauth/authorize', '/account/sign-in', '/.well-known/oauth-authorization-server']
    for (const path of paths) assert.equal((await get(path, BROWSER)).headers['content-encoding'], undefined, path)
    const browser = openBrowser(app.port, app.a)
    const page = await browser.open('/account/sign-in')
    assert.ok(page.text.length > 1400)
    assert.equal(page.headers['content-encoding'], undefined)
  })

  test('content of a type that is compressed already', async () => {
    const { headers, body } = await get('/long.txt', BROWSER)
    assert.equal(headers['content-encoding'], undefined)
    assert.equal(headers.vary, undefined)
    assert.equal(body.length, LONG.length)
  })

  test('fonts', async () => {
    const sheet = decoded(await get('/assets/fonts.css', BROWSER))
    const [, font = ''] = /url\("?([^")]+\.woff2)/.exec(sheet) ?? []
    const { headers, status } = await get(font, BROWSER)
    assert.deepEqual([status, headers['content-encoding']], [200, undefined])
  })

  test('anything of a server without compression', async () => {
    const other = await startApp({ compresses: false })
    try {
      const { headers } = await get('/courses', { ...BROWSER, host: new URL(other.a.baseUrl).host }, 'GET', other.port)
      assert.equal(headers['content-encoding'], undefined)
      assert.doesNotMatch(String(headers.vary), /Accept-Encoding/)
    } finally {
      await other.stop()
    }
  })
})
