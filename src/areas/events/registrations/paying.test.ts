import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before } from 'node:test'
import { testApp } from '#testing/app.ts'
import { eventScopes, makeEvent, registrationScopes } from '#testing/events.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type OutsideProvider, startOutsideProvider } from '#testing/outside-provider.ts'
import { setProvider } from '#testing/payments.ts'
import { askForPayment, beginLatest } from '#testing/test-payments.ts'

const app = testApp()
const test = ledgerTest(app)
let outside: OutsideProvider
before(async () => {
  outside = await startOutsideProvider()
  await setProvider(app, 'outside', { secrets: outside.secrets })
})
after(() => outside?.stop())

const staff = () => app.actor('ada', { scopes: eventScopes })
const buyer = () => app.actor('femi', { scopes: registrationScopes })

/** What a provider is told when somebody pays for a ticket to an event that begins then. */
const readPage = async (startsAt: Date) => {
  const femi = await buyer()
  const event = await makeEvent(
    app,
    await staff(),
    { starts_at: { local: startsAt.toISOString().slice(0, 16), time_zone: 'UTC' } },
    [{ name: 'Regular', amount: 4900 }],
  )
  const bought = await femi.write(
    'POST',
    '/account/checkouts',
    { items: [{ price_id: event.priceId }], billing: { name: 'Femi at the desk', country: 'PT' } },
    { 'idempotency-key': randomUUID() },
  )
  assert.equal(bought.status, 201, bought.text)
  const order = await askForPayment(femi, bought.json.id, 'outside')
  outside.fail('pages', 'lost')
  await assert.rejects(beginLatest(app, order.number))
  await beginLatest(app, order.number)
  const page = outside.pages.get(order.payments.at(-1).id)
  assert.ok(page)
  return page
}

test('a page is told who pays and where to report, and offers no method that takes days for what begins within a week', async () => {
  const now = (await app.database.query<{ now: Date }>('select stoa.now() as now'))[0]?.now ?? new Date(0)
  const inHours = (hours: number) => new Date(now.getTime() + hours * 3600 * 1000)
  const soon = await readPage(inHours(7 * 24 - 1))
  assert.equal(soon.delays, 'refused')
  assert.deepEqual(soon.buyer, { email: 'femi@crumb.example', name: 'Femi at the desk', country: 'PT' })
  assert.equal(soon.webhookUrl, `${app.a.baseUrl}/webhooks/outside`)
  assert.equal((await readPage(inHours(7 * 24 + 2))).delays, 'allowed')
})
