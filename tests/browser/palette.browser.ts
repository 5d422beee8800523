import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { createWalk, type Walker } from '#testing/browser-walk.ts'
import { startChromium, testBothWays, type Way } from '#testing/chromium.ts'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium?.close())

const enter = async (size: 'desktop' | 'phone' = 'desktop', way?: Way): Promise<Walker> => {
  const walker = await walk.start(size, way)
  await walker.goto('/account/sign-in?return_to=/staff')
  await walker.fill({ email: people.ada.email, password: PASSWORD })
  // The module has run.
  if (way?.javaScriptEnabled !== false) await walker.page.waitForSelector('.bar kbd', { state: 'attached' })
  return walker
}

const isOpen = (page: Page): Promise<boolean> => page.locator('dialog.palette[open]').isVisible()

testBothWays('what is searched for in the bar leads to its page', async way => {
  const { page, look, close } = await enter('desktop', way)
  await page.focus('.bar input[name=q]')
  await page.keyboard.type('femi')
  if (way.javaScriptEnabled !== false) {
    await page.waitForSelector(`[role=option]:has-text("${people.femi.name}")`)
    assert.equal(await page.inputValue('.palette input'), 'femi', 'the palette goes on with what was typed')
    await look()
  }
  await page.keyboard.press('Enter')
  if (way.javaScriptEnabled === false) {
    await page.waitForURL(/\/staff\/search\?q=femi$/)
    await look()
    await page.click(`main a:has-text("${people.femi.name}")`)
  }
  await page.waitForURL(/\/staff\/people\/mem_/)
  await close()
})

test('by the keyboard alone: Ctrl-K, arrows, Enter, Escape, and what was opened last', async () => {
  const { page, look, close } = await enter()
  await page.keyboard.press('Control+k')
  assert.ok(await isOpen(page))
  await page.waitForSelector('[role=option]:has-text("Create a coupon")')
  await page.keyboard.press('Escape')
  assert.equal(await isOpen(page), false)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('create')
  await page.waitForSelector('.palette [role=status]:has-text("Results: ")')
  const chosen = () => page.locator('[role=option][aria-selected=true]').textContent()
  const [first] = await page.locator('[role=option]').allTextContents()
  assert.equal(await chosen(), first)
  await page.keyboard.press('ArrowUp')
  assert.equal(await chosen(), (await page.locator('[role=option]').allTextContents()).at(-1))
  await page.keyboard.press('ArrowDown')
  assert.equal(await chosen(), first)
  for (let at = 0; at < 20 && (await chosen()) !== 'Create a coupon'; at++) await page.keyboard.press('ArrowDown')
  const active = await page.getAttribute('.palette input', 'aria-activedescendant')
  assert.equal(await page.locator(`#${active}`).textContent(), 'Create a coupon')
  await look()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/staff\/coupons\/new$/)
  await page.keyboard.press('Control+k')
  await page.waitForSelector('.palette h3:has-text("Opened last")')
  assert.equal(await chosen(), 'Create a coupon')
  await close()
})

test('text of people is text, and a search that does not answer leads to the page', async () => {
  const name = '<img src=x onerror=alert(1)>'
  await app.database.query(
    'update courses set name = $2 where school_id = $1 and id = (select min(id::text)::uuid from courses where school_id = $1)',
    [app.a.id, name],
  )
  const { page, close } = await enter()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('zwiebel')
  await page.waitForSelector('.palette [role=status]:has-text("Nothing was found.")')
  await page.route('**/staff/search.json*', route => route.abort())
  await page.fill('.palette input', 'rye')
  await page.waitForSelector('.palette [role=status]:has-text("did not answer")')
  assert.equal(await page.locator('[role=option]').count(), 0)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/staff\/search\?q=rye$/)
  await close()
})
