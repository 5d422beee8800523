import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'

const app = testApp()
const ONCE = { payment_type: 'one_time', amount: 1000 }

const kinds = [
  { path: '/courses', scope: 'courses', body: { name: 'Rye' } },
  { path: '/digital-products', scope: 'digital_products', body: { name: 'Rye' } },
  { path: '/membership-plans', scope: 'membership_plans', body: { name: 'Rye', plan_type: 'lifetime' } },
]

for (const { path, scope, body } of kinds)
  test(`${path}: a price replaces another, the oldest on sale becomes primary, and no retired one does`, async () => {
    const ada = await app.actor('ada', { scopes: [`${scope}:read`, `${scope}:write`] })
    const item = `${path}/${(await ada.write('POST', path, body)).json.id}`
    const create = async (input: object) => ada.write('POST', `${item}/prices`, input)
    const first = (await create(ONCE)).json
    assert.equal(first.is_primary, true)
    const second = (await create({ ...ONCE, amount: 2000, replaces: first.id })).json
    assert.equal(second.is_primary, true)
    const again = await create({ ...ONCE, replaces: first.id })
    assert.deepEqual([again.status, again.json.code], [409, 'price_archived'])
    const third = (await create(ONCE)).json
    const chosen = await ada.write('PUT', `${item}/primary-price`, { price_id: third.id })
    assert.deepEqual([chosen.status, chosen.json.primary_price.id], [200, third.id], chosen.text)
    const retired = (await ada.write('DELETE', `${item}/prices/${third.id}`)).json
    assert.deepEqual([retired.status, retired.is_primary], ['retired', false])
    assert.equal((await ada.get(item)).json.primary_price.id, second.id)
    const refused = await ada.write('PUT', `${item}/primary-price`, { price_id: first.id })
    assert.deepEqual([refused.status, refused.json.code], [409, 'price_archived'])
    const onSale = (await ada.get(`${item}/prices?status=active`)).json
    assert.deepEqual([onSale.data.map((one: { id: string }) => one.id), onSale.has_access], [[second.id], false])
  })
