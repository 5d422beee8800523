import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { type Sale, sales, saleTo, sold } from '#testing/sales.ts'
import { isOrderOf } from './index.ts'

const app = testApp({ moreAreas: [sales] })

const owner = () => app.actor('ada', { scopes: ['orders:read', 'members:read'] })

const readId = async (name: PersonName): Promise<string> =>
  (await (await owner()).get(`/members?email=${name}@crumb.example`)).json.data[0].id

const sell = async (name: PersonName, more: Partial<Sale> = {}) => sold(await owner(), saleTo(await readId(name), more))

test('a person reads the invoices of their own order, and of no other', async () => {
  const [dev, eli, ada] = await Promise.all(
    (['dev', 'eli', 'ada'] as const).map(name => app.actor(name, { scopes: ['account:read'] })),
  )
  const invoice = await sell('dev')
  const path = `/account/orders/${invoice.order_id}/invoices`
  const own = await dev?.get(path)
  assert.deepEqual(
    own?.json.data.map(({ id }: { id: string }) => id),
    [invoice.id],
  )
  assert.deepEqual(own?.json.data[0], invoice)
  const unknown = await dev?.get(`/account/orders/${toId('ord', newUuid(0))}/invoices`)
  for (const other of [eli, ada]) {
    const reply = await other?.get(path)
    assert.deepEqual([reply?.status, reply?.json.detail], [404, unknown?.json.detail])
  }
  assert.equal((await dev?.get(`/invoices/${invoice.id}`))?.status, 403)
})

test('the order of a person without an invoice has an empty list, and is nothing to others', async () => {
  const orderId = toId('ord', newUuid(0))
  const dev = fromId('mem', await readId('dev'))
  isOrderOf.set('sales', async input => toId('ord', input.orderId) === orderId && input.memberId === dev)
  const path = `/account/orders/${orderId}/invoices`
  const replies = await Promise.all(
    (['dev', 'eli'] as const).map(async name => (await app.actor(name, { scopes: ['account:read'] })).get(path)),
  )
  assert.deepEqual(
    replies.map(({ status, json }) => [status, json.data]),
    [
      [200, []],
      [404, undefined],
    ],
  )
})

test('an order of two buyers, as after a mistake, shows each their own invoices', async () => {
  const first = await sell('dev')
  const second = await sell('eli', { order_id: first.order_id })
  const eli = await app.actor('eli', { scopes: ['account:read'] })
  const { json } = await eli.get(`/account/orders/${first.order_id}/invoices`)
  assert.deepEqual(
    json.data.map(({ id }: { id: string }) => id),
    [second.id],
  )
})
