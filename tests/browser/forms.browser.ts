import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { testApp } from '#testing/app.ts'
import { createWalk, type Size, type Walker } from '#testing/browser-walk.ts'
import { sizes, startChromium } from '#testing/chromium.ts'
import { enterConsole } from '#testing/console.ts'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

const create = async ({ page, goto, look }: Walker, size: Size): Promise<string> => {
  await goto('/staff/forms')
  await look()
  await page.click('details:has(input[name=title]) summary')
  await page.fill('input[name=title]', `Open day ${size}`)
  await page.click('details:has(input[name=title]) button')
  await page.waitForSelector('#done')
  await look()
  return new URL(page.url()).pathname
}

const addFields = async ({ page, look }: Walker): Promise<void> => {
  for (const [index, [label, type]] of [
    ['Your e-mail address', 'email'],
    ['What shall we bake, and for how many people on the long table in the garden?', 'long_text'],
    ['I agree that the bakery stores my answer.', 'consent'],
  ].entries()) {
    await page.click('button[value=add]')
    await page.fill(`input[name="field.${index}.label"]`, label ?? '')
    await page.selectOption(`select[name="field.${index}.type"]`, type ?? '')
  }
  await look()
  await page.click('button.main[value=save]')
  await page.waitForSelector('#done')
  await page.click('form:has(input[value=publish]) button')
  await page.waitForSelector('#done')
  await look()
}

const answer = async ({ page, goto, look }: Walker, size: Size): Promise<void> => {
  await goto(`/forms/open-day-${size}`)
  await look()
  await page.fill('input[type=email]', 'ines@example.com')
  await page.fill('textarea', 'Rye')
  await app.moveClock(3)
  await page.click('button.main')
  await page.waitForSelector('[role=status]')
  await look()
}

const read = async ({ page, goto, look }: Walker, path: string): Promise<void> => {
  await goto(`${path}/submissions`)
  await look()
  await page.click('main tbody a')
  await page.waitForSelector('dl.facts')
  await look()
  assert.match(await page.locator('dl.facts').innerText(), /ines@example\.com/)
  await goto('/staff/forms/person?email=ines@example.com')
  await look()
}

const walkForms = async (size: Size): Promise<void> => {
  const walker = await walk.start(size)
  await enterConsole(walker, size, '/staff/forms')
  const path = await create(walker, size)
  await addFields(walker)
  await answer(walker, size)
  await read(walker, path)
  await walker.close()
}

for (const size of Object.keys(sizes) as Size[])
  test(`staff make a form, somebody answers it and staff read the answer, on a ${size}`, () => walkForms(size))

test('every page of forms was looked at, on a desktop and on a phone', async () => {
  assert.deepEqual(await walk.missing('forms'), [])
})
