import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type OpenDatabase, openDatabase } from '#src/db/database.ts'
import { hmac, purposeKey, sha256, systemRandom } from '#src/kit/crypto.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { later, stopClock } from '#testing/clock.ts'
import { CODE_SECONDS, type CodeRequest, checkCode, consumeCode, issueCode, refundCode } from './codes/codes.ts'
import { type SignInAttempt, signIn } from './sign-in.ts'

const app = testApp()
const START = new Date('2030-01-01T12:00:00Z')
const QUARTER = 15 * 60
const HOUR = 3600
const MARK = 'm'.repeat(43)
const SECRET = 's'.repeat(43)
const dev = { email: 'dev@crumb.example' }
const eli = { email: 'eli@crumb.example' }
let database: OpenDatabase | undefined
after(() => database?.close())

const opened = (): OpenDatabase => {
  database ??= openDatabase(app.database.appUrl, { wait: 10_000, max: 4 })
  return database
}
const at = (milliseconds: number) => stopClock(app.database, later(START, milliseconds))

/** A test that begins at the start, with nothing counted and no browser known. */
const testFresh = (title: string, run: () => Promise<void>) =>
  test(title, async () => {
    for (const table of ['limits', 'known_browsers', 'address_codes']) await app.database.query(`delete from ${table}`)
    await at(0)
    await run()
  })

/** Sets how often a limit was used already. */
const preset = async (name: string, caller: string, count: number): Promise<void> => {
  const key = sha256(`${name}\n${app.a.id}\n${caller}`)
  await app.database.query(
    `insert into limits (key, starts_at, ends_at, count) values ($1, $2, $2::timestamptz + interval '15 minutes', $3)
     on conflict (key) do update set count = excluded.count`,
    [key, START, count],
  )
}
const readCount = async (name: string, caller: string): Promise<number | undefined> =>
  (
    await app.database.query<{ count: number }>('select count from limits where key = $1', [
      sha256(`${name}\n${app.a.id}\n${caller}`),
    ])
  )[0]?.count

const know = async (email: string, seconds = HOUR): Promise<string> => {
  const [row] = await app.database.query<{ member_id: string }>(
    `insert into known_browsers (school_id, member_id, secret_hash, created_at, expires_at)
     select school_id, id, $3, $4, $4::timestamptz + make_interval(secs => $5) from members where school_id = $1 and email = $2
     returning member_id`,
    [app.a.id, email, sha256(MARK), START, seconds],
  )
  return `${row?.member_id} ${sha256(MARK).toString('hex')}`
}

const attempt = async (plan: Partial<SignInAttempt> = {}): Promise<string> => {
  const usual = {
    email: dev.email,
    password: 'wrong',
    network: '203.0.113.1',
    trustedDevice: undefined,
    secret: SECRET,
  }
  const result = await signIn(opened(), app.a, { ...usual, ...plan })
  return result.kind === 'too_many' ? `too_many ${result.wait}` : result.kind
}
const passwordKey = (password: string): string =>
  hmac(purposeKey(SECRET, 'sign-in'), `${app.a.id} ${password}`).toString('hex')

testFresh(
  'an account has ten sign-ins in a quarter of an hour, from anywhere; the right password makes it whole',
  async () => {
    await preset('sign-in:account', dev.email, 8)
    assert.equal(await attempt({ network: '203.0.113.2' }), 'refused')
    assert.equal(await attempt({ password: PASSWORD }), 'signed_in')
    assert.equal(await readCount('sign-in:account', dev.email), undefined)
    await preset('sign-in:account', dev.email, 9)
    assert.equal(await attempt({ email: 'DEV@crumb.example' }), 'refused')
    for (const password of ['wrong', PASSWORD])
      assert.equal(await attempt({ password, network: '203.0.113.3' }), `too_many ${QUARTER}`)
    assert.equal(await attempt({ email: eli.email }), 'refused', 'another account')
    await at(QUARTER * 1000)
    assert.equal(await attempt({ password: PASSWORD }), 'signed_in')
  },
)

testFresh('a network has a hundred sign-ins, and successful ones are refunded', async () => {
  await preset('sign-in:network', '203.0.113.1', 98)
  assert.equal(await attempt({ password: PASSWORD }), 'signed_in')
  assert.equal(await readCount('sign-in:network', '203.0.113.1'), 98)
  assert.deepEqual([await attempt(), await attempt({ email: eli.email })], ['refused', 'refused'])
  assert.equal(await attempt({ email: 'nobody@crumb.example' }), `too_many ${QUARTER}`)
  assert.equal(await attempt({ network: '203.0.113.2' }), 'refused', 'another network')
})

testFresh(
  'one password is tried a hundred times on whatever accounts, in each of its forms; its owner gives theirs back',
  async () => {
    const [composed, apart] = ['caf\u00e9', 'cafe\u0301']
    await preset('sign-in:password', passwordKey(composed ?? ''), 99)
    assert.equal(await attempt({ password: apart ?? '' }), 'refused')
    assert.equal(
      await attempt({ email: eli.email, network: '203.0.113.2', password: composed ?? '' }),
      `too_many ${QUARTER}`,
    )
    assert.equal(await attempt({ email: eli.email, password: 'another' }), 'refused')
    await preset('sign-in:password', passwordKey(PASSWORD), 99)
    assert.equal(await attempt({ password: PASSWORD }), 'signed_in')
    assert.equal(await readCount('sign-in:password', passwordKey(PASSWORD)), 99)
  },
)

testFresh('a browser that the member used before has ten sign-ins of its own, whatever strangers used up', async () => {
  const caller = await know(dev.email)
  await preset('sign-in:account', dev.email, 10)
  await preset('sign-in:network', '203.0.113.1', 100)
  assert.equal(await attempt({ trustedDevice: MARK, password: PASSWORD }), 'signed_in')
  assert.equal(await attempt({ trustedDevice: MARK }), 'refused')
  assert.equal(await readCount('sign-in:browser', caller), 1)
  await preset('sign-in:browser', caller, 9)
  assert.deepEqual(
    [await attempt({ trustedDevice: MARK }), await attempt({ trustedDevice: MARK })],
    ['refused', `too_many ${QUARTER}`],
  )
  for (const cookie of [undefined, '', 'x'.repeat(43), `${MARK}m`, `${MARK.slice(1)}!`])
    assert.equal(await attempt({ trustedDevice: cookie }), `too_many ${QUARTER}`, String(cookie))
  assert.equal(await attempt({ trustedDevice: MARK, email: eli.email, network: '203.0.113.9' }), 'refused')
  assert.equal(await readCount('sign-in:account', eli.email), 1, 'to another member it is a stranger')
})

const request = (plan: Partial<CodeRequest> = {}): Promise<number> =>
  consumeCode(opened(), app.a, { email: dev.email, network: '203.0.113.1', trustedDevice: undefined, ...plan })
const times = async (count: number, plan: Partial<CodeRequest> = {}): Promise<number[]> => {
  const waits: number[] = []
  for (let time = 0; time < count; time++) waits.push(await request(plan))
  return waits
}

testFresh('an address has five codes an hour from one network, and twenty from all', async () => {
  assert.deepEqual(await times(6), [0, 0, 0, 0, 0, HOUR])
  assert.equal(await request({ email: 'DEV@crumb.example' }), HOUR)
  for (const network of ['203.0.113.2', '203.0.113.3', '203.0.113.4'])
    assert.deepEqual(await times(5, { network }), [0, 0, 0, 0, 0])
  assert.deepEqual(await times(1, { network: '203.0.113.5' }), [HOUR])
  assert.equal(await request({ email: eli.email }), 0)
  await at(HOUR * 1000)
  assert.equal(await request(), 0)
})

testFresh('a network has a hundred codes, for whatever addresses', async () => {
  await preset('code:network', '203.0.113.1', 99)
  assert.deepEqual(await times(2, { email: 'a@crumb.example' }), [0, QUARTER])
  assert.equal(await request({ email: 'b@crumb.example' }), QUARTER)
  assert.equal(await request({ email: 'b@crumb.example', network: '203.0.113.2' }), 0)
})

testFresh('a school has 5,000 codes, then three for each network, up to 10,000', async () => {
  await preset('code:school', '', 4999)
  assert.deepEqual(await times(5), [0, 0, 0, 0, HOUR])
  assert.deepEqual(await times(4, { network: '203.0.113.2', email: eli.email }), [0, 0, 0, HOUR])
  await preset('code:school:most', '', 4999)
  assert.deepEqual(await times(2, { network: '203.0.113.3', email: 'c@crumb.example' }), [0, HOUR])
})

testFresh('a browser that the member used before has five codes of its own, until it is forgotten', async () => {
  await know(dev.email, 60)
  await preset('code:network', '203.0.113.1', 100)
  assert.deepEqual(await times(6, { trustedDevice: MARK }), [0, 0, 0, 0, 0, HOUR])
  assert.equal(await request({ trustedDevice: MARK, email: eli.email }), QUARTER)
  await app.database.query('delete from limits')
  await preset('code:address', dev.email, 20)
  await at(59_999)
  assert.equal(await request({ trustedDevice: MARK }), 0)
  await at(60_000)
  assert.equal(await request({ trustedDevice: MARK }), QUARTER - 60)
})

testFresh('a code that was used is given back to its network, and mails to one address stay counted', async () => {
  await times(2)
  await refundCode(opened(), app.a, '203.0.113.1', { email: 'Dev@crumb.example', created_at: START })
  assert.equal(await readCount('code:network', '203.0.113.1'), 1)
  assert.equal(await readCount('code:address-network', `${dev.email}\n203.0.113.1`), 1)
  assert.deepEqual([await readCount('code:address', dev.email), await readCount('code:school', '')], [2, 2])
  await refundCode(opened(), app.a, '203.0.113.1', { email: dev.email, created_at: later(START, -1) })
  assert.equal(await readCount('code:network', '203.0.113.1'), 1, 'of an earlier window')
})

testFresh(
  'a code is six digits, right in its place alone, for 15 minutes and five tries; one that nobody may use is never right',
  async () => {
    assert.equal(CODE_SECONDS, QUARTER)
    const place = { boundTo: sha256('a request'), purpose: 'reset' } as const
    const issue = (isUsable: boolean) =>
      opened().transaction(app.a.id, db =>
        issueCode(
          db,
          app.a.id,
          { secret: SECRET, random: systemRandom },
          {
            ...place,
            email: dev.email,
            memberId: undefined,
            seconds: CODE_SECONDS,
            isUsable,
          },
        ),
      )
    const check = async (
      typed: string,
      where: { boundTo: Buffer; purpose: 'reset' | 'sign_up' } = place,
      secret = SECRET,
    ) => (await checkCode(opened(), app.a.id, secret, where, typed))?.email
    const code = await issue(true)
    assert.match(code, /^\d{6}$/)
    for (const typed of [code, ` ${code.slice(0, 3)} - ${code.slice(3)}`]) assert.equal(await check(typed), dev.email)
    for (const typed of ['', code.slice(1), `${code}0`, `x${code}`, `${code}x`])
      assert.equal(await check(typed), undefined)
    assert.equal(await check(code, place, 'another secret'), undefined)
    assert.equal(await check(code, { ...place, purpose: 'sign_up' }), undefined)
    await at(QUARTER * 1000 - 1)
    assert.equal(await check(code), dev.email)
    await at(QUARTER * 1000)
    assert.equal(await check(code), undefined)
    await at(0)
    assert.equal(await check(code), dev.email, 'the fifth try')
    assert.equal(await check(code), undefined, 'the sixth')
    const unusable = await issue(false)
    assert.match(unusable, /^\d{6}$/)
    assert.equal(await check(unusable), undefined)
    const bytes = Buffer.from([0, 0, 0, 0, 0, 7])
    const parts = { secret: SECRET, random: (length: number) => (length === 6 ? bytes : systemRandom(length)) }
    const codeRequest = { ...place, email: dev.email, memberId: undefined, seconds: CODE_SECONDS, isUsable: true }
    assert.equal(await opened().transaction(app.a.id, db => issueCode(db, app.a.id, parts, codeRequest)), '000007')
    assert.equal(await check('000007'), dev.email)
  },
)
