import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formatCookie, formTo, listFields, openWith, post, readSession } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type AppProcess, startAppProcess } from '#testing/app-process.ts'
import { type Browser, openBrowser, parseForm } from '#testing/browser.ts'
import { stopMovableClock } from '#testing/clock.ts'
import { send, type TestReply } from '#testing/http.ts'
import { until } from '#testing/until.ts'

const statements: string[] = []
const processes: AppProcess[] = []
const app = testApp({ onStatement: text => void statements.push(text) })
after(() => Promise.all(processes.map(one => one.stop())))

const startOther = () => startAppProcess({ databaseUrl: app.database.appUrl, secret: app.secret, ca: '' })

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let start = new Date()
let moveTo: (seconds: number) => Promise<unknown>
beforeEach(async () => {
  start = new Date(start.getTime() + 400 * DAY * 1000)
  await app.database.query('delete from limits')
  const move = await stopMovableClock(app.database, start)
  moveTo = seconds => move(seconds * 1000)
  await moveTo(0)
})

const personAt = (name: PersonName, port = app.port) => ({
  port,
  school: app.a,
  email: people[name].email,
  password: PASSWORD,
})

// Every process serves the school at the port of the first one.
const readHost = () => new URL(app.a.siteOrigin).host

const isSignedIn = async (browser: Browser, port = app.port): Promise<boolean> =>
  (
    await send(port, {
      path: '/account',
      host: readHost(),
      headers: { accept: 'text/html', cookie: formatCookie(browser) },
    })
  ).status === 200

const signInWith = async (name: PersonName, isRemembered: boolean) => {
  const browser = openBrowser(app.port, app.a)
  const form = parseForm(await browser.open('/account/sign-in'))
  const typed = listFields(form, { email: people[name].email, password: PASSWORD })
  const fields = typed.filter(([field]) => field !== 'remember' || isRemembered)
  const reply = await post(app.port, browser, form.action, fields)
  const [line = ''] = (reply.headers['set-cookie'] ?? []).filter(one => one.includes('-session-'))
  const [pair = ''] = line.split(';')
  browser.cookies.set(...(pair.split('=') as [string, string]))
  return { browser, line }
}

const sessionOf = async (browser: Browser) => {
  const [row] = await app.database.query<{ id: string; ends: number; amr: string[]; is_ended: boolean }>(
    `select id, extract(epoch from expires_at - $2::timestamptz)::integer as ends, amr, ended_at is not null as is_ended
     from sessions where secret_hash = sha256($1::bytea) or previous_hash = sha256($1::bytea)`,
    [Buffer.from(readSession(browser) ?? ''), start],
  )
  if (row === undefined) throw new Error('there is no such session')
  return row
}

// Another process knows nothing of when this one wrote the last use.
const useElsewhere = async (browser: Browser): Promise<void> => {
  const other = await startOther()
  assert.equal(await isSignedIn(browser, other.port), true)
  await other.stop()
}

// The other way round the session would be used before it ends, and would go on.
const ends = async (browser: Browser, at: number, message: string): Promise<void> => {
  await moveTo(at)
  assert.equal(await isSignedIn(browser), false, `${message}: then`)
  await moveTo(at - 1)
  assert.equal(await isSignedIn(browser), true, `${message}: a second before`)
  await moveTo(at)
}

const LIVES = [
  { name: 'dev', idle: 14, most: 90 },
  { name: 'carla', idle: 14, most: 90 },
  { name: 'ben', idle: 7, most: 30 },
  { name: 'ada', idle: 7, most: 30 },
] as const

for (const { name, idle, most } of LIVES) {
  test(`a session of ${name} ends ${idle} days after its last use, and ${most} after its sign-in`, async () => {
    const { browser, line } = await signInWith(name, true)
    assert.match(line, /; Max-Age=7776000$/, 'the server knows when a session ends, the cookie the most')
    await ends(browser, idle * DAY, 'unused')
    const used = (await signInWith(name, true)).browser
    await moveTo(2 * idle * DAY - DAY)
    await useElsewhere(used)
    await ends(used, 3 * idle * DAY - DAY, 'used once')
    const long = (await signInWith(name, true)).browser
    const id = (await sessionOf(long)).id
    await app.database.query(`update sessions set started_at = started_at - make_interval(days => $2) where id = $1`, [
      id,
      most - 2,
    ])
    await moveTo(3 * idle * DAY)
    await useElsewhere(long)
    await ends(long, (3 * idle - 1 + 2) * DAY, 'used all the time')
  })

  test(`a session of ${name} that stays on no device ends with the browser, or after 12 hours, however it is used`, async () => {
    const { browser, line } = await signInWith(name, false)
    assert.doesNotMatch(line, /Max-Age|Expires/i)
    await moveTo(11 * HOUR)
    await useElsewhere(browser)
    await ends(browser, 12 * HOUR, 'used')
  })
}

test('whoever becomes an admin keeps no session longer than admins do, and whoever was one gets no longer ones back', async () => {
  const { browser } = await signInWith('eli', true)
  const { browser: unremembered } = await signInWith('eli', false)
  await moveTo(DAY)
  await app.setRole('eli', 'admin')
  assert.equal((await sessionOf(browser)).ends, 8 * DAY)
  await app.setRole('eli', 'member')
  assert.equal((await sessionOf(browser)).ends, 8 * DAY)
  assert.equal((await sessionOf(unremembered)).ends, 12 * HOUR)
  await ends(browser, 8 * DAY, 'unused since')
})

test('use is written once an hour, and what a killed process had not written is lost without harm', async () => {
  const { browser } = await signInWith('dev', true)
  const isUse = (text: string): boolean => /update sessions s set expires_at/.test(text)
  await isSignedIn(browser)
  await until(async () => statements.some(isUse), 'the use to be written')
  // Those of other sessions are written after two seconds at most.
  await new Promise(resolve => setTimeout(resolve, 3000))
  statements.length = 0
  for (let n = 0; n < 5; n++) assert.equal(await isSignedIn(browser), true)
  await new Promise(resolve => setTimeout(resolve, 3000))
  assert.deepEqual(statements.filter(isUse), [])
  await moveTo(DAY)
  const other = await startOther()
  assert.equal(await isSignedIn(browser, other.port), true)
  await other.kill()
  assert.equal((await sessionOf(browser)).ends, 14 * DAY)
  assert.equal(await isSignedIn(browser), true)
})

const toConfirmPage = async (browser: Browser): Promise<TestReply> => {
  await moveTo(2 * HOUR + 1)
  const page = await browser.open('/account/email')
  assert.match(page.text, /Confirm that it is you/)
  return page
}

const confirmWith = (browser: Browser, page: TestReply, port = app.port): Promise<TestReply> =>
  post(port, browser, '/account/confirm', listFields(formTo(page, '/account/confirm'), { password: PASSWORD }), {
    host: readHost(),
  })

const cookieIn = ({ headers }: TestReply): string => {
  const [line = ''] = (headers['set-cookie'] ?? []).filter(one => one.includes('-session-'))
  return line.split(';')[0] ?? ''
}

test('a proof keeps the session and replaces its secret; the old one counts for a minute and no longer', async () => {
  for (const isRemembered of [true, false]) {
    await moveTo(0)
    const { browser } = await signInWith('femi', isRemembered)
    const [old, { id }] = [formatCookie(browser), await sessionOf(browser)]
    const page = await toConfirmPage(browser)
    const reply = await confirmWith(browser, page)
    assert.deepEqual([reply.status, reply.headers.location], [303, '/account/email'])
    const [line = ''] = (reply.headers['set-cookie'] ?? []).filter(one => one.includes('-session-'))
    assert.equal(/; Max-Age=7776000/.test(line), isRemembered)
    const fresh = cookieIn(reply)
    assert.ok(!old.includes(fresh))
    await moveTo(2 * HOUR + 1 + 59)
    for (const cookie of [old, fresh]) assert.equal((await openWith(app.port, cookie, '/account/email')).status, 200)
    await moveTo(2 * HOUR + 1 + 60)
    assert.equal((await openWith(app.port, old, '/account')).status, 303)
    assert.equal((await openWith(app.port, fresh, '/account/email')).status, 200)
    const [row] = await app.database.query<{ ids: string[] }>(
      `select array_agg(id) as ids from sessions where secret_hash = sha256($1::bytea)`,
      [Buffer.from(fresh.split('=')[1] ?? '')],
    )
    assert.deepEqual(row?.ids, [id])
  }
})

test('a tab with the page from before a proof goes on with the new secret: its form is taken', async () => {
  const { browser } = await signInWith('dev', true)
  const other = formTo(await browser.open('/account/profile'), '/account/profile')
  const page = await toConfirmPage(browser)
  await browser.submit(formTo(page, '/account/confirm'), [['password', PASSWORD]])
  await moveTo(3 * HOUR)
  const saved = await browser.submit(other, [['name', 'Dev after a proof']])
  assert.match(saved.text, /Your changes were saved/)
  await browser.submit(formTo(await browser.open('/account/profile'), '/account/profile'), [['name', people.dev.name]])
})

test('two confirmations at once, over two processes, leave no tab signed out', async () => {
  const other = await startOther()
  processes.push(other)
  for (let n = 0; n < 3; n++) {
    await moveTo(0)
    await app.database.query('delete from limits')
    const { browser } = await signInWith('femi', true)
    const page = await toConfirmPage(browser)
    const replies = await Promise.all([confirmWith(browser, page), confirmWith(browser, page, other.port)])
    assert.deepEqual(
      replies.map(({ status }) => status),
      [303, 303],
    )
    // A browser keeps the cookie of either answer, and may never read the other one.
    const cookies = replies.map(cookieIn)
    assert.match(cookies[0] ?? '', /=[\w-]{43}$/)
    assert.equal(cookies[0], cookies[1])
    await moveTo(2 * HOUR + 62)
    assert.equal((await openWith(app.port, cookies[0] ?? '', '/account/email')).status, 200)
  }
})

test('a confirmation and a sign-out at once, over two processes: the session has ended', async () => {
  const other = await startOther()
  processes.push(other)
  for (let n = 0; n < 4; n++) {
    await moveTo(0)
    await app.database.query('delete from limits')
    const { browser } = await signInWith('femi', true)
    const page = await toConfirmPage(browser)
    const signOut = formTo(page, '/account/sign-out')
    const old = formatCookie(browser)
    const [confirmed, left] = await Promise.all([
      confirmWith(browser, page, n % 2 === 0 ? app.port : other.port),
      post(n % 2 === 0 ? other.port : app.port, browser, signOut.action, signOut.fields, { host: readHost() }),
    ])
    assert.ok(left.status < 400, left.text)
    assert.ok(confirmed.status < 500, confirmed.text)
    for (const cookie of [old, cookieIn(confirmed)])
      if (cookie !== '') assert.equal((await openWith(app.port, cookie, '/account')).status, 303)
  }
})

test('E-14 a form names its session: that of another person or school, a cut, changed or extended token is refused', async () => {
  const browser = await enterAccount(personAt('dev'))
  const form = formTo(await browser.open('/account/profile'), '/account/profile')
  const token = new Map(form.fields).get('token') ?? ''
  assert.match(token, /^[\w-]{22}\.[\w-]{43}$/)
  const [id = '', mac = ''] = token.split('.')
  const eli = await enterAccount(personAt('eli'))
  const foreign = new Map(formTo(await eli.open('/account/profile'), '/account/profile').fields).get('token') ?? ''
  const [foreignId = '', foreignMac = ''] = foreign.split('.')
  await app.database.query(
    'update credentials c set secret = o.secret from credentials o where c.school_id = $1 and o.school_id = $2',
    [app.b.id, app.a.id],
  )
  const atB = openBrowser(app.port, app.b)
  await atB.submit(parseForm(await atB.open('/account/sign-in')), [
    ['email', people.ada.email],
    ['password', PASSWORD],
  ])
  const ofB = new Map(formTo(await atB.open('/account/profile'), '/account/profile').fields).get('token') ?? ''
  const bad = [
    '',
    id,
    mac.slice(1),
    `${id}.${mac.slice(0, -1)}`,
    `${id}.${mac}x`,
    `${id}.${mac}.`,
    `${token}.short`,
    `${id}.${foreignMac}`,
    foreign,
    foreignMac,
    ofB,
    `${id}.${ofB.split('.')[1]}`,
    `${foreignId}.${foreignMac.split('').reverse().join('')}`,
  ]
  for (const one of bad) {
    const reply = await post(app.port, browser, form.action, listFields(form, { name: 'Mallory', token: one }))
    assert.equal(reply.status, 403, one)
  }
  assert.doesNotMatch((await browser.open('/account')).text, /Mallory/)
  // Pages that were open during the upgrade have tokens without an id.
  const old = await post(app.port, browser, form.action, listFields(form, { token: mac }))
  assert.deepEqual([old.status, old.headers.location], [303, '/account?done=profile'])
})
