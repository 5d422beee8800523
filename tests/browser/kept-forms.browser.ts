import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { createWalk, type Size } from '#testing/browser-walk.ts'
import { enterPassword, fillField, startChromium } from '#testing/chromium.ts'
import { readMemberId, TEACHING, teach } from '#testing/learning.ts'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium?.close())

const WORDS = Array.from({ length: 3000 }, (_, at) => `word${at}`).join(' ')
const SIGN_IN = { email: people.ada.email, password: PASSWORD }
const HOUR = 3600
// With scripts a form is sent again without leaving its page: nothing-lost.browser.ts.
const WAY = { javaScriptEnabled: false }
const SIZES = [
  ['desktop', { width: 1280, height: 900 }],
  ['phone', { width: 360, height: 740 }],
] as const

/** A lesson whose text was typed and is not saved yet, by somebody who stays signed in on this device or not. */
const typeLesson = async (name: string, size: Size, isRemembered = true) => {
  const { lessons, id } = await teach(await app.actor('ada', { scopes: TEACHING }), name, [{ name: 'Long' }])
  const walker = await walk.start(size, WAY)
  const path = `/staff/courses/${id}/lessons/${lessons[0]}`
  await walker.goto(`/account/sign-in?return_to=${path}`)
  if (!isRemembered) await walker.page.uncheck('[name=remember]')
  await walker.fill(SIGN_IN)
  await fillField(walker.page, '#body', WORDS)
  return { ...walker, path }
}

const send = (page: Page): Promise<void> => page.press('#name', 'Enter')

const assertShownAgain = async (page: Page, path: string): Promise<void> => {
  assert.equal(new URL(page.url()).pathname, path)
  assert.match(new URL(page.url()).search, /^\?kept=/)
  assert.equal(await page.inputValue('#body'), WORDS)
  await page.waitForSelector('#kept:focus')
}

const save = async (page: Page): Promise<void> => {
  await send(page)
  await page.waitForURL(/done=/)
  assert.equal(await page.inputValue('#body'), WORDS)
}

/** Signs somebody in in another tab, where nobody is signed in any more. */
const signInElsewhere = async (page: Page, name: 'ada' | 'ben'): Promise<void> => {
  await page.context().clearCookies()
  const other = await page.context().newPage()
  await other.goto(`${app.a.siteOrigin}/account/sign-in`)
  await other.fill('[name=email]', people[name].email)
  await enterPassword(other, PASSWORD)
  await other.waitForURL(/\/account$/)
}

for (const [size, viewport] of SIZES)
  test(`a lesson of 3,000 words is in the editor after the cookie is gone and the person signed in, on a ${size}`, async () => {
    const { path, ...walker } = await typeLesson(`Kept ${size}`, size)
    const { page } = walker
    await page.setViewportSize(viewport)
    await page.context().clearCookies()
    await send(page)
    await page.waitForURL(/\/account\/sign-in/)
    assert.match((await page.textContent('main')) ?? '', /What you typed is kept for 15 minutes\./)
    await walker.look()
    await walker.fill(SIGN_IN)
    await walker.look()
    await assertShownAgain(page, path)
    await page.reload()
    await assertShownAgain(page, path)
    await save(page)
    await walker.close()
  })

test('a lesson of 3,000 words is in the editor after a sign-in in another tab, and nobody is asked again', async () => {
  const { path, page, close } = await typeLesson('Kept in another tab', 'desktop')
  await signInElsewhere(page, 'ada')
  await send(page)
  await page.waitForURL(/kept=/)
  await assertShownAgain(page, path)
  await save(page)
  await close()
})

test('a lesson of 3,000 words is saved 11 hours after the sign-in, and nobody is asked', async () => {
  for (const isRemembered of [true, false]) {
    const { page, close } = await typeLesson(`After 11 hours ${isRemembered}`, 'desktop', isRemembered)
    await app.moveClock(11 * HOUR)
    await save(page)
    await close()
  }
})

test('a lesson of 3,000 words is in the editor after the 12 hours of who stays signed in on no device', async () => {
  const { path, fill, page, close } = await typeLesson('After 13 hours', 'desktop', false)
  await app.moveClock(13 * HOUR)
  await send(page)
  await page.waitForURL(/\/account\/sign-in/)
  await fill(SIGN_IN)
  await assertShownAgain(page, path)
  await save(page)
  await close()
})

test('a role that was chosen is still chosen after the proof that it needs, and is given when it is sent again', async () => {
  const walker = await walk.start('desktop', WAY)
  const { page } = walker
  const path = `/staff/people/${toId('mem', await readMemberId(app, 'femi'))}/acts/role`
  const choose = 'form:has(input[value=role])'
  await walker.goto(`/account/sign-in?return_to=${path}`)
  await walker.fill(SIGN_IN)
  await app.database.query('update sessions set recent_until = stoa.now()')
  await page.selectOption(`${choose} select`, 'lecturer')
  await page.click(`${choose} button`)
  await page.waitForURL(/\/account\/confirm\?/)
  assert.match((await page.textContent('main')) ?? '', /What you typed is kept for 15 minutes\./)
  await walker.look()
  await walker.fill({ password: PASSWORD })
  assert.equal(new URL(page.url()).pathname, path)
  assert.equal(await page.inputValue(`${choose} select`), 'lecturer')
  await page.waitForSelector('#kept:focus')
  await walker.look()
  await page.click(`${choose} button`)
  await page.waitForURL(/done=/)
  await walker.close()
})

test('what was typed stays in the page before when another person signed in meanwhile, and is refused', async () => {
  const { page, close } = await typeLesson('Of another person', 'desktop')
  await signInElsewhere(page, 'ben')
  await send(page)
  await page.waitForSelector('text=form_refused')
  assert.match((await page.textContent('main')) ?? '', new RegExp(people.ben.name))
  await page.goBack()
  assert.equal(await page.inputValue('#body'), WORDS)
  await close()
})
