import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beginPayment } from '#src/areas/shop/index.ts'
import { purposeKey } from '#src/kit/crypto.ts'
import type { Actor } from './actor.ts'
import type { TestApp } from './app.ts'

/** Asks for the payment of an order through a provider, which has to be accepted; returns the order. */
export const askForPayment = async (buyer: Actor, orderId: string, provider: string) => {
  const path = `/account/orders/${orderId}/payments`
  const { status, json, text } = await buyer.write('POST', path, { provider }, { 'idempotency-key': randomUUID() })
  assert.equal(status, 201, text)
  return json
}

/** Begins the latest payment of an order of the first school, as its page does; returns the address of the provider's page. */
export const beginLatest = async (app: TestApp, number: string): Promise<string> => {
  const [payment] = await app.database.query<{ id: string }>(
    `select p.id from payments p join orders o on o.school_id = p.school_id and o.id = p.order_id
     where o.school_id = $1 and o.number = $2 order by p.id desc limit 1`,
    [app.a.id, number],
  )
  const database = app.database.elsewhere()
  const keyFor = (purpose: string) => purposeKey(app.secret, purpose)
  const now = await database.transaction(app.a.id, async (_, at) => at)
  const back = `${app.a.baseUrl}/account/orders/${number}`
  const begun = await beginPayment(
    { database, school: app.a, keyFor },
    {
      ...{ paymentId: String(payment?.id), reference: number, description: 'A course' },
      ...{ returnUrl: back, cancelUrl: back, locale: 'en', endsAt: new Date(now.getTime() + 30 * 60_000) },
    },
  )
  return 'redirect' in begun ? begun.redirect : assert.fail('no page')
}

/** Does something on the page of a test payment. */
export const onTestPage = async (app: TestApp, page: string, action: string): Promise<void> => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: app.a.baseUrl }
  const path = new URL(page).pathname
  const { status, text } = await app.send({ method: 'POST', path, headers, body: `action=${action}` })
  assert.equal(status, 303, text)
}

/** Asks for a test payment of an order and does something on its page; returns the address of the page. */
export const payByTest = async (
  app: TestApp,
  buyer: Actor,
  order: { readonly id: string; readonly number: string },
  action = 'pay',
): Promise<string> => {
  await askForPayment(buyer, order.id, 'test')
  const page = await beginLatest(app, order.number)
  await onTestPage(app, page, action)
  return page
}
