import assert from 'node:assert/strict'
import { after } from 'node:test'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { eventScopes, makeEvent, registered, registrationScopes } from '#testing/events.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { decide } from '#testing/orders.ts'
import { setProvider } from '#testing/payments.ts'
import { until } from '#testing/until.ts'

// With a mailbox the worker runs.
let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
after(() => mailbox.stop())

const staff = () => app.actor('ada', { scopes: eventScopes })
const person = (name: 'dev' | 'eli' | 'femi' | 'carla') => app.actor(name, { scopes: registrationScopes })

const statusOf = async (id: string): Promise<string> => (await (await staff()).get(`/registrations/${id}`)).json.status
const whenStatus = (id: string, status: string) =>
  until(async () => (await statusOf(id)) === status, `the registration is ${status}`)

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

const mailsAbout = (subject: RegExp) => mailbox.arrived.filter(({ email }) => subject.test(email.subject ?? ''))
const whenMailed = (subject: RegExp, count = 1) =>
  until(async () => mailsAbout(subject).length >= count, `${count} mails about ${subject}`)

const pay = async (actor: Awaited<ReturnType<typeof person>>, orderId: string): Promise<void> => {
  const key = { 'idempotency-key': orderId }
  const asked = await actor.write('POST', `/account/orders/${orderId}/payments`, { provider: 'manual' }, key)
  assert.equal(asked.status, 201, asked.text)
  await decide(app, 'confirmPayment', orderId, {})
}

test('a confirmed seat is mailed with its code and the date for calendars', async () => {
  const { priceId } = await makeEvent(app, await staff(), { name: 'Mailed evening' })
  const { data } = await registered(await person('dev'), priceId, {
    quantity: 2,
    attendees: [{ name: 'Dev' }, { name: 'Dora' }],
  })
  await whenMailed(/Mailed evening/)
  const mails = mailsAbout(/Mailed evening/)
  assert.equal(mails.length, 1)
  const text = mails[0]?.email.text ?? ''
  for (const { code } of data) assert.ok(text.includes(code), text)
  const [attached] = mails[0]?.email.attachments ?? []
  assert.match(attached?.mimeType ?? '', /text\/calendar/)
  assert.match(mails[0]?.raw ?? '', /method=REQUEST/i)
})

test('an order that expires gives its seat to the next who waits, and an offer that nobody takes goes on', async () => {
  const ada = await staff()
  const [dev, eli, femi] = [await person('dev'), await person('eli'), await person('femi')]
  const event = await makeEvent(app, ada, { capacity: 1, waitlist: true }, [{ name: 'Regular', amount: 500 }])
  const held = await registered(dev, event.priceId)
  const first = await registered(eli, event.priceId, { join_waitlist: true })
  const second = await registered(femi, event.priceId, { join_waitlist: true })
  await app.moveClock(31 * MINUTE)
  await whenStatus(first.data[0].id, 'offered')
  assert.equal(await statusOf(held.data[0].id), 'expired')
  await whenMailed(/A seat is free/)
  await app.moveClock(DAY + MINUTE)
  await whenStatus(second.data[0].id, 'offered')
  assert.equal(await statusOf(first.data[0].id), 'waitlisted')
})

test('cancelling a date ends its registrations and refunds what was paid, each once', async () => {
  await setProvider(app, 'manual', {})
  const ada = await staff()
  const [dev, eli] = [await person('dev'), await person('eli')]
  const event = await makeEvent(app, ada, { name: 'Rained off' }, [
    { name: 'Regular', amount: 700 },
    { name: 'Free', amount: 0 },
  ])
  const paid = await registered(dev, event.priceId, { quantity: 2 })
  await pay(dev, paid.order.id)
  const free = await registered(eli, event.tickets[1]?.price_id ?? '')
  await whenMailed(/You are registered: Rained off/, 2)
  const body = { reason: 'The river rose.', refund: 'all', message: 'We are sorry.\nCome next week.' }
  const asked = await ada.write('PUT', `/occurrences/${event.occurrenceId}/cancellation`, body)
  assert.equal(asked.status, 202, asked.text)
  await approveAs(app, 'ada', asked.json.confirmation.url)
  await whenStatus(paid.data[0].id, 'cancelled')
  await whenStatus(paid.data[1].id, 'cancelled')
  await whenStatus(free.data[0].id, 'cancelled')
  const order = (await ada.get(`/orders/${paid.order.id}`)).json
  assert.equal(order.lines[0].refunded_amount, 1400)
  assert.deepEqual(
    order.refunds.map((one: { amount: number; reason: string }) => [one.amount, one.reason]),
    [
      [700, 'event_cancelled'],
      [700, 'event_cancelled'],
    ],
  )
  await whenMailed(/Cancelled: Rained off/, 3)
  const [mail] = mailsAbout(/Cancelled: Rained off/)
  assert.match(mail?.email.text ?? '', /The river rose\.[\s\S]*Come next week\./)
  assert.match(mail?.raw ?? '', /method=CANCEL/i)
})

test('people are reminded a day and an hour before, once each', async () => {
  const { priceId } = await makeEvent(app, await staff(), { name: 'Reminded evening' })
  const carla = await person('carla')
  const { data } = await registered(carla, priceId)
  await whenMailed(/You are registered: Reminded evening/)
  const now = await app.database
    .query<{ now: Date }>('select stoa.now() as now')
    .then(([row]) => row?.now ?? assert.fail('no clock'))
  const ahead = (Date.parse(data[0].starts_at.utc) - now.getTime()) / 1000
  await app.moveClock(ahead - DAY + MINUTE)
  await whenMailed(/Soon: Reminded evening/)
  await app.moveClock(DAY - 60 * MINUTE)
  await whenMailed(/Soon: Reminded evening/, 2)
  assert.equal(mailsAbout(/Soon: Reminded evening/).length, 2)
})

test('a message to those who are registered is mailed once it is approved', async () => {
  const ada = await staff()
  const { priceId, occurrenceId } = await makeEvent(app, ada, { name: 'Told evening' })
  const eli = await person('eli')
  await registered(eli, priceId)
  const asked = await ada.write('POST', `/occurrences/${occurrenceId}/messages`, {
    to: 'confirmed',
    subject: 'What to bring tonight',
    message: 'A jar.\nAn apron.',
  })
  assert.equal(asked.status, 202, asked.text)
  await approveAs(app, 'ada', asked.json.confirmation.url)
  await whenMailed(/What to bring tonight/)
  assert.match(mailsAbout(/What to bring tonight/)[0]?.email.text ?? '', /A jar\.\s+An apron\./)
})
