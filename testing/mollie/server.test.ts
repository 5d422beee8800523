import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Notice } from '../payment-suite/provider.ts'
import { type MollieServer, startMollie } from './server.ts'

let server: MollieServer
const notices: Notice[] = []
before(async () => {
  server = await startMollie({
    post: async notice => {
      notices.push(notice)
      return 200
    },
  })
})
after(() => server?.stop())

type Answered = { readonly status: number; readonly json: Record<string, unknown> }

const call = async (
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answered> => {
  const reply = await fetch(`${server.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${server.secrets.api_key}`, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { status: reply.status, json: text === '' ? {} : JSON.parse(text) }
}

const payment = (id: string, more: object = {}): object => ({
  amount: { currency: 'EUR', value: '49.00' },
  description: 'A course',
  redirectUrl: 'https://school.example/back',
  cancelUrl: 'https://school.example/left',
  webhookUrl: `https://school.example/webhooks/mollie?payment=${id}&key=abc`,
  metadata: { stoa_payment: id },
  ...more,
})

const create = async (id: string, more: object = {}, key = id): Promise<Answered> =>
  call('POST', '/v2/payments', payment(id, more), { 'idempotency-key': key })

const press = (id: unknown, action: string, more = ''): Promise<Response> =>
  fetch(`${server.origin}/checkout/${id}`, {
    method: 'POST',
    body: new URLSearchParams(`action=${action}${more}`),
    redirect: 'manual',
  })

test('answers its calls alone, to its key alone, and refuses what Mollie refuses', async () => {
  assert.equal((await call('GET', '/v2/settlements')).status, 404)
  assert.equal((await call('GET', '/v2/methods', undefined, { authorization: 'Bearer test_other' })).status, 401)
  const refused: [object, string][] = [
    [{ amount: { currency: 'EUR', value: '49' } }, 'amount'],
    [{ amount: { currency: 'JPY', value: '49.00' } }, 'amount'],
    [{ amount: { currency: 'EUR', value: '0.00' } }, 'amount'],
    [{ redirectUrl: undefined }, 'redirectUrl'],
    [{ webhookUrl: 'http://localhost:3000/webhooks/mollie' }, 'webhookUrl'],
    [{ method: ['creditcard', 'klarna'] }, 'method'],
    [{ method: [] }, 'method'],
    [{ sequenceType: 'first', customerId: 'cst_none' }, 'customerId'],
    [{ sequenceType: 'sometimes' }, 'sequenceType'],
    [{ locale: 'pt' }, 'locale'],
    [{ metadata: { stoa_payment: 'x'.repeat(2000) } }, 'metadata'],
    [{ dueDate: '2026-12-01' }, 'dueDate'],
  ]
  for (const [more, field] of refused) {
    const { status, json } = await create(`pay_${field}`, more)
    assert.deepEqual([status, json.field], [422, field])
  }
  assert.deepEqual((await server.controls.readBooks()).effects, [])
})

test('a key has one effect for an hour of the clock of the server, with equal parameters', async () => {
  const first = await create('pay_key')
  assert.equal(first.status, 201)
  assert.deepEqual(await create('pay_key'), first)
  assert.equal((await create('pay_key', { description: 'Another course' })).status, 422)
  server.controls.moveClock(3599)
  assert.deepEqual(await create('pay_key'), first)
  server.controls.moveClock(2)
  assert.notEqual((await create('pay_key')).json.id, first.json.id)
  const { effects } = await server.controls.readBooks()
  assert.deepEqual(effects, ['page pay_key', 'page pay_key'])
})

test('a page is paid or left by its buttons, and ends by the clock', async () => {
  const { json } = await create('pay_page')
  const page = await (await fetch(`${server.origin}/checkout/${json.id}`)).text()
  for (const text of ['A course: 49.00 EUR', 'value="pay"', 'value="leave"']) assert.ok(page.includes(text), text)
  assert.ok(!page.includes('value="authenticate"'))
  assert.equal((await press(json.id, 'ask_person')).headers.get('location'), `/checkout/${json.id}`)
  notices.length = 0
  assert.equal((await press(json.id, 'pay')).headers.get('location'), 'https://school.example/back')
  assert.deepEqual(
    notices.map(({ body, query }) => [body, query]),
    [[`id=${json.id}`, 'payment=pay_page&key=abc']],
  )
  assert.equal((await press(json.id, 'pay')).status, 409)
  const declined = (await create('pay_declined')).json
  assert.equal((await press(declined.id, 'decline')).headers.get('location'), 'https://school.example/back')
  assert.equal((await call('GET', `/v2/payments/${declined.id}`)).json.status, 'failed')
  const left = (await create('pay_left')).json
  assert.equal((await press(left.id, 'leave')).headers.get('location'), 'https://school.example/left')
  assert.equal((await call('GET', `/v2/payments/${left.id}`)).json.status, 'canceled')
  const late = (await create('pay_late')).json
  server.controls.moveClock(15 * 60)
  assert.equal((await call('GET', `/v2/payments/${late.id}`)).json.status, 'expired')
  assert.equal(notices.at(-1)?.body, `id=${late.id}`)
})

test('lists payments in pages, newest first', async () => {
  const ids: unknown[] = []
  for (const name of ['one', 'two', 'three']) ids.unshift((await create(`pay_${name}`)).json.id)
  type List = { _embedded: { payments: { id: string }[] }; _links: { next: { href: string } | null } }
  const first = (await call('GET', '/v2/payments?limit=2')).json as List
  const { pathname, search } = new URL(first._links.next?.href ?? '')
  const second = (await call('GET', pathname + search)).json as List
  const listed = [...first._embedded.payments, ...second._embedded.payments].map(({ id }) => id)
  assert.deepEqual(listed.slice(0, 3), ids)
  assert.equal((await call('GET', '/v2/payments?limit=251')).status, 422)
})

test('a saved account is debited over days, and its chargeback is final; a card answers at once', async () => {
  const { json: customer } = await call('POST', '/v2/customers', { name: 'Dev', email: 'dev@mail.example' })
  const outcomes: Record<string, unknown>[] = []
  for (const behaviour of ['works', 'declines', 'takes_long']) {
    const { json } = await create(`pay_${behaviour}`, { sequenceType: 'first', customerId: customer.id })
    await press(json.id, 'pay', `&saves=${behaviour}`)
    const { mandateId } = (await call('GET', `/v2/payments/${json.id}`)).json
    const charge = { sequenceType: 'recurring', customerId: customer.id, mandateId, redirectUrl: undefined }
    outcomes.push((await create(`pay_${behaviour}_again`, charge)).json)
  }
  assert.deepEqual(
    outcomes.map(({ status, method }) => [status, method]),
    [
      ['paid', 'creditcard'],
      ['failed', 'creditcard'],
      ['pending', 'directdebit'],
    ],
  )
  await server.controls.act('pay_takes_long_again', { does: 'settle' })
  await server.controls.act('pay_takes_long_again', { does: 'charge_back' })
  await server.controls.act('pay_works_again', { does: 'charge_back', amount: 1000 })
  const disputes = (id: string) =>
    server.controls.readBooks().then(({ payments }) => payments.find(({ paymentId }) => paymentId === id)?.disputes)
  assert.deepEqual(await disputes('pay_takes_long_again'), [{ amount: 4900, state: 'lost' }])
  assert.deepEqual(await disputes('pay_works_again'), [{ amount: 1000, state: 'open' }])
  assert.equal((await call('DELETE', `/v2/customers/${customer.id}`)).status, 204)
  assert.equal((await call('DELETE', `/v2/customers/${customer.id}`)).status, 410)
})
