import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formatCookie, formTo, listFields, listForms, readSession } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { form, type TestReply } from '#testing/http.ts'
import { once } from '#testing/staff-pages.ts'

let statements = 0
const app = testApp({
  cachesPublicReads: true,
  onStatement: () => {
    statements += 1
  },
})

const COURSE = '/courses/sourdough-from-scratch'
const PAGES = ['/', '/courses', COURSE, '/lecturers', '/products', '/plans', '/events', '/blog', '/search?q=bread']
const NOTHING = '/nothing/here'

const NAMES = {
  femi: 'Dulce Um <i>&',
  eli: 'Edite Dois',
  carla: 'Cecília Três',
  ben: 'Bento Quatro',
  ada: 'Aurora Cinco',
}
// No page of the demo data names them.
const LEARNERS = ['femi', 'eli'] as const

const escapeName = (name: string): string =>
  name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const renderName = (name: keyof typeof NAMES): string => `<bdi>${escapeName(NAMES[name])}</bdi>`

const rename = once(async () => {
  for (const [name, shown] of Object.entries(NAMES))
    await app.database.query('update members set name = $1 where email = $2', [shown, people[name as PersonName].email])
})

const enter = async (name: PersonName): Promise<Browser> => {
  await rename()
  return enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })
}

const HEADERS = { accept: 'text/html', 'accept-language': 'en' }

const ANYTHING = { accept: '*/*' }

const open = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<TestReply> =>
  app.send({ method, path, headers: { ...HEADERS, ...headers } })

const withCookies = (browser: Browser) => ({ cookie: formatCookie(browser) })

const countStatements = async (request: () => Promise<TestReply>): Promise<{ reply: TestReply; count: number }> => {
  const earlier = statements
  const reply = await request()
  return { reply, count: statements - earlier }
}

/** A page as visitors get it from the cache, without a statement. */
const readCached = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<TestReply> => {
  for (let tries = 0; tries < 50; tries++) {
    await open(path, headers)
    const { reply, count } = await countStatements(() => open(path, headers))
    if (count === 0) return reply
  }
  throw new Error(`${path} was not cached`)
}

const assertPrivate = (page: TestReply, path: string, status = 200): void => {
  assert.equal(page.status, status, path)
  assert.equal(page.headers['cache-control'], 'private, no-store', path)
  assert.equal(page.headers.etag, undefined, path)
  assert.match(String(page.headers.vary), /\bCookie\b/, path)
}

const assertPublicHeaders = (page: TestReply, path: string): void => {
  assert.equal(page.status, 200, path)
  assert.equal(page.headers['cache-control'], 'public, max-age=0, must-revalidate', path)
  assert.equal(page.headers.vary, 'Accept-Language, Cookie, Accept-Encoding', path)
  assert.equal(page.headers['set-cookie'], undefined, path)
}

const assertPublic = (page: TestReply, path: string): void => {
  assertPublicHeaders(page, path)
  for (const name of LEARNERS) assert.ok(!page.text.includes(NAMES[name].slice(0, 8)), `${path} names ${name}`)
  assert.ok(page.text.includes('to-sign-up'), path)
  assert.ok(!page.text.includes('/account/sign-out') && !page.text.includes('name="token"'), path)
}

const assertFor = (page: TestReply, name: keyof typeof NAMES, path: string): void => {
  assertPrivate(page, path)
  assert.ok(page.text.includes(renderName(name)), `${path} names ${name}`)
  for (const other of LEARNERS)
    if (other !== name) assert.ok(!page.text.includes(NAMES[other].slice(0, 8)), `${path} names ${other}`)
  for (const part of ['Your courses', 'Your account', 'Sign out'])
    assert.ok(page.text.includes(part), `${path} ${part}`)
  assert.ok(!page.text.includes('to-sign-up'), path)
}

/** The cookie of a session that there is none of. */
const writeDeadCookie = (): string => `stoa-local-session-${app.port}=${'a'.repeat(43)}`

const assertCleared = ({ headers }: TestReply): void => {
  const name = `stoa-local-session-${app.port}=`
  const [line = ''] = (headers['set-cookie'] ?? []).filter(one => one.startsWith(name))
  assert.equal(line, `${name}; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`)
}

test('two people and a visitor, in turn, get each their own page, and the visitor the cached one', async () => {
  const [femi, eli] = [await enter('femi'), await enter('eli')]
  for (const path of PAGES) {
    const visitor = await readCached(path)
    assertPublic(visitor, path)
    for (const round of [1, 2]) {
      const { reply, count } = await countStatements(() => open(path, withCookies(femi)))
      assertFor(reply, 'femi', path)
      assert.ok(count > 0, `${path}, round ${round}: the session was read`)
      assertFor(await open(path, withCookies(eli)), 'eli', path)
      assert.equal((await open(path)).text, visitor.text, path)
    }
  }
})

test('the first to ask after a write are people, and what they get is kept for nobody', async () => {
  const [femi, eli] = [await enter('femi'), await enter('eli')]
  const owner = await app.actor('ada', { scopes: ['school:write'] })
  for (const name of ['One school', 'Another school', 'A third school']) {
    assert.equal((await owner.write('PATCH', '/school', { name }, { 'if-match': '*' })).status, 200)
    assertFor(await open(COURSE, withCookies(femi)), 'femi', COURSE)
    assertFor(await open(COURSE, withCookies(eli)), 'eli', COURSE)
    const visitor = await open(COURSE)
    assertPublic(visitor, COURSE)
    assert.ok(visitor.text.includes(name))
  }
})

test('two people, a visitor and a session that ended, at once, again and again, get each their own page', async () => {
  const [femi, eli] = [await enter('femi'), await enter('eli')]
  const cookies = [{}, withCookies(femi), withCookies(eli), { cookie: writeDeadCookie() }]
  for (let round = 0; round < 15; round++) {
    const path = PAGES[round % PAGES.length] ?? '/'
    const asked = Array.from({ length: 4 }, () => cookies.map(cookie => open(path, cookie)))
    for (const pages of await Promise.all(asked.map(four => Promise.all(four)))) {
      const [visitor, first, second, ended] = pages as [TestReply, TestReply, TestReply, TestReply]
      assertPublic(visitor, path)
      assertFor(first, 'femi', path)
      assertFor(second, 'eli', path)
      for (const own of [first, second]) assert.equal(own.headers['set-cookie'], undefined)
      assertPrivate(ended, path)
      assertCleared(ended)
      assert.equal(ended.text, visitor.text)
    }
  }
})

test('an ETag of the public page, or any, gives nobody a 304 who is signed in, and a visitor still', async () => {
  const femi = await enter('femi')
  const { etag = '' } = (await readCached('/courses')).headers
  for (const known of [etag, `W/${etag}`, '*', `"x", ${etag}`])
    assertFor(await open('/courses', { ...withCookies(femi), 'if-none-match': known }), 'femi', known)
  const unchanged = await open('/courses', { 'if-none-match': etag })
  assert.deepEqual([unchanged.status, unchanged.text, unchanged.headers.etag], [304, '', etag])
  assert.match(String(unchanged.headers.vary), /\bCookie\b/)
  const ended = await open('/courses', { cookie: writeDeadCookie(), 'if-none-match': etag })
  assertPrivate(ended, '/courses')
  assertCleared(ended)
})

test('HEAD has the headers of GET for each of them, and no body', async () => {
  const femi = await enter('femi')
  const page = await open('/courses', withCookies(femi), 'HEAD')
  assertPrivate(page, '/courses')
  assert.equal(page.text, '')
  const visitor = await open('/courses', {}, 'HEAD')
  assert.deepEqual([visitor.status, visitor.text], [200, ''])
  assert.equal(visitor.headers.etag, (await readCached('/courses')).headers.etag)
  assertPublicHeaders(visitor, '/courses')
  assertCleared(await open('/courses', { cookie: writeDeadCookie() }, 'HEAD'))
})

test('cookies that are no session leave a visitor the cached page', async () => {
  const { text } = await readCached('/courses')
  const others = [
    'theme=dark',
    `stoa-local-visit-${app.port}=${'v'.repeat(43)}`,
    `stoa-local-session-1=${'a'.repeat(43)}`,
  ]
  for (const cookie of [...others, others.join('; '), '=', ';;;']) {
    await readCached('/courses')
    const page = await open('/courses', { cookie })
    assertPublic(page, cookie)
    assert.equal(page.text, text, cookie)
  }
  await readCached('/courses', { cookie: others.join('; ') })
})

test('a session that ended is the public page, and its cookie goes', async () => {
  const [femi, other] = [await enter('femi'), await enter('femi')]
  const before = withCookies(femi)
  assertFor(await open('/', before), 'femi', '/')
  await other.submit(formTo(await other.open('/account/sessions'), '/account/sessions', { session: 'others' }), [])
  const { text } = await open('/')
  const page = await open('/', before)
  assertPrivate(page, '/')
  assertCleared(page)
  assert.equal(page.text, text)
  await femi.open('/')
  assert.equal(readSession(femi), undefined)
  assertPublic(await open('/', withCookies(femi)), '/')
})

test('a suspended member reads what visitors read, and nobody learns their name from the cookie', async () => {
  const eli = await enter('eli')
  const ada = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
  const [{ id } = { id: '' }] = (await ada.get(`/members?email=${people.eli.email}`)).json.data
  assert.equal((await ada.write('PUT', `/members/${id}/suspension`, {})).status, 200)
  const page = await open(COURSE, withCookies(eli))
  assertPrivate(page, COURSE)
  assertCleared(page)
  assert.equal(page.text, (await open(COURSE)).text)
  assert.equal((await ada.write('DELETE', `/members/${id}/suspension`)).status, 200)
})

test('whatever a cookie of a session contains, the page is that of a visitor', async () => {
  const name = `stoa-local-session-${app.port}`
  const session = readSession(await enter('femi')) ?? ''
  const values = [
    '',
    'a',
    'a'.repeat(43),
    'a'.repeat(6000),
    session.slice(1),
    `${session}x`,
    session.toUpperCase(),
    `"${session}"`,
    encodeURIComponent(`${session}\r\nset-cookie: x=1`),
    "' or 1=1--",
    '%00',
    '../../etc/passwd',
    '<script>alert(1)</script>',
    '{"$ne":null}',
    '__proto__',
  ]
  const { text } = await open('/courses')
  for (const value of values) {
    const page = await open('/courses', { cookie: `${name}=${value}` })
    assertPrivate(page, value)
    assertCleared(page)
    assert.equal(
      page.headers['set-cookie']?.some(line => line.startsWith('x=')),
      false,
    )
    assert.equal(page.text, text, value)
  }
  // Of several with one name the first counts (RFC 6265 §5.4).
  assertCleared(await open('/courses', { cookie: `${name}=x; ${name}=${session}` }))
  assertFor(await open('/courses', { cookie: `${name}=${session}; ${name}=x` }), 'femi', 'first of two')
})

test('a session of one school is none at another', async () => {
  const value = readSession(await enter('femi')) ?? ''
  const page = await app.send(
    { path: '/courses', headers: { ...HEADERS, cookie: `__Host-stoa-session=${value}` } },
    app.b,
  )
  assertPrivate(page, '/courses')
  assert.match(
    String(page.headers['set-cookie']),
    /^__Host-stoa-session=; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=0$/,
  )
  assert.ok(!page.text.includes('Dulce') && !page.text.includes('/account/sign-out'))
})

test('a page that is not there says who is signed in, and is kept by nobody', async () => {
  const femi = await enter('femi')
  const page = await open(NOTHING, withCookies(femi))
  assertPrivate(page, NOTHING, 404)
  assert.ok(page.text.includes(renderName('femi')))
  const visitor = await open(NOTHING)
  assert.deepEqual([visitor.status, visitor.headers.vary], [404, 'Accept, Accept-Language, Cookie, Accept-Encoding'])
  assert.ok(!visitor.text.includes('Dulce'))
  const ended = await open(NOTHING, { cookie: writeDeadCookie() })
  assertPrivate(ended, NOTHING, 404)
  assertCleared(ended)
  // Where an address leads is the same for everybody; what comes with a session is kept by no cache all the same.
  const moved = await open('/Courses', withCookies(femi))
  assert.deepEqual(
    [moved.status, moved.headers.location, moved.headers['cache-control']],
    [301, '/courses', 'private, no-store'],
  )
})

test('lecturers and staff get to what they manage, and members are not led there', async () => {
  for (const name of ['femi', 'carla', 'ben', 'ada'] as const) {
    const browser = await enter(name)
    const page = await open('/', withCookies(browser))
    assertFor(page, name, '/')
    assert.equal(/<a class="sub-link" href="\/staff">Manage<\/a>/.test(page.text), name !== 'femi', name)
    if (name !== 'femi') assert.equal((await browser.open('/staff')).status, 200, name)
    assert.equal((await browser.open('/learn')).status, 200, name)
  }
})

test('the page of a course that staff look at before it is public names them too', async () => {
  const ada = await app.actor('ada', { scopes: ['courses:read'] })
  const { id } = (await ada.get('/courses/slug:rye-for-the-patient')).json
  const page = await (await enter('ben')).open(`/staff/courses/${id}/preview`)
  assert.ok(page.text.includes(renderName('ben')))
  assert.equal(page.text.match(/action="\/account\/sign-out"/g)?.length, 1)
})

test('a page is in the language of the member, whatever the browser asks for', async () => {
  const carla = await enter('carla')
  await app.database.query('update members set locale = $1 where email = $2', ['pt-PT', people.carla.email])
  const page = await open('/courses', withCookies(carla))
  assert.match(page.text, /<html lang="pt"/)
  assert.match(page.text, /Os seus cursos/)
  assert.match((await open('/courses')).text, /<html lang="en"/)
  assert.match((await open('/courses', { 'accept-language': 'pt' })).text, /<html lang="pt"/)
})

test('signing out in the header ends the session, and the form of one person does nothing for another', async () => {
  const [femi, eli] = [await enter('femi'), await enter('eli')]
  const before = withCookies(femi)
  const own = formTo(await femi.open(COURSE), '/account/sign-out')
  const refused = await app.send(form('/account/sign-out', listFields(own), withCookies(eli)))
  assert.equal(refused.status, 403)
  assertFor(await open('/', withCookies(eli)), 'eli', '/')
  const done = await femi.submit(own, [])
  assert.match(done.text, /You are signed out/)
  assertPublic(await open('/', withCookies(femi)), '/')
  assertCleared(await open('/', before))
})

test('a page with the CSS of the school has no form: its sign-out leads to a page that asks', async () => {
  const ada = await app.actor('ada', { scopes: ['appearance:read', 'appearance:write'] })
  const { json, headers } = await ada.get('/appearance/draft')
  const named = ['logo_file_id', 'logo_dark_file_id', 'favicon_file_id', 'social_image_file_id', 'colors', 'fonts']
  const kept = [...named, 'radius', 'width', 'navigation', 'announcement', 'footer']
  const more = { email: { header_image_file_id: null, footer: null }, sign_in: { image_file_id: null, text: null } }
  const draft = { ...Object.fromEntries(kept.map(field => [field, json[field]])), ...more, custom_css: 'h1 { top: 0 }' }
  const put = await ada.write('PUT', '/appearance/draft', draft, { 'if-match': String(headers.etag) })
  assert.equal(put.status, 200, put.text)
  const revision = { 'if-match': String(put.headers.etag) }
  assert.equal((await ada.write('POST', '/appearance/publications', undefined, revision)).status, 201)
  const femi = await enter('femi')
  const page = await femi.open('/developers')
  assert.match(page.text, /class="school-content"/)
  assertFor(page, 'femi', '/developers')
  assert.deepEqual(listForms(page), [])
  assert.match(page.text, /<a class="sub-link" href="\/account\/sign-out">Sign out<\/a>/)
  const asked = await femi.open('/account/sign-out')
  assert.ok(asked.text.includes(people.femi.email))
  assertFor(await femi.open('/courses'), 'femi', '/courses')
  assert.match((await femi.submit(formTo(asked, '/account/sign-out'), [])).text, /You are signed out/)
  assert.match((await femi.open('/account/sign-out')).text, /You are signed out/)
})

test('the checkout that a page leads to knows the member', async () => {
  const femi = await enter('femi')
  const [, path = ''] = /href="(\/checkout\?[^"]+)"/.exec((await femi.open(COURSE)).text) ?? []
  assert.notEqual(path, '')
  const page = await femi.open(path.replaceAll('&amp;', '&'))
  assert.match(page.text, new RegExp(`You are signed in as Dulce Um &lt;i&gt;&amp; \\(${people.femi.email}\\)`))
  assert.doesNotMatch(page.text, /name="email"/)
  assert.equal(page.headers['cache-control'], 'no-store')
})

test('what programs read is the same with a session, with a dead one and without, and changes no cookie', async () => {
  const femi = await enter('femi')
  const paths = [
    '/auth.md',
    '/openapi.json',
    '/feed.xml',
    '/sitemap.xml',
    '/robots.txt',
    '/assets/site.css',
    '/.well-known/oauth-authorization-server',
    '/api/oauth/jwks',
    '/api/v1/school',
    '/api/v1/courses',
  ]
  const describeReply = ({ status, text, headers }: TestReply) => [
    status,
    text,
    headers.etag,
    headers['cache-control'],
    headers.vary,
  ]
  for (const path of paths) {
    const reply = await open(path, ANYTHING)
    assert.equal(reply.status, 200, path)
    for (const cookie of [formatCookie(femi), writeDeadCookie()]) {
      const again = await open(path, { ...ANYTHING, cookie })
      assert.deepEqual(describeReply(again), describeReply(reply), path)
      assert.equal(again.headers['set-cookie'], undefined, path)
    }
  }
  // A session takes nobody's answer of the API out of the cache.
  await readCached('/api/v1/school', ANYTHING)
  assert.equal((await countStatements(() => open('/api/v1/school', { ...ANYTHING, ...withCookies(femi) }))).count, 0)
})
