// One thing: what it takes to have an account at a school, in clicks and pages of Chromium.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { follow, press, testJourneys, write } from '#testing/clicks.ts'

const { visit, enter, readCode, readLink } = testJourneys()

const NEW_PASSWORD = 'rye, barley and a long night'

test('an account: the address, the code of a mail with the name, and back where one was', async () => {
  const { page, begin, reach } = await visit(1280)
  const email = 'nora@walker.example'
  await begin('/courses/sourdough-from-scratch')
  await follow(page, 'Sign in')
  await write(page, { 'E-mail address': email })
  await press(page, 'E-mail me a code')
  await write(page, { 'Six-digit code': await readCode(email) })
  await page.locator('button.main').click()
  await write(page, { 'Your name': 'Nora Walker' })
  await page.locator('button.main').click()
  await page.waitForURL('**/courses/sourdough-from-scratch')
  assert.deepEqual(await reach('What you will learn'), { clicks: 4, pages: 4 })
  assert.match((await page.locator('.own-menu').textContent()) ?? '', /Nora Walker/)
})

test('signing in: the code of a mail, on the page from which one comes', async () => {
  const { page, begin, reach } = await visit(1280)
  const { email } = people.eli
  await begin('/events')
  await follow(page, 'Sign in')
  await write(page, { 'E-mail address': email })
  await press(page, 'E-mail me a code')
  await write(page, { 'Six-digit code': await readCode(email) })
  await page.locator('button.main').click()
  await page.waitForURL('**/events')
  assert.deepEqual(await reach('Open kitchen'), { clicks: 3, pages: 3 })
})

test('signing in from the mail: its link, and one button', async () => {
  const { page, begin, reach } = await visit(360)
  const { email } = people.dev
  await begin('/account/sign-in')
  await write(page, { 'E-mail address': email })
  await press(page, 'E-mail me a code')
  await begin(await readLink(email, /is your code/))
  await page.locator('button.main').click()
  assert.deepEqual(await reach('Hello, Dev Patel'), { clicks: 1, pages: 1 })
})

test('a new password: from the sign-in, with a code of a mail, to being signed in', async () => {
  const { page, begin, reach } = await visit(360)
  const { email } = people.femi
  await begin('/account/sign-in')
  await write(page, { 'E-mail address': email })
  await page.getByText('Use my password').click()
  await follow(page, 'Forgot your password?')
  await write(page, { 'E-mail address': email })
  await press(page, 'Send me a code')
  await write(page, { 'Six-digit code': await readCode(email) })
  await page.locator('input[type=password]').fill(NEW_PASSWORD)
  await page.locator('button.main').click()
  assert.deepEqual(await reach('Hello, Femi'), { clicks: 4, pages: 3 })
})

test('one’s name and language: from any page to the form, and saved', async () => {
  const { page, begin, reach } = await enter('eli', 1280)
  await begin('/')
  await page.locator('.own-menu summary').click()
  await follow(page, 'Your account')
  await follow(page, 'Edit profile')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('pt')
  await press(page, 'Save')
  assert.deepEqual(await reach(/Olá, Eli|guardad/), { clicks: 4, pages: 3 })
})

test('one’s data: from the account to a copy that is being made', async () => {
  const { page, begin, reach } = await enter('ben', 360)
  await begin('/account')
  await follow(page, 'Your data')
  await press(page, 'Make a copy')
  assert.deepEqual(await reach('Your copy is being made'), { clicks: 2, pages: 2 })
})
