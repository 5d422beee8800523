import assert from 'node:assert/strict'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { checkout, once, quote, sell } from '#testing/orders.ts'

const app = testApp()
const test = ledgerTest(app)

const SCOPES = ['courses:read', 'courses:write', 'coupons:read', 'coupons:write', 'orders:read']
const staff = () => app.actor('ada', { scopes: SCOPES })
const buyer = (name: 'dev' | 'eli' | 'femi' = 'femi') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })

const addCoupon = async (ada: Actor, code: string, coupon: object): Promise<string> => {
  const made = await ada.write('POST', '/coupons', { name: code, ...coupon })
  assert.equal(made.status, 201, made.text)
  const coded = await ada.write('POST', `/coupons/${made.json.id}/codes`, { code })
  assert.ok(coded.status < 300, coded.text)
  return made.json.id
}

const readStatuses = async (ada: Actor, coupon: string): Promise<string[]> =>
  (await ada.get(`/coupons/${coupon}/redemptions`)).json.data.map(({ status }: { status: string }) => status)

const percent = (percent_off: string) => ({ kind: 'percent', percent_off })

test('a code takes off what the order says, is held until the order ends, and finds the order', async () => {
  const [ada, femi] = [await staff(), await buyer()]
  const [one, two] = [await sell(ada, 'Coded', [once(1000)]), await sell(ada, 'Coded too', [once(333)])]
  const coupon = await addCoupon(ada, 'LOAF-33', percent('33.33'))
  const dry = await quote(femi, [one.priceId, two.priceId], { codes: ['loaf 33'] })
  const { status, json } = await checkout(femi, [one.priceId, two.priceId], { codes: ['loaf 33'] })
  assert.equal(status, 201)
  assert.deepEqual([json.subtotal, json.discount_total, json.total], [1333, 444, 889])
  assert.deepEqual(
    json.lines.map(({ discount_amount }: { discount_amount: number }) => discount_amount),
    [333, 111],
  )
  assert.deepEqual(json.codes, [{ coupon_id: coupon, code: 'LOAF-33', amount: 444 }])
  assert.deepEqual([dry.json.result.total, dry.json.result.codes], [889, json.codes])
  assert.deepEqual(await readStatuses(ada, coupon), ['held'])
  for (const query of [`coupon_id=${coupon}`, 'q=loaf'])
    assert.deepEqual(
      (await ada.get(`/orders?${query}`)).json.data.map(({ id }: { id: string }) => id),
      [json.id],
      query,
    )
  await femi.write('DELETE', `/account/orders/${json.id}`)
  assert.deepEqual(await readStatuses(ada, coupon), ['returned'])
})

test('a code that does not apply is refused with its reason, and nothing is ordered', async () => {
  const [ada, femi] = [await staff(), await buyer()]
  const { priceId } = await sell(ada, 'Refused code', [once(1000)])
  await addCoupon(ada, 'BIG', { ...percent('10'), minimum_amount: 5000, currency: 'EUR' })
  const archived = await addCoupon(ada, 'GONE', percent('10'))
  assert.equal((await ada.write('PUT', `/coupons/${archived}/archive`)).status, 200)
  for (const [code, reason] of [
    ['NOBODYS', 'unknown_code'],
    ['GONE', 'unknown_code'],
    ['BIG', 'below_minimum'],
  ]) {
    const { status, json } = await checkout(femi, [priceId], { codes: [code] })
    assert.deepEqual([status, json.code, json.reason, json.errors[0].code], [409, 'code_refused', reason, reason])
  }
  assert.deepEqual((await femi.get('/account/orders?status=pending')).json.data, [])
})

test('a code that makes everything free pays the order at once, and counts as used', async () => {
  const [ada, eli] = [await staff(), await buyer('eli')]
  const { priceId } = await sell(ada, 'All off', [once(1000)])
  const coupon = await addCoupon(ada, 'ALLOFF', { ...percent('100'), first_purchase_only: true })
  const { status, json } = await checkout(eli, [priceId], { codes: ['alloff'] })
  assert.deepEqual([status, json.status, json.total, json.discount_total], [201, 'paid', 0, 1000])
  assert.deepEqual(await readStatuses(ada, coupon), ['taken'])
  const other = await sell(ada, 'All off again', [once(1000)])
  const again = await checkout(eli, [other.priceId], { codes: ['alloff'] })
  assert.deepEqual([again.status, again.json.reason], [409, 'not_first_purchase'])
})

test('the last use of a code is held by one order, and is free again when that is canceled', async () => {
  const [ada, dev, femi] = [await staff(), await buyer('dev'), await buyer()]
  const { priceId } = await sell(ada, 'Last use', [once(1000)])
  await addCoupon(ada, 'ONLYONE', { ...percent('50'), max_redemptions: 1 })
  const { json: first } = await checkout(dev, [priceId], { codes: ['ONLYONE'] })
  const refused = await checkout(femi, [priceId], { codes: ['ONLYONE'] })
  assert.deepEqual([refused.status, refused.json.reason], [409, 'used_up'])
  await dev.write('DELETE', `/account/orders/${first.id}`)
  const { status, json } = await checkout(femi, [priceId], { codes: ['ONLYONE'] })
  assert.equal(status, 201)
  await femi.write('DELETE', `/account/orders/${json.id}`)
})

test('ten wrong codes are tried in ten minutes, by dry runs too, and right ones are not counted', async () => {
  const [ada, dev] = [await staff(), await buyer('dev')]
  const { priceId } = await sell(ada, 'Guessed', [once(1000)])
  await addCoupon(ada, 'RIGHT', percent('10'))
  for (let at = 0; at < 12; at++) assert.equal((await quote(dev, [priceId], { codes: ['RIGHT'] })).status, 200)
  for (let at = 0; at < 10; at++) {
    const { status, json } = await quote(dev, [priceId], { codes: [`WRONG${at}`] })
    assert.deepEqual([status, json.reason], [409, 'unknown_code'])
  }
  const refused = await quote(dev, [priceId], { codes: ['RIGHT'] })
  assert.deepEqual([refused.status, refused.json.code], [429, 'rate_limited'])
  assert.equal((await quote(dev, [priceId])).status, 200)
})
