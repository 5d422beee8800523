// One thing: what it takes to find one's way at a school as a stranger, in clicks and pages of Chromium.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { follow, press, testJourneys, write } from '#testing/clicks.ts'

const { visit, readCode } = testJourneys()

const WAYS_ON = ['See all courses', 'Sourdough from scratch', 'Open kitchen', 'Create an account'] as const

test('landing: the first screen says what the school is, and how to begin', async () => {
  for (const width of [360, 1280] as const) {
    const { page, begin, reach } = await visit(width)
    await begin('/')
    assert.deepEqual(await reach('A small school for people who bake bread at home.'), { clicks: 0, pages: 0 })
    for (const place of [page.locator('h1'), page.getByRole('link', { name: 'See all courses' }).first()]) {
      const { y = 0, height = 0 } = (await place.boundingBox()) ?? {}
      assert.ok(y + height <= 800, `${await place.innerText()} is on the first screen of ${width} pixels`)
    }
    for (const name of WAYS_ON) assert.ok((await page.getByRole('link', { name, exact: true }).count()) > 0, name)
  }
})

test('searching: a word with a typing error finds the course', async () => {
  const { page, begin, reach } = await visit(1280)
  await begin('/')
  await follow(page, 'Search')
  await page.getByRole('searchbox').fill('saurdough')
  await page.keyboard.press('Enter')
  assert.deepEqual(await reach('These are the results for “sourdough”.'), { clicks: 1, pages: 2 })
  await follow(page, 'Sourdough from scratch')
  assert.deepEqual(await reach('From the first starter to a loaf'), { clicks: 2, pages: 3 })
})

test('searching on a phone: the search is in the menu', async () => {
  const { page, begin, reach } = await visit(360)
  await begin('/')
  await page.locator('.site-menu summary').click()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('sour-dough')
  await page.keyboard.press('Enter')
  assert.deepEqual(await reach('Sourdough from scratch'), { clicks: 2, pages: 2 })
})

test('a course: what it teaches, what it costs, and a lesson to try', async () => {
  const { page, begin, reach } = await visit(360)
  await begin('/')
  await follow(page, 'Sourdough from scratch')
  assert.deepEqual(await reach(/€49[\s\S]+What you will learn[\s\S]+Feeding/), { clicks: 1, pages: 1 })
  await follow(page, /^What lives in it/)
  assert.deepEqual(await reach('A starter is a small zoo'), { clicks: 2, pages: 2 })
})

test('a free course: an account on the way, and back to the course', async () => {
  const { page, begin, reach } = await visit(360)
  const email = 'fred@walker.example'
  await begin('/')
  await follow(page, 'First loaf')
  await follow(page, 'Enroll for free')
  await write(page, { 'Your name': 'Fred Walker', 'E-mail address': email })
  await press(page, 'Send me a code')
  await write(page, { 'Six-digit code': await readCode(email) })
  await press(page, 'Create my account')
  await press(page, 'Enroll')
  assert.deepEqual(await reach('You are enrolled. Welcome to the course!'), { clicks: 5, pages: 5 })
})

test('a language: one button at the foot of the page that one reads', async () => {
  const { page, begin, reach } = await visit(360)
  await begin('/courses/sourdough-from-scratch')
  await press(page, 'Português')
  assert.deepEqual(await reach('Preços'), { clicks: 1, pages: 1 })
})

test('printing: a course on paper is what a browser shows, without the ways to other pages', async () => {
  const { page, begin, reach } = await visit(1280)
  await begin('/courses/sourdough-from-scratch')
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.getByRole('banner').getByRole('navigation').isVisible(), false)
  assert.deepEqual(await reach('What you will learn'), { clicks: 0, pages: 0 })
})
