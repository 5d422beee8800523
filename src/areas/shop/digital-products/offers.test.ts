import assert from 'node:assert/strict'
import { after } from 'node:test'
import { release, unfulfil } from '#src/contract/offer.ts'
import { testApp } from '#testing/app.ts'
import { readMemberId } from '#testing/learning.ts'
import { ledgerTest } from '#testing/ledger.ts'
import {
  addMembers,
  availableOffer,
  fulfilLine,
  newLine,
  offerFor,
  openSales,
  reserveLine,
  startSalesProcess,
} from '#testing/offers.ts'
import { buyer, give, seller, sellProduct } from '#testing/products.ts'

const app = testApp()
const test = ledgerTest(app)

let sales: ReturnType<typeof openSales> | undefined
const run: ReturnType<typeof openSales>['run'] = work => {
  sales ??= openSales(app.database.appUrl, app.a.id)
  return sales.run(work)
}
after(() => sales?.close())

const state = (priceId: string, memberId?: string): Promise<string | undefined> =>
  run(async place => {
    const offer = await offerFor(place, priceId, memberId)
    if (offer === undefined) return undefined
    return 'unavailable' in offer ? offer.unavailable : 'available'
  })

const buy = (priceId: string, memberId: string, lineId = newLine()): Promise<string> =>
  run(async place => {
    await fulfilLine(place, { lineId, memberId, offer: await availableOffer(place, priceId) })
    return lineId
  })

const takeBack = (lineId: string, quantity = 1) =>
  run(async ({ db, school, now }) =>
    (await unfulfil.call({ lineId, quantity, now, reason: 'refund' }, { db, school })).flat().map(({ type }) => type),
  )

test('a product is offered at its active prices while it is published, and not to somebody who has it', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Offered' })
  const dev = await readMemberId(app, 'dev')
  assert.deepEqual([await state(product.priceId), await state(product.priceId, dev)], ['available', 'available'])
  const offer = await run(place => availableOffer(place, product.priceId))
  assert.deepEqual(offer.item, { type: 'digital_product', id: product.uuid })
  assert.deepEqual([offer.name, offer.access, offer.mostPerOrder, offer.payment.amount], ['Offered', null, 1, 1200])
  await give(app, ada, product, 'dev')
  assert.deepEqual(
    [await state(product.priceId), await state(product.priceId, dev)],
    ['available', 'already_has_access'],
  )
  const { json } = await ada.get(`${product.path}/prices`)
  const ended = await ada.write('POST', `${product.path}/prices`, {
    payment_type: 'one_time',
    amount: 100,
    access: { days: 1 },
  })
  assert.equal(ended.status, 201)
  await ada.write('DELETE', `${product.path}/prices/${json.data[0].id}`)
  assert.equal(await state(product.priceId), 'retired')
  await ada.write('PUT', `${product.path}/archive`)
  assert.equal(await state(product.priceId), 'not_published')
  assert.equal(await state(newLine()), undefined)
})

test('a reservation of a product always succeeds while it exists, and releasing it does nothing', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Never scarce' })
  const [memberId = ''] = await addMembers(app, 1)
  const lineId = newLine()
  await run(async place => {
    const offer = await availableOffer(place, product.priceId)
    const until = new Date(place.now.getTime() + 60_000)
    assert.deepEqual(await reserveLine(place, { lineId, offer, memberId, until }), { reservedUntil: until })
    await release.call({ lineId }, place)
    const gone = { ...offer, item: { ...offer.item, id: newLine() } }
    assert.equal(await reserveLine(place, { lineId, offer: gone, memberId, until }), undefined)
  })
})

test('a line gives a product once, also after it was taken back, and a sale stays a sale', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Once' })
  const [memberId = ''] = await addMembers(app, 1)
  const offer = await run(place => availableOffer(place, product.priceId))
  const lineId = newLine()
  const fulfilIt = () => run(place => fulfilLine(place, { lineId, memberId, offer }))
  assert.deepEqual(await fulfilIt(), ['entitlement.granted'])
  assert.deepEqual(await fulfilIt(), [])
  assert.deepEqual(await takeBack(lineId, 0), [])
  assert.deepEqual(await takeBack(lineId), ['entitlement.revoked'])
  assert.deepEqual(await takeBack(lineId), [])
  assert.deepEqual(await fulfilIt(), [])
  const { holder_count, sales: sold } = (await ada.get(product.path)).json
  assert.deepEqual([holder_count, sold], [0, 1])
})

test('a line that many transactions in two processes fulfil at once gives the product once', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Paid twice' })
  const [memberId = ''] = await addMembers(app, 1)
  const offer = await run(place => availableOffer(place, product.priceId))
  const line = { lineId: newLine(), offer, memberId, until: new Date(0) }
  const processes = await Promise.all([1, 2].map(() => startSalesProcess(app.database.appUrl, app.a.id)))
  const lines = Array.from({ length: 8 }, () => line)
  const outcomes = (await Promise.all(processes.map(one => one.fulfilAll(lines)))).flat()
  await Promise.all(processes.map(one => one.stop()))
  const effective = outcomes.filter(facts => !Array.isArray(facts) || facts.length > 0)
  assert.deepEqual(effective, [['entitlement.granted']])
  assert.equal(outcomes.length, 16)
})

test('a refund of a product that is also in a group and in a plan, and a gift, takes back what was bought and nothing else', async () => {
  const ada = await seller(app, ['members:read', 'members:write'])
  const product = await sellProduct(ada, { name: 'From everywhere' })
  const memberId = await readMemberId(app, 'eli')
  const eli = await buyer(app, 'eli')
  const link = async () => (await eli.write('POST', `/account/downloads/${product.files[0]}/links`)).status
  const { json: member } = await ada.get('/members?email=eli@crumb.example')
  const lineId = await buy(product.priceId, memberId)
  assert.equal(await link(), 201)
  const group = (await ada.write('POST', '/groups', { name: 'Shelf' })).json
  const item = await ada.write('PUT', `/groups/${group.id}/items/digital_product/${product.id}`)
  assert.ok(item.status < 300, item.text)
  await ada.write('PUT', `/groups/${group.id}/members/${member.data[0].id}`)
  assert.deepEqual(await takeBack(lineId), ['entitlement.revoked'])
  assert.equal(await link(), 201, 'through the group')
  const [plan = ''] = await app.database
    .query<{ id: string }>(
      `insert into bundle_items (school_id, id, bundle_type, bundle_id, item_type, item_id, opened_at)
       values ($1, gen_random_uuid(), 'membership_plan', gen_random_uuid(), 'digital_product', $2, stoa.now())
       returning bundle_id as id`,
      [app.a.id, product.uuid],
    )
    .then(rows => rows.map(({ id }) => id))
  await app.database.query(
    `insert into entitlements (school_id, id, member_id, item_type, item_id, source, starts_at, created_at)
     values ($1, gen_random_uuid(), $2, 'membership_plan', $3, 'subscription', stoa.now(), stoa.now())`,
    [app.a.id, memberId, plan],
  )
  await ada.write('DELETE', `/groups/${group.id}/members/${member.data[0].id}`)
  assert.equal(await link(), 201, 'through the plan')
  const kept = await ada.write('DELETE', product.path)
  assert.deepEqual(kept.json.in_use.map(({ kind }: { kind: string }) => kind).sort(), ['member', 'membership_plan'])
  await app.database.query('update entitlements set revoked_at = stoa.now() where item_id = $1', [plan])
  assert.equal(await link(), 404)
})

test('a group cannot open a product that does not exist', async () => {
  const ada = await seller(app, ['members:read', 'members:write'])
  const group = (await ada.write('POST', '/groups', { name: 'Empty shelf' })).json
  const missing = await ada.write('PUT', `/groups/${group.id}/items/digital_product/dpr_${'0'.repeat(26)}`)
  assert.deepEqual([missing.status, missing.json.code], [422, 'unknown_item'], missing.text)
})
