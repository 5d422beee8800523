import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { openFiles } from '#src/store/index.ts'
import { formatCookie } from '#testing/account-pages.ts'
import { testApp } from '#testing/app.ts'
import { buildSite } from '#testing/archives.ts'
import { deployer, setPagesHost, siteObjects, untilObjects } from '#testing/deployments.ts'
import type { TestReply } from '#testing/http.ts'
import { learner } from '#testing/learn-pages.ts'
import { startMailbox } from '#testing/mail.ts'
import { type ObjectStore, startObjectStore } from '#testing/object-store.ts'
import { once } from '#testing/staff-pages.ts'
import { until } from '#testing/until.ts'

let objects: ObjectStore | undefined
let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  files: async () => {
    objects = await startObjectStore()
    return openFiles({ s3: objects.place })
  },
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => Promise.all([objects?.stop(), mailbox?.stop()]))

const computeHash = (content: string): string => createHash('sha256').update(content).digest('hex')

const LETTERS = 'abcdefghij'
const files = {
  'index.html': '<h1>Odd</h1>',
  '404.html': '<h1>Lost</h1>',
  'letters.txt': LETTERS,
  'empty.css': '',
  'a b.txt': 'space',
  '100%.txt': 'percent',
  'what?.txt': 'question',
  'hash#.txt': 'hash',
  '%2e%2e.txt': 'encoded in its name',
  'é/index.html': 'accent',
  plain: 'no ending',
  'run.exe': 'MZ',
  'data.json': '{}',
  'picture.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
}

/** A static page that is published, with the files above; the host at which it is shown. */
const published = once(async () => {
  const ada = await deployer(app)
  const host = await setPagesHost(app)
  const page = await ada.page('/odd')
  const { id } = await ada.deployed(page, buildSite(files))
  assert.equal((await ada.promote(page, id)).status, 200)
  assert.equal((await ada.publish(page)).status, 200)
  return { ada, host, page, id }
})

const get = async (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<TestReply> =>
  app.send({ method, path, host: (await published()).host, headers })

test('from a bucket, too, every file comes from the host for pages itself, with its type and no sniffing', async () => {
  await published()
  const types = {
    'letters.txt': 'text/plain; charset=utf-8',
    plain: 'application/octet-stream',
    'run.exe': 'application/octet-stream',
    'data.json': 'application/json',
    'picture.svg': 'image/svg+xml',
    'empty.css': 'text/css; charset=utf-8',
  } as const
  for (const [name, type] of Object.entries(types)) {
    const { status, text, headers } = await get(`/odd/${name}`)
    assert.deepEqual([status, text, headers['content-type']], [200, files[name as keyof typeof types], type], name)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['content-length'], String(text.length))
    assert.match(String(headers['content-security-policy']), /object-src 'none'/)
    for (const none of ['set-cookie', 'service-worker-allowed', 'location'])
      assert.equal(headers[none], undefined, `${name} ${none}`)
  }
})

test('an address means the file whose name it is, decoded once, and never one elsewhere', async () => {
  for (const [address, text] of [
    ['/odd/a%20b.txt', 'space'],
    ['/odd/100%25.txt', 'percent'],
    ['/odd/what%3F.txt', 'question'],
    ['/odd/hash%23.txt', 'hash'],
    ['/odd/%252e%252e.txt', 'encoded in its name'],
    ['/odd/%C3%A9/', 'accent'],
    ['/odd/e%CC%81/', 'accent'],
    ['/odd/l%65tters.txt', LETTERS],
    ['/odd/letters.txt?v=2', LETTERS],
  ] as const) {
    const { status, text: found } = await get(address)
    assert.deepEqual([status, found], [200, text], address)
  }
  const { status, headers } = await get('/odd/%C3%A9')
  assert.deepEqual([status, headers.location], [302, '/odd/%C3%A9/'])
  for (const address of [
    '/odd/%2e%2e/odd/letters.txt',
    '/odd/../odd/letters.txt',
    '/odd/..%2fletters.txt',
    '/odd/..%5cletters.txt',
    '/odd/%2fletters.txt',
    '/odd/letters.txt/',
    '/odd/letters.txt%00',
    '/odd/%c0%ae%c0%ae/letters.txt',
    '/odd/LETTERS.txt',
    '/odd/letters.txt.',
    '/odd/letters.txt%20',
    '/odd/what?.txt',
    '/odd/%E0%A4%A',
    '/odd//letters.txt',
    '/odd/plain/index.html',
  ]) {
    const { status, text } = await get(address)
    assert.deepEqual([status, text], [404, '<h1>Lost</h1>'], address)
  }
  for (const address of ['//odd/letters.txt', '/Odd/letters.txt', '/%6fdd/letters.txt', '/x/../odd/', '/.well-known/x'])
    assert.deepEqual([(await get(address)).status, (await get(address)).text.includes('Lost')], [404, false], address)
})

test('HEAD, ranges and conditions are answered as RFC 9110 says', async () => {
  const { headers } = await get('/odd/letters.txt')
  const etag = String(headers.etag)
  const head = await get('/odd/letters.txt', {}, 'HEAD')
  assert.deepEqual([head.status, head.text, head.headers['content-length'], head.headers.etag], [200, '', '10', etag])
  for (const [range, status, text] of [
    ['bytes=0-0', 206, 'a'],
    ['bytes=7-', 206, 'hij'],
    ['bytes=-2', 206, 'ij'],
    ['bytes=0-99', 206, LETTERS],
    ['bytes=5-2', 200, LETTERS],
    ['bytes=0-1,3-4', 200, LETTERS],
    ['lines=1-2', 200, LETTERS],
  ] as const) {
    const part = await get('/odd/letters.txt', { range })
    assert.deepEqual([part.status, part.text], [status, text], range)
  }
  const beyond = await get('/odd/letters.txt', { range: 'bytes=10-' })
  assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, 'bytes */10'])
  for (const condition of [etag, `"x", ${etag}`, `W/${etag}`, '*'])
    assert.equal((await get('/odd/letters.txt', { 'if-none-match': condition })).status, 304, condition)
  assert.equal((await get('/odd/letters.txt', { 'if-none-match': '"x"' })).status, 200)
  assert.equal((await get('/odd/letters.txt', { 'if-range': etag, range: 'bytes=0-1' })).text, 'ab')
  assert.equal((await get('/odd/letters.txt', { 'if-range': '"x"', range: 'bytes=0-1' })).text, LETTERS)
  assert.equal((await get('/odd/empty.css', { range: 'bytes=0-' })).status, 200)
  const lost = await get('/odd/nothing', { range: 'bytes=0-1', 'if-none-match': '*' })
  assert.deepEqual([lost.status, lost.text], [404, '<h1>Lost</h1>'])
  assert.equal((await get('/odd/nothing', {}, 'HEAD')).headers['content-length'], '13')
})

test('no session, service worker or other host changes what the host for pages shows', async () => {
  const { host, id } = await published()
  const cookie = formatCookie(await learner(app, 'ada'))
  const [signedIn, stranger] = [await get('/odd/', { cookie, origin: `http://${host}` }), await get('/odd/')]
  assert.deepEqual([signedIn.text, signedIn.headers['set-cookie']], [stranger.text, undefined])
  assert.deepEqual([signedIn.headers.etag, signedIn.headers.vary], [stranger.headers.etag, stranger.headers.vary])
  assert.equal(signedIn.headers['access-control-allow-credentials'], undefined)
  for (const path of ['/odd/data.json', '/odd/', '/account', `/~preview/${id}/1-x/`])
    assert.equal((await get(path, { 'service-worker': 'script' })).status, 404, path)
  assert.equal((await app.send({ path: '/odd/', host: host.toUpperCase() })).text, files['index.html'])
  for (const other of [`${host}.`, `x.${host}`, host.replace(/:.*/, ''), `${host}:1`, `[${host}]`])
    assert.notEqual((await app.send({ path: '/odd/', host: other })).status, 200, other)
  const own = new URL(app.a.baseUrl).host
  const forwarded = await app.send({ path: '/odd/letters.txt', host: own, headers: { 'x-forwarded-host': host } })
  assert.deepEqual([forwarded.status, forwarded.text.includes(LETTERS)], [404, false], 'the peer is no proxy')
  assert.equal((await get('/api/v1/school', { 'x-forwarded-host': own })).status, 404)
  // A client of the API cannot be led there either.
  const ada = await app.actor('ada', { scopes: ['school:read'] })
  const api = await get('/api/v1/school', { authorization: `Bearer ${ada.token}` })
  assert.deepEqual([api.status, api.text.includes('currency')], [404, false])
})

/** Sends bytes as they are, and returns the status line of the answer. */
const rawly = (lines: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(app.port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`))
    let answer = ''
    socket.on('data', chunk => {
      answer += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer.split('\r\n')[0] ?? ''))
  })

test('two Host headers, none, and an address with a host of its own are refused', async () => {
  const { host } = await published()
  const own = new URL(app.a.baseUrl).host
  const close = 'Connection: close'
  for (const lines of [[`Host: ${host}`, `Host: ${own}`], [`Host: ${own}`, `Host: ${host}`], []])
    assert.match(await rawly(['GET /odd/ HTTP/1.1', ...lines, close]), / 40[04] /, lines.join())
  assert.match(await rawly([`GET http://${host}/odd/ HTTP/1.1`, `Host: ${own}`, close]), / 400 /)
  assert.match(await rawly(['GET /odd/ HTTP/1.1', `Host: ${host}`, close]), / 200 /)
})

test('the school leads to a static page and has none of its files; the sitemap names its pages of blocks', async () => {
  const { ada, host, page } = await published()
  const led = await app.send({ path: '/odd' })
  assert.deepEqual([led.status, led.headers.location], [302, `http://${host}/odd/`])
  for (const path of ['/odd/letters.txt', '/odd/index.html']) assert.equal((await app.send({ path })).status, 404, path)
  const sitemap = await app.send({ path: '/sitemaps/content-1.xml' })
  assert.deepEqual([/\/about</.test(sitemap.text), /\/odd</.test(sitemap.text)], [true, false])
  const preview = await ada.write('POST', `/pages/${page}/previews`)
  assert.deepEqual([preview.status, preview.json.code], [409, 'invalid_state'])
  const { json } = await ada.get(`/pages/${page}`)
  assert.ok(!json.allowed_actions.includes('createPagePreview'))
  assert.equal((await app.send({ path: '/api/v1/school' })).json.pages_url, `http://${host}`)
  const other = await app.send({ path: '/api/v1/school' }, app.b)
  assert.equal(other.json.pages_url, null)
})

test('who may see a static page is everybody, or whoever has its address; search engines find the first alone', async () => {
  const { ada, page } = await published()
  assert.equal((await get('/odd/')).headers['x-robots-tag'], undefined)
  for (const visibility of ['unlisted', 'listed']) {
    assert.equal((await ada.write('PATCH', `/pages/${page}`, { visibility })).status, 200)
    const { status, headers } = await get('/odd/')
    assert.deepEqual([status, headers['x-robots-tag']], [200, visibility === 'listed' ? undefined : 'noindex'])
  }
  const created = { kind: 'static', title: 'For members', visibility: 'members' }
  for (const refused of [
    await ada.write('PATCH', `/pages/${page}`, { visibility: 'members' }),
    await ada.write('POST', '/pages', created),
  ])
    assert.deepEqual([refused.status, refused.json.errors[0].pointer], [422, '/visibility'])
})

test('a preview is for those who have its address, for an hour, of one deployment of one school', async () => {
  const { ada, host } = await published()
  const page = await ada.page('/later')
  const one = await ada.deployed(page, buildSite({ 'index.html': 'One' }))
  const two = await ada.deployed(page, buildSite({ 'index.html': 'Two' }))
  const [first, second] = [new URL(one.preview_url).pathname, new URL(two.preview_url).pathname] as const
  const shown = await get(first)
  assert.deepEqual([shown.status, shown.text, shown.headers['x-robots-tag']], [200, 'One', 'noindex'])
  assert.match(String(shown.headers['cache-control']), /^private/)
  assert.equal((await get(second)).text, 'Two')
  assert.equal((await get('/later/')).status, 404, 'what is not live has no other address')
  const token = first.split('/')[3] ?? ''
  const later = `${Number(token.split('-')[0]) + 900}-${token.slice(token.indexOf('-') + 1)}`
  for (const wrong of [
    `/~preview/${two.id}/${token}/`,
    `/~preview/${one.id}/${later}/`,
    `/~preview/${one.id}/`,
    `/~preview/${one.id}`,
    `/~preview/${one.id.toUpperCase()}/${token}/`,
    first.replace('/~preview', '/%7Epreview'),
  ])
    assert.equal((await get(wrong)).status, 404, wrong)
  await app.database.query(`insert into hosts (host, school_id, purpose) values ('rye-pages.example', $1, 'pages')`, [
    app.b.id,
  ])
  for (const path of [first, '/odd/', '/odd/letters.txt'])
    assert.equal((await app.send({ path, host: 'rye-pages.example' })).status, 404, `${path} at another school`)
  assert.equal((await app.send({ path: first, host: new URL(app.a.baseUrl).host })).status, 404, 'at the school')
  const [expires = ''] = token.split('-')
  assert.ok(Number(expires) * 1000 <= Date.now() + 3_600_000)
  await ada.write('DELETE', `/pages/${page}/deployments/${two.id}`)
  assert.equal((await get(second)).status, 404, 'a deployment that was deleted has no preview')
  await app.moveClock(3600)
  assert.equal((await get(first)).status, 404, 'after an hour')
  await app.moveClock(-3600)
  assert.equal((await app.send({ path: first, host })).status, 200)
})

test('of two promotions with one ETag one is done, and a deployment is never deleted while it is live', async () => {
  const { ada } = await published()
  const page = await ada.page('/raced')
  const texts = ['One', 'Two']
  const both = []
  for (const text of texts) both.push(await ada.deployed(page, buildSite({ 'index.html': text })))
  const etag = String((await ada.get(`/pages/${page}`)).headers.etag)
  const path = ({ id }: { id: string }) => `/pages/${page}/deployments/${id}`
  const promoted = await Promise.all(
    both.map(one => ada.write('PUT', `${path(one)}/promotion`, undefined, { 'if-match': etag })),
  )
  assert.deepEqual(promoted.map(({ status }) => status).toSorted(), [200, 412])
  const winner = promoted.findIndex(({ status }) => status === 200)
  await ada.publish(page)
  assert.equal((await get('/raced/')).text, texts[winner])
  const other = both[1 - winner]
  const unknown = await ada.write('DELETE', path(other), undefined, { 'if-match': '"99-AAAAAAAAAAAAAAAA"' })
  const { headers } = await ada.get(path(other))
  assert.deepEqual([unknown.status, unknown.headers.etag], [412, headers.etag])
  const now = String((await ada.get(`/pages/${page}`)).headers.etag)
  const [promotion, deletion] = await Promise.all([
    ada.write('PUT', `${path(other)}/promotion`, undefined, { 'if-match': now }),
    ada.write('DELETE', path(other)),
  ])
  const outcome = `${promotion.status} ${deletion.status}`
  assert.ok(['200 409', '404 204'].includes(outcome), outcome)
  assert.equal((await get('/raced/')).text, texts[promotion.status === 200 ? 1 - winner : winner])
})

test('without its host a page is not shown anywhere, and with it again it is', async () => {
  const { host } = await published()
  await app.database.query('delete from hosts where host = $1', [host])
  await until(async () => (await get('/odd/')).status === 404, 'the host is forgotten')
  assert.equal((await app.send({ path: '/odd' })).status, 404)
  await setPagesHost(app, host)
  await until(async () => (await get('/odd/')).status === 200, 'the host is known')
})

test('an object that a deleted deployment left behind is removed once it is a day old', async () => {
  const { ada } = await published()
  for (const { id, kind } of (await ada.get('/pages')).json.data)
    if (kind === 'static') assert.equal((await ada.write('DELETE', `/pages/${id}`)).status, 204)
  // What is in the bin keeps its objects.
  await app.moveClock(31 * 24 * 3600)
  await untilObjects(app, [])
  const late = async function* () {
    yield Buffer.from('late')
  }
  // A process that was unpacking stores it although the deployment has gone.
  await app.files.store.put(`sites/${app.a.id}/${computeHash('late')}`, late(), 4)
  const jobs = () =>
    app.database.query<{ due_at: Date }>(`select due_at from jobs where kind = 'page_objects' and school_id = $1`, [
      app.a.id,
    ])
  assert.equal((await jobs()).length, 1, 'the objects are compared once more')
  await app.moveClock(2 * 24 * 3600)
  await until(async () => (await siteObjects(app)).length === 0, 'the object is removed')
})
