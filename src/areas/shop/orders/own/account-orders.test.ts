import assert from 'node:assert/strict'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { checkout, sell } from '#testing/orders.ts'

const app = testApp()
const test = ledgerTest(app)

const staff = () => app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read'] })
const buyer = (name: 'eli' | 'femi') => app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })

test('a person sees and changes only their own orders', async () => {
  const { priceId } = await sell(await staff(), 'Mine')
  const [femi, eli] = [await buyer('femi'), await buyer('eli')]
  const { json } = await checkout(femi, [priceId])
  const unknown = await eli.get('/account/orders/ord_00000000000000000000000000')
  for (const ref of [json.id, `number:${json.number}`]) {
    const reply = await eli.get(`/account/orders/${ref}`)
    assert.deepEqual([reply.status, reply.json.detail], [404, unknown.json.detail])
    assert.equal((await eli.write('DELETE', `/account/orders/${ref}`)).status, 404)
    assert.equal((await eli.write('PATCH', `/account/orders/${ref}/billing`, { company: 'X' })).status, 404)
  }
  assert.equal((await femi.get(`/orders/${json.id}`)).status, 403)
  assert.deepEqual((await eli.get('/account/orders')).json.data, [])
  await femi.write('DELETE', `/account/orders/${json.id}`)
})
