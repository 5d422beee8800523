// One thing: the mails about subscriptions, of one school with one mailbox.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { sell } from '#testing/orders.ts'
import {
  instalments,
  monthly,
  readSubscription,
  readSubscriptionId,
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

const DAY = 24 * 3600

const staff = () =>
  app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read', 'members:read', 'members:write'] })
const buyer = (name: 'dev' | 'eli' | 'femi') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })

/** Waits until nothing is due and no job is leased: what is on its way when the clock moves is done twice. */
const quiet = (): Promise<void> =>
  until(async () => {
    const waiting = `select from jobs where kind in ('fact', 'mail', 'renewal', 'payment', 'trial_notice', 'invoice')
      and due_at <= stoa.now() + interval '10 minutes'`
    return (await app.database.query(waiting)).length === 0
  }, 'what is due')

const moveTo = async (at: Date | null): Promise<void> => {
  assert.ok(at !== null)
  await quiet()
  const [row] = await app.database.query<{ now: Date }>('select stoa.now() as now')
  assert.ok(row !== undefined)
  await app.moveClock(Math.max(0, (at.getTime() - row.now.getTime()) / 1000) + 60)
}

const readText = async (to: string, subject: RegExp, count = 1): Promise<string> => {
  const mails = await mailbox.waitFor(`${to}@crumb.example`, count, subject)
  return mails.at(-1)?.email.text ?? ''
}

const readSubjects = async (to: string, named: string): Promise<(string | undefined)[]> => {
  await quiet()
  return mailbox.arrived
    .filter(({ to: all, email }) => all.includes(`${to}@crumb.example`) && (email.text ?? '').includes(named))
    .map(({ email }) => email.subject)
}

const has = (text: string, parts: readonly string[]): void => {
  for (const part of parts) assert.ok(text.includes(part), `${part} is not in: ${text}`)
}

const begin = async (who: Actor, name: string, price: Readonly<Record<string, unknown>>, card = 'works') => {
  await useProviders(app)
  const { priceId } = await sell(await staff(), name, [price])
  const order = await subscribe(app, who, priceId, { card })
  return { order, path: `/account/subscriptions/${await readSubscriptionId(app, order.id)}` }
}

const readNextCharge = async (orderId: string) => (await readSubscription(app, orderId)).next_charge_at

const dayIn = (at: Date | null): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/Lisbon' }).format(at ?? 0)

test('a card that is declined is mailed with the day of the next try, then as final, and at last with the end', async () => {
  const femi = await buyer('femi')
  const { order, path } = await begin(femi, 'Declined later', monthly(1900), 'declined')
  await moveTo(await readNextCharge(order.id))
  const first = await readText('femi', /^The payment for Declined later failed$/)
  const { retry_at: retryAt } = await readSubscription(app, order.id)
  has(first, ['€19.00', dayIn(retryAt), path])
  for (const attempt of [2, 3, 4, 5]) {
    await moveTo((await readSubscription(app, order.id)).retry_at)
    const tried = async () => {
      const { retries, retry_at, status } = await readSubscription(app, order.id)
      return retries === attempt - 1 && (retry_at !== null || status === 'canceled')
    }
    await until(tried, `attempt ${attempt}`)
  }
  has(await readText('femi', /^Declined later has ended, since it was not paid$/), ['€19.00'])
  const subjects = await readSubjects('femi', 'Declined later')
  assert.equal(
    subjects.filter(subject => subject === 'The payment for Declined later failed').length,
    4,
    subjects.join(),
  )
  assert.ok(!subjects.some(subject => /^The payment of order/.test(subject ?? '')), subjects.join())
})

test('a payment that the bank wants to be approved is mailed with the page on which to pay it', async () => {
  const eli = await buyer('eli')
  const { order } = await begin(eli, 'Approved by hand', monthly(2100), 'needs_person')
  await moveTo(await readNextCharge(order.id))
  has(await readText('eli', /^Please approve the payment for Approved by hand$/), [
    '€21.00',
    '/account/orders/',
    '/pay',
  ])
})

test('a lost card is not tried again, and another one is asked for', async () => {
  const dev = await buyer('dev')
  const { order, path } = await begin(dev, 'Lost', monthly(1500), 'lost')
  await moveTo(await readNextCharge(order.id))
  has(await readText('dev', /^Please pay for Lost, or change your card$/), ['€15.00', path])
})

test('the receipt of a renewal names its period', async () => {
  const femi = await buyer('femi')
  const { order } = await begin(femi, 'Renewed', monthly(700))
  const before = await readSubscription(app, order.id)
  await moveTo(before.next_charge_at)
  const from = before.next_charge_at
  const isNamed = (text = '') => text.includes(`Renewed (${dayIn(from)}`)
  const receipts = () =>
    mailbox.arrived.filter(({ email }) => /^TEST: receipt/.test(email.subject ?? '') && isNamed(email.text))
  await until(async () => receipts().length > 0, 'the receipt of the second period')
  await quiet()
  assert.equal(receipts().length, 1)
})

test('a trial is mailed three days before it ends, with what it costs then', async () => {
  const eli = await buyer('eli')
  const { order, path } = await begin(eli, 'Tried', monthly(1200, { trial_days: 14 }))
  const { trial_end: end } = await readSubscription(app, order.id)
  assert.ok(end !== null)
  await moveTo(new Date(end.getTime() - 3 * DAY * 1000))
  has(await readText('eli', /^Your trial of Tried ends on/), ['€12.00', dayIn(end), path])
})

test('a payment plan that is paid to its end is mailed as paid in full', async () => {
  const dev = await buyer('dev')
  const { order } = await begin(dev, 'In two payments', instalments(5000, 2))
  await moveTo(await readNextCharge(order.id))
  has(await readText('dev', /^In two payments is paid in full$/), ['all 2 payments'])
})

test('staff are told that the charges of a suspended member wait', async () => {
  const femi = await buyer('femi')
  const { order } = await begin(femi, 'Suspended', monthly(800))
  const { member_id: memberId } = await readSubscription(app, order.id)
  const ada = await staff()
  const id = (await femi.get('/account')).json.id
  assert.ok(memberId !== undefined)
  const { status, text } = await ada.write('PUT', `/members/${id}/suspension`, {})
  assert.ok(status === 200 || status === 204, text)
  for (const name of ['ada', 'ben'])
    has(await readText(name, /^Charges for Suspended wait$/), ['/staff/subscriptions/sub_'])
})
