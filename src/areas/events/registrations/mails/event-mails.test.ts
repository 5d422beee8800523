import assert from 'node:assert/strict'
import { after } from 'node:test'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { eventScopes, makeEvent, registered, registrationScopes } from '#testing/events.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { decide } from '#testing/orders.ts'
import { setProvider } from '#testing/payments.ts'
import { readQrPicture } from '#testing/qr.ts'
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

const readStatus = async (id: string): Promise<string> =>
  (await (await staff()).get(`/registrations/${id}`)).json.status
const whenStatus = (id: string, status: string) =>
  until(async () => (await readStatus(id)) === status, `the registration is ${status}`)

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
  const pictures = mails[0]?.email.attachments.filter(({ mimeType }) => mimeType === 'image/png') ?? []
  const read = await Promise.all(pictures.map(({ content }) => readQrPicture(Buffer.from(content as ArrayBuffer))))
  assert.deepEqual(
    read.map(address => new URL(address).searchParams.get('code')),
    data.map(({ code }: { code: string }) => code),
    'each seat has its code as a picture',
  )
})

test('whoever has as many seats as one can have gets the date and the code of each', async () => {
  const { priceId } = await makeEvent(app, await staff(), { name: 'Evening of many' }, [
    { name: 'Regular', amount: 0, max_per_order: 20 },
  ])
  const { data } = await registered(await person('dev'), priceId, { quantity: 20 })
  await whenMailed(/Evening of many/)
  const [mail] = mailsAbout(/Evening of many/)
  for (const { code } of data) assert.ok(mail?.email.text?.includes(code), code)
  assert.equal(mail?.email.attachments.length, 21)
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
  assert.equal(await readStatus(held.data[0].id), 'expired')
  await whenMailed(/A seat is free/)
  await app.moveClock(DAY + MINUTE)
  await whenStatus(second.data[0].id, 'offered')
  assert.equal(await readStatus(first.data[0].id), 'waitlisted')
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
  await whenMailed(/Cancelled: Rained off/, 2)
  const [mail] = mailsAbout(/Cancelled: Rained off/)
  assert.match(mail?.email.text ?? '', /The river rose\.[\s\S]*Come next week\./)
  assert.match(mail?.raw ?? '', /method=CANCEL/i)
})

const readIcs = (mail: (typeof mailbox.arrived)[number] | undefined): string => {
  const [attached] = mail?.email.attachments ?? []
  return attached === undefined
    ? ''
    : Buffer.from(attached.content as ArrayBuffer)
        .toString('utf8')
        .replaceAll('\r\n', '\n')
        .replaceAll('\n ', '')
}

const mailsTo = (subject: RegExp, to: RegExp) =>
  mailsAbout(subject).filter(({ email }) => email.to?.some(({ address }) => to.test(address ?? '')))

test('a date that is moved twice and cancelled: one mail each time, whose SEQUENCE rises, and none to who cancelled before', async () => {
  const ada = await staff()
  const [dev, eli, femi] = [await person('dev'), await person('eli'), await person('femi')]
  const settings = { name: 'Moved twice', kind: 'online', meeting_url: 'https://meet.example/markermoved' }
  const event = await makeEvent(app, ada, { ...settings, capacity: 3, waitlist: true }, [
    { name: 'Regular', amount: 0 },
    { name: 'Paid', amount: 500 },
  ])
  const mine = await registered(dev, event.priceId, { quantity: 2 })
  const gone = await registered(eli, event.priceId)
  await whenMailed(/You are registered: Moved twice/, 2)
  await eli.write('DELETE', `/account/registrations/${gone.data[0].id}`)
  await whenMailed(/Cancelled: Moved twice/)
  const unpaid = await registered(femi, event.tickets[1]?.price_id ?? '')
  assert.equal(unpaid.data[0].status, 'awaiting_payment')
  const start = Date.parse(mine.data[0].starts_at.utc)
  for (const [days, count] of [
    [1, 2],
    [2, 4],
  ] as const) {
    const local = `${new Date(start + days * DAY * 1000).toISOString().slice(0, 10)}T19:00`
    const body = { starts_at: { local, time_zone: 'Europe/Lisbon' } }
    const path = `/occurrences/${event.occurrenceId}/schedule`
    const dry = await ada.write('PUT', `${path}?dry_run=true`, body)
    assert.match(dry.text, /Tells 2 registered people/)
    const asked = await ada.write('PUT', path, body)
    assert.equal(asked.status, 202, asked.text)
    await approveAs(app, 'ada', asked.json.confirmation.url)
    await whenMailed(/Changed: Moved twice/, count)
  }
  assert.equal((await ada.get(`/occurrences/${event.occurrenceId}`)).json.sequence, 2)
  const changed = mailsTo(/Changed: Moved twice/, /^dev/)
  assert.equal(changed.length, 2)
  assert.match(readIcs(changed[1]), /SEQUENCE:2\n[\s\S]*markermoved/)
  assert.equal(mailsTo(/Changed: Moved twice/, /^eli/).length, 0)
  // Who has not paid learns the date, and not where people meet.
  const [toFemi] = mailsTo(/Changed: Moved twice/, /^femi/)
  assert.ok(toFemi)
  assert.doesNotMatch(toFemi.raw, /text\/calendar/)
  assert.doesNotMatch(`${toFemi.email.text}${readIcs(toFemi)}`, /markermoved/)
  const terms = { reason: 'Ill', refund: 'all' }
  const asked = await ada.write('PUT', `/occurrences/${event.occurrenceId}/cancellation`, terms)
  await approveAs(app, 'ada', asked.json.confirmation.url)
  await whenStatus(mine.data[1].id, 'cancelled')
  await whenStatus(unpaid.data[0].id, 'cancelled')
  await until(async () => mailsTo(/Cancelled: Moved twice/, /^dev/).length > 0, 'the mail to Dev')
  // RFC 5546 §2.1.4: another status raises the sequence too.
  assert.match(readIcs(mailsTo(/Cancelled: Moved twice/, /^dev/)[0]), /METHOD:CANCEL\n[\s\S]*SEQUENCE:3\n/)
  assert.equal(mailsTo(/Cancelled: Moved twice/, /^eli/).length, 1)
  await app.settled()
  assert.equal(mailsTo(/Cancelled: Moved twice/, /^dev/).length, 1)
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
