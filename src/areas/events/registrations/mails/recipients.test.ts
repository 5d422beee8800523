import assert from 'node:assert/strict'
import { after } from 'node:test'
import ICAL from 'ical.js'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { eventScopes, makeEvent, registered, registrationScopes } from '#testing/events.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
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
const person = (name: 'dev') => app.actor(name, { scopes: registrationScopes })

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

const mailsAbout = (subject: RegExp) => mailbox.arrived.filter(({ email }) => subject.test(email.subject ?? ''))
const whenMailed = (subject: RegExp, count = 1) =>
  until(async () => mailsAbout(subject).length >= count, `${count} mails about ${subject}`)

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

test('somebody without an account is mailed about the date too: the code, a move, a reminder, a message and the end', async () => {
  const ada = await staff()
  const event = await makeEvent(app, ada, { name: 'Guest evening' })
  const path = `/occurrences/${event.occurrenceId}`
  const add = async (attendee: object): Promise<{ code: string }> => {
    const added = await ada.write('POST', `${path}/registrations`, { attendee })
    assert.equal(added.status, 201, added.text)
    return added.json
  }
  const guest = { name: 'Noor', email: 'noor@guest.example' }
  const codes = [(await add(guest)).code, (await add({ ...guest, name: 'Nils', email: 'NOOR@guest.example' })).code]
  await add({ name: 'Nobody with an address' })
  const toGuest = (subject: RegExp) => mailsTo(subject, /^noor@guest/i)
  const whenGuestMailed = (subject: RegExp, count = 1) =>
    until(async () => toGuest(subject).length >= count, `${count} mails to the guest about ${subject}`)
  await whenGuestMailed(/You are registered: Guest evening/, 2)
  const texts = toGuest(/You are registered: Guest evening/).map(({ email }) => email.text ?? '')
  for (const code of codes)
    assert.ok(
      texts.some(text => text.includes(code)),
      texts.join('\n'),
    )
  assert.doesNotMatch(texts.join('\n'), /\/account\/registrations/)
  const body = { to: 'confirmed', subject: 'Bring a jar', message: 'With a lid.' }
  assert.match((await ada.write('POST', `${path}/messages?dry_run=true`, body)).text, /to 1 person/)
  const asked = await ada.write('POST', `${path}/messages`, body)
  await approveAs(app, 'ada', asked.json.confirmation.url)
  await whenGuestMailed(/Bring a jar/)
  const now = await app.database.query<{ now: Date }>('select stoa.now() as now')
  const local = new Date((now[0]?.now.getTime() ?? 0) + 9 * DAY * 1000).toISOString().slice(0, 10)
  const move = { starts_at: { local: `${local}T19:00`, time_zone: 'Europe/Lisbon' } }
  const moved = await ada.write('PUT', `${path}/schedule`, move)
  await approveAs(app, 'ada', moved.json.confirmation.url)
  await whenGuestMailed(/Changed: Guest evening/)
  const start = Date.parse((await ada.get(path)).json.starts_at.utc)
  await app.moveClock((start - (now[0]?.now.getTime() ?? 0)) / 1000 - DAY + MINUTE)
  await whenGuestMailed(/Soon: Guest evening/)
  const [soon] = toGuest(/Soon: Guest evening/)
  for (const code of codes) assert.ok(soon?.email.text?.includes(code), soon?.email.text)
  assert.doesNotMatch(soon?.email.text ?? '', /[{}]|unsubscribe/)
  const later = await staff()
  const ended = await later.write('PUT', `${path}/cancellation`, { reason: 'Ill', refund: 'all' })
  await approveAs(app, 'ada', ended.json.confirmation.url)
  await whenGuestMailed(/Cancelled: Guest evening/)
  await app.settled()
  for (const subject of [/Bring a jar/, /Changed: Guest/, /Soon: Guest/, /Cancelled: Guest/])
    assert.equal(toGuest(subject).length, 1, String(subject))
})

test('calendars of mails say who invites and who is invited: the address of the school, or the one that mails come from', async () => {
  const ada = await app.actor('ada', { scopes: [...eventScopes, 'school:read', 'school:write'] })
  const invited = async (name: string): Promise<readonly string[]> => {
    const event = await makeEvent(app, ada, { name })
    const dev = await person('dev')
    const { data } = await registered(dev, event.priceId)
    await whenMailed(new RegExp(`: ${name}`))
    await dev.write('DELETE', `/account/registrations/${data[0].id}`)
    await until(async () => mailsAbout(new RegExp(`: ${name}`)).length === 2, 'both mails')
    return mailsAbout(new RegExp(`: ${name}`)).flatMap(mail => {
      const calendar = new ICAL.Component(ICAL.parse(readIcs(mail)))
      const [date] = calendar.getAllSubcomponents('vevent')
      const [organizer, attendee] = ['organizer', 'attendee'].map(property => date?.getFirstProperty(property))
      return [
        String(calendar.getFirstPropertyValue('method')),
        `${organizer?.getParameter('cn')} ${organizer?.getFirstValue()}`,
        `${attendee?.getParameter('cn')} ${attendee?.getFirstValue()}`,
      ]
    })
  }
  const { name, contact_email: contact } = (await ada.get('/school')).json
  const { name: devName, email } = (await (await person('dev')).get('/account')).json
  const toDev = `${devName} mailto:${email}`
  const by = (address: string) => `${name} mailto:${address}`
  const set = async (value: string | null) => {
    const reply = await ada.write(
      'PATCH',
      '/school',
      { contact_email: value },
      { 'if-match': (await ada.get('/school')).headers.etag ?? '' },
    )
    assert.equal(reply.status, 200, reply.text)
  }
  await set('bakers@crumb.example')
  const told = await invited('Invited by the school')
  assert.deepEqual(
    told.toSorted(),
    [...['CANCEL', by('bakers@crumb.example'), toDev], ...['REQUEST', by('bakers@crumb.example'), toDev]].toSorted(),
  )
  await set(null)
  const sender = mailbox.arrived.at(-1)?.email.from?.address ?? ''
  const withoutContact = await invited('Invited by the sender')
  assert.ok(withoutContact.includes(by(sender)), withoutContact.join('\n'))
  await set(contact)
})
