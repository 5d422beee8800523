// One thing: what one does at a school with a keyboard alone, in Chromium.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { readMain, testJourneys } from '#testing/clicks.ts'

const { visit, enter, readCode } = testJourneys()

const MOST_STOPS = 90

type Focused = { readonly name: string; readonly isSeen: boolean }

// Whoever uses a keyboard has to see where they are: what has the focus is on the screen, and it or the card that it covers
// has an outline.
const READ_FOCUSED = `(() => {
  const one = document.activeElement
  const { top, bottom, width } = one.getBoundingClientRect()
  const outlined = [one, one.closest('.card, .choice, .featured, .result, .person')].some(element => {
    const { outlineStyle, outlineWidth } = element ? getComputedStyle(element) : { outlineStyle: 'none' }
    return outlineStyle !== 'none' && outlineWidth !== '0px'
  })
  const words = [one.getAttribute('aria-label'), one.labels?.[0]?.textContent, one.textContent]
  return {
    name: words.find(text => text)?.replace(/\\s+/g, ' ').trim() ?? '',
    isSeen: outlined && width > 0 && bottom > 0 && top < innerHeight,
  }
})()`

const readFocused = (page: Page): Promise<Focused> => page.evaluate(READ_FOCUSED)

/** Goes on with the Tab key as far as an element with a name, every stop of which is seen; returns the number of stops. */
const reachByTab = async (page: Page, name: string): Promise<number> => {
  for (let stops = 1; stops <= MOST_STOPS; stops++) {
    await page.keyboard.press('Tab')
    const focused = await readFocused(page)
    assert.ok(focused.isSeen, `${focused.name} is seen when it has the focus on ${page.url()}`)
    if (focused.name === name) return stops
  }
  return assert.fail(`${name} is not reached by the keyboard on ${page.url()}`)
}

const enterAt = async (page: Page, name: string): Promise<void> => {
  await reachByTab(page, name)
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
}

const skip = async (page: Page): Promise<void> => {
  assert.equal(await reachByTab(page, 'Skip to the content'), 1)
  await page.keyboard.press('Enter')
}

test('buying with a keyboard: from the home page to what was paid', async () => {
  const { page, begin, reach } = await visit(1280)
  const email = 'kim@walker.example'
  await begin('/')
  await skip(page)
  await enterAt(page, 'Sourdough from scratch')
  await skip(page)
  await enterAt(page, 'Buy the course')
  await reachByTab(page, 'E-mail address')
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type('Kim Walker')
  await enterAt(page, 'Pay €49.00')
  await reachByTab(page, 'Code from the e-mail')
  await page.keyboard.type(await readCode(email))
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
  await page.waitForURL('**/test-payments/*')
  await enterAt(page, 'Pay')
  assert.deepEqual(await reach('Thank you! Everything is ready for you.'), { clicks: 0, pages: 5 })
})

test('signing in and out with a keyboard on a phone, whose menu opens with the space bar', async () => {
  const { page, begin, reach } = await enter('dev', 360)
  await begin('/courses')
  await reachByTab(page, 'Menu')
  await page.keyboard.press('Space')
  await enterAt(page, 'Your account')
  assert.deepEqual(await reach('Hello, Dev Patel'), { clicks: 0, pages: 1 })
  await skip(page)
  await enterAt(page, 'Sign out')
  assert.match(await readMain(page), /signed out/i)
})

test('what is wrong in a form is said, and what was typed is kept', async () => {
  const { page, begin, reach } = await visit(1280)
  await begin('/account/sign-up')
  await reachByTab(page, 'Your name')
  await page.keyboard.type('Kim Walker')
  await page.keyboard.press('Tab')
  await page.keyboard.type('kim@nowhere')
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
  assert.equal(await page.inputValue('[name=name]'), 'Kim Walker')
  assert.deepEqual(await reach('This is not an e-mail address.'), { clicks: 0, pages: 1 })
})
