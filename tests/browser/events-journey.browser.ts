// One thing: tickets are bought, checked in, cancelled and offered on, as Chromium shows it.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import ICAL from 'ical.js'
import type { Browser } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { createWalk, type Size, type Walker } from '#testing/browser-walk.ts'
import { startChromium } from '#testing/chromium.ts'
import { eventScopes, makeEvent, registered, registrationScopes } from '#testing/events.ts'
import { readMemberId } from '#testing/learning.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { readQrPicture } from '#testing/qr.ts'
import { useProviders } from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
let chromium: Browser
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(async () => {
  await chromium.close()
  await mailbox.stop()
})

/** Opens a tab in which a person is signed in; a phone has 360 pixels. */
const enter = async (size: Size, name: PersonName): Promise<Walker> => {
  const walker = await walk.start(size)
  const { page } = walker
  if (size === 'phone') await page.setViewportSize({ width: 360, height: 720 })
  await walker.goto('/account/registrations')
  await walker.fill({ email: people[name].email, password: PASSWORD })
  await page.waitForURL(/\/account\/registrations$/)
  const goto = async (path: string): Promise<void> => {
    await page.goto(`${app.a.baseUrl}${path}`)
  }
  return { ...walker, goto }
}

const mainText = async ({ page }: Walker): Promise<string> => (await page.textContent('main')) ?? ''

const shows = (walker: Walker, path: string, words: string): Promise<void> =>
  until(async () => {
    await walker.goto(path)
    return (await mainText(walker)).includes(words)
  }, words)

/** What the page of an event on the site leads to for its first date. */
const waysIn = async ({ page, look }: Walker, slug: string): Promise<string> => {
  await page.goto(`${app.a.baseUrl}/events/${slug}`)
  await look()
  return (await page.getAttribute('.dates a.button', 'href')) ?? assert.fail('the event has no way in')
}

const buyTwo = async (walker: Walker, slug: string): Promise<void> => {
  const { page, look } = walker
  await walker.goto(await waysIn(walker, slug))
  await page.fill('.field-row input[name^=quantity]', '2')
  await page.click('.field-row button')
  assert.match(await mainText(walker), /25\.00/)
  await look()
  await page.check('input[name=method][value=test]')
  await page.click('form[method=post] button.main')
  await page.waitForURL(/\/test-payments\//)
  await page.click('button[value=pay]')
  await page.waitForURL(/\/checkout\/chk_/)
  await shows(walker, '/account/registrations', 'Your code at the entrance')
  await look()
}

const waitForSeat = async (walker: Walker, slug: string): Promise<void> => {
  const { page, look } = walker
  await walker.goto(await waysIn(walker, slug))
  assert.match(await mainText(walker), /Nobody waits before you/)
  await look()
  await page.click('button.main')
  await page.waitForSelector('#done')
  assert.match(await mainText(walker), /You are on the waiting list/)
  await look()
}

const checkIn = async ({ page, look, ...walker }: Walker, path: string, code: string, isRefused: boolean) => {
  await walker.goto(path)
  await page.fill('input[name=code]', code.toLowerCase())
  await page.click('form:has(input[name=code]) button')
  await page.waitForSelector(isRefused ? '#complaint' : '#done')
  await look(isRefused ? /status of 409/ : undefined)
}

const readText = (content: string | ArrayBuffer | Uint8Array): string =>
  typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString()

/** The event in the calendar that came with a mail. */
const mailedEvent = async (name: string): Promise<{ readonly method: unknown; readonly event: ICAL.Event }> => {
  const [mail] = await mailbox.waitFor(people.femi.email, 1, new RegExp(`You are registered: ${name}`))
  const [attached] = mail?.email.attachments ?? []
  const root = new ICAL.Component(ICAL.parse(readText(attached?.content ?? '')))
  for (const zone of root.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  const component = root.getFirstSubcomponent('vevent') ?? assert.fail('the mail has no event')
  return { method: root.getFirstPropertyValue('method'), event: new ICAL.Event(component) }
}

test('two tickets are bought, one is checked in once, and the other is cancelled and offered to the next who waits', async () => {
  await useProviders(app)
  const ada = await app.actor('ada', { scopes: eventScopes })
  const name = 'Supper for two'
  const settings = { name, capacity: 2, waitlist: true, refund_rule: 'full' }
  const { id, occurrenceId } = await makeEvent(app, ada, settings, [{ name: 'Seat', amount: 1250 }])
  const { slug } = (await ada.get(`/events/${id}`)).json
  const registrations = async () => (await ada.get(`/events/${id}/registrations`)).json.data

  const femi = await enter('phone', 'femi')
  await buyTwo(femi, slug)
  const { method, event } = await mailedEvent(name)
  const { json: date } = await ada.get(`/occurrences/${occurrenceId}`)
  assert.equal(method, 'REQUEST')
  assert.ok(event.uid.startsWith(`${occurrenceId}@`), event.uid)
  assert.equal(event.startDate.toJSDate().toISOString(), new Date(date.starts_at.utc).toISOString())

  const dev = await enter('desktop', 'dev')
  await waitForSeat(dev, slug)

  const [first, second] = await registrations()
  await femi.goto(`/account/registrations/${first.id}`)
  await femi.look()
  const shot = await femi.page.locator('.qr').screenshot()
  assert.ok((await readQrPicture(shot)).endsWith(`?code=${first.code}`), 'a camera reads the ticket on the page')
  const entrance = `/staff/events/${id}/check-in?occurrence=${occurrenceId}`
  const staff = await enter('desktop', 'ada')
  await checkIn(staff, entrance, first.code, false)
  await checkIn(staff, entrance, first.code, true)
  assert.match(await mainText(staff), /This person was checked in before/)

  await femi.goto(`/account/registrations/${second.id}`)
  await femi.look()
  await femi.page.click('summary:has-text("Cancel this seat")')
  await femi.page.click('details[open] button')
  await femi.page.waitForSelector('#done')
  await femi.look()
  await until(
    async () => (await ada.get(`/orders/${second.order_id}`)).json.refunded_total === 1250,
    'what one seat cost is refunded',
  )
  const statuses = new Map((await registrations()).map((one: { id: string; status: string }) => [one.id, one.status]))
  assert.deepEqual([statuses.get(first.id), statuses.get(second.id)], ['checked_in', 'cancelled'])

  await mailbox.waitFor(people.dev.email, 1, /A seat is free for you: Supper for two/)
  await shows(dev, '/account/registrations', 'Kept for you until')
  await dev.look()
  await dev.page.click('.card:has-text("Supper for two") button.main')
  await dev.page.waitForURL(/\/account\/orders\/[^/]+\/pay$/)
  assert.match(await mainText(dev), /12\.50/)
  for (const walker of [femi, dev, staff]) await walker.close()
})

test('the answers that hosts ask for are given when somebody registers, and changed on the page of the registration', async () => {
  const ada = await app.actor('ada', { scopes: eventScopes })
  const questions = [{ id: 'diet', type: 'text', label: 'What do you not eat?', required: true }]
  const event = await makeEvent(app, ada, { name: 'Supper with questions', questions })
  const femi = await enter('phone', 'femi')
  const { page, look } = femi
  await femi.goto(`/account/registrations/new?price=${event.priceId}&occurrence=${event.occurrenceId}`)
  await page.fill('textarea[name=names]', 'Femi')
  await look()
  await page.fill('input[name="answer.diet"]', 'Walnuts')
  await page.click('button.main')
  await page.waitForSelector('#done')
  await page.click('a:has-text("Supper with questions")')
  await page.waitForURL(/\/account\/registrations\/reg_/)
  assert.equal(await page.inputValue('input[name="answer.diet"]'), 'Walnuts')
  await page.fill('input[name="answer.diet"]', 'Hazelnuts')
  await page.click('form:has(input[name="answer.diet"]) button')
  await page.waitForSelector('#done')
  const [{ answers }] = (await ada.get(`/events/${event.id}/registrations`)).json.data
  assert.equal(answers[0].value, 'Hazelnuts')
  await femi.goto('/account/calendar')
  await look()
  const address = await page.inputValue('#address')
  await page.click('main summary')
  await page.click('main details[open] button')
  await page.waitForSelector('#done')
  assert.notEqual(await page.inputValue('#address'), address)
  await femi.close()
})

test('questions are written on a page of the staff, and asked by the checkout', async () => {
  const ada = await app.actor('ada', { scopes: eventScopes })
  const tickets = [{ name: 'Regular', amount: 700 }]
  const event = await makeEvent(app, ada, { name: 'Supper that is sold' }, tickets)
  const staff = await enter('desktop', 'ada')
  await staff.goto(`/staff/events/${event.id}/questions`)
  await staff.page.click('button[value=add]:visible')
  await staff.page.fill('input[name="field.0.label"]', 'What do you not eat?')
  await staff.page.check('input[name="field.0.required"]')
  await staff.look()
  await staff.page.click('button.main')
  await staff.page.waitForURL(/done=save\b/)
  const [question] = (await ada.get(`/events/${event.id}`)).json.questions
  const femi = await enter('phone', 'femi')
  await femi.goto(`/checkout?price=${event.priceId}&occurrence=${event.occurrenceId}`)
  await femi.look()
  await femi.page.fill(`input[name="answer.${event.priceId}.${question.id}"]`, 'Walnuts')
  await femi.page.click('button.main')
  await femi.page.waitForURL(/\/test-payments\//)
  const [{ answers }] = (await ada.get(`/events/${event.id}/registrations`)).json.data
  assert.equal(answers[0].value, 'Walnuts')
  for (const walker of [staff, femi]) await walker.close()
})

test('staff move a registration, write to those who come, and edit a ticket', async () => {
  const ada = await app.actor('ada', { scopes: eventScopes })
  const event = await makeEvent(app, ada, { name: 'Supper that moves' })
  const set = await ada.write('PUT', `/events/${event.id}/recurrence`, { rule: 'FREQ=WEEKLY', count: 2 })
  assert.equal(set.status, 200, set.text)
  const added = await ada.write('POST', `/occurrences/${event.occurrenceId}/registrations`, {
    member_id: toId('mem', await readMemberId(app, 'femi')),
  })
  assert.equal(added.status, 201, added.text)
  const { page, ...walker } = await enter('phone', 'ada')
  await walker.goto(`/staff/events/${event.id}/registrations`)
  await page.click('summary:has-text("Move or cancel")')
  await walker.look()
  await page.click('form:has(input[value=move]) button')
  await page.waitForSelector('#done')
  const moved = (await ada.get(`/registrations/${added.json.id}`)).json.occurrence_id
  assert.notEqual(moved, event.occurrenceId)
  await walker.goto(`/staff/events/${event.id}/dates/${moved}`)
  await page.click('summary:has-text("Write to people")')
  await page.fill('input[name=subject]', 'What to bring')
  await page.fill('textarea[name=message]', 'A jar, please.')
  await page.click('button[value=check_mail]')
  await page.waitForSelector('details[open] [role=status]')
  await walker.look()
  await page.click('button[value=mail]')
  await page.waitForSelector('#done')
  const [mail] = await mailbox.waitFor(people.femi.email, 1, /What to bring/)
  assert.match(mail?.email.text ?? '', /A jar, please\./)
  await walker.goto(`/staff/events/${event.id}/tickets/${event.tickets[0]?.id}`)
  await walker.look()
  await walker.fill({ amount: '20.00', least_amount: '5.00', max_per_order: '4' })
  await page.waitForSelector('#done')
  const [ticket] = (await ada.get(`/events/${event.id}/ticket-types`)).json.data
  assert.deepEqual([ticket.amount, ticket.least_amount, ticket.max_per_order], [2000, 500, 4])
  await walker.close()
})

test('every page of registrations was looked at, on a desktop and on a phone', async () => {
  const ada = await app.actor('ada', { scopes: eventScopes })
  const { id } = (await ada.get('/events/slug:open-kitchen')).json
  const [date] = (await ada.get(`/events/${id}/occurrences`)).json.data
  const [ticket] = (await ada.get(`/events/${id}/ticket-types`)).json.data
  const full = await makeEvent(app, ada, { name: 'Full', capacity: 1, waitlist: true })
  await registered(await app.actor('dev', { scopes: registrationScopes }), full.priceId)
  for (const size of ['desktop', 'phone'] as const) {
    const { page, look, ...walker } = await enter(size, 'ada')
    await look()
    await page.click('.card h2 a')
    await look()
    for (const path of [
      `/account/registrations/new?price=${ticket.price_id}&occurrence=${date.id}`,
      `/account/registrations/wait?price=${full.priceId}&occurrence=${full.occurrenceId}`,
      '/account/calendar',
      `/account/events/open-kitchen?occurrence=${date.id}`,
      `/staff/events/${id}/registrations`,
      `/staff/events/${id}/check-in`,
    ]) {
      await walker.goto(path)
      await look()
    }
    await walker.close()
  }
  assert.deepEqual(await walk.missing('registrations'), [])
})
