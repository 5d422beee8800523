import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { BegunPayment } from '#src/areas/payments/index.ts'
import { people } from '#src/demo/index.ts'
import { testApp } from '#testing/app.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { type OutsideProvider, startOutsideProvider } from '#testing/outside-provider.ts'
import { act, done, purchaseNow, purchaseWhen, setProvider } from '#testing/payments.ts'
import { PURCHASES, type Purchase, purchases } from '#testing/purchases.ts'

let mailbox: Mailbox
const app = testApp({
  moreAreas: [purchases],
  moreTables: PURCHASES,
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
let outside: OutsideProvider
let member = ''
before(async () => {
  outside = await startOutsideProvider()
  await setProvider(app, 'stripe', outside.secrets)
  const [row] = await app.database.query<{ id: string }>('select id from members where school_id = $1 and email = $2', [
    app.a.id,
    people.dev.email,
  ])
  member = row?.id ?? ''
})
after(async () => {
  await outside.stop()
  await mailbox.stop()
})

const EUR = { currency: 'EUR', amount: 4900 } as const

const place = (more: object = {}): Promise<Purchase> =>
  done(app, 'place', { member, provider: 'stripe', ...EUR, ...more })

test('a page is opened once', async () => {
  const purchase = await place()
  const [payment] = purchase.payments
  const first = await done<BegunPayment>(app, 'begin', { payment: payment?.id })
  assert.deepEqual(await done(app, 'begin', { payment: payment?.id }), first)
  assert.equal((await purchaseNow(app, purchase)).payments[0]?.state, 'open')
})
