import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { enterAccount } from '#testing/account-pages.ts'
import type { Actor } from '#testing/actor.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { eventScopes, inDays, makeEvent } from '#testing/events.ts'
import type { TestReply } from '#testing/http.ts'
import { readMemberId } from '#testing/learning.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { checkout, decide, once, performAsOperator, quote } from '#testing/orders.ts'
import { type OutsideProvider, startOutsideProvider } from '#testing/outside-provider.ts'
import { askToPay } from '#testing/paying.ts'
import { monthly } from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'

const app = testApp()
const test = ledgerTest(app)
let outside: OutsideProvider
before(async () => {
  outside = await startOutsideProvider()
})
after(() => outside.stop())

const SCOPES = [
  ...['courses:read', 'courses:write', 'digital_products:read', 'digital_products:write', 'membership_plans:read'],
  ...['membership_plans:write', 'school:read', 'orders:read', ...eventScopes],
]
const IBAN = 'PT50000201231234567890154'
const untold = { account_holder: null, iban: null, text: null }

const staff = (): Promise<Actor> => app.actor('ada', { scopes: [...new Set(SCOPES)] })
const buyer = (name: PersonName = 'femi'): Promise<Actor> =>
  app.actor(name, { scopes: ['account:read', 'account:write'] })
const enter = (name: PersonName) =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })
const open = (path: string) => app.send({ path, headers: { accept: 'text/html', 'accept-language': 'en' } })

const set = (provider: string, body: object): Promise<void> =>
  performAsOperator(app, { operation: 'setPaymentProvider', params: { provider }, body })
const removeAll = (): Promise<unknown> =>
  app.database.query('delete from payment_providers where school_id = $1', [app.a.id])

const readState = async () => (await (await staff()).get('/school/selling')).json.sale_state
const missing = (...lacks: readonly string[]) => ({ can_sell: lacks.length === 0, missing: lacks })

// What an order holds or writes.
const readRows = async (): Promise<unknown> =>
  app.database.query(
    `select (select count(*) from orders) as orders, (select count(*) from payments) as payments,
       (select count(*) from coupon_redemptions) as redemptions, (select count(*) from registrations) as registrations`,
  )

const listCodes = ({ json, text }: TestReply): string[] => {
  assert.ok(json.warnings !== undefined, text)
  return json.warnings.map(({ code }: { code: string }) => code)
}

/** Makes something with these prices, and returns what publishes it and the ids of its prices. */
const make = async (path: string, body: object, prices: readonly object[]) => {
  const ada = await staff()
  const { json, status, text } = await ada.write('POST', path, body)
  assert.equal(status, 201, text)
  const priceIds: string[] = []
  for (const price of prices) {
    const made = await ada.write('POST', `${path}/${json.id}/${path === '/events' ? 'ticket-types' : 'prices'}`, price)
    assert.equal(made.status, 201, made.text)
    priceIds.push(path === '/events' ? made.json.price_id : made.json.id)
  }
  const publish = () =>
    ada.write('PUT', `${path}/${json.id}/publication`, path === '/membership-plans' ? undefined : {})
  return { id: json.id, slug: json.slug, priceIds, priceId: priceIds[0] ?? '', publish }
}

test('an empty school publishes at a price: it is warned, sells nothing, and an IBAN changes all of it at once', async () => {
  await removeAll()
  assert.deepEqual(await readState(), missing('no_provider'))
  const course = await make('/courses', { name: 'Not on sale' }, [once(4990), { payment_type: 'free', amount: 0 }])
  const published = await course.publish()
  assert.equal(published.status, 200, 'publishing is never refused')
  assert.ok(listCodes(published).includes('cannot_be_paid'))
  const path = `/courses/${course.slug}`
  const shown = await open(path)
  for (const part of ['€49.90', 'Not on sale yet', 'Enroll for free']) assert.ok(shown.text.includes(part), part)
  assert.doesNotMatch(shown.text, /checkout\?|The school has set no way to be paid/)
  const femi = await buyer()
  const before = await readRows()
  for (const ask of [checkout, quote]) {
    const refused = await ask(femi, [course.priceId])
    assert.deepEqual(
      [refused.status, refused.json.code, refused.json.missing],
      [409, 'cannot_be_paid', ['no_provider']],
      refused.text,
    )
  }
  assert.deepEqual(await readRows(), before, 'nothing is held')
  const page = await open(`/checkout?price=${course.priceId}`)
  assert.ok(page.text.includes('Not on sale yet'))
  assert.doesNotMatch(page.text, /<input[^>]* name="(?:email|name|code|quantity)"/)

  await set('manual', { instructions: { ...untold, iban: IBAN } })
  assert.deepEqual(await readState(), missing('provider_incomplete'), 'nobody transfers money to an account of nobody')
  await set('manual', { instructions: { ...untold, account_holder: 'Crumb, Lda.', iban: IBAN } })
  assert.deepEqual(await readState(), missing())
  assert.ok(!listCodes(await course.publish()).includes('cannot_be_paid'))
  await until(async () => (await open(path)).text.includes(`/checkout?price=${course.priceId}`), 'the button is there')
  assert.match((await open(`/checkout?price=${course.priceId}`)).text, /<input[^>]* name="email"/)
  const order = await checkout(femi, [course.priceId])
  assert.equal(order.status, 201, order.text)
  const asked = await askToPay(femi, order.json.id, {})
  assert.deepEqual([asked.status, asked.json.payments[0].provider], [201, 'manual'])
})

test('staff read on the site and in the console why nothing is on sale, and others do not', async () => {
  await removeAll()
  const course = await make('/courses', { name: 'Why not' }, [once(4990)])
  await course.publish()
  const why = 'The school has set no way to be paid.'
  const site = `/courses/${course.slug}`
  const { id: eventId, occurrenceId } = await makeEvent(app, await staff(), {}, [{ name: 'Seat', amount: 1250 }])
  const { slug } = (await (await staff()).get(`/events/${eventId}`)).json
  const [ada, femi] = [await enter('ada'), await enter('femi')]
  for (const path of [site, `/events/${slug}`, `/account/events/${slug}?occurrence=${occurrenceId}`]) {
    await until(async () => (await ada.open(path)).text.includes(why), `staff read why at ${path}`)
    assert.match((await ada.open(path)).text, /href="\/staff\/payments"/)
    for (const { text } of [await femi.open(path), await open(path)]) {
      assert.ok(text.includes('Not on sale yet'), path)
      assert.ok(!text.includes(why) && !text.includes('/staff/payments'), text)
    }
  }
  const id = course.id
  for (const page of [`/staff/courses/${id}/prices`, `/staff/courses/${id}/publication`])
    assert.match((await ada.open(page)).text, /<a href="\/staff\/payments">Set how the school is paid</, page)
  assert.ok((await ada.open(`/staff/courses/${id}/prices`)).text.includes(why))
  await set('manual', { instructions: { ...untold, text: 'At the counter.' } })
  assert.ok(!(await ada.open(`/staff/courses/${id}/prices`)).text.includes(why))
})

test('what is published at a price in a school that cannot be paid is warned of, whatever it is; what is free is not', async () => {
  await removeAll()
  const free = { payment_type: 'free', amount: 0 }
  const starts_at = await inDays(app, 7)
  const event = { name: 'Evening', starts_at, duration_minutes: 60 }
  const cases: readonly (readonly [path: string, body: object, price: object, isWarned: boolean])[] = [
    ['/courses', { name: 'Free course' }, free, false],
    ['/courses', { name: 'Course' }, once(), true],
    ['/digital-products', { name: 'Free book' }, free, false],
    ['/digital-products', { name: 'Book' }, once(), true],
    ['/membership-plans', { name: 'Club', plan_type: 'recurring' }, monthly(900), true],
    ['/events', event, { name: 'Regular', amount: 0 }, false],
    ['/events', event, { name: 'Regular', amount: 700 }, true],
    ['/events', event, { name: 'As you like', amount: 500, least_amount: 0 }, true],
  ]
  const made = await Promise.all(cases.map(async ([path, body, price]) => make(path, body, [price])))
  for (const [index, { publish }] of made.entries()) {
    const [path, body, , isWarned] = cases[index] ?? []
    assert.equal(listCodes(await publish()).includes('cannot_be_paid'), isWarned, `${path} ${JSON.stringify(body)}`)
  }
  await set('test', {})
  for (const { publish } of made) assert.ok(!listCodes(await publish()).includes('cannot_be_paid'))
})

test('what a school lacks is named, and one way to be paid is enough', async () => {
  await removeAll()
  await set('manual', {})
  assert.deepEqual(await readState(), missing('provider_incomplete'))
  await set('outside', { secrets: { secret_key: outside.secrets.secret_key } })
  assert.deepEqual(await readState(), missing(), 'the other way to be paid is complete')
  await app.database.query("delete from payment_secrets where provider = 'outside'")
  assert.deepEqual(await readState(), missing('provider_incomplete'))
  await app.database.query("update payment_providers set mode = 'live' where school_id = $1 and name = 'outside'", [
    app.a.id,
  ])
  assert.deepEqual(await readState(), missing('provider_incomplete', 'wrong_mode'))
  await app.database.query("delete from payment_providers where school_id = $1 and name = 'manual'", [app.a.id])
  assert.deepEqual(await readState(), missing('wrong_mode'))
  const other = await app.actor('ada', { scopes: ['school:read'], school: app.b })
  assert.deepEqual((await other.get('/school/selling')).json.sale_state, missing('seller_unknown'))
})

test('transfers of a school that took them before are offered for thirty days although buyers are told nothing', async () => {
  await removeAll()
  await set('manual', {})
  assert.deepEqual(await readState(), missing('provider_incomplete'))
  await app.database.query(
    "update payment_providers set offered_until = stoa.now() + interval '30 days' where school_id = $1",
    [app.a.id],
  )
  assert.deepEqual(await readState(), missing())
  const course = await make('/courses', { name: 'As before' }, [once(1500)])
  await course.publish()
  const femi = await buyer()
  const order = await checkout(femi, [course.priceId])
  assert.equal((await askToPay(femi, order.json.id, { provider: 'manual' })).status, 201)
  await femi.write('DELETE', `/account/orders/${order.json.id}`)
  await app.database.query('update payment_providers set offered_until = stoa.now() where school_id = $1', [app.a.id])
  assert.deepEqual(await readState(), missing('provider_incomplete'))
  assert.equal((await checkout(femi, [course.priceId])).json.code, 'cannot_be_paid')
})

test('what no provider of the school can charge, or save for a plan, is refused before anything is held', async () => {
  await removeAll()
  await set('outside', { secrets: outside.secrets })
  const cheap = await make('/courses', { name: 'Too cheap' }, [once(30), once(4900)])
  await cheap.publish()
  const femi = await buyer()
  const before = await readRows()
  const refused = await checkout(femi, [cheap.priceId])
  assert.deepEqual(
    [refused.status, refused.json.code, refused.json.nearest],
    [409, 'amount_not_chargeable', [50]],
    refused.text,
  )
  assert.deepEqual(await readRows(), before, 'nothing is held')
  assert.equal((await quote(femi, [cheap.priceIds[1] ?? ''])).status, 200)
  await set('manual', { instructions: { ...untold, text: 'At the counter.' } })
  const order = await checkout(femi, [cheap.priceId])
  assert.equal(order.status, 201, order.text)
  const asked = await askToPay(femi, order.json.id, {})
  assert.deepEqual([asked.status, asked.json.payments[0].provider], [201, 'manual'], 'the one that can charge it')
  const page = await (await enter('femi')).open(`/account/orders/${order.json.number}/pay`)
  assert.doesNotMatch(page.text, /name="provider" value="outside"/)
})

test('staff record what was paid elsewhere, and money that arrived, in a school without a way to be paid', async () => {
  await set('test', {})
  const course = await make('/courses', { name: 'Paid elsewhere' }, [once(2500)])
  await course.publish()
  const eli = await buyer('eli')
  const order = await checkout(eli, [course.priceId])
  await removeAll()
  await decide(app, 'confirmPayment', order.json.id, {})
  assert.equal((await eli.get(`/account/orders/${order.json.id}`)).json.status, 'paid')
  const member = toId('mem', await readMemberId(app, 'dev'))
  const body = { items: [{ price_id: course.priceId }] }
  await performAsOperator(app, { operation: 'recordOutsideOrder', params: { member_id: member }, body })
  const { data } = (await (await staff()).get(`/orders?member_id=${member}&kind=outside`)).json
  assert.deepEqual([data[0].status, data[0].payments[0].provider], ['paid', 'manual'])
})

test('an order of which the last way to pay was removed meanwhile stays, and is paid once there is one again', async () => {
  await removeAll()
  await set('test', {})
  const course = await make('/courses', { name: 'Removed meanwhile' }, [once(2500)])
  await course.publish()
  const femi = await buyer('eli')
  const order = await checkout(femi, [course.priceId])
  await removeAll()
  const refused = await askToPay(femi, order.json.id, {})
  assert.deepEqual([refused.status, refused.json.code], [409, 'provider_not_usable'])
  await set('test', {})
  assert.equal((await askToPay(femi, order.json.id, {})).status, 201)
})
