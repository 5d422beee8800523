import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { type AppProcess, startServer } from '#testing/app-process.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { form, send, type TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { CALLBACK, readCallback, signInOn, tokenRequest } from '#testing/oauth.ts'
import { askForAccount, askForReset, begin, fillIn, follow, isConsent, newestCode } from '#testing/people.ts'
import { runCommand } from '#testing/process.ts'
import { isOfRequest } from '#testing/statements.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const statements: string[] = []
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
  onStatement: text => void (isOfRequest(text) && statements.push(text)),
})
after(() => mailbox.stop())

const at = () => ({ port: app.port, school: app.a })
const belonging = () => ({ databaseUrl: app.database.appUrl, secret: app.secret })
const memberWith = (email: string) =>
  app.database.query<{ status: string; role: string; email_verified: boolean; name: string }>(
    'select status, role, email_verified, name from members where email_folded = $1 and school_id = $2',
    [email, app.a.id],
  )

const setMode = async (mode: string): Promise<void> => {
  await app.database.query('update schools set signup_mode = $1 where id = $2', [mode, app.a.id])
  // One authorization for all requests, because the number of authorizations is limited.
  const { browser, page } = await begin(at())
  await until(async () => {
    const { status, text } = await browser.open(`/oauth/authorize/sign-up?request=${readHandle(page)}`)
    return (status === 403 ? 'closed' : text.includes('by invitation') ? 'invite' : 'open') === mode
  }, `the sign-up mode ${mode}`)
}

const readHandle = (page: TestReply): string => new Map(parseForm(page).fields).get('request') ?? ''

test('a newcomer makes an account on the way to an app: address proven first, then member, session, consent, token', async () => {
  const authorizing = await begin(at())
  const email = 'gil@crumb.example'
  const codePage = await askForAccount(authorizing, { email })
  assert.equal(codePage.status, 200)
  assert.deepEqual(await memberWith(email), [])
  const before = new Map(authorizing.browser.cookies)
  const consent = await fillIn(authorizing.browser, codePage, { code: await newestCode(mailbox, email) })
  assert.ok(isConsent(consent), consent.text)
  assert.deepEqual(await memberWith(email), [
    { status: 'active', role: 'member', email_verified: true, name: 'Gil Tavares' },
  ])
  // E-10: a cookie from before the sign-up is worthless after it.
  for (const [name, value] of before) assert.notEqual(authorizing.browser.cookies.get(name), value, name)
  const reply = await fillIn(authorizing.browser, consent, { decision: 'approve' })
  const tokens = await tokenRequest(app.port, app.a, {
    grant_type: 'authorization_code',
    client_id: authorizing.clientId,
    redirect_uri: CALLBACK,
    code: readCallback(reply).searchParams.get('code') ?? '',
    code_verifier: authorizing.verifier,
  })
  const authorization = `Bearer ${tokens.json.access_token}`
  const { json } = await app.send({ path: '/api/oauth/userinfo', headers: { authorization } })
  assert.deepEqual([json.email, json.email_verified], [email, true])
})

test('Initiating User Registration 1.0: prompt=create leads to sign-up, is advertised, and is no way round sign-in', async () => {
  const metadata = await app.send({ path: '/.well-known/openid-configuration' })
  assert.ok(metadata.json.prompt_values_supported.includes('create'))
  const { browser, page } = await begin(at(), { prompt: 'create' })
  assert.ok(page.text.includes('action="/oauth/authorize/sign-up"'))
  const signedIn = await signInOn(browser, (await begin(at(), {}, browser)).page, { ...people.dev, password: PASSWORD })
  assert.ok(isConsent(signedIn))
  const again = await begin(at(), { prompt: 'create' }, browser)
  assert.ok(again.page.text.includes('action="/oauth/authorize/sign-up"'))
  const skipped = await browser.open(`/oauth/authorize/consent?request=${readHandle(again.page)}`)
  assert.ok(!isConsent(skipped))
})

const comparable = ({ status, headers, text }: TestReply, email: string, handle: string) => {
  const { date: _date, 'x-request-id': _id, ...rest } = headers
  return { status, headers: rest, text: text.replaceAll(email, '…').replaceAll(handle, '…') }
}

test('E-03 sign-up with an existing address: the same reply, the same statements, and the mail goes to its owner', async () => {
  const observations: unknown[] = []
  for (const email of [people.eli.email, 'new@crumb.example']) {
    const authorization = await begin(at())
    const page = await follow(authorization.browser, authorization.page, 'sign-up')
    statements.length = 0
    const reply = await fillIn(authorization.browser, page, {
      email,
      name: 'Eli',
      password: 'levain at four in the morning',
    })
    observations.push({
      ...comparable(reply, email, readHandle(page)),
      statements: statements.map(text => text.trim()),
    })
  }
  assert.deepEqual(observations[0], observations[1])
  const [mail] = await mailbox.waitFor(people.eli.email)
  assert.match(mail?.email.subject ?? '', /already have an account/)
  assert.doesNotMatch(mail?.email.text ?? '', /^\d{6}$/m)
  await mailbox.waitFor('new@crumb.example')
  const { browser, page } = await begin(at())
  assert.ok(isConsent(await signInOn(browser, page, { ...people.eli, password: PASSWORD })))
})

suite('a code', () => {
  const ask = async (email: string) => {
    const authorization = await begin(at())
    const page = await askForAccount(authorization, { email })
    return { begun: authorization, page, code: await newestCode(mailbox, email) }
  }
  const wrongFor = (code: string, n: number): string => String((Number(code) + n) % 1_000_000).padStart(6, '0')

  test('is invalid after five wrong tries', async () => {
    const { begun: authorization, page, code } = await ask('five@crumb.example')
    for (let n = 1; n <= 5; n++)
      assert.equal((await fillIn(authorization.browser, page, { code: wrongFor(code, n) })).status, 400)
    assert.equal((await fillIn(authorization.browser, page, { code })).status, 400)
    assert.deepEqual(await memberWith('five@crumb.example'), [])
  })

  test('of another form is not counted as a try, and spaces do not matter', async () => {
    const { begun: authorization, page, code } = await ask('shape@crumb.example')
    for (const typed of ['', 'abcdef', '12345', `${code}0`, '١٢٣٤٥٦', "' or 1=1", '0x12ab', '-12345'])
      assert.equal((await fillIn(authorization.browser, page, { code: typed })).status, 400, typed)
    assert.ok(isConsent(await fillIn(authorization.browser, page, { code: ` ${code.slice(0, 3)} ${code.slice(3)}` })))
  })

  test('works once, and its page is closed afterwards', async () => {
    const { begun: authorization, page, code } = await ask('once@crumb.example')
    assert.ok(isConsent(await fillIn(authorization.browser, page, { code })))
    assert.equal((await fillIn(authorization.browser, page, { code })).status, 400)
    assert.equal((await memberWith('once@crumb.example')).length, 1)
  })

  test('works only in the browser that requested it, and only for that authorization', async () => {
    const { page, code } = await ask('bound@crumb.example')
    const thief = await begin(at())
    assert.equal((await fillIn(thief.browser, page, { code })).status, 400)
    const own = await askForAccount(thief, { email: 'thief@crumb.example' })
    assert.equal((await fillIn(thief.browser, own, { code })).status, 400)
    assert.deepEqual(await memberWith('bound@crumb.example'), [])
  })

  test('is stored only as a keyed hash, and the mail’s copy is deleted once it is sent', async () => {
    const { code } = await ask('hashed@crumb.example')
    const rows = await app.database.query<{ all: string }>(`
      select (select string_agg(t::text, ' ') from address_codes t) || (select string_agg(t::text, ' ') from limits t) as all`)
    // Six digits of a hash or of the microseconds of an instant are no code.
    assert.ok(!new RegExp(`(?<![\\da-f.])${code}(?![\\da-f])`).test(rows[0]?.all ?? code))
    const kept = async () =>
      (
        await app.database.query(`select from mails where recipient = 'hashed@crumb.example'
        and (sent_at is null or secrets_sealed is not null or "values" <> '{}')`)
      ).length
    await until(async () => (await kept()) === 0, 'the deletion of the code from the mail')
  })

  test('a newer code takes the place of the older one; six within an hour are too many, for an unknown address too', async () => {
    const email = 'often@crumb.example'
    const authorization = await begin(at())
    await askForAccount(authorization, { email })
    const first = await newestCode(mailbox, email)
    const page = await askForAccount(authorization, { email })
    const second = await newestCode(mailbox, email, 2)
    if (first !== second) assert.equal((await fillIn(authorization.browser, page, { code: first })).status, 400)
    for (let n = 3; n <= 5; n++) assert.equal((await askForAccount(authorization, { email })).status, 200)
    const sixth = await askForAccount(authorization, { email })
    assert.equal(sixth.status, 429)
    assert.ok(Number(sixth.headers['retry-after']) > 0)
    const nobody = await begin(at())
    for (let n = 1; n <= 5; n++) assert.equal((await askForReset(nobody, 'nobody@crumb.example')).status, 200)
    assert.equal((await askForReset(nobody, 'nobody@crumb.example')).status, 429)
    assert.equal((await mailbox.waitFor(email, 5)).length, 5)
  })

  test('is valid for 15 minutes', async () => {
    const { begun: authorization, page, code } = await ask('late@crumb.example')
    await app.moveClock(15 * 60 + 1)
    assert.equal((await fillIn(authorization.browser, page, { code })).status, 400)
    assert.deepEqual(await memberWith('late@crumb.example'), [])
  })
})

test('E-09 common passwords and those that name person, address or school are refused, and nothing is sent', async () => {
  const authorization = await begin(at())
  const email = 'helena@crumb.example'
  const refused = [
    'password1',
    'short',
    'password12',
    'Password1234!',
    'helena-bakes-42',
    'Tavares 4 ever',
    'crumb and crust!',
    'CRUMB & CRUST 1',
    'x'.repeat(257),
  ]
  for (const password of refused) {
    const reply = await askForAccount(authorization, { email, name: 'Helena Tavares', password })
    assert.equal(reply.status, 400, password)
    assert.ok(!reply.text.includes(password.replaceAll('&', '&amp;')), password)
  }
  assert.deepEqual(await app.database.query('select from address_codes where email = $1', [email]), [])
  assert.equal(
    (await askForAccount(authorization, { email, name: 'Helena', password: 'four loaves on a rack' })).status,
    200,
  )
})

test('invite: only invited addresses get a code, the reply does not show it, and the invited keep their role', async () => {
  await setMode('invite')
  await runCommand(belonging(), [
    'members',
    'invite',
    'vera@crumb.example',
    '--role',
    'lecturer',
    '--school',
    app.a.baseUrl,
  ])
  const [invitation] = await mailbox.waitFor('vera@crumb.example')
  assert.match(invitation?.email.subject ?? '', /invited/)
  const observations = []
  const pages = []
  for (const email of ['vera@crumb.example', 'sten@crumb.example']) {
    const authorization = await begin(at(), { prompt: 'create' })
    const code = await fillIn(authorization.browser, authorization.page, {
      email,
      name: 'Vera',
      password: 'levain at four in the morning',
    })
    pages.push({ begun: authorization, code })
    observations.push(comparable(code, email, readHandle(authorization.page)))
  }
  assert.deepEqual(observations[0], observations[1])
  const [invited] = pages
  if (invited === undefined) throw new Error('no page')
  const digits = await newestCode(mailbox, 'vera@crumb.example', 2)
  assert.ok(isConsent(await fillIn(invited.begun.browser, invited.code, { code: digits })))
  const [member] = await memberWith('vera@crumb.example')
  assert.deepEqual([member?.status, member?.role, member?.email_verified], ['active', 'lecturer', true])
  assert.equal(mailbox.arrived.filter(({ to }) => to.includes('sten@crumb.example')).length, 0)
})

test('closed: the page says so, offers nothing, and a form sent all the same does nothing', async () => {
  await setMode('closed')
  const { browser, page } = await begin(at(), { prompt: 'create' })
  assert.equal(page.status, 403)
  assert.match(page.text, /does not accept new accounts/)
  const signIn = await follow(browser, page, 'sign-in')
  assert.ok(!signIn.text.includes('sign-up'))
  const posted = await browser.submit({ action: '/oauth/authorize/sign-up', fields: parseForm(signIn).fields }, [
    ['email', 'late@crumb.example'],
    ['name', 'Late'],
    ['password', 'levain at four in the morning'],
  ])
  assert.equal(posted.status, 403)
  assert.deepEqual(
    await app.database.query(`select from mails where recipient = 'late@crumb.example' and sent_at is null`),
    [],
  )
  await setMode('open')
})

suite('an invitation', () => {
  const invite = async (email: string) => {
    await runCommand(belonging(), ['members', 'invite', email, '--name', 'Jo', '--school', app.a.baseUrl])
    const mails = await mailbox.waitFor(email)
    const text = mails.at(-1)?.email.text ?? ''
    const link = /https?:\S+/.exec(text)?.[0] ?? ''
    assert.ok(link.startsWith(`${app.a.baseUrl}/oauth/invitation?`))
    return { path: link.slice(app.a.baseUrl.length), code: await newestCode(mailbox, email) }
  }
  const signInAs = async (email: string, password: string) => {
    const { browser, page } = await begin(at())
    return signInOn(browser, page, { email, password })
  }

  test('admits the person who proves the address and sets a password, and nobody before', async () => {
    const email = 'jo@crumb.example'
    const { path, code } = await invite(email)
    assert.equal((await signInAs(email, code)).status, 400)
    assert.equal((await memberWith(email))[0]?.status, 'invited')
    const browser = openBrowser(app.port, app.a)
    const page = await browser.open(path)
    const weak = await fillIn(browser, page, { code, name: 'Jo', password: 'password12' })
    assert.equal(weak.status, 400)
    const done = await fillIn(browser, page, { code, name: 'Jo Baker', password: 'rye rises slowly here' })
    assert.match(done.text, /signed in as Jo Baker/)
    assert.deepEqual(await memberWith(email), [
      { status: 'active', role: 'member', email_verified: true, name: 'Jo Baker' },
    ])
    assert.ok(isConsent(await signInAs(email, 'rye rises slowly here')))
    assert.equal((await browser.open(path)).status, 400)
  })

  test('dies after five wrong codes, and a new one takes its place', async () => {
    const email = 'kim@crumb.example'
    const { path, code } = await invite(email)
    const browser = openBrowser(app.port, app.a)
    const page = await browser.open(path)
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    const typed = { name: 'Kim', password: 'rye rises slowly here' }
    for (let n = 0; n < 5; n++) assert.equal((await fillIn(browser, page, { ...typed, code: wrong })).status, 400)
    assert.equal((await fillIn(browser, page, { ...typed, code })).status, 400)
    await runCommand(belonging(), ['members', 'invite', email, '--school', app.a.baseUrl])
    const second = (await mailbox.waitFor(email, 2)).at(-1)
    const link = /https?:\S+/.exec(second?.email.text ?? '')?.[0] ?? ''
    assert.equal((await browser.open(path)).status, 400)
    const newPage = await browser.open(link.slice(app.a.baseUrl.length))
    const done = await fillIn(browser, newPage, { ...typed, code: await newestCode(mailbox, email, 2) })
    assert.match(done.text, /account is ready, and you are signed in/)
  })

  test('of a person who has an account is refused by the command', async () => {
    await assert.rejects(
      runCommand(belonging(), ['members', 'invite', people.dev.email, '--school', app.a.baseUrl]),
      /already has an account/,
    )
  })
})

test('a member without a proven address may prove it on the way to consent, or not', async () => {
  const { browser, page } = await begin(at())
  const consent = await signInOn(browser, page, { ...people.femi, password: PASSWORD })
  const offer = await follow(browser, consent, 'verify')
  assert.ok(isConsent(await follow(browser, offer, 'consent')))
  const codePage = await fillIn(browser, offer, {})
  const mark = new Map(browser.cookies)
  const done = await fillIn(browser, codePage, { code: await newestCode(mailbox, people.femi.email) })
  assert.ok(isConsent(done))
  assert.ok(!done.text.includes('/oauth/authorize/verify'))
  assert.equal((await memberWith(people.femi.email))[0]?.email_verified, true)
  const visit = [...browser.cookies].filter(([name]) => name.includes('visit'))
  assert.ok(visit.length === 1 && visit.every(([name, value]) => mark.get(name) !== value))
})

const PAGES = ['sign-up', 'sign-up/code', 'reset', 'reset/code', 'verify', 'verify/code']

test('E-14 forms sent from another site, with another media type or without the handle change nothing', async () => {
  const { browser, page } = await begin(at())
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const fields = {
    request: readHandle(page),
    email: 'csrf@crumb.example',
    name: 'C',
    password: 'levain at four in the morning',
    code: '123456',
  }
  const paths = [...PAGES.map(name => `/oauth/authorize/${name}`), '/oauth/invitation']
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
    { origin: 'https://evil.example' },
  ]
  for (const path of paths) {
    for (const headers of foreign) {
      const request = form(path, fields)
      const reply = await app.send({ ...request, headers: { ...request.headers, cookie, ...headers } })
      assert.equal(reply.status, 403, `${path} ${JSON.stringify(headers)}`)
    }
    const text = await app.send({
      method: 'POST',
      path,
      headers: { 'content-type': 'text/plain', cookie },
      body: 'request=x',
    })
    assert.equal(text.status, 415, path)
    const lost = await app.send({ ...form(path, { ...fields, request: 'x', invitation: 'x' }) })
    assert.equal(lost.status, 400, path)
  }
  assert.deepEqual(await app.database.query(`select from address_codes where email = 'csrf@crumb.example'`), [])
})

test('E-15 E-17 every new page: no frames, no sniffing, no inline anything, nothing kept, no way out', async () => {
  const { browser, page } = await begin(at())
  const handle = readHandle(page)
  const evil = '&return_to=https://evil.example&next=//evil.example'
  const signUp = await browser.open(`/oauth/authorize/sign-up?request=${handle}${evil}`)
  const code = await fillIn(browser, signUp, {
    email: 'pages@crumb.example',
    name: '<b>"Pat"',
    password: 'levain at four in the morning',
    return_to: 'https://evil.example',
  })
  const reset = await browser.open(`/oauth/authorize/reset?request=${handle}${evil}`)
  const resetCode = await fillIn(browser, reset, { email: 'pages@crumb.example' })
  const lost = await browser.open('/oauth/invitation?invitation=x')
  for (const { headers, text, status } of [signUp, code, reset, resetCode, lost]) {
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /unsafe-inline/)
    // A refusal leads nowhere; every other page here may end in a redirect to a client.
    assert.equal(policy.includes('form-action'), status >= 400)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['referrer-policy'], 'same-origin')
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['cross-origin-opener-policy'], undefined)
    assert.doesNotMatch(text, /evil\.example|<script|style=|<b>"Pat"/)
    assert.match(text, /<html lang="en">/)
  }
})

test('pages and mails are in Portuguese for people who prefer it', async () => {
  const authorization = await begin(at(), { ui_locales: 'pt-PT' })
  const page = await askForAccount(authorization, { email: 'rui@crumb.example' })
  assert.match(page.text, /<html lang="pt">/)
  assert.match(
    (await mailbox.waitFor('rui@crumb.example'))[0]?.email.subject ?? '',
    /^\d{3} \d{3} é o seu código para /,
  )
})

suite('races over two processes', () => {
  let processes: AppProcess[] = []
  before(async () => {
    processes = await Promise.all([startServer(belonging(), mailbox.url), startServer(belonging(), mailbox.url)])
  })
  after(() => Promise.all(processes.map(process => process.stop())))

  const post = (
    n: number,
    path: string,
    fields: Readonly<Record<string, string>>,
    cookies: ReadonlyMap<string, string>,
  ) => {
    const request = form(path, fields)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const port = processes[n % 2]?.port ?? 0
    const host = new URL(app.a.baseUrl).host
    return send(port, { ...request, host, headers: { ...request.headers, cookie, accept: 'text/html' } })
  }

  test('the same right code in 50 concurrent requests creates one member and one session', async () => {
    const email = 'race@crumb.example'
    const authorization = await begin(at())
    const page = await askForAccount(authorization, { email })
    const fields = { request: readHandle(page), code: await newestCode(mailbox, email) }
    const cookies = new Map(authorization.browser.cookies)
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) => post(n, '/oauth/authorize/sign-up/code', fields, cookies)),
    )
    assert.equal(replies.filter(({ status }) => status === 303).length, 1)
    assert.ok(replies.every(({ status }) => status === 303 || status === 400 || status === 503))
    assert.equal((await memberWith(email)).length, 1)
    const sessions = await app.database.query(
      'select from sessions s join members m on m.school_id = s.school_id and m.id = s.member_id where m.email = $1',
      [email],
    )
    assert.equal(sessions.length, 1)
  })

  test('50 concurrent wrong codes count as five tries', async () => {
    const email = 'guess@crumb.example'
    const authorization = await begin(at())
    const page = await askForAccount(authorization, { email })
    const code = await newestCode(mailbox, email)
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        post(
          n,
          '/oauth/authorize/sign-up/code',
          { request: readHandle(page), code: String((Number(code) + 1 + n) % 1_000_000).padStart(6, '0') },
          authorization.browser.cookies,
        ),
      ),
    )
    assert.ok(replies.every(({ status }) => status === 400 || status === 503))
    const [row] = await app.database.query<{ tries: number }>('select tries from address_codes where email = $1', [
      email,
    ])
    assert.equal(row?.tries, 5)
    assert.equal((await fillIn(authorization.browser, page, { code })).status, 400)
  })

  test('two parallel sign-ups for one address create one member, and the other one gets a message', async () => {
    const email = 'twice@crumb.example'
    const both = []
    for (let n = 1; n <= 2; n++) {
      const authorization = await begin(at())
      const page = await askForAccount(authorization, { email, password: `levain number ${n} rises` })
      both.push({
        begun: authorization,
        fields: { request: readHandle(page), code: await newestCode(mailbox, email, n) },
      })
    }
    const replies = await Promise.all(
      both.map(({ begun: authorization, fields }, n) =>
        post(n, '/oauth/authorize/sign-up/code', fields, authorization.browser.cookies),
      ),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [303, 400])
    assert.match(replies.find(({ status }) => status === 400)?.text ?? '', /already has an account/)
    assert.equal((await memberWith(email)).length, 1)
  })
})

test('E-18 J-12 no code, password, address or handle is in the log, and no code in a title', async () => {
  const lines = app.log.join('')
  // Instants, durations and ids have six digits in a row that are no code.
  const words = lines.replace(/"(?:time|ms)":[^,}]+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\b[a-z\d]{2,3}_\w+/g, '')
  for (const mail of mailbox.arrived) {
    const code = /^\d{6}$/m.exec(mail.email.text ?? '')?.[0]
    if (code !== undefined) assert.ok(!new RegExp(`(?<!\\d)${code}(?!\\d)`).test(words), 'a code is in the log')
  }
  for (const secret of ['levain', '@crumb.example', 'request=', 'invitation='])
    assert.ok(!lines.includes(secret), secret)
})
