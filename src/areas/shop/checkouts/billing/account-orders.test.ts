import assert from 'node:assert/strict'
import { fromId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { checkout, once, quote, sell } from '#testing/orders.ts'
import { sellingSettings } from '#testing/selling.ts'

const app = testApp()
const test = ledgerTest(app)

const SCOPES = ['courses:read', 'courses:write', 'school:read', 'school:write', 'orders:read']
const staff = () => app.actor('ada', { scopes: SCOPES })
const buyer = (name: 'dev' | 'eli' | 'femi' = 'femi') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })

const taxed = {
  mode: 'exclusive',
  rates: [
    { country: 'PT', percent: '23', name: 'IVA' },
    { country: '*', percent: '0', name: 'VAT' },
  ],
}
const seller = {
  name: 'Crumb & Crust, Lda.',
  tax_id: 'PT123456789',
  address: { line1: 'Rua do Forno 12', line2: null, postal_code: null, city: 'Lisboa', region: null, country: 'PT' },
}

test('a school that taxes where buyers live asks for the country, and the quote has its tax', async () => {
  const set = sellingSettings(app)
  const { priceId } = await sell(await staff(), 'Taxed', [once(1000)])
  const femi = await buyer()
  await set({ tax: taxed, legal: seller })
  const without = await quote(femi, [priceId])
  assert.deepEqual(
    [without.status, without.json.errors.map(({ pointer }: { pointer: string }) => pointer)],
    [422, ['/billing/country']],
  )
  const quoted = async (billing: object) => (await quote(femi, [priceId], { billing })).json.result
  const lisbon = await quoted({ country: 'PT' })
  assert.deepEqual([lisbon.tax_total, lisbon.total, lisbon.lines[0].tax_percent], [230, 1230, '23'])
  assert.deepEqual(lisbon.tax, { mode: 'exclusive', country: 'PT', reverse_charge: false })
  assert.deepEqual([(await quoted({ country: 'BR' })).tax_total], [0])
  await set({ tax: { ...taxed, reverse_charge: true }, legal: seller })
  const business = await quoted({ country: 'DE', tax_id: 'DE123456789' })
  assert.deepEqual([business.tax_total, business.tax.reverse_charge], [0, true])
  await set({})
})

test('billing of a pending order changes unless the tax would, and totals stay when the settings change', async () => {
  const set = sellingSettings(app)
  const { priceId } = await sell(await staff(), 'Billed', [once(1000)])
  const femi = await buyer()
  await set({ tax: taxed, legal: seller })
  const { json: order } = await checkout(femi, [priceId], { billing: { country: 'PT', company: 'Padaria' } })
  const path = `/account/orders/${order.id}/billing`
  const address = { line1: 'Rua 1', city: 'Porto' }
  const { status, json } = await femi.write('PATCH', path, { address, company: null })
  assert.deepEqual([status, json.billing.address, json.billing.company, json.revision], [200, address, null, 2])
  const same = await femi.write('PATCH', path, { address })
  assert.deepEqual([same.status, same.json.revision], [200, 2])
  const other = await femi.write('PATCH', path, { country: 'BR' })
  assert.deepEqual([other.status, other.json.code], [409, 'billing_changes_tax'])
  const wrong = await femi.write('PATCH', path, { tax_id: 'PT1' })
  assert.deepEqual([wrong.status, wrong.json.errors[0].pointer], [422, '/billing/tax_id'])
  await set({})
  const later = await femi.get(`/account/orders/${order.id}`)
  assert.deepEqual([later.json.total, later.json.tax_total, later.json.lines], [1230, 230, order.lines])
  await femi.write('DELETE', `/account/orders/${order.id}`)
  const canceled = await femi.write('PATCH', path, { company: 'Late' })
  assert.deepEqual([canceled.status, canceled.json.code], [409, 'invalid_state'])
})

test('names and prices of an order stay when the course and its price change', async () => {
  const ada = await staff()
  const femi = await buyer()
  const { id, priceId } = await sell(ada, 'Name of then', [once(1000), once(2000)])
  const { json: order } = await checkout(femi, [priceId])
  assert.equal((await ada.write('PATCH', `/courses/${id}`, { name: 'Another name' })).status, 200)
  assert.equal((await ada.write('DELETE', `/courses/${id}/prices/${priceId}`)).status, 200)
  const { json } = await femi.get(`/account/orders/${order.id}`)
  assert.deepEqual([json.lines, json.total], [order.lines, 1000])
  await femi.write('DELETE', `/account/orders/${order.id}`)
})

test('terms and the waiver are accepted where the school wants them, and kept with their text', async () => {
  const set = sellingSettings(app)
  const { priceId } = await sell(await staff(), 'Agreed')
  const femi = await buyer()
  await set({ checkout: { withdrawal_waiver: { text: 'I begin at once.', required: true } } })
  const without = await checkout(femi, [priceId])
  assert.deepEqual(
    [without.status, without.json.errors.map(({ pointer }: { pointer: string }) => pointer)],
    [422, ['/waive_withdrawal']],
  )
  const { status, json } = await checkout(femi, [priceId], { waive_withdrawal: true })
  assert.equal(status, 201)
  await set({})
  const read = await femi.get(`/account/orders/${json.id}`)
  assert.deepEqual(read.json.withdrawal_waiver, { text: 'I begin at once.', accepted_at: json.created_at })
  assert.equal(read.json.terms, null)
  await femi.write('DELETE', `/account/orders/${json.id}`)
})

test('an order keeps the version of the page of terms that the buyer accepted', async () => {
  const ada = await app.actor('ada', { scopes: ['pages:read', 'pages:write'] })
  const page = await ada.write('POST', '/pages', { title: 'Terms', blocks: [{ type: 'text', body: 'First' }] })
  assert.equal(page.status, 201, page.text)
  const { id } = page.json
  await ada.write('PUT', `/pages/${id}/publication`, {})
  await ada.write('PATCH', `/pages/${id}`, { blocks: [{ type: 'text', body: 'Second' }] })
  const set = sellingSettings(app)
  await set({ checkout: { terms_page_id: fromId('pag', id) } })
  const { priceId } = await sell(await staff(), 'By terms')
  const femi = await buyer()
  const without = await checkout(femi, [priceId])
  assert.deepEqual([without.status, without.json.errors[0].pointer], [422, '/accept_terms'])
  const order = await checkout(femi, [priceId], { accept_terms: true })
  assert.equal(order.status, 201, order.text)
  assert.deepEqual(order.json.terms, { page_version: 1, accepted_at: order.json.created_at })
  await set({})
  await femi.write('DELETE', `/account/orders/${order.json.id}`)
})
