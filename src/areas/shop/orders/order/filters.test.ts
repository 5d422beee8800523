import assert from 'node:assert/strict'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { checkout, decide, once, sell } from '#testing/orders.ts'
import { setProvider } from '#testing/payments.ts'
import { askForPayment } from '#testing/test-payments.ts'

const app = testApp()
const test = ledgerTest(app)

const SCOPES = ['courses:read', 'courses:write', 'coupons:read', 'coupons:write', 'orders:read']
const staff = (scopes: readonly string[] = SCOPES) => app.actor('ada', { scopes })
const buyer = (name: 'dev' | 'eli' | 'femi') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })

type Listed = { readonly data: readonly { readonly id: string }[]; readonly next_after: string }

const listIds = ({ data }: Listed) => data.map(({ id }) => id)

const place = async (actor: Actor, priceIds: readonly string[], more: object = {}) => {
  const { status, json, text } = await checkout(actor, priceIds, { ...more })
  assert.equal(status, 201, text)
  return json
}

/** Orders that differ in everything by which orders are filtered. */
const sales = async () => {
  const [ada, dev, eli] = [await staff(), await buyer('dev'), await buyer('eli')]
  await setProvider(app, 'manual', {})
  await setProvider(app, 'test', {})
  const brioche = await sell(ada, 'Filtered brioche', [once(4000)])
  const bagels = await sell(ada, 'Filtered bagels', [once(2000)])
  const coupon = await ada.write('POST', '/coupons', { name: 'Filtered', kind: 'percent', percent_off: '12.5' })
  await ada.write('POST', `/coupons/${coupon.json.id}/codes`, { code: 'FILTERED' })
  const paid = await place(dev, [brioche.priceId], { codes: ['filtered'] })
  await decide(app, 'confirmPayment', paid.id, {})
  const part = await place(dev, [brioche.priceId, bagels.priceId], { allow_duplicate: true })
  await decide(app, 'confirmPayment', part.id, {})
  await decide(app, 'refundOrder', part.id, { reason: 'requested', lines: [{ line_id: part.lines[1].id }] })
  const whole = await place(eli, [bagels.priceId])
  await decide(app, 'confirmPayment', whole.id, {})
  await decide(app, 'refundOrder', whole.id, { reason: 'requested' })
  const open = await place(eli, [brioche.priceId])
  await askForPayment(eli, open.id, 'test')
  return { ada, brioche, bagels, coupon: coupon.json.id, paid, part, whole, open }
}

test('filters of orders apply alone and together, also in pages, in commit order and as CSV', async () => {
  const { ada, brioche, bagels, coupon, paid, part, whole, open } = await sales()
  const all = [paid, part, whole, open]
  const mine = new Set(all.map(({ id }) => id))
  const list = async (query: string) => {
    const { status, json, text } = await ada.get(`/orders?limit=100&${query}`)
    assert.equal(status, 200, `${query}: ${text}`)
    return listIds(json).filter(id => mine.has(id))
  }
  const newest = [open, whole, part, paid].map(({ id }) => id)
  const cases: readonly (readonly [query: string, found: readonly { readonly id: string }[]])[] = [
    ['status[in]=paid', [paid]],
    ['status[in]=partially_refunded', [part]],
    ['status[in]=refunded', [whole]],
    ['status[in]=pending', [open]],
    ['status[in]=refunded,paid&sort=total', [whole, paid]],
    ['refunded=true', [whole, part]],
    ['refunded=false', [open, paid]],
    ['disputed=true', []],
    ['disputed=false&refunded=true', [whole, part]],
    ['provider=test', [open]],
    ['provider=manual', [whole, part, paid]],
    ['provider=outside', []],
    ['provider_reference=nothing', []],
    ['subscription_id=sub_00000000000000000000000000', []],
    [`coupon_id=${coupon}`, [paid]],
    [`coupon_id=${coupon}&status[in]=pending`, []],
    ['kind=checkout', [open, whole, part, paid]],
    ['kind=outside', []],
    [`item_type=course&item_id=${bagels.id}`, [whole, part]],
    [`item_type=digital_product&item_id=${bagels.id}`, []],
    [`item_id=${brioche.id}&member_id=${part.member.id}`, [part, paid]],
    [`item_id=${brioche.id}&email=Dev@Crumb.example&total[gte]=4000`, [part]],
    ['email=dev@crumb', []],
    [`number=${part.number}`, [part]],
    [`number=${part.number}&email=eli@crumb.example`, []],
    [`created_at[gte]=${part.created_at}&created_at[lt]=${open.created_at}`, [whole, part]],
    ['total[gte]=2001&total[lte]=4000&sort=total', [paid, open]],
    ['total[lte]=1999', []],
    ['q=filtered', [paid]],
    ['q=eli', [open, whole]],
    [`q=${whole.number.toLowerCase()}%20crumb`, [whole]],
  ]
  for (const [query, found] of cases)
    assert.deepEqual(
      await list(query),
      found.map(({ id }) => id),
      query,
    )
  const read = async (id: string) => (await ada.get(`/orders/${id}`)).json
  const { paid_at } = await read(part.id)
  assert.deepEqual(await list(`paid_at[gte]=${paid_at}`), [whole.id, part.id])
  assert.deepEqual(await list(`paid_at[lt]=${paid_at}&item_id=${brioche.id}`), [paid.id])
  for (const query of [
    'created_at[gte]=yesterday',
    'total[gte]=-1',
    'total[lte]=1.5',
    'status[in]=eaten',
    'item_id=x',
    'subscription_id=ord_1',
  ])
    assert.equal((await ada.get(`/orders?${query}`)).status, 400, query)

  const paged: string[] = []
  for (let cursor = ''; ; ) {
    const { json } = await ada.get(`/orders?limit=1&sort=-paid_at&item_id=${brioche.id}${cursor}`)
    paged.push(...listIds(json))
    if (!json.has_more) break
    cursor = `&cursor=${encodeURIComponent(json.next_cursor)}`
  }
  assert.deepEqual(paged, [open.id, part.id, paid.id], 'an order that was not paid is after those that were')

  await app.settled()
  const changes = async (after: string) =>
    (await ada.get(`/orders?limit=100&refunded=true&after=${encodeURIComponent(after)}`)).json
  const before = await changes('0')
  assert.deepEqual(
    listIds(before).filter(id => mine.has(id)),
    [part.id, whole.id],
  )
  await decide(app, 'refundOrder', paid.id, { reason: 'requested', amount: 100 })
  await app.settled()
  assert.deepEqual(listIds(await changes(before.next_after)), [paid.id], 'it matches since it has changed')

  const csv = await ada.get(`/orders?sort=created_at&item_id=${bagels.id}`, { accept: 'text/csv' })
  const [names = '', ...rows] = csv.text.trim().split('\r\n')
  const columns = names.split(',')
  const values = rows
    .map(row => row.split(','))
    .map(cells =>
      ['number', 'order_status', 'name', 'amount', 'refunded_amount', 'currency'].map(
        name => cells[columns.indexOf(name)],
      ),
    )
  assert.deepEqual(values.slice(0, -1), [
    [part.number, 'paid', 'Filtered brioche', '40.00', '0.00', 'EUR'],
    [part.number, 'paid', 'Filtered bagels', '20.00', '20.00', 'EUR'],
    [whole.number, 'paid', 'Filtered bagels', '20.00', '20.00', 'EUR'],
  ])
  assert.equal(rows.at(-1), '# complete')
  assert.deepEqual(newest, await list(''))
})

test('expand=coupon shows what the codes take off, to apps that may read coupons', async () => {
  const { json } = await (await staff()).get('/orders?q=filtered&expand=coupon')
  const [{ codes }] = json.data
  assert.deepEqual(codes[0].coupon, {
    ...{ name: 'Filtered', kind: 'percent', percent_off: '12.5', amount_off: null, is_archived: false },
  })
  const [plain] = (await (await staff()).get('/orders?q=filtered')).json.data
  assert.deepEqual(Object.keys(plain.codes[0]).sort(), ['amount', 'code', 'coupon_id'])
  const one = await (await staff()).get(`/orders/${plain.id}?expand=coupon`)
  assert.equal(one.json.codes[0].coupon.name, 'Filtered')
  const narrow = await (await staff(['orders:read'])).get('/orders?expand=coupon')
  assert.deepEqual([narrow.status, narrow.json.code], [403, 'insufficient_scope'])
})
