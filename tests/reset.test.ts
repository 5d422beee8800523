import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { type AppProcess, startServer } from '#testing/app-process.ts'
import { openBrowser, parseForm } from '#testing/browser.ts'
import { form, send, type TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { approve, signInOn, tokenRequest, withinASecond } from '#testing/oauth.ts'
import { askForReset, begin, fillIn, follow, isConsent, newestCode } from '#testing/people.ts'
import { isOfRequest } from '#testing/statements.ts'

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
const readHandle = (page: TestReply): string => new Map(parseForm(page).fields).get('request') ?? ''
const signInAs = async (email: string, password: string) => {
  const authorization = await begin(at())
  return { ...authorization, after: await signInOn(authorization.browser, authorization.page, { email, password }) }
}
const count = (email: string): number => mailbox.arrived.filter(({ to }) => to.includes(email)).length

test('a reset proves the address, sets the password, ends all other sessions and tokens, and continues', async () => {
  const { email } = people.dev
  const visitor = { port: app.port, school: app.a, email, password: PASSWORD }
  const elsewhere = await signInAs(email, PASSWORD)
  const waiting = await begin(at(), {}, elsewhere.browser)
  assert.ok(isConsent(waiting.page))
  const { exchange } = await approve(visitor)
  const { json: tokens } = await tokenRequest(app.port, app.a, exchange)
  const unused = await approve(visitor)
  const authorization = `Bearer ${tokens.access_token}`
  const ask = () => app.send({ path: '/api/v1/account', headers: { authorization } })
  assert.equal((await ask()).status, 200)

  const authorizing = await begin(at())
  const codePage = await askForReset(authorizing, email)
  const code = await newestCode(mailbox, email)
  assert.equal((await fillIn(authorizing.browser, codePage, { code, password: 'password12' })).status, 400)
  const cookies = new Map(authorizing.browser.cookies)
  const consent = await fillIn(authorizing.browser, codePage, { code, password: 'a rye needs patience too' })
  assert.ok(isConsent(consent), consent.text)
  for (const [name, value] of cookies) assert.notEqual(authorizing.browser.cookies.get(name), value, name)

  assert.equal((await withinASecond(ask, ({ status }) => status === 401)).status, 401)
  assert.equal((await tokenRequest(app.port, app.a, unused.exchange)).json.error, 'invalid_grant')
  const gone = await elsewhere.browser.open(`/oauth/authorize/consent?request=${readHandle(waiting.page)}`)
  assert.equal(gone.status, 400)
  assert.ok(!isConsent((await begin(at(), {}, elsewhere.browser)).page))
  assert.equal((await signInAs(email, PASSWORD)).after.status, 400)
  assert.ok(isConsent((await signInAs(email, 'a rye needs patience too')).after))
  assert.equal(
    (await fillIn(authorizing.browser, codePage, { code, password: 'a rye needs patience three' })).status,
    400,
  )
  const [mail] = await mailbox.waitFor(email, 1, /password at .* was changed/)
  assert.ok(mail?.email.text?.includes(`${app.a.baseUrl}/account`))
  const events = await app.database.query<{ revoked_for: string }>(
    'select distinct revoked_for from grants where revoked_at is not null',
  )
  assert.deepEqual(events, [{ revoked_for: 'password_reset' }])
})

test('E-03 a reset for an unknown address: the same answer, the same statements, and no mail', async () => {
  const observations: unknown[] = []
  for (const email of [people.eli.email, 'who@crumb.example']) {
    const authorization = await begin(at())
    const page = await follow(authorization.browser, authorization.page, 'reset')
    statements.length = 0
    const { status, headers, text } = await fillIn(authorization.browser, page, { email })
    const { date: _date, 'x-request-id': _id, ...rest } = headers
    observations.push({
      status,
      rest,
      text: text.replaceAll(email, '…').replaceAll(readHandle(page), '…'),
      statements: [...statements],
    })
    const codePage = await authorization.browser.open(`/oauth/authorize/reset/code?request=${readHandle(page)}`)
    const wrong = await fillIn(authorization.browser, codePage, {
      code: '000000',
      password: 'a rye needs patience too',
    })
    assert.equal(wrong.status, 400)
  }
  assert.deepEqual(observations[0], observations[1])
  await mailbox.waitFor(people.eli.email)
  assert.equal(count('who@crumb.example'), 0)
  assert.ok(isConsent((await signInAs(people.eli.email, PASSWORD)).after))
})

test('a suspended member gets no code and stays outside', async () => {
  await app.database.query(`update members set status = 'suspended' where email = $1`, [people.femi.email])
  const authorization = await begin(at())
  assert.equal((await askForReset(authorization, people.femi.email)).status, 200)
  assert.ok(!isConsent((await signInAs(people.femi.email, PASSWORD)).after))
  await askForReset(await begin(at()), people.eli.email)
  await mailbox.waitFor(people.eli.email, 2)
  assert.equal(count(people.femi.email), 0)
})

suite('races over two processes', () => {
  let processes: AppProcess[] = []
  before(async () => {
    const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
    const { url } = mailbox
    processes = await Promise.all([startServer(belonging, url), startServer(belonging, url)])
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
    const host = new URL(app.a.baseUrl).host
    return send(processes[n % 2]?.port ?? 0, {
      ...request,
      host,
      headers: { ...request.headers, cookie, accept: 'text/html' },
    })
  }

  test('a sign-in with the old password that races a reset is refused or ended with the others, never left', async () => {
    const { email } = people.carla
    let old: string = PASSWORD
    let letIn = 0
    for (let round = 1; round <= 8; round++) {
      const authorization = await begin(at())
      const codePage = await askForReset(authorization, email)
      const code = await newestCode(mailbox, email, round)
      const password = `a rye needs ${round} days of patience`
      const thieves = await Promise.all(Array.from({ length: 4 }, () => begin(at(), {}, openBrowser(app.port, app.a))))
      const reset = { request: readHandle(codePage), code, password }
      const [done, ...entries] = await Promise.all([
        post(0, '/oauth/authorize/reset/code', reset, authorization.browser.cookies),
        ...thieves.map((thief, n) =>
          post(
            n + 1,
            '/oauth/authorize/sign-in',
            { request: readHandle(thief.page), email, password: old },
            thief.browser.cookies,
          ),
        ),
      ])
      assert.equal(done?.status, 303, done?.text)
      letIn += entries.filter(({ status }) => status === 303).length
      const active = await app.database.query(
        `select from sessions s join members m on m.school_id = s.school_id and m.id = s.member_id
         where m.email = $1 and m.school_id = $2 and s.ended_at is null`,
        [email, app.a.id],
      )
      assert.equal(active.length, 1, `round ${round}`)
      old = password
      await app.moveClock(3601)
    }
    assert.ok(letIn < 32, 'no sign-in ever lost')
  })

  test('one code with 20 new passwords concurrently sets one of them', async () => {
    const { email } = people.ben
    const authorization = await begin(at())
    const codePage = await askForReset(authorization, email)
    const code = await newestCode(mailbox, email)
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        post(
          n,
          '/oauth/authorize/reset/code',
          { request: readHandle(codePage), code, password: `loaf number ${n} is mine` },
          authorization.browser.cookies,
        ),
      ),
    )
    assert.equal(replies.filter(({ status }) => status === 303).length, 1)
    const winner = replies.findIndex(({ status }) => status === 303)
    assert.ok(isConsent((await signInAs(email, `loaf number ${winner} is mine`)).after))
  })
})

test('E-18 J-12 no code, password or address is in the log', () => {
  const lines = app.log.join('')
  for (const secret of ['patience', '@crumb.example', 'request=', 'code=']) assert.ok(!lines.includes(secret), secret)
})
