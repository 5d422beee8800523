import assert from 'node:assert/strict'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { checkout, decide, once, quote, sell } from '#testing/orders.ts'
import { sellingSettings } from '#testing/selling.ts'

const app = testApp()
const test = ledgerTest(app)

const SCOPES = ['courses:read', 'courses:write', 'coupons:read', 'coupons:write', 'orders:read']
const staff = () => app.actor('ada', { scopes: [...SCOPES, 'school:read', 'school:write'] })
const buyer = () => app.actor('femi', { scopes: ['account:read', 'account:write', 'courses:read'] })

const rates = (percent: string) => [{ country: '*', percent, name: 'VAT' }]

test('G-14 G-17 a pending order keeps what was agreed, whatever of it changes meanwhile, and is paid and given by it', async () => {
  const set = sellingSettings(app)
  const [ada, femi] = [await staff(), await buyer()]
  const rename = async (name: string) =>
    ada.write('PATCH', '/school', { name }, { 'if-match': String((await ada.get('/school')).headers.etag) })
  const { id, priceId } = await sell(ada, 'As it was', [once(10_000), once(90_000)])
  const { json: coupon } = await ada.write('POST', '/coupons', { name: 'Then', kind: 'percent', percent_off: '10' })
  await ada.write('POST', `/coupons/${coupon.id}/codes`, { code: 'THEN' })
  await set({ tax: { mode: 'exclusive', rates: rates('23') } })
  const placed = await checkout(femi, [priceId], { codes: ['then'], billing: { country: 'PT' } })
  assert.equal(placed.status, 201, placed.text)
  assert.deepEqual([placed.json.total, placed.json.tax_total], [11_070, 2070])
  await set({ tax: { mode: 'inclusive', rates: rates('5') } })
  const deleting = await ada.write('DELETE', `/courses/${id}`)
  assert.deepEqual([deleting.status, deleting.json?.code], [409, 'course_in_use'])
  const changes = [
    await ada.write('DELETE', `/courses/${id}/prices/${priceId}`),
    await ada.write('PATCH', `/courses/${id}`, { name: 'As it is now' }),
    await ada.write('PATCH', `/coupons/${coupon.id}`, { active: false }),
    await ada.write('PUT', `/courses/${id}/archive`, {}),
    await rename('Another name'),
  ]
  assert.deepEqual(
    changes.map(({ status }) => status),
    [200, 200, 200, 200, 200],
    changes.map(({ text }) => text).join('\n'),
  )
  const agreed = ({ lines, total, tax_total, discount_total, codes, currency }: Record<string, unknown>) => ({
    lines: (lines as object[]).map(line => ({ ...line, fulfilled_at: null })),
    ...{ total, tax_total, discount_total, codes, currency },
  })
  await decide(app, 'confirmPayment', placed.json.id, {})
  const { json: paid } = await femi.get(`/account/orders/${placed.json.id}`)
  assert.deepEqual(agreed(paid), agreed(placed.json))
  assert.deepEqual([paid.status, paid.paid_total], ['paid', 11_070])
  assert.notEqual(paid.lines[0].fulfilled_at, null)
  await rename(app.a.name)
  await set({})
})

test('by reverse charge the buyer of an inclusive price pays the price that is shown, without tax in it', async () => {
  const set = sellingSettings(app)
  const [ada, femi] = [await staff(), await buyer()]
  const { priceId } = await sell(ada, 'To a business', [once(12_300)])
  await set({
    tax: { mode: 'inclusive', rates: rates('23'), reverse_charge: true },
    legal: {
      name: 'Crumb & Crust, Lda.',
      tax_id: 'PT123456789',
      address: { line1: 'Rua 1', line2: null, postal_code: null, city: 'Lisboa', region: null, country: 'PT' },
    },
  })
  const sums = async (billing: object) => {
    const { subtotal, tax_total, total, tax } = (await quote(femi, [priceId], { billing })).json.result
    return [subtotal, tax_total, total, tax.reverse_charge]
  }
  assert.deepEqual(await sums({ country: 'DE' }), [12_300, 2300, 12_300, false])
  assert.deepEqual(await sums({ country: 'DE', tax_id: 'DE123456789' }), [12_300, 0, 12_300, true])
  await set({})
})
