import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formatCookie, formTo, listFields, openWith, post, signInAt } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type Browser, openBrowser, parseForm } from '#testing/browser.ts'
import { send, type TestReply } from '#testing/http.ts'
import { endpoints } from '#testing/matrix.ts'

const app = testApp()

const personAt = (name: PersonName) => ({
  port: app.port,
  school: app.a,
  email: people[name].email,
  password: PASSWORD,
})

/** The declared addresses of the account that a browser can open. */
const pages = endpoints
  .map(({ route }) => route.split(' ') as [string, string])
  .filter(([method, path]) => method === 'GET' && /^\/account(?:\/|$)/.test(path))
  .map(([, path]) => path)

const OPEN = [
  '/account/sign-in',
  '/account/sign-up',
  '/account/signed-out',
  '/account/reset',
  '/account/language',
  '/account/standing',
]

const assertPage = ({ headers, text }: TestReply, name: string): void => {
  const policy = String(headers['content-security-policy'])
  // The form of the downloads leads to a file, which may be at the origin of a bucket.
  const forms = name === '/account/downloads' ? [] : ["form-action 'self'"]
  for (const part of ["default-src 'none'", ...forms, "frame-ancestors 'none'", "base-uri 'none'"])
    assert.ok(policy.includes(part), `${name}: ${part}`)
  assert.doesNotMatch(policy, /unsafe|script-src/, name)
  assert.equal(headers['x-content-type-options'], 'nosniff', name)
  assert.equal(headers['referrer-policy'], 'same-origin', name)
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin', name)
  assert.equal(headers['cache-control'], 'no-store', name)
  assert.equal(headers['x-frame-options'], 'DENY', name)
  assert.doesNotMatch(text, /<script|<style|\sstyle=|\son\w+=|https?:\/\/(?!localhost:)/, name)
  assert.doesNotMatch(/<title>(.*)<\/title>/.exec(text)?.[1] ?? '', /[\w-]{43}/, name)
}

// The tickets of an event are for visitors too, and this event does not exist.
const TICKETS = '/account/events/:slug'

const statusFor = (path: string): number => {
  if (path === TICKETS) return 404
  return OPEN.includes(path) ? 200 : 303
}

test('E-15 every page of the account, signed in or not, refused or not: no frames, no scripts, nothing kept', async () => {
  assert.ok(pages.length >= 9)
  const dev = await enterAccount(personAt('dev'))
  for (const path of pages) {
    assertPage(await dev.open(path), path)
    assertPage(await openBrowser(app.port, app.a).open(path), `${path} for a stranger`)
    const direct = await openWith(app.port, '', path)
    assert.equal(direct.headers['cache-control'], 'no-store', path)
    assert.equal(direct.status, statusFor(path), path)
  }
  for (const path of ['/account/password', '/account/nowhere']) {
    const refused = await post(app.port, dev, path, [])
    assert.ok([403, 404].includes(refused.status))
    assertPage(refused, path)
  }
})

test('E-26 no account page shows personal data to a stranger or after signing out', async () => {
  const dev = await enterAccount(personAt('dev'))
  const cookie = formatCookie(dev)
  await dev.submit(formTo(await dev.open('/account'), '/account/sign-out'), [])
  for (const path of pages)
    for (const sent of ['', cookie]) {
      const { text, headers } = await openWith(app.port, sent, path)
      for (const personal of [people.dev.name, people.dev.email])
        assert.ok(!`${text}${JSON.stringify(headers)}`.includes(personal), path)
    }
})

test('every address that changes something sends a stranger to sign-in, whatever is posted, and refuses what is no form', async () => {
  const posts = endpoints.map(({ route }) => route.split(' ') as [string, string])
  const paths = posts
    .filter(([method, path]) => method === 'POST' && path.startsWith('/account/'))
    .map(([, path]) => path)
  assert.ok(paths.length >= 8)
  const stranger = openBrowser(app.port, app.a)
  const dev = await enterAccount(personAt('dev'))
  for (const path of paths) {
    const reply = await post(app.port, stranger, path, [['token', 'x']])
    if (/sign-in(?:\/code)?$|sign-up|reset/.test(path)) assert.equal(reply.status, 403)
    // Strangers choose the language of their browser, which changes nothing here.
    else if (path === '/account/language') assert.equal(reply.headers.location, '/')
    else assert.match(reply.headers.location ?? '', /^\/account\/(?:sign-in\?|signed-out$)/, path)
    const json = {
      method: 'POST',
      path,
      body: '{}',
      headers: { 'content-type': 'application/json', cookie: formatCookie(dev) },
    }
    const refused = await send(app.port, json)
    assert.equal(refused.status, 403, path)
    assert.match(String(refused.headers['content-type']), /^application\/problem\+json/)
    assert.equal(refused.json.code, 'form_refused')
  }
  assert.equal((await dev.open('/account')).status, 200)
})

const openFromAgent = async (browser: Browser, name: PersonName, agent: string): Promise<TestReply> => {
  const page = await browser.open('/account/sign-in')
  const fields = [['email', people[name].email] as const, ['password', PASSWORD] as const]
  return browser.submit(parseForm(page), fields, { 'user-agent': agent })
}

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'

test('a person sees where they are signed in, by browser, and ends one of it or all but this one', async () => {
  const [here, there, third] = [
    openBrowser(app.port, app.a),
    openBrowser(app.port, app.a),
    openBrowser(app.port, app.a),
  ]
  await openFromAgent(here, 'ben', FIREFOX)
  await openFromAgent(there, 'ben', '<b>my own browser</b>')
  await signInAt(third, personAt('ben'))
  const eli = await enterAccount(personAt('eli'))
  const page = await here.open('/account/sessions')
  assert.match(page.text, /Firefox, Linux <span class="quiet">\(this browser\)/)
  assert.match(page.text, /<h2>&lt;b&gt;my own browser&lt;\/b&gt;<\/h2>/)
  assert.match(page.text, /Unknown browser/)
  const card = page.text.split('<section').find(part => part.includes('my own browser')) ?? ''
  const end = parseForm({ ...page, text: card })
  // Another member's session is not Eli's.
  const token = new Map(formTo(await eli.open('/account'), '/account/sign-out').fields).get('token') ?? ''
  assert.equal((await post(app.port, eli, '/account/sessions', listFields(end, { token }))).status, 303)
  assert.equal((await openWith(app.port, formatCookie(there), '/account')).status, 200)
  assert.match((await here.submit(end, [])).text, /That browser is signed out/)
  assert.equal((await openWith(app.port, formatCookie(there), '/account')).status, 303)
  assert.equal((await openWith(app.port, formatCookie(third), '/account')).status, 200)
  await openFromAgent(there, 'ben', FIREFOX)
  const others = formTo(await here.open('/account/sessions'), '/account/sessions', { session: 'others' })
  assert.match((await here.submit(others, [])).text, /signed out everywhere else/)
  for (const gone of [there, third])
    assert.equal((await openWith(app.port, formatCookie(gone), '/account')).status, 303)
  assert.equal((await openWith(app.port, formatCookie(here), '/account')).status, 200)
  assert.equal((await openWith(app.port, formatCookie(eli), '/account')).status, 200)
})

test('a person who confirms that it is them sees since when the browser is signed in, and when that was', async () => {
  const browser = await enterAccount(personAt('femi'))
  assert.doesNotMatch((await browser.open('/account/sessions')).text, /identity last confirmed/)
  await app.moveClock(2 * 60 * 60)
  const confirm = await browser.open('/account/confirm')
  await browser.submit(formTo(confirm, '/account/confirm'), [['password', PASSWORD]])
  const { text } = await browser.open('/account/sessions')
  const [, since = '', last = ''] = /Signed in since (.*?) · identity last confirmed (.*?)<\/p>/.exec(text) ?? []
  assert.match(since, /\d{2}:\d{2} WES?T$/, 'in the zone of the school')
  assert.notEqual(since, last)
})

test('a person changes name, language and time zone, and the pages speak that language from then on', async () => {
  const eli = await enterAccount(personAt('eli'))
  const form = formTo(await eli.open('/account/profile'), '/account/profile')
  const profile = { name: ' Eli \u202eSørensen-Lind ', locale: 'pt', time_zone: 'Europe/Lisbon' }
  const done = await eli.submit(form, Object.entries(profile))
  assert.match(done.text, /<html lang="pt">/)
  assert.match(done.text, /As suas alterações foram guardadas/)
  assert.match(done.text, /<h1>Olá, Eli Sørensen-Lind<\/h1>/)
  for (const path of ['/account/apps', '/account/sessions', '/account/password', '/account/email', '/account/profile'])
    assert.match((await eli.open(path)).text, /<html lang="pt">[\s\S]*Voltar à sua conta/)
  assert.match((await eli.open('/account/profile')).text, /<option value="pt" selected>/)
  const faults = [
    [{ ...profile, name: ' ' }, /Introduza o seu nome/],
    [{ ...profile, name: 'x'.repeat(121) }, /Introduza o seu nome/],
    [{ ...profile, locale: 'PT_pt' }, /idioma/],
    [{ ...profile, time_zone: '+01:00' }, /fuso horário/],
    [{ ...profile, time_zone: 'Europe/Nowhere' }, /fuso horário/],
  ] as const
  for (const [fields, pattern] of faults) {
    const page = await eli.submit(
      formTo(await eli.open('/account/profile'), '/account/profile'),
      Object.entries(fields),
    )
    assert.equal(page.status, 400)
    assert.match(/role="alert"[^>]*>(.*?)</.exec(page.text)?.[1] ?? '', pattern)
  }
  const token = new Map(form.fields).get('token') ?? ''
  const refused = await post(
    app.port,
    eli,
    '/account/profile',
    Object.entries({ ...profile, name: 'Mallory', token: `${token}x` }),
  )
  assert.equal(refused.status, 403)
  const actor = await app.actor('eli')
  const { json } = await actor.get('/account')
  assert.deepEqual([json.name, json.locale, json.time_zone], ['Eli Sørensen-Lind', 'pt', 'Europe/Lisbon'])
})

test('the home page of a school leads to the account', async () => {
  assert.match((await app.send({ path: '/' })).text, /<a [^>]*href="\/account">/)
})

test('a person of one school is unknown at another', async () => {
  const dev = await enterAccount(personAt('dev'))
  const [, secret = ''] = [...dev.cookies].find(([name]) => name.includes('session')) ?? []
  const headers = { accept: 'text/html', cookie: `__Host-stoa-session=${secret}` }
  const reply = await app.send({ path: '/account', headers }, app.b)
  assert.equal(reply.status, 303)
  assert.equal((await openWith(app.port, formatCookie(dev), '/account')).status, 200)
})

test('times are shown in the school’s time zone to a person who has not chosen one', async () => {
  await app.database.query('update members set time_zone = null where school_id = $1', [app.a.id])
  await app.database.query("update schools set time_zone = 'Asia/Kolkata' where id = $1", [app.a.id])
  const browser = await enterAccount(personAt('carla'))
  assert.match((await browser.open('/account/sessions')).text, /Signed in since [^<]*(?:GMT\+5:30|IST)/)
  await app.database.query("update members set time_zone = 'UTC' where school_id = $1", [app.a.id])
  assert.match((await browser.open('/account/sessions')).text, /Signed in since [^<]*UTC/)
})
