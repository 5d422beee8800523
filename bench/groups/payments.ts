import { createHmac, randomInt, randomUUID } from 'node:crypto'
import { computeSignature, SIGNATURE_HEADER } from '#src/areas/shop/test-payments/writes.ts'
import { purposeKey } from '#src/kit/crypto.ts'
import { checkout, once, sell } from '#testing/orders.ts'
import { setProvider } from '#testing/payments.ts'
import type { BenchRequest } from '../measure.ts'
import { BARE_SIGNATURE } from '../rivals/bare.ts'
import type { Group } from './group.ts'
import { type BenchSchool, compareWithBare } from './school.ts'

const SALES = ['courses:read', 'courses:write', 'account:read', 'account:write']

type Sign = (body: Buffer) => Readonly<Record<string, string>>

// A provider sends an event once unless it gets no answer, so each has an id of its own. They come from many networks, as the
// others' requests do.
const buildNotice = (payment: string, host: string, sign: Sign): Pick<BenchRequest, 'headers' | 'body'> => {
  const body = JSON.stringify({ id: `evt_${randomUUID()}`, type: 'test_payment.pay', payment })
  const from = `10.0.${randomInt(256)}.${randomInt(256)}`
  const headers = { host, 'x-forwarded-for': from, 'content-type': 'application/json', ...sign(Buffer.from(body)) }
  return { headers, body }
}

const signBare: Sign = body => ({
  [BARE_SIGNATURE.header]: createHmac('sha256', BARE_SIGNATURE.key).update(body).digest('hex'),
})

// A course on sale, and a payment by test payments that waits for its buyer.
const openPayment = async ({ app }: BenchSchool): Promise<{ readonly price: string; readonly payment: string }> => {
  await setProvider(app, 'test', {})
  const [ada, dev] = [await app.actor('ada', { scopes: SALES }), await app.actor('dev', { scopes: SALES })]
  const { priceId: price } = await sell(ada, 'Bread for the bench', [once()])
  const order = await checkout(dev, [price])
  const path = `/account/orders/${order.json.id}/payments`
  const asked = await dev.write('POST', path, { provider: 'test' }, { 'idempotency-key': randomUUID() })
  const payment = asked.json.payments?.[0]?.id
  if (payment === undefined) throw new Error(`no payment was asked for: ${asked.text.slice(0, 300)}`)
  return { price, payment }
}

/** Notices of a provider about a payment, and the first page of the checkout. */
export const payments = (): Promise<Group> =>
  compareWithBare(async school => {
    const { app, anonymous, read } = school
    const { price, payment } = await openPayment(school)
    const host = new URL(app.a.baseUrl).host
    const keyFor = (purpose: string) => purposeKey(app.secret, purpose)
    const sign: Sign = body => ({ [SIGNATURE_HEADER]: computeSignature(keyFor, app.a, body) })
    const post = (path: string, by: Sign): BenchRequest => {
      const renew = () => buildNotice(payment, host, by)
      return { method: 'POST', path, ...renew(), renew }
    }
    const page = `/checkout?price=${price}`
    return {
      cases: [
        {
          title: 'POST /webhooks/{provider} about a known payment',
          rival: 'a bare handler that checks an HMAC and inserts a row',
          target: 0.5,
          requests: [post('/webhooks/test', sign)],
          bare: [post('/webhooks/bare', signBare)],
        },
        {
          title: 'GET /checkout without a session',
          rival: 'a bare handler that returns a constant',
          requests: anonymous(page),
          bare: [{ path: '/checkout', headers: {} }],
        },
      ],
      constants: { '/checkout': await read(page) },
    }
  })
