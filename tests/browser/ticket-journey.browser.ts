// One thing: what it takes to have a seat at an event, in clicks and pages of Chromium.
import assert from 'node:assert/strict'
import { people } from '#src/demo/index.ts'
import { follow, payAtProvider, press, testJourneys, write } from '#testing/clicks.ts'
import { ledgerTest } from '#testing/ledger.ts'

const { app, visit, enter, readCode } = testJourneys()
const test = ledgerTest(app)

const PAID = 'Thank you! Everything is ready for you.'

test('a ticket: the date, the kind of ticket, and one page to pay', async () => {
  const { page, begin, reach } = await enter('eli', 360)
  await begin('/')
  await follow(page, 'Open kitchen')
  await follow(page, /^Register: Tuesday/)
  await follow(page, 'Choose this ticket: Regular')
  await press(page, 'Pay €15.00')
  await payAtProvider(page)
  assert.deepEqual(await reach(PAID), { clicks: 5, pages: 5 })
})

test('a ticket of somebody who is not signed in yet: the sign-in leads back to the ticket', async () => {
  const { page, begin, reach } = await visit(1280)
  const { email } = people.dev
  await begin('/events/open-kitchen')
  await follow(page, /^Register: Tuesday/)
  await follow(page, 'Choose this ticket: Regular')
  await page.locator('main').getByRole('link', { name: 'Sign in' }).click()
  await write(page, { 'E-mail address': email })
  await press(page, 'E-mail me a code')
  await write(page, { 'Six-digit code': await readCode(email) })
  await press(page, 'Sign in')
  assert.deepEqual(await reach(/Open kitchen: Regular[\s\S]+You are signed in as Dev Patel/), { clicks: 5, pages: 5 })
})

test('a free ticket: the date, the kind of ticket, and one button', async () => {
  const { page, begin, reach } = await enter('ben', 1280)
  await begin('/')
  await follow(page, 'Open kitchen')
  await follow(page, /^Register: Tuesday/)
  await follow(page, 'Choose this ticket: Guest')
  await press(page, 'Register')
  assert.deepEqual(await reach('Your code at the entrance'), { clicks: 4, pages: 4 })
})

test('the waiting list: from the event to a page of its own, with one button', async () => {
  const { page, begin, reach } = await enter('femi', 360)
  await begin('/')
  await follow(page, 'Night of ovens')
  await follow(page, /^Join the waiting list/)
  await press(page, 'Join the waiting list')
  assert.deepEqual(await reach('You are on the waiting list'), { clicks: 3, pages: 3 })
})
