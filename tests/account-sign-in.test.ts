import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import {
  enterAccount,
  formatCookie,
  formTo,
  listFields,
  openWith,
  post,
  readSession,
  signInAt,
} from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type Browser, openBrowser, parseForm } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { begin } from '#testing/people.ts'

const app = testApp({ trustProxy: '127.0.0.1/32' })

const DEV = { email: people.dev.email, password: PASSWORD }

const personAt = (name: PersonName) => ({
  port: app.port,
  school: app.a,
  email: people[name].email,
  password: PASSWORD,
})

const isAccountPage = (page: TestReply, name: PersonName): boolean =>
  page.status === 200 && page.text.includes(people[name].email) && page.text.includes(people[name].name)

const livingSessions = async (name: PersonName): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(
    `select count(*)::integer as count from sessions s join members m on m.school_id = s.school_id and m.id = s.member_id
      where s.school_id = $1 and m.email = $2 and s.ended_at is null`,
    [app.a.id, people[name].email],
  )
  return row?.count ?? 0
}

const isLivingCookie = async (cookie: string): Promise<boolean> =>
  (await openWith(app.port, cookie, '/account')).status === 200

test('a person signs in with address and password and sees their name; an anonymous visitor sees a link to sign in', async () => {
  const browser = openBrowser(app.port, app.a)
  const page = await browser.open('/account')
  assert.equal(page.status, 200)
  assert.match(page.text, /name="email"[\s\S]*name="password"/)
  assert.ok(!page.text.includes(people.dev.email))
  assert.ok(isAccountPage(await signInAt(browser, personAt('dev')), 'dev'))
})

test('a wrong password gets the reply of any sign-in: the same as for an unknown address', async () => {
  const observations = []
  for (const email of [people.dev.email, 'zoe@crumb.example']) {
    const browser = openBrowser(app.port, app.a)
    const page = await signInAt(browser, { email, password: 'wrong all the same' })
    assert.equal(page.status, 400)
    assert.equal(readSession(browser), undefined)
    observations.push(page.text.replaceAll(email, '…').replace(/value="[\w-]{43}"/g, ''))
  }
  assert.equal(observations[0], observations[1])
})

test('a person who signed in for an app is signed in here too', async () => {
  const { browser, page } = await begin({ port: app.port, school: app.a })
  await browser.submit(parseForm(page), [
    ['email', people.eli.email],
    ['password', PASSWORD],
  ])
  assert.ok(isAccountPage(await browser.open('/account'), 'eli'))
})

test('E-10 every sign-in has a new session id, also a repeated one, and the old session ends', async () => {
  const browser = openBrowser(app.port, app.a)
  const form = parseForm(await browser.open('/account/sign-in'))
  await signInAt(browser, personAt('dev'))
  const first = formatCookie(browser)
  assert.ok(isAccountPage(await browser.submit(form, Object.entries(DEV)), 'dev'))
  assert.notEqual(readSession(browser), undefined)
  assert.ok(!first.includes(readSession(browser) ?? '?'))
  assert.equal(await isLivingCookie(first), false)
  assert.equal(await isLivingCookie(formatCookie(browser)), true)
})

test('E-10 a proof within a session replaces its secret, and the old one counts for a minute', async () => {
  const browser = await enterAccount(personAt('dev'))
  const first = formatCookie(browser)
  await app.moveClock(2 * 60 * 60)
  const form = formTo(await browser.open('/account/confirm'), '/account/confirm')
  assert.ok(isAccountPage(await browser.submit(form, [['password', PASSWORD]]), 'dev'))
  assert.ok(!first.includes(readSession(browser) ?? '?'))
  assert.equal(await isLivingCookie(first), true)
  await app.moveClock(61)
  assert.equal(await isLivingCookie(first), false)
  assert.equal(await isLivingCookie(formatCookie(browser)), true)
})

test('E-10 a session id that was there before sign-in is worth nothing after', async () => {
  const browser = openBrowser(app.port, app.a)
  const planted = 'A'.repeat(43)
  await browser.open('/account/sign-in')
  browser.cookies.set(`stoa-local-session-${app.port}`, planted)
  await signInAt(browser, personAt('dev'))
  assert.notEqual(readSession(browser), planted)
  assert.equal(await isLivingCookie(`stoa-local-session-${app.port}=${planted}`), false)
})

test('a repeated sign-in is for the same person: the password of another one changes nothing', async () => {
  const browser = openBrowser(app.port, app.a)
  const form = parseForm(await browser.open('/account/sign-in?return_to=/account'))
  await signInAt(browser, personAt('dev'))
  const before = readSession(browser)
  const asBen = await browser.submit(form, [
    ['email', people.ben.email],
    ['password', PASSWORD],
  ])
  assert.ok(isAccountPage(asBen, 'dev'))
  assert.ok(!asBen.text.includes(people.ben.email))
  const wrong = await browser.submit(form, [
    ['email', people.dev.email],
    ['password', 'not the password'],
  ])
  assert.equal(wrong.status, 400)
  assert.equal(readSession(browser), before)
  assert.ok(isAccountPage(await browser.open('/account'), 'dev'))
})

test('E-13 cookies are HttpOnly and SameSite, the port in the name on loopback, __Host- and Secure on HTTPS', async () => {
  const cookiesAt = async (school: typeof app.a, host: string): Promise<string[]> => {
    const headers = { accept: 'text/html', host, 'x-forwarded-proto': 'https' }
    const page = await app.send({ path: '/account/sign-in', headers }, school)
    const visit = page.headers['set-cookie'] ?? []
    const cookie = visit.map(line => line.split(';')[0]).join('; ')
    const fields = listFields(parseForm(page), DEV)
    const body = new URLSearchParams(fields).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const path = '/account/sign-in'
    const reply = await app.send({ method: 'POST', path, headers: { ...headers, ...type, cookie }, body }, school)
    return [...visit, ...(reply.headers['set-cookie'] ?? [])]
  }
  await app.database.query(
    'update credentials c set secret = o.secret from credentials o where c.school_id = $1 and o.school_id = $2',
    [app.b.id, app.a.id],
  )
  const onLoopback = await cookiesAt(app.a, new URL(app.a.baseUrl).host)
  const onHttps = await cookiesAt(app.b, new URL(app.b.baseUrl).host)
  for (const kind of ['session', 'visit', 'known']) {
    assert.ok(onLoopback.some(line => line.startsWith(`stoa-local-${kind}-${app.port}=`)))
    assert.ok(onHttps.some(line => line.startsWith(`__Host-stoa-${kind}=`)))
  }
  for (const line of [...onLoopback, ...onHttps]) {
    assert.match(line, /; HttpOnly; SameSite=Lax/)
    assert.ok(line.length < 4096)
  }
  for (const line of onHttps) assert.match(line, /; Path=\/; Secure; /)
  for (const line of onLoopback) {
    assert.match(line, /; Path=\/; HttpOnly; /)
    assert.doesNotMatch(line, /Secure|Domain/i)
  }
})

const refusedAlike = async (browser: Browser, fields: readonly (readonly [string, string])[]) => {
  const token = fields.filter(([name]) => name === 'token')
  const rest = fields.filter(([name]) => name !== 'token')
  const path = '/account/sign-in'
  return [
    await post(app.port, browser, path, rest),
    await post(app.port, browser, path, [...rest, ['token', '']]),
    await post(app.port, browser, path, [...rest, ['token', 'A'.repeat(43)]]),
    await post(app.port, browser, path, [...rest, ...token], { 'sec-fetch-site': 'cross-site' }),
    await post(app.port, browser, path, [...rest, ...token], { 'sec-fetch-site': 'same-site' }),
    await post(app.port, browser, path, [...rest, ...token], { origin: 'null' }),
    await post(app.port, browser, path, [...rest, ...token], { origin: 'https://evil.example' }),
    await post(app.port, browser, path, [...rest, ...token], { 'content-type': 'text/plain' }),
  ]
}

test('E-14 a sign-in without the token of this browser, or from another site, is refused: login CSRF included', async () => {
  const browser = openBrowser(app.port, app.a)
  const page = await browser.open('/account/sign-in')
  const fields = listFields(parseForm(page), DEV)
  const before = await livingSessions('dev')
  for (const [index, reply] of (await refusedAlike(browser, fields)).entries()) {
    assert.equal(reply.status, 403, String(index))
    assert.equal(reply.headers['set-cookie'], undefined)
    assert.match(reply.text, /form_refused/)
  }
  // The attacker's own page, sent from the victim's browser: with other cookies, and with none.
  const victim = openBrowser(app.port, app.a)
  assert.equal((await post(app.port, victim, '/account/sign-in', fields)).status, 403)
  await victim.open('/account/sign-in')
  assert.equal((await post(app.port, victim, '/account/sign-in', fields)).status, 403)
  assert.equal(await livingSessions('dev'), before)
  const honest = { origin: 'null', 'sec-fetch-site': 'same-origin' }
  assert.equal((await post(app.port, browser, '/account/sign-in', fields, honest)).status, 303)
})

test('E-17 after sign-in a browser is redirected only to our own pages', async () => {
  const targets = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/%09/evil.example',
    'http:evil.example',
  ]
  for (const to of [...targets, '/oauth/authorize?client_id=c1_other', '/account/../oauth', '/\t/evil']) {
    const browser = openBrowser(app.port, app.a)
    const page = await browser.open(`/account/sign-in?${new URLSearchParams({ return_to: to })}`)
    for (const sent of [DEV, { ...DEV, return_to: to }]) {
      const reply = await post(app.port, browser, '/account/sign-in', listFields(parseForm(page), sent))
      assert.equal(reply.status, 303)
      assert.equal(reply.headers.location ?? '', '/account', to)
    }
  }
  const browser = openBrowser(app.port, app.a)
  const page = await browser.open('/account/sign-in?return_to=/staff/anything?x=1')
  const fields = listFields(parseForm(page), DEV)
  const reply = await post(app.port, browser, '/account/sign-in', fields)
  assert.equal(reply.headers.location ?? '', '/staff/anything?x=1')
})

test('E-14 signing out needs the token of this session; it ends it on the server and in the browser', async () => {
  const [browser, other] = [await enterAccount(personAt('dev')), await enterAccount(personAt('ben'))]
  const page = await browser.open('/account')
  const { fields } = formTo(page, '/account/sign-out')
  const cookie = formatCookie(browser)
  const foreign = formTo(await other.open('/account'), '/account/sign-out').fields
  assert.equal((await post(app.port, browser, '/account/sign-out', [])).status, 403)
  assert.equal((await post(app.port, browser, '/account/sign-out', foreign)).status, 403)
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  assert.equal((await post(app.port, browser, '/account/sign-out', fields, crossSite)).status, 403)
  assert.ok(await isLivingCookie(cookie))
  const out = await post(app.port, browser, '/account/sign-out', fields)
  assert.equal(out.status, 303)
  assert.equal(out.headers['clear-site-data'], '"cache", "storage"')
  const gone = out.headers['set-cookie'] ?? []
  const parkedAt = (path: string) => `stoa-local-parked-session-${app.port}=; Path=${path}`
  const cleared = [
    `stoa-local-session-${app.port}=; Path=/`,
    ...['/account/sign-in', '/account/sign-out', '/oauth/authorize/sign-in', '/oauth/authorize/consent'].map(parkedAt),
  ]
  assert.deepEqual(
    gone,
    cleared.map(line => `${line}; HttpOnly; SameSite=Lax; Max-Age=0`),
  )
  assert.equal(await isLivingCookie(cookie), false)
  const after = await openWith(app.port, cookie, out.headers.location ?? '')
  assert.equal(after.status, 200)
  assert.ok(!after.text.includes(people.dev.email) && !after.text.includes(people.dev.name))
})

test('E-26 what was shown of a person is kept by no cache, and after sign-out the address leads to sign-in', async () => {
  const browser = await enterAccount(personAt('dev'))
  const page = await browser.open('/account')
  assert.equal(page.headers['cache-control'], 'no-store')
  const cookie = formatCookie(browser)
  await browser.submit(formTo(page, '/account/sign-out'), [])
  const back = await openWith(app.port, cookie, '/account')
  assert.equal(back.status, 303)
  assert.equal(back.headers.location, '/account/sign-in?return_to=%2Faccount')
  assert.ok(!back.text.includes(people.dev.name))
})
