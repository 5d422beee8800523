import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { fromId, toId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { startApp } from '#testing/app.ts'
import { type ShopProcess, startShop } from '#testing/commerce/shop-process.ts'
import { jsonBody, retryWhileBusy, send, type TestReply } from '#testing/http.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { addMembers } from '#testing/offers.ts'
import { once, sell } from '#testing/orders.ts'
import { setProvider } from '#testing/payments.ts'
import { computeRounds } from '#testing/rounds.ts'
import { until } from '#testing/until.ts'

const ROUNDS = computeRounds(200)
const AT_ONCE = 10
const MINUTE = 60

let app: Awaited<ReturnType<typeof startApp>>
const test = ledgerTest({ database: { query: (text, values) => app.database.query(text, values) } })
let shops: readonly ShopProcess[] = []
let buyers: readonly string[] = []

const SCOPES = ['courses:read', 'courses:write', 'coupons:read', 'coupons:write', 'students:read', 'students:write']
let signedIn: Promise<Actor> | undefined
const staff = (): Promise<Actor> => {
  signedIn ??= app.actor('ada', { scopes: [...SCOPES, 'orders:read'] })
  return signedIn
}

const act = (via: number, body: object): Promise<TestReply> =>
  retryWhileBusy(() =>
    send(shops[via % 2]?.port ?? 0, { ...jsonBody('POST', '/acts', body), host: new URL(app.a.baseUrl).host }),
  )

const decide = (via: number, operation: string, id: string, body?: object): Promise<TestReply> =>
  act(via, { operation, params: { order_id: id }, ...(body === undefined ? {} : { body }) })

const place = (via: number, member: string, [price_id]: readonly string[]): Promise<TestReply> =>
  act(via, { place: member, input: { items: [{ price_id }], allow_duplicate: true } })

const placed = async (via: number, prices: readonly string[]): Promise<string> => {
  const { status, json, text } = await place(via, buyers[via % buyers.length] ?? '', prices)
  assert.equal(status, 201, text)
  return json.id
}

type Stored = { readonly status: string; readonly paid: number; readonly back: number; readonly given: number }

// From the tables, since every round reads it.
const stored = async (id: string): Promise<Stored | undefined> => {
  const [row] = await app.database.query<Stored>(
    `select o.status, o.paid_total::integer as paid, o.refunded_total::integer as back, (
       select count(*)::integer from order_lines l join entitlements e on e.source = 'order_line' and e.source_id = l.id
       where l.order_id = o.id and e.revoked_at is null) as given
     from orders o where o.id = $1`,
    [fromId('ord', id)],
  )
  return row
}

/** Runs a scene in so many rounds, some at once; each gets its number. */
const inRounds = async (scene: (round: number) => Promise<void>): Promise<void> => {
  for (let round = 0; round < ROUNDS; round += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => scene(round + lane)))
}

const outcomes = (replies: readonly TestReply[]): string[] =>
  replies.map(({ status, json }) => (status < 300 ? 'done' : String(json.code))).sort()

suite('money that moves at once, with two processes that have workers', () => {
  before(async () => {
    app = await startApp()
    await setProvider(app, 'manual', {})
    buyers = await addMembers(app, 50)
    await staff()
    // Days pass in the test.
    await app.database.query(`update access_tokens set expires_at = stoa.now() + interval '10 years'`)
    const task = { databaseUrl: app.database.appUrl, secret: app.secret, folder: app.folder }
    shops = await Promise.all([startShop(task), startShop(task)])
  })
  after(async () => {
    await Promise.all(shops.map(shop => shop.kill()))
    await app?.stop()
    assert.deepEqual(
      shops.flatMap(({ errors }) => errors),
      [],
    )
  })

  test('G-03 of 50 buyers at once for the last seat one gets it, and what staff enroll meanwhile stays', async () => {
    const ada = await staff()
    const { id, prices } = await sell(ada, 'Fifty for one seat', [{ ...once(), enrollment_cap: 1 }])
    const enrolled = await addMembers(app, 2)
    const enroll = (member: string) =>
      ada.write('POST', '/enrollments', { member_id: toId('mem', member), course_id: id, notify: false })
    const [replies, staffReplies] = await Promise.all([
      Promise.all(buyers.map((member, at) => place(at, member, prices))),
      Promise.all(enrolled.map(enroll)),
    ])
    assert.deepEqual(
      staffReplies.map(({ status }) => status),
      [201, 201],
    )
    const won = outcomes(replies).filter(outcome => outcome === 'done').length
    assert.ok(won <= 1, `${won} got the seat`)
    assert.deepEqual(outcomes(replies), [...Array(won).fill('done'), ...Array(50 - won).fill('sold_out')])
    assert.equal((await ada.get(`/orders?item_type=course&item_id=${id}`)).json.data.length, won)
  })

  test('G-01 of 50 buyers at once for the last use of a code one holds it', async () => {
    const ada = await staff()
    const { prices } = await sell(ada, 'Fifty for one use')
    const { json } = await ada.write('POST', '/coupons', {
      ...{ name: 'One use', kind: 'percent', percent_off: '10', max_redemptions: 1 },
    })
    await ada.write('POST', `/coupons/${json.id}/codes`, { code: 'FIFTY' })
    const input = { items: [{ price_id: prices[0] }], codes: ['fifty'], allow_duplicate: true }
    const replies = await Promise.all(buyers.map((member, at) => act(at, { place: member, input })))
    assert.deepEqual(outcomes(replies), [...Array(49).fill('code_refused'), 'done'])
  })

  test(`G-20 in ${ROUNDS} rounds of two refunds of everything at once one is refused`, async () => {
    const { prices } = await sell(await staff(), 'Refunded twice', [once(100)])
    await inRounds(async round => {
      const id = await placed(round, prices)
      await decide(round, 'confirmPayment', id, {})
      const refund = (via: number) => decide(via, 'refundOrder', id, { reason: 'requested', amount: 100 })
      const both = await Promise.all([refund(0), refund(1)])
      assert.deepEqual(outcomes(both), ['More than is left would be refunded.', 'done'])
      assert.deepEqual(await stored(id), { status: 'paid', paid: 100, back: 100, given: 0 })
    })
  })

  test(`G-20 in ${ROUNDS} rounds an order that is canceled while its money arrives is paid once and gives once`, async () => {
    const { prices } = await sell(await staff(), 'Canceled and paid', [once(100)])
    await inRounds(async round => {
      const id = await placed(round, prices)
      const [canceled, paid] = await Promise.all([
        decide(round, 'cancelOrder', id),
        decide(round + 1, 'confirmPayment', id, { amount: 100 }),
      ])
      assert.equal(paid?.status, 200, paid?.text)
      if (canceled?.status !== 200) assert.match(canceled?.text ?? '', /is paid and not pending/)
      assert.deepEqual(await stored(id), { status: 'paid', paid: 100, back: 0, given: 1 })
    })
  })

  test(`G-20 in ${ROUNDS} rounds an order that expires while its money arrives is paid once and gives once`, async () => {
    const { prices } = await sell(await staff(), 'Expired and paid', [once(100)])
    for (let round = 0; round < ROUNDS; round += AT_ONCE) {
      const ids = await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => placed(round + lane, prices)))
      await app.moveClock(30 * MINUTE + 1)
      await app.database.query(`select pg_notify('stoa_jobs', '')`)
      const paying = ids.map((id, lane) => decide(round + lane, 'confirmPayment', id, { amount: 100 }))
      for (const { status, text } of await Promise.all(paying)) assert.equal(status, 200, text)
      for (const id of ids) assert.deepEqual(await stored(id), { status: 'paid', paid: 100, back: 0, given: 1 })
    }
  })

  test(`G-20 in ${ROUNDS} rounds of a confirmation and its undoing at once the order has what was not undone`, async () => {
    const { prices } = await sell(await staff(), 'Confirmed and undone', [once(100)])
    const ids = await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => placed(lane, prices)))
    await Promise.all(ids.map((id, lane) => decide(lane, 'confirmPayment', id, { amount: 60 })))
    await inRounds(async round => {
      const id = ids[round % AT_ONCE] ?? ''
      const both = await Promise.all([
        decide(round, 'confirmPayment', id, { amount: 40 }),
        decide(round + 1, 'unconfirmPayment', id),
      ])
      assert.deepEqual(outcomes(both), ['done', 'done'])
      const now = await stored(id)
      assert.ok(now?.paid === 40 || now?.paid === 60, JSON.stringify(now))
      assert.equal(now.status, 'pending')
      // As before the round: 60 were confirmed.
      await decide(round, 'unconfirmPayment', id)
      await decide(round, 'confirmPayment', id, { amount: 60 })
    })
  })

  test('the jobs of all rounds have ended', () =>
    until(async () => {
      const due = await app.database.query(
        `select from jobs where kind in ('payment', 'refund', 'order_expiry') and due_at <= stoa.now()`,
      )
      return due.length === 0
    }, 'no job is due'))
})
