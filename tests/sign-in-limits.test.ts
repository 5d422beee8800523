import assert from 'node:assert/strict'
import { argon2Sync, randomBytes } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { type AppProcess, startServer } from '#testing/app-process.ts'
import { parseForm } from '#testing/browser.ts'
import { form, send, type TestReply } from '#testing/http.ts'
import { signInOn } from '#testing/oauth.ts'
import { begin, isConsent, type StartedAuthorization } from '#testing/people.ts'

const app = testApp({ trustProxy: '127.0.0.1/32' })
const at = () => ({ port: app.port, school: app.a })
const readHandle = (page: TestReply): string => new Map(parseForm(page).fields).get('request') ?? ''
const QUARTER = 15 * 60 + 1

type Try = { readonly email: string; readonly password: string; readonly from?: string; readonly port?: number }

const tryAt = (
  authorization: StartedAuthorization,
  { email, password, from, port = app.port }: Try,
): Promise<TestReply> => {
  const request = form('/oauth/authorize/sign-in', { request: readHandle(authorization.page), email, password })
  const cookie = [...authorization.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const forwarded = from === undefined ? {} : { 'x-forwarded-for': from }
  const headers = { ...request.headers, cookie, accept: 'text/html', ...forwarded }
  return send(port, { ...request, host: new URL(app.a.baseUrl).host, headers })
}

const inBatches = async (n: number, size: number, one: (index: number) => Promise<TestReply>): Promise<number[]> => {
  const statuses: number[] = []
  for (let start = 0; start < n; start += size) {
    const indexes = Array.from({ length: Math.min(size, n - start) }, (_, offset) => start + offset)
    statuses.push(...(await Promise.all(indexes.map(one))).map(({ status }) => status))
  }
  return statuses
}

const times = (statuses: readonly number[], status: number): number => statuses.filter(one => one === status).length

const signedIn = async (name: 'dev' | 'eli'): Promise<StartedAuthorization> => {
  const authorization = await begin(at())
  assert.ok(
    isConsent(await signInOn(authorization.browser, authorization.page, { ...people[name], password: PASSWORD })),
  )
  return authorization
}

const signInAgain = async (browser: StartedAuthorization, email: string): Promise<TestReply> => {
  const again = await begin(at(), { prompt: 'login' }, browser.browser)
  return signInOn(again.browser, again.page, { email, password: PASSWORD })
}

test('E-01 a wrong password and an unknown address are one answer: status, body, headers, cookies, length', async () => {
  const authorization = await begin(at())
  const observations = []
  for (const email of [people.ada.email, 'zoe@crumb.example', 'xyz@crumb.example']) {
    const { status, headers, text } = await tryAt(authorization, { email, password: 'wrong all the same' })
    const { date: _date, 'x-request-id': _id, 'content-length': _length, ...rest } = headers
    observations.push({ status, rest, text: text.replaceAll(email, '…') })
  }
  assert.deepEqual(observations[0], observations[1])
  assert.deepEqual(observations[1], observations[2])
  assert.equal(observations[0]?.status, 400)
})

test('E-04 1,000 wrong passwords on one account: ten are checked, and its owner signs in from a trusted browser', async () => {
  const browser = await signedIn('dev')
  const thief = await begin(at())
  const { email } = people.dev
  const statuses = await inBatches(1000, 25, n => tryAt(thief, { email, password: `wrong number ${n}` }))
  assert.deepEqual([times(statuses, 400), times(statuses, 429)], [10, 990])
  assert.ok(isConsent(await signInAgain(browser, email)))
  const stranger = await begin(at())
  assert.equal((await tryAt(stranger, { email, password: PASSWORD })).status, 429)
  await app.moveClock(QUARTER)
  assert.equal((await tryAt(stranger, { email, password: PASSWORD })).status, 303)
})

test('E-04 one account from 1,000 addresses: ten are tried', async () => {
  const browser = await signedIn('eli')
  const thief = await begin(at())
  const { email } = people.eli
  const from = (n: number) => `10.9.${n >> 8}.${n & 255}`
  const statuses = await inBatches(1000, 25, n => tryAt(thief, { email, password: `wrong number ${n}`, from: from(n) }))
  assert.deepEqual([times(statuses, 400), times(statuses, 429)], [10, 990])
  assert.ok(isConsent(await signInAgain(browser, email)))
  await app.moveClock(QUARTER)
})

test('E-04 one password on 1,000 accounts: a hundred are tried, from one address and from 1,000', async () => {
  const thief = await begin(at())
  const one = await inBatches(1000, 25, n =>
    tryAt(thief, { email: `s${n}@crumb.example`, password: `password ${n}`, from: '10.8.0.1' }),
  )
  assert.deepEqual([times(one, 400), times(one, 429)], [100, 900])
  const from = (n: number) => `10.7.${n >> 8}.${n & 255}`
  const spread = await inBatches(1000, 25, n =>
    tryAt(thief, { email: `t${n}@crumb.example`, password: 'bread and butter', from: from(n) }),
  )
  assert.deepEqual([times(spread, 400), times(spread, 429)], [100, 900])
  // Who has another password is not in anybody's way.
  assert.equal(
    (await tryAt(await begin(at()), { email: people.ben.email, password: PASSWORD, from: '10.6.0.1' })).status,
    303,
  )
  await app.moveClock(QUARTER)
})

test('a trusted browser is trusted only for its own members, has ten tries too, and gets a new cookie at each sign-in', async () => {
  const browser = await signedIn('dev')
  const mark = [...browser.browser.cookies].filter(([name]) => name.includes('known'))
  assert.equal(mark.length, 1)
  const other = await begin(at(), { prompt: 'login' }, browser.browser)
  const onEli = await inBatches(12, 1, n => tryAt(other, { email: people.eli.email, password: `wrong ${n}` }))
  assert.deepEqual([times(onEli, 400), times(onEli, 429)], [10, 2])
  const onDev = await inBatches(12, 1, n => tryAt(other, { email: people.dev.email, password: `wrong ${n}` }))
  assert.deepEqual([times(onDev, 400), times(onDev, 429)], [10, 2])
  await app.moveClock(QUARTER)
  assert.ok(isConsent(await signInAgain(browser, people.dev.email)))
  const after = [...browser.browser.cookies].filter(([name]) => name.includes('known'))
  assert.notDeepEqual(after, mark)
  const rows = await app.database.query<{ text: string }>('select k::text as text from known_browsers k')
  assert.ok(rows.every(({ text }) => ![...mark, ...after].some(([, value]) => text.includes(value))))
})

suite('over two processes', () => {
  let processes: AppProcess[] = []
  before(async () => {
    const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
    processes = await Promise.all([startServer(belonging), startServer(belonging)])
  })
  after(() => Promise.all(processes.map(process => process.stop())))

  test('the limits count exactly: of 60 parallel attempts ten are checked', async () => {
    const thief = await begin(at())
    const { email } = people.carla
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        tryAt(thief, { email, password: `wrong ${n}`, port: processes[n % 2]?.port ?? 0 }),
      ),
    )
    const statuses = replies.map(({ status }) => status)
    assert.deepEqual([times(statuses, 400), times(statuses, 429)], [10, 50])
    await app.moveClock(QUARTER)
  })
})

test('E-11 a hash with older parameters is replaced at the next sign-in, and salts are unique', async () => {
  const weak = { memory: 8192, passes: 1, parallelism: 1 }
  const nonce = randomBytes(16)
  const tag = argon2Sync('argon2id', { message: PASSWORD, nonce, tagLength: 32, ...weak })
  const plain = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
  const stored = `$argon2id$v=19$m=8192,t=1,p=1$${plain(nonce)}$${plain(tag)}`
  await app.database.query(
    'update credentials set secret = $1 where member_id = (select id from members where email = $2 and school_id = $3)',
    [stored, people.ben.email, app.a.id],
  )
  const readSecret = async () =>
    (
      await app.database.query<{ secret: string }>(
        'select c.secret from credentials c join members m on m.id = c.member_id where m.email = $1 and m.school_id = $2',
        [people.ben.email, app.a.id],
      )
    )[0]?.secret
  const authorization = await begin(at())
  assert.equal((await tryAt(authorization, { email: people.ben.email, password: 'wrong all the same' })).status, 400)
  assert.equal(await readSecret(), stored)
  assert.equal((await tryAt(authorization, { email: people.ben.email, password: PASSWORD })).status, 303)
  assert.match((await readSecret()) ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.equal((await tryAt(await begin(at()), { email: people.ben.email, password: PASSWORD })).status, 303)
})

test('E-13 on HTTPS every cookie is __Host-, Secure, HttpOnly, SameSite and small; on loopback its name contains the port', async () => {
  for (const school of [app.a, app.b]) {
    const authorization = await begin({ port: app.port, school })
    const request = form('/oauth/authorize/sign-in', {
      request: readHandle(authorization.page),
      email: people.dev.email,
      password: PASSWORD,
    })
    const cookie = [...authorization.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await app.send({ ...request, headers: { ...request.headers, cookie } }, school)
    const lines = reply.headers['set-cookie'] ?? []
    assert.equal(lines.length, 3)
    for (const line of lines) {
      assert.match(line, /; HttpOnly; SameSite=Lax/)
      assert.ok(line.length < 4096)
      if (school === app.a)
        assert.match(line, new RegExp(`^stoa-local-(?:session|known|visit)-${app.port}=[\\w-]{43}; Path=/; HttpOnly;`))
      else assert.match(line, /^__Host-.*; Path=\/; Secure;/)
    }
  }
})
