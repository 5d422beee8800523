import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beginPayment } from '#src/areas/shop/index.ts'
import { people } from '#src/demo/index.ts'
import { purposeKey } from '#src/kit/crypto.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import type { Actor } from './actor.ts'
import type { PersonName, TestApp } from './app.ts'
import type { TestReply } from './http.ts'

/** Asks for the payment of an order, with a new key. */
export const askToPay = (buyer: Actor, orderId: string, body: object): Promise<TestReply> =>
  buyer.write('POST', `/account/orders/${orderId}/payments`, body, { 'idempotency-key': randomUUID() })

type Paying = { readonly number: string; readonly payments: readonly { readonly id: string }[] }

/** Opens the page of the provider of test payments for the latest payment of an order; returns its path. */
export const openPage = async (app: TestApp, order: Paying, minutes = 30): Promise<string> => {
  const { number: reference, payments } = order
  const database = app.database.elsewhere()
  const keyFor = (purpose: string) => purposeKey(app.secret, purpose)
  const now = await database.transaction(app.a.id, async (_, at) => at)
  const back = `${app.a.baseUrl}/account/orders/${reference}`
  const page = { reference, description: 'A course', returnUrl: back, cancelUrl: back, locale: 'en' }
  const begun = await beginPayment(
    { database, school: app.a, keyFor },
    {
      ...page,
      paymentId: fromId('pay', payments.at(-1)?.id ?? '') ?? '',
      endsAt: new Date(now.getTime() + minutes * 60_000),
    },
  )
  return 'redirect' in begun ? new URL(begun.redirect).pathname : assert.fail('no page')
}

/** Presses a button of the page of a test payment, which has to be there. */
export const pressOn = async (app: TestApp, path: string, action: string): Promise<void> => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: app.a.baseUrl }
  const { status, text } = await app.send({ method: 'POST', path, headers, body: `action=${action}` })
  assert.equal(status, 303, text)
}

/** Saves another payment method of somebody who has one, with which nothing is charged; returns its id. */
export const addUnusedMethod = async (app: TestApp, name: PersonName): Promise<string> => {
  const [row] = await app.database.query<{ id: string }>(
    `insert into payment_methods
       (school_id, id, member_id, provider, payment_id, customer_ref, method_ref, brand, last4, created_at)
     select m.school_id, gen_random_uuid(), m.member_id, m.provider, p.id, m.customer_ref, 'unused', 'visa', '1111', m.created_at
     from payment_methods m join members on members.id = m.member_id and members.email = $2, payments p
     where m.school_id = $1 and m.ended_at is null and p.school_id = $1
       and not exists (select from payment_methods o where o.school_id = $1 and o.payment_id = p.id)
     limit 1 returning id`,
    [app.a.id, people[name].email],
  )
  return row === undefined ? assert.fail('nobody could save it') : toId('pym', row.id)
}
