import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { decide, sell } from '#testing/orders.ts'
import { openPage } from '#testing/paying.ts'
import { callProvider, setProvider } from '#testing/payments.ts'
import {
  monthly,
  passDays,
  payWith,
  readPeriods,
  readSubscription,
  settledNow,
  subscribe,
  useProviders,
} from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
after(() => mailbox.stop())

const SCOPES = ['courses:read', 'courses:write', 'account:read', 'account:write']

type Shown = { readonly state: string; readonly reference: string | null }

const countPaid = async (): Promise<number> =>
  (await app.database.query(`select from payments where provider = 'test' and state = 'succeeded' and amount > 0`))
    .length

const use = (word: string) => callProvider(app, 'setProviderUse', 'test', { use: word })

test('who pays through a provider that is used for nothing is mailed once, and is past due with the next charge', async () => {
  await useProviders(app)
  const course = await sell(await app.actor('ada', { scopes: SCOPES }), 'Renews no more', [monthly(900)])
  const orders: Awaited<ReturnType<typeof subscribe>>[] = []
  for (const name of ['dev', 'femi'] as const)
    orders.push(await subscribe(app, await app.actor(name, { scopes: SCOPES }), course.priceId))
  const transfer = await subscribe(app, await app.actor('eli', { scopes: SCOPES }), course.priceId, {
    provider: 'manual',
  })
  const statuses = () =>
    Promise.all(
      orders.map(async ({ id }) => [(await readSubscription(app, id)).status, (await readPeriods(app, id)).length]),
    )
  await use('renewals')
  await passDays(app, 31)
  assert.deepEqual(await statuses(), [
    ['active', 2],
    ['active', 2],
  ])
  const paid = await countPaid()
  const { counts } = await use('nothing')
  assert.equal(counts.subscriptions, 2)
  for (const name of ['dev', 'femi'] as const) {
    const [mail] = await mailbox.waitFor(`${name}@crumb.example`, 1, /choose how to pay/)
    assert.match(mail?.email.text ?? '', /account\/subscriptions\/sub_/)
  }
  await passDays(app, 31)
  assert.deepEqual(
    (await statuses()).map(([status]) => status),
    ['past_due', 'past_due'],
  )
  assert.equal(await countPaid(), paid, 'nobody was charged')
  const mails = mailbox.arrived.filter(({ email }) => /choose how to pay/.test(email.subject ?? ''))
  assert.equal(mails.length, 2, `only who is charged through it is mailed, and not ${transfer.number}`)
})

test('with its provider removed a subscription is past due with its next charge, is refunded by a transfer, and goes on with another way', async () => {
  await useProviders(app)
  await use('everything')
  const course = await sell(await app.actor('ada', { scopes: SCOPES }), 'Of a removed provider', [monthly(900)])
  const member = await app.actor('carla', { scopes: SCOPES })
  const { id, number } = await subscribe(app, member, course.priceId)
  await settledNow(app)
  await setProvider(app, 'test')
  const paid = await countPaid()
  await passDays(app, 31)
  const { status, id: row } = await readSubscription(app, id)
  assert.deepEqual([status, await countPaid()], ['past_due', paid])
  await mailbox.waitFor('carla@crumb.example', 1, /needs a card|The payment for|change your card/)

  await decide(app, 'refundOrder', id, { amount: 400, reason: 'requested' })
  const ada = await app.actor('ada', { scopes: ['orders:read'] })
  const { json } = await ada.get(`/orders/${id}`)
  assert.deepEqual(
    [json.refunded_total, json.refunds.map(({ state, reference }: Shown) => [state, reference])],
    [400, [['succeeded', null]]],
  )
  const [told] = await mailbox.waitFor('ada@crumb.example', 1, new RegExp(`for order ${number}`))
  assert.match(told?.email.text ?? '', /Transfer it to the buyer yourself/)
  await mailbox.waitFor('carla@crumb.example', 1, new RegExp(`${number}.*refund|refund.*${number}`, 'i'))

  await setProvider(app, 'test', {})
  const again = await app.actor('carla', { scopes: SCOPES })
  const path = `/account/subscriptions/${toId('sub', row)}/payment-methods`
  const asked = await again.write('POST', path, { provider: 'test' }, { 'idempotency-key': randomUUID() })
  assert.equal(asked.status, 201, asked.text)
  await payWith(app, await openPage(app, { number, payments: [asked.json] }), 'works')
  await until(async () => (await readSubscription(app, id)).status === 'active', 'the period is paid')
  assert.equal(await countPaid(), paid + 1)
})
