// One thing: what it takes to have something of a school, in clicks and pages of Chromium.
import assert from 'node:assert/strict'
import { follow, payAtProvider, press, testJourneys, write } from '#testing/clicks.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { sell } from '#testing/orders.ts'
import { monthly, subscribe } from '#testing/subscriptions.ts'

const { app, visit, enter, readCode } = testJourneys()
const test = ledgerTest(app)

const PAID = 'Thank you! Everything is ready for you.'

test('buying as a stranger: the school, the course, one page with everything, the code of a mail, and the payment', async () => {
  const { page, begin, reach } = await visit(360)
  const email = 'wanda@walker.example'
  await begin('/')
  await follow(page, 'Sourdough from scratch')
  await press(page, 'Buy the course')
  await write(page, { 'E-mail address': email, 'Your name': 'Wanda Walker' })
  await press(page, 'Pay €49.00')
  await write(page, { 'Code from the e-mail': await readCode(email) })
  await press(page, 'Pay €49.00')
  await payAtProvider(page)
  assert.deepEqual(await reach(PAID), { clicks: 5, pages: 5 })
  await begin(page.url())
  await follow(page, 'Start: Sourdough from scratch')
  assert.deepEqual(await reach('What lives in it'), { clicks: 1, pages: 1 })
})

test('buying with a new method as somebody who is signed in: one page between the course and the provider', async () => {
  const { page, begin, reach } = await enter('eli', 1280)
  await begin('/courses/sourdough-from-scratch')
  await press(page, 'Buy the course')
  assert.deepEqual(await reach('Checkout'), { clicks: 1, pages: 1 })
  await press(page, 'Pay €49.00')
  await payAtProvider(page)
  assert.deepEqual(await reach(PAID), { clicks: 3, pages: 3 })
})

test('buying with a saved method: two clicks from the page of the course to what was paid', async () => {
  const { page, begin, reach } = await enter('femi', 360)
  const staff = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  const { priceId } = await sell(staff, 'Bread every month', [monthly(900)])
  await subscribe(app, await app.actor('femi', { scopes: ['account:read', 'account:write'] }), priceId)
  await begin('/courses/sourdough-from-scratch')
  await press(page, 'Buy the course')
  await press(page, 'Pay €49.00')
  assert.deepEqual(await reach(PAID), { clicks: 2, pages: 2 })
})

test('buying with a discount: the code changes the sum, which is shown before it is paid', async () => {
  const { page, begin, reach } = await enter('ben', 1280)
  await begin('/')
  await follow(page, 'Baking basics')
  await follow(page, 'Buy for €49')
  await write(page, { 'Do you have a code?': 'WELCOME-10' })
  await press(page, 'Pay €49.00')
  assert.deepEqual(await reach('Nothing was ordered: check it'), { clicks: 3, pages: 3 })
  await press(page, 'Pay €44.10')
  await payAtProvider(page)
  assert.deepEqual(await reach(PAID), { clicks: 5, pages: 5 })
})

test('buying by transfer: what to do is on the page after the order, and again on the home page', async () => {
  const { page, begin, reach } = await enter('carla', 360)
  await begin('/')
  await follow(page, 'Baking basics')
  await follow(page, 'Buy for €49')
  await page.getByText('Pay the school').click()
  await press(page, 'Pay €49.00')
  assert.deepEqual(await reach(/Pay the school[\s\S]+Reference\s*ORD-\d+/), { clicks: 4, pages: 3 })
  await begin('/')
  await follow(page, 'To the order')
  assert.deepEqual(await reach(/Reference\s*ORD-\d+/), { clicks: 1, pages: 1 })
})

test('a free trial: nothing is paid, and a card is saved for later', async () => {
  const { page, begin, reach } = await enter('dev', 1280)
  await begin('/')
  await follow(page, 'Bakers’ club')
  await press(page, 'Become a member')
  await press(page, 'Start the free trial')
  await page.waitForURL('**/test-payments/*')
  await press(page, 'Save the card')
  assert.deepEqual(await reach(/Free trial until[\s\S]+Nothing was charged/), { clicks: 4, pages: 4 })
})
