import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Temporal } from 'temporal-polyfill'
import { unfulfil } from '#src/contract/offer.ts'
import { fromId } from '#src/kit/ids.ts'
import { writingTo } from '#testing/access.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { buyerForm, look } from '#testing/checkout.ts'
import { readMemberId } from '#testing/learning.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { givePlan, planner, sellPlan } from '#testing/memberships.ts'
import { availableOffer, fulfilLine, newLine, offerFor, openSales } from '#testing/offers.ts'
import { checkout, quote } from '#testing/orders.ts'

const app = testApp()
const test = ledgerTest(app)
const writing = writingTo(app)

let sales: ReturnType<typeof openSales> | undefined
const run: ReturnType<typeof openSales>['run'] = work => {
  sales ??= openSales(app.database.appUrl, app.a.id)
  return sales.run(work)
}
after(() => sales?.close())

const monthly = { payment_type: 'subscription', amount: 1900, interval: 'month', trial_days: 7 }
const once = { payment_type: 'one_time', amount: 9900 }
const free = { payment_type: 'free', amount: 0 }

const toUuid = (priceId: string): string => fromId('prc', priceId) ?? ''

const state = (priceId: string, memberId?: string): Promise<string | undefined> =>
  run(async place => {
    const offer = await offerFor(place, toUuid(priceId), memberId)
    if (offer === undefined) return undefined
    return 'unavailable' in offer ? offer.unavailable : 'available'
  })

const buyer = (name: 'dev' | 'eli' | 'femi'): Promise<Actor> =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'membership_plans:read'] })

const heldUntil = async (ada: Actor, path: string): Promise<[string, string | null][]> =>
  (await ada.get(`${path}/holders`)).json.data.map((one: { since: string; until: string | null }) => [
    one.since,
    one.until,
  ])

test('a price offers the access that the type of its plan says', async () => {
  const ada = await planner(app)
  const createOffer = async (input: Record<string, unknown> & { plan_type: string }, price: object) => {
    const plan = await sellPlan(ada, { name: 'Access', ...input }, [price as Record<string, unknown>])
    return run(place => availableOffer(place, toUuid(plan.priceId)))
  }
  const recurring = await createOffer({ plan_type: 'recurring' }, monthly)
  assert.deepEqual([recurring.access, recurring.payment.trial_days], [{ forSubscription: true }, 7])
  const dated = await createOffer({ plan_type: 'fixed_date', ends_on: '2090-12-31' }, once)
  assert.deepEqual(dated.access, { until: new Date('2091-01-01T00:00:00.000Z') })
  const months = await createOffer({ plan_type: 'fixed_length', length: { months: 6 } }, once)
  assert.deepEqual(months.access, { months: 6 })
  const days = await createOffer({ plan_type: 'fixed_length', length: { days: 10 } }, once)
  assert.deepEqual(days.access, { days: 10 })
  const lifetime = await createOffer({ plan_type: 'lifetime' }, once)
  assert.deepEqual([lifetime.access, lifetime.item.type], [null, 'membership_plan'])
})

test('an archived plan is not sold by an old price, an old page or a cached link: 409 not_on_sale', async () => {
  const ada = await planner(app)
  const plan = await sellPlan(ada, { name: 'Archived', plan_type: 'lifetime' }, [once])
  const dev = await buyer('dev')
  const shown = await quote(dev, [plan.priceId])
  assert.equal(shown.status, 200, shown.text)
  // A page that somebody opened before.
  const { browser, page } = await look(app, [plan.priceId])
  const old = buyerForm(page)
  assert.equal((await ada.write('PUT', `${plan.path}/archive`)).status, 200)
  const refused = await checkout(dev, [plan.priceId])
  assert.deepEqual([refused.status, refused.json.code], [409, 'not_on_sale'])
  const sent = await browser.submit(old, [
    ['name', 'Gil Tavares'],
    ['email', 'gil@crumb.example'],
  ])
  assert.match(sent.text, /not on sale/)
  assert.match((await look(app, [plan.priceId])).page.text, /not on sale/)
  assert.equal((await ada.get('/orders')).status, 403)
  const rows = await app.database.query('select id from order_lines where item_id = $1', [plan.uuid])
  assert.deepEqual(rows, [])
  // A draft is not known to exist.
  await ada.write('DELETE', `${plan.path}/archive`)
  assert.equal((await checkout(dev, [plan.priceId])).status, 422)
})

test('a plan with a last day is bought until its end, and the checkout says how long access lasts', async () => {
  const ada = await planner(app)
  const today = new Date((await app.database.query<{ now: Date }>('select stoa.now() as now'))[0]?.now ?? 0)
  const last = new Date(today.getTime() + 3 * 86_400_000).toISOString().slice(0, 10)
  const plan = await sellPlan(ada, { name: 'Until then', plan_type: 'fixed_date', ends_on: last }, [free])
  const page = (await look(app, [plan.priceId])).page.text
  assert.match(page, /Access until/)
  const dev = await buyer('dev')
  const order = await checkout(dev, [plan.priceId])
  assert.equal(order.json.status, 'paid', order.text)
  const ends = (await ada.get(plan.path)).json.ends_at
  assert.deepEqual(
    (await heldUntil(ada, plan.path)).map(([, until]) => until),
    [ends],
  )
  await app.moveClock(5 * 86_400)
  const eli = await buyer('eli')
  const refused = await checkout(eli, [plan.priceId])
  assert.deepEqual([refused.status, refused.json.code], [409, 'not_on_sale'])
  assert.deepEqual(await heldUntil(await planner(app), plan.path), [])
})

test('a plan for six months gives six calendar months, and a free one is given once', async () => {
  const ada = await planner(app)
  const plan = await sellPlan(ada, { name: 'Half a year', plan_type: 'fixed_length', length: { months: 6 } }, [free])
  assert.match((await look(app, [plan.priceId])).page.text, /6 months of access/)
  const dev = await buyer('dev')
  const order = await checkout(dev, [plan.priceId])
  assert.deepEqual([order.status, order.json.lines?.[0]?.access], [201, { months: 6 }], order.text)
  const [held] = await heldUntil(ada, plan.path)
  assert.ok(held)
  // Months are those of the calendar of the school.
  const since = Temporal.Instant.from(held[0]).toZonedDateTimeISO('Europe/Lisbon')
  assert.equal(held[1], new Date(since.add({ months: 6 }).epochMilliseconds).toISOString())
  const again = await checkout(dev, [plan.priceId])
  assert.deepEqual([again.status, again.json.code], [409, 'already_has_access'])
  await app.database.query("update entitlements set ends_at = starts_at + interval '1 ms' where item_id = $1", [
    plan.uuid,
  ])
  assert.equal((await checkout(dev, [plan.priceId])).json.code, 'free_once')
})

test('who holds a plan is told so, a line gives a plan once, and taking it back takes only what the line gave', async () => {
  const ada = await planner(app)
  const plan = await sellPlan(ada, { name: 'Twice', plan_type: 'lifetime' }, [once])
  const dev = await readMemberId(app, 'dev')
  await givePlan(app, writing, { plan, name: 'dev', source: 'gift' })
  assert.deepEqual([await state(plan.priceId), await state(plan.priceId, dev)], ['available', 'already_has_access'])
  const lineId = newLine()
  const buy = () =>
    run(async place =>
      fulfilLine(place, { lineId, memberId: dev, offer: await availableOffer(place, toUuid(plan.priceId)) }),
    )
  await Promise.all([buy(), buy()])
  const active = async (): Promise<number> =>
    (await app.database.query('select id from entitlements where item_id = $1 and revoked_at is null', [plan.uuid]))
      .length
  assert.equal(await active(), 2)
  await run(({ db, school, now }) => unfulfil.call({ lineId, quantity: 1, now, reason: 'refund' }, { db, school }))
  assert.equal(await active(), 1)
  assert.equal((await ada.get(plan.path)).json.holder_count, 1)
})

test('a coupon may be for one plan', async () => {
  const ada = await planner(app, ['coupons:read', 'coupons:write'])
  const plan = await sellPlan(ada, { name: 'With a coupon', plan_type: 'lifetime' }, [once])
  const coupon = await ada.write('POST', '/coupons', {
    name: 'Tenth',
    kind: 'percent',
    percent_off: '10',
    applies_to: 'items',
    items: [{ type: 'membership_plan', id: plan.id }],
  })
  assert.equal(coupon.status, 201, coupon.text)
  const unknown = await ada.write('POST', '/coupons', {
    name: 'Tenth',
    kind: 'percent',
    percent_off: '10',
    applies_to: 'items',
    items: [{ type: 'membership_plan', id: `mpl_${'0'.repeat(26)}` }],
  })
  assert.equal(unknown.status, 422)
  await ada.write('POST', `/coupons/${coupon.json.id}/codes`, { code: 'PLAN10' })
  const dev = await buyer('dev')
  const { json, text } = await quote(dev, [plan.priceId], { codes: ['PLAN10'] })
  assert.equal(json.result?.total, 8910, text)
})
