import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { testApp } from '#testing/app.ts'
import { fillField, startChromium } from '#testing/chromium.ts'
import { TEACHING, teach } from '#testing/learning.ts'
import { assertSaved, createForms, HERE, listDrafts, SIGN_IN, save, TEXT, typeDraft } from '#testing/typed-texts.ts'

let chromium: Browser
const app = testApp()
const { walk, openLesson } = createForms(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium?.close())

/** The editor of a course with two lessons, the first one open. */
const openTwo = async (name: string) => {
  const { lessons, id } = await teach(await app.actor('ada', { scopes: TEACHING }), name, [
    { name: 'First' },
    { name: 'Second' },
  ])
  const [first, second] = lessons.map(lesson => `/staff/courses/${id}/lessons/${lesson}`)
  const walker = await walk.start('desktop')
  await walker.goto(`/account/sign-in?return_to=${first}`)
  await walker.fill(SIGN_IN)
  const { page } = walker
  await page.waitForSelector('[data-work] .work')
  const show = async (path = ''): Promise<void> => {
    await page.click(`#outline a[href="${path}"]`)
    await page.waitForSelector(`form[data-work][action="${path}"]`)
  }
  return { ...walker, first: first ?? '', second: second ?? '', show }
}

test('lessons that are opened one after the other do not mix, and the draft of each is offered with it', async () => {
  const { page, first, second, show, goto, close } = await openTwo('One after the other')
  await typeDraft(page)
  await show(second)
  assert.notEqual(await page.inputValue('#body'), TEXT)
  await fillField(page, '#body', 'Of the second.')
  await page.press('#body', 'Tab')
  await page.waitForSelector('text=/Saved .* in this browser/')
  await show(first)
  assert.equal(await page.inputValue('#body'), TEXT)
  await goto(second)
  await page.waitForSelector(HERE)
  assert.equal(await page.inputValue('#body'), 'Of the second.')
  await show(first)
  await page.waitForSelector(HERE)
  assert.equal(await page.inputValue('#body'), TEXT, 'the draft is offered where the lesson is opened in the outline')
  await save(page)
  await page.waitForURL(/done=saved/)
  await show(second)
  assert.equal(await page.inputValue('#body'), 'Of the second.')
  assert.equal((await listDrafts(page)).length, 1)
  await close()
})

test('what is typed while a lesson is being saved stays, in that lesson and in the next one', async () => {
  const { page, first, second, show, goto, close } = await openTwo('While it is saved')
  let answer = (): void => {}
  const slow = async (path: string): Promise<void> => {
    const waits = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route(`**${path}`, async route => {
      if (route.request().method() === 'POST') await waits
      await route.continue()
    })
  }
  await slow(first)
  await fillField(page, '#body', TEXT)
  await save(page)
  await page.waitForSelector('[data-work][data-busy]')
  await fillField(page, '#body', `${TEXT} And more.`)
  answer()
  await page.waitForURL(/done=saved/)
  assert.equal(await page.inputValue('#body'), `${TEXT} And more.`)
  await page.unroute(`**${first}`)
  await slow(first)
  await save(page)
  await page.waitForSelector('[data-work][data-busy]')
  await show(second)
  await fillField(page, '#body', 'Of the second.')
  const answered = page.waitForResponse(
    response => response.request().method() === 'POST' && response.url().includes(first),
  )
  answer()
  await answered
  await page.waitForSelector('#done')
  assert.equal(new URL(page.url()).pathname, second)
  assert.equal(await page.inputValue('#body'), 'Of the second.')
  await show(first)
  assert.equal(await page.inputValue('#body'), `${TEXT} And more.`)
  assert.equal(await page.locator(HERE).count(), 0)
  await goto(first)
  assert.equal(await page.inputValue('#body'), `${TEXT} And more.`)
  await close()
})

test('the bar of a lesson says that it is being saved', async () => {
  const lesson = await openLesson('Saving')
  const { page, path, close } = lesson
  let answer = (): void => {}
  const waits = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.route(`**${path}`, async route => {
    if (route.request().method() === 'POST') await waits
    await route.continue()
  })
  await fillField(page, '#body', TEXT)
  await save(page)
  await page.locator('.save .state', { hasText: /^Saving…$/ }).waitFor()
  answer()
  await assertSaved(lesson, TEXT)
  await page.locator('.save .state', { hasText: /Learners see|Only you/ }).waitFor()
  await close()
})
