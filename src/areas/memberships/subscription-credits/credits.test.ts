// One thing: the credit of subscriptions, from the change of price that gives it to the refund that pays it back.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { personalData } from '#src/contract/personal-data.ts'
import { openDatabase } from '#src/db/database.ts'
import { formatMoney } from '#src/kit/format.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { enterAccount } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { readMemberId } from '#testing/learning.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { decide, performAsOperator, sell } from '#testing/orders.ts'
import { askToPay } from '#testing/paying.ts'
import { sellPlan } from '#testing/price-changes.ts'
import { changeSeller } from '#testing/sales.ts'
import { LAUNCHER, stoa } from '#testing/stoa.ts'
import {
  instalments,
  monthly,
  passDays,
  payOrder,
  readPeriods,
  readSubscription,
  readSubscriptionId,
  settledNow,
  subscribe,
  useProviders,
} from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
after(() => mailbox.stop())

const SCOPES = [
  'courses:read',
  'courses:write',
  'membership_plans:read',
  'membership_plans:write',
  'orders:read',
  'subscriptions:read',
  'subscriptions:write',
]
const staff = () => app.actor('ada', { scopes: SCOPES })
const buyer = (name: 'dev' | 'eli' | 'femi' | 'carla') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'membership_plans:read'] })

const yearly = (amount: number) => ({ payment_type: 'subscription', amount, interval: 'year' })

type Name = Parameters<typeof buyer>[0]
type Bought = { readonly id: string; readonly orderId: string; readonly name: Name }

const buy = async (
  name: Name,
  priceId: string,
  provider: 'test' | 'manual' = 'test',
  card = 'works',
): Promise<Bought> => {
  await useProviders(app)
  const order = await subscribe(app, await buyer(name), priceId, { provider, card })
  if (provider === 'manual') await decide(app, 'confirmPayment', order.id, {})
  return { id: await readSubscriptionId(app, order.id), orderId: order.id, name }
}

const buildPath = ({ id }: Bought) => `/account/subscriptions/${id}`

const preview = async (own: Bought, priceId: string) => {
  const { status, json, text } = await (await buyer(own.name)).get(`${buildPath(own)}/proration?price_id=${priceId}`)
  assert.equal(status, 200, text)
  return json
}

// What a change costs now, and the change as it was shown.
const change = async (own: Bought, priceId: string) => {
  const shown = await preview(own, priceId)
  const { status, json, text } = await (await buyer(own.name)).write('PUT', `${buildPath(own)}/price`, {
    ...{ price_id: priceId, when: 'now', quote: shown.quote },
  })
  assert.equal(status, 200, text)
  return { shown, status: json.status, order: json.order, subscription: json.subscription }
}

const readCredit = async ({ orderId }: Bought): Promise<number> => Number((await readSubscription(app, orderId)).credit)

const readEntries = async ({ id }: Bought): Promise<[kind: string, amount: number][]> =>
  (
    await app.database.query<{ kind: string; amount: string }>(
      'select kind, amount from subscription_credits where subscription_id = $1 order by at, id',
      [fromId('sub', id)],
    )
  ).map(({ kind, amount }) => [kind, Number(amount)])

const readKinds = async (own: Bought): Promise<string[]> => (await readEntries(own)).map(([kind]) => kind)

// Lets an order end that nobody has paid in time.
const expire = async (orderId: string): Promise<void> => {
  const id = fromId('ord', orderId)
  await app.database.query('update orders set expires_at = stoa.now() where id = $1', [id])
  await app.database.query(`update jobs set due_at = stoa.now() where kind = 'order_expiry' and id = $1`, [id])
  const readStatus = async () =>
    (await app.database.query<{ status: string }>('select status from orders where id = $1', [id]))[0]
  await until(async () => (await readStatus())?.status !== 'pending', 'the order has ended')
}

// The text of a page for somebody who is signed in.
const openAs = async (name: Name | 'ada', path: string): Promise<string> => {
  const person = { email: `${name}@crumb.example`, password: PASSWORD }
  const browser = await enterAccount({ port: app.port, school: app.a, ...person })
  return (await browser.open(path)).text
}

test('a year that was changed to months leaves a credit that pays the next change of price and every renewal', async () => {
  const { prices } = await sellPlan(await staff(), 'Year to months', [yearly(100_000), monthly(1000), monthly(10_000)])
  const [year = '', month = '', dear = ''] = prices
  const own = await buy('dev', year)
  const first = await change(own, month)
  assert.equal(first.status, 'done')
  assert.ok(first.subscription.credit > 98_990 && first.subscription.credit <= 99_000, first.subscription.credit)
  const upgrade = await change(own, dear)
  const { shown } = upgrade
  assert.deepEqual([shown.to_pay, upgrade.status, upgrade.order.total], [0, 'done', 0])
  assert.deepEqual(
    shown.lines.map(({ type }: { type: string }) => type),
    ['price', 'credit', 'balance'],
  )
  assert.equal(shown.next_amount, 0)
  assert.equal(await readCredit(own), shown.credit)
  assert.ok(shown.credit > 89_980 && shown.credit <= 90_000, shown.credit)
  await passDays(app, 32)
  await until(
    async () => (await readSubscription(app, own.orderId)).payments_made === 3,
    'a month is paid by the credit',
  )
  assert.equal(await readCredit(own), shown.credit - 10_000)
})

test('what a change costs beyond its own credit and the credit that stands is asked for, and is held until it is paid', async () => {
  const { prices } = await sellPlan(await staff(), 'Partly', [monthly(6000), monthly(1000), monthly(20_000)])
  const [high = '', low = '', dear = ''] = prices
  const own = await buy('eli', high)
  await passDays(app, 5)
  const standing = (await change(own, low)).subscription.credit
  assert.ok(standing > 3000, String(standing))
  const upgrade = await change(own, dear)
  const due = upgrade.shown.lines.find(({ type }: { type: string }) => type === 'price').amount
  const used = upgrade.shown.lines.find(({ type }: { type: string }) => type === 'credit').amount
  assert.equal(upgrade.shown.to_pay, due + used - standing)
  assert.deepEqual([upgrade.status, upgrade.order.total, await readCredit(own)], ['unpaid', upgrade.shown.to_pay, 0])
  await payOrder(app, await buyer('eli'), upgrade.order.id)
  const row = await readSubscription(app, own.orderId)
  assert.deepEqual([row.price?.amount, Number(row.credit)], [20_000, 0])
})

test('an order that expires gives its credit back, and paid late it uses what stands then, or the money goes back', async () => {
  const { prices } = await sellPlan(await staff(), 'Expiring', [monthly(6000), monthly(1000), monthly(20_000)])
  const [high = '', low = '', dear = ''] = prices
  const own = await buy('femi', high)
  const standing = (await change(own, low)).subscription.credit
  const upgrade = await change(own, dear)
  const asked = await askToPay(await buyer('femi'), upgrade.order.id, { provider: 'manual' })
  assert.equal(asked.status, 201, asked.text)
  await expire(upgrade.order.id)
  await until(async () => (await readCredit(own)) === standing, 'the credit stands again')
  assert.deepEqual((await readKinds(own)).toSorted().slice(-2), ['returned', 'used'])
  await decide(app, 'confirmPayment', upgrade.order.id, {})
  assert.equal((await readSubscription(app, own.orderId)).price?.amount, 20_000)
  assert.equal(await readCredit(own), 0)
})

test('of a change that waits and a renewal, each credit is used once; what is given up gives it back', async () => {
  const { prices } = await sellPlan(await staff(), 'Given up', [monthly(6000), monthly(1000), monthly(20_000)])
  const [high = '', low = '', dear = ''] = prices
  const own = await buy('carla', high)
  const standing = (await change(own, low)).subscription.credit
  const upgrade = await change(own, dear)
  assert.equal(await readCredit(own), 0)
  const actor = await buyer('carla')
  const withdrawn = await actor.write('PUT', `${buildPath(own)}/price`, { price_id: low })
  assert.deepEqual([withdrawn.status, withdrawn.json.status], [200, 'unchanged'])
  assert.equal(withdrawn.json.subscription.credit, standing)
  assert.equal((await actor.get(`/account/orders/${upgrade.order.id}`)).json.status, 'canceled')
  const again = await change(own, dear)
  await expire(again.order.id)
  // What the credit pays meanwhile is not there any more, so the money that arrives late goes back.
  const other = await change(own, dear)
  assert.equal(await readCredit(own), 0)
  await decide(app, 'confirmPayment', again.order.id, {})
  assert.deepEqual(
    [(await actor.get(`/account/orders/${again.order.id}`)).json.status, await readCredit(own)],
    ['refunded', 0],
  )
  await payOrder(app, actor, other.order.id)
  assert.equal((await readSubscription(app, own.orderId)).price?.amount, 20_000)
})

test('a transfer holds the credit of its period, also when it is undone; what was not paid for good gives it back', async () => {
  const { prices } = await sellPlan(await staff(), 'By transfer', [monthly(6000), monthly(5000)])
  const [high = '', low = ''] = prices
  const own = await buy('dev', high, 'manual')
  await passDays(app, 3)
  const standing = (await change(own, low)).subscription.credit
  assert.ok(standing > 0 && standing < 5000, String(standing))
  await passDays(app, 29)
  const [, renewal] = await readPeriods(app, own.orderId)
  const order = toId('ord', renewal?.order_id ?? '')
  assert.equal(await readCredit(own), 0)
  const last = async () => (await readEntries(own)).findLast(([, amount]) => amount === -standing)?.[0]
  assert.equal(await last(), 'held')
  await decide(app, 'confirmPayment', order, {})
  assert.equal(await last(), 'used')
  await decide(app, 'unconfirmPayment', order)
  assert.equal(await last(), 'held')
  await expire(order)
  assert.deepEqual([(await readSubscription(app, own.orderId)).status, await readCredit(own)], ['past_due', 0])
  const canceled = await (await staff()).write('PUT', `/subscriptions/${own.id}/cancellation`, { at: 'now' })
  assert.equal(canceled.status, 200, canceled.text)
  assert.deepEqual([(await readSubscription(app, own.orderId)).status, await readCredit(own)], ['canceled', standing])
})

test('a period that is waived gives its credit back, and its price credits nothing twice', async () => {
  const { prices } = await sellPlan(await staff(), 'Waived', [monthly(6000), monthly(5000)])
  const [high = '', low = ''] = prices
  const own = await buy('eli', high, 'manual')
  await passDays(app, 3)
  const standing = (await change(own, low)).subscription.credit
  await passDays(app, 29)
  assert.equal(await readCredit(own), 0)
  const waiver = { operation: 'waiveSubscriptionPeriod', params: { subscription_id: own.id }, body: {} }
  await performAsOperator(app, waiver)
  assert.equal(await readCredit(own), standing)
  // Nothing paid for the period that was waived, so a change credits nothing of it, and nothing of what was credited before.
  const shown = await preview(own, high)
  assert.equal(
    shown.lines.some(({ type }: { type: string }) => type === 'credit'),
    false,
  )
})

test('the rest of a plan uses the credit, holds it while its order waits, and gives it back when that ends', async () => {
  const course = await sell(await staff(), 'In three', [instalments(1000, 3)])
  const own = await buy('femi', course.priceId)
  // As a credit from before the ledger is.
  await app.database.query(
    `with given as (
       insert into subscription_credits (school_id, id, subscription_id, kind, amount, at)
       select school_id, gen_random_uuid(), id, 'given', 700, stoa.now() from subscriptions where id = $1)
     update subscriptions set credit = 700 where id = $1`,
    [fromId('sub', own.id)],
  )
  const actor = await buyer('femi')
  const ask = async () => {
    const key = { 'idempotency-key': randomUUID() }
    const { status, json, text } = await actor.write('POST', `${buildPath(own)}/remaining-payments`, undefined, key)
    assert.equal(status, 201, text)
    return json
  }
  const given = await ask()
  assert.deepEqual([given.total, await readCredit(own)], [1300, 0])
  await expire(given.id)
  assert.equal(await readCredit(own), 700)
  await payOrder(app, actor, (await ask()).id)
  const row = await readSubscription(app, own.orderId)
  assert.deepEqual([row.status, Number(row.credit), row.payments_made], ['completed', 0, 3])
})

type Refunded = { readonly order_id: string; readonly amount: number; readonly credited: number }

// What went back of each order of a subscription, and what credit notes of its invoice say.
const readRefunds = ({ id }: Bought): Promise<Refunded[]> =>
  app.database.query<Refunded>(
    `select o.id as order_id, sum(r.amount)::double precision as amount,
       (select sum(c.total)::double precision from invoices i
        join invoices c on c.school_id = i.school_id and c.invoice_id = i.id and c.kind = 'credit_note'
        where i.school_id = o.school_id and i.order_id = o.id and i.kind = 'invoice') as credited
     from orders o join refunds r on r.school_id = o.school_id and r.order_id = o.id and r.state = 'succeeded'
     where o.subscription_id = $1 group by o.school_id, o.id order by o.id`,
    [fromId('sub', id)],
  )

const cancel = async ({ id }: Bought, body: object) =>
  (await staff()).write('PUT', `/subscriptions/${id}/cancellation`, body)

const cancelAs = async (own: Bought, body: object): Promise<void> => {
  const reply = await cancel(own, body)
  assert.equal(reply.status, 202, reply.text)
  await approveAs(app, 'ada', reply.json.confirmation.url)
  await settledNow(app)
}

const yearToMonths = async (name: Name, title: string, provider: 'test' | 'manual' = 'test') => {
  const { prices } = await sellPlan(await staff(), title, [yearly(100_000), monthly(1000), monthly(10_000)])
  const [year = '', month = '', dear = ''] = prices
  const own = await buy(name, year, provider)
  await app.moveClock(60)
  await change(own, month)
  return { own, month, dear }
}

test('canceled with a refund of the unused, the rest of the period and the credit go back, to the order whose money they are', async () => {
  const { own, dear } = await yearToMonths('dev', 'All goes back')
  assert.equal((await change(own, dear)).shown.to_pay, 0)
  await passDays(app, 6)
  const standing = await readCredit(own)
  const dry = await (await staff()).write('PUT', `/subscriptions/${own.id}/cancellation?dry_run=true`, {
    ...{ at: 'now', refund: 'unused' },
  })
  assert.equal(dry.status, 200, dry.text)
  const shown = JSON.stringify(dry.json.effects)
  assert.match(shown, /for the rest of the period and €(?:899\.\d\d|900\.00) of the credit go back, with order ORD-/)
  assert.equal(await readCredit(own), standing, 'a dry run changes nothing')
  await cancelAs(own, { at: 'now', refund: 'unused' })
  const refunds = await readRefunds(own)
  assert.deepEqual(
    refunds.map(({ order_id }) => toId('ord', order_id)),
    [own.orderId],
  )
  const [{ amount, credited } = { amount: 0, credited: 0 }] = refunds
  assert.ok(amount > standing + 7000 && amount < standing + 9000, `${amount} of ${standing}`)
  assert.deepEqual([credited, await readCredit(own)], [amount, 0])
})

test('by default a credit waits for the school, which pays it back in parts, each cent once', async () => {
  const { own } = await yearToMonths('eli', 'Waits')
  const reply = await cancel(own, { at: 'now' })
  assert.equal(reply.status, 200, reply.text)
  const standing = await readCredit(own)
  assert.ok(standing > 98_900, String(standing))
  const pay = (body: object) =>
    performAsOperator(app, { operation: 'payCreditBack', params: { subscription_id: own.id }, body })
  await pay({ amount: 50_000 })
  assert.equal(await readCredit(own), standing - 50_000)
  await assert.rejects(pay({ amount: standing }), /More than the credit/)
  await pay({})
  await assert.rejects(pay({}), /has no credit/)
  await settledNow(app)
  const [refund] = await readRefunds(own)
  assert.deepEqual([refund?.amount, refund?.credited, await readCredit(own)], [standing, standing, 0])
})

test('dropping a credit is confirmed by a person, and leaves nothing to pay back', async () => {
  const { own } = await yearToMonths('femi', 'Dropped')
  await cancelAs(own, { at: 'now', credit: 'drop' })
  assert.deepEqual([await readCredit(own), await readRefunds(own)], [0, []])
  assert.equal((await readKinds(own)).includes('dropped'), true)
})

const payAll = ({ id }: Bought) =>
  performAsOperator(app, { operation: 'payCreditBack', params: { subscription_id: id }, body: {} })
const dropAll = ({ id }: Bought) => performAsOperator(app, { operation: 'dropCredit', params: { subscription_id: id } })

test('a credit that waits is dropped with a mail, once, and neither while the subscription runs nor after it was paid back', async () => {
  const { own } = await yearToMonths('eli', 'Dropped later')
  const before = await readEntries(own)
  await assert.rejects(dropAll(own), /The subscription is active/)
  assert.deepEqual(await readEntries(own), before)
  assert.equal((await cancel(own, { at: 'now' })).status, 200)
  const standing = await readCredit(own)
  const dropped = await Promise.allSettled([dropAll(own), dropAll(own), payAll(own)])
  assert.equal(dropped.filter(({ status }) => status === 'fulfilled').length, 1)
  await settledNow(app)
  const back = (await readRefunds(own))[0]?.amount ?? 0
  assert.equal(await readCredit(own), 0)
  assert.deepEqual((await readEntries(own)).at(-1), [back === 0 ? 'dropped' : 'paid_back', -standing])

  const { own: other } = await yearToMonths('carla', 'Dropped after the end')
  await cancel(other, { at: 'now' })
  await dropAll(other)
  await assert.rejects(dropAll(other), /has no credit/)
  await assert.rejects(payAll(other), /has no credit/)
  const [mail] = await mailbox.waitFor('carla@crumb.example', 1, /^Your credit for Dropped after the end has ended/)
  assert.match(mail?.email.text ?? '', /a credit of €9\d\d\.\d\d/)

  const { own: paid } = await yearToMonths('dev', 'Dropped after paying back')
  await cancel(paid, { at: 'now' })
  await payAll(paid)
  await assert.rejects(dropAll(paid), /has no credit/)
})

const waitingInDoctor = async (): Promise<string[]> => {
  const env = {
    STOA_DATABASE_URL: app.database.appUrl,
    STOA_SECRET: app.secret,
    STOA_DATA: app.folder,
    STOA_STORAGE: app.folder,
  }
  const { out } = await stoa(['doctor', '--json'], env, LAUNCHER)
  const { findings } = JSON.parse(out) as { findings: { check: string; ok: boolean; warning?: true; says: string }[] }
  const found = findings.filter(({ check }) => check === `credits of ${app.a.baseUrl}`)
  assert.ok(found.every(({ ok, warning }) => ok && warning))
  return found.map(({ says }) => says)
}

test('doctor lists each credit that waits after the end of its subscription, until the school has decided', async () => {
  const { own } = await yearToMonths('femi', 'In doctor')
  const before = await waitingInDoctor()
  assert.equal(before.filter(says => says.endsWith(own.id)).length, 0, 'the credit of what runs does not wait')
  await cancel(own, { at: 'now' })
  const [line, ...others] = (await waitingInDoctor()).filter(says => !before.includes(says))
  assert.deepEqual(others, [])
  const where = `pay it back or drop it: ${app.a.baseUrl}/staff/subscriptions/${own.id}`
  assert.match(line ?? '', /^a credit of €9\d\d\.\d\d waits after the end of its subscription; /)
  assert.ok(line?.endsWith(where), line)
  await dropAll(own)
  assert.deepEqual(await waitingInDoctor(), before)
})

test('a credit that waits is on the first page of the console and above the list, until the school has decided', async () => {
  const { own } = await yearToMonths('eli', 'On the console')
  const link = `href="/staff/subscriptions/${own.id}"`
  const [page, home] = ['/staff/subscriptions', '/staff']
  const counted = async (): Promise<number> =>
    Number(
      />(\d+) credits? of (?:an ended subscription|ended subscriptions)</.exec(await openAs('ada', home))?.[1] ?? 0,
    )
  const isAbove = async (path: string): Promise<boolean> =>
    /aria-labelledby="waiting"[\s\S]*?<\/section>/.exec(await openAs('ada', path))?.[0].includes(link) === true
  const before = await counted()
  assert.ok(!(await isAbove(page)), 'the credit of what runs does not wait')
  await cancel(own, { at: 'now' })
  assert.equal(await counted(), before + 1)
  assert.ok(await isAbove(page))
  assert.ok(!(await isAbove(`${page}?status=active`)), 'a filtered list has what it says')
  await dropAll(own)
  assert.deepEqual([await counted(), await isAbove(page)], [before, false])
})

test('a refund by hand takes back the credit that stands, and not what was used; nothing goes back twice', async () => {
  const { own } = await yearToMonths('carla', 'By hand', 'manual')
  const standing = await readCredit(own)
  await decide(app, 'refundOrder', own.orderId, { reason: 'requested', amount: 40_000 })
  assert.equal(await readCredit(own), standing - 40_000)
  await assert.rejects(
    decide(app, 'refundOrder', own.orderId, { reason: 'requested', amount: 60_000 }),
    /More than is left/,
  )
  await decide(app, 'refundOrder', own.orderId, { reason: 'requested' })
  const [refund] = await readRefunds(own)
  assert.deepEqual([refund?.amount, await readCredit(own)], [99_000, 0])
  await assert.rejects(decide(app, 'refundOrder', own.orderId, { reason: 'requested' }), /Nothing is left/)
})

test('a refund of the period that runs withdraws a change that waits, and what arrives for it goes back', async () => {
  const { prices } = await sellPlan(await staff(), 'Withdrawn', [monthly(2000), monthly(5000)])
  const [low = '', high = ''] = prices
  const own = await buy('dev', low)
  const upgrade = await change(own, high)
  assert.equal(upgrade.status, 'unpaid')
  await decide(app, 'refundOrder', own.orderId, { reason: 'requested', amount: 1000 })
  assert.equal((await (await buyer('dev')).get(`/account/orders/${upgrade.order.id}`)).json.status, 'canceled')
  await decide(app, 'confirmPayment', upgrade.order.id, {})
  assert.equal((await (await buyer('dev')).get(`/account/orders/${upgrade.order.id}`)).json.status, 'refunded')
  assert.equal((await readSubscription(app, own.orderId)).price?.amount, 2000)
})

test('a preview is kept or refused: no other amount after a refund, no instant and no quote of somebody else', async () => {
  const { prices } = await sellPlan(await staff(), 'As shown', [monthly(1900), monthly(4900)])
  const [low = '', high = ''] = prices
  const own = await buy('eli', low)
  const shown = await preview(own, high)
  assert.ok(shown.to_pay >= 2999 && shown.to_pay <= 3000, shown.to_pay)
  const ask = async (of: Bought, body: object) =>
    (await buyer(of.name)).write('PUT', `${buildPath(of)}/price`, { price_id: high, when: 'now', ...body })
  const chosen = await ask(own, { proration_at: shown.proration_at })
  assert.equal(chosen.status, 422, chosen.text)
  const forged = `${Buffer.from(JSON.stringify({ price_id: high, to_pay: 0 })).toString('base64url')}.${'A'.repeat(43)}`
  for (const quote of [forged, 'x', '', `${shown.quote}x`, `${shown.quote}.x`]) {
    const { status, json } = await ask(own, { quote })
    assert.deepEqual([status, json.errors?.[0]?.pointer], [422, '/quote'], quote)
  }
  const other = await buy('femi', low)
  const foreign = await ask(other, { quote: shown.quote })
  assert.deepEqual([foreign.status, foreign.json.errors[0].code], [422, 'unknown'])
  const ahead = await (await buyer('eli')).get(
    `${buildPath(own)}/proration?price_id=${high}&at=${encodeURIComponent(shown.proration_at)}`,
  )
  assert.equal(ahead.json.quote, null, 'an instant that somebody chose is not signed')
  await decide(app, 'refundOrder', own.orderId, { reason: 'requested' })
  const outdated = await ask(own, { quote: shown.quote })
  assert.deepEqual([outdated.status, outdated.json.code], [409, 'proration_outdated'])
  const { data } = (await (await buyer('eli')).get('/account/orders?limit=1')).json
  assert.equal(data[0].kind, 'checkout', 'nothing is ordered')
  assert.ok((await preview(own, high)).to_pay >= 4899)
})

test('when its member cancels, a credit is paid back where the school says so, with a mail; otherwise the school is told', async () => {
  const waits = (await yearToMonths('carla', 'Asks')).own
  const asked = await (await buyer('carla')).write('PUT', `${buildPath(waits)}/cancellation`, {})
  assert.deepEqual([asked.status, asked.json.credit_on_end], [200, 'wait'], asked.text)
  const standing = await readCredit(waits)
  await passDays(app, 32)
  assert.deepEqual(
    [(await readSubscription(app, waits.orderId)).status, await readCredit(waits)],
    ['canceled', standing],
  )
  await mailbox.waitFor('ada@crumb.example', 1, /^The credit of a subscription to Asks waits/)
  const { own } = await yearToMonths('femi', 'Pays back')
  await changeSeller(app, settings => ({
    ...settings,
    subscriptions: Object.assign(settings.subscriptions ?? {}, { credit_on_end: 'pay_back' }),
  }))
  const canceled = await (await buyer('femi')).write('PUT', `${buildPath(own)}/cancellation`, {})
  assert.deepEqual([canceled.status, canceled.json.credit_on_end], [200, 'pay_back'], canceled.text)
  await passDays(app, 32)
  assert.deepEqual([(await readSubscription(app, own.orderId)).status, await readCredit(own)], ['canceled', 0])
  const [mail] = await mailbox.waitFor('femi@crumb.example', 1, /^Your credit for Pays back is paid back/)
  assert.match(mail?.email.text ?? '', /€990\.00/)
})

test('the ledger of a credit is told in words to its member and to staff, and the member may cancel once it is used up', async () => {
  const { prices } = await sellPlan(await staff(), 'In words', [yearly(12_000), monthly(2500)])
  const [year = '', month = ''] = prices
  const own = await buy('carla', year)
  await app.moveClock(60)
  const { subscription } = await change(own, month)
  const given = formatMoney(subscription.credit + 2500, 'EUR', 'en')
  const told = `${given} for what was not used of In words (yearly), order `
  const page = await openAs('carla', buildPath(own))
  for (const words of [told, 'At the price of today, it pays everything until', 'When the credit is used up'])
    assert.ok(page.includes(words), words)
  assert.ok((await openAs('ada', `/staff/subscriptions/${own.id}`)).includes(told))
  assert.ok(!(await openAs('dev', buildPath(own))).includes(told))
  const memberId = await readMemberId(app, 'carla')
  const database = openDatabase(app.database.appUrl, { max: 1 })
  const exported = await database
    .statements(app.a.id, db => personalData.call({ memberId }, { school: app.a, db }))
    .finally(() => database.close())
  const entries = exported.flat().find(({ name }) => name === 'subscription_credits')?.rows ?? []
  assert.ok(entries.some(({ kind, amount }) => kind === 'given' && amount === subscription.credit + 2500))
  const carla = await buyer('carla')
  const canceled = await carla.write('PUT', `${buildPath(own)}/cancellation`, { at: 'credit_end' })
  assert.equal(canceled.status, 200, canceled.text)
  // The credit pays so many months whole; the next one ends the subscription and is not charged.
  const whole = Math.floor(subscription.credit / 2500)
  const end = new Date(subscription.next_charge_at)
  end.setUTCMonth(end.getUTCMonth() + whole)
  assert.equal(canceled.json.cancel_at.slice(0, 7), end.toISOString().slice(0, 7))
  assert.ok(!(await openAs('carla', buildPath(own))).includes('it pays everything until'), 'it ends now by itself')
  for (let month = 1; month <= whole; month += 1) {
    await passDays(app, 31)
    await until(async () => (await readSubscription(app, own.orderId)).payments_made === 2 + month, 'a month is paid')
  }
  await passDays(app, 31)
  await until(async () => (await readSubscription(app, own.orderId)).status === 'canceled', 'it has ended')
  assert.equal((await readSubscription(app, own.orderId)).payments_made, 2 + whole)
  assert.ok((await openAs('carla', buildPath(own))).includes('€25.00 used for order '))
})

test('two at once pay a credit back once, and hold it once', async () => {
  const { own, dear } = await yearToMonths('dev', 'At once')
  const shown = await preview(own, dear)
  const actor = await buyer('dev')
  const ask = () => actor.write('PUT', `${buildPath(own)}/price`, { price_id: dear, when: 'now', quote: shown.quote })
  const asked = await Promise.all([ask(), ask()])
  assert.equal(asked.filter(({ json }) => json.status === 'done').length, 1)
  assert.equal(await readCredit(own), shown.credit)
  const paid = await Promise.allSettled([payAll(own), payAll(own), cancel(own, { at: 'now' })])
  assert.equal(paid.slice(0, 2).filter(({ status }) => status === 'fulfilled').length, 1)
  await settledNow(app)
  assert.deepEqual([(await readRefunds(own))[0]?.amount, await readCredit(own)], [shown.credit, 0])
})

test('when its member is deleted, a credit is kept and waits for the school, which pays it back', async () => {
  await changeSeller(app, settings => ({
    ...settings,
    subscriptions: Object.assign(settings.subscriptions ?? {}, { credit_on_end: 'ask' }),
  }))
  const { prices } = await sellPlan(await staff(), 'Left behind', [yearly(100_000), monthly(1000)])
  const [high = '', low = ''] = prices
  const own = await buy('dev', high)
  await app.moveClock(60)
  const { credit } = (await change(own, low)).subscription
  const ada = await app.actor('ada', { scopes: ['members:read', 'members:write', 'subscriptions:read'] })
  const [dev] = (await ada.get('/members?email=dev@crumb.example')).json.data
  const asked = await ada.write('DELETE', `/members/${dev.id}`)
  assert.equal(asked.status, 202, asked.text)
  await approveAs(app, 'ada', asked.json.confirmation.url)
  await settledNow(app)
  const left = (await ada.get(`/subscriptions/${own.id}`)).json
  assert.deepEqual([left.status, left.credit, left.credit_on_end], ['canceled', credit, 'wait'])
  await performAsOperator(app, { operation: 'payCreditBack', params: { subscription_id: own.id }, body: {} })
  await settledNow(app)
  assert.equal(await readCredit(own), 0)
})
