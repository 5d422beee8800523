import assert from 'node:assert/strict'
import { after } from 'node:test'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { sell } from '#testing/orders.ts'
import { callProvider } from '#testing/payments.ts'
import { monthly, passDays, readPeriods, readSubscription, subscribe, useProviders } from '#testing/subscriptions.ts'

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

const countPaid = async (): Promise<number> =>
  (await app.database.query(`select from payments where provider = 'test' and state = 'succeeded'`)).length

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
