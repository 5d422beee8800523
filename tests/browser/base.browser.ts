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

const enter = async (path: string, way?: Way): Promise<Walker> => {
  const walker = await walk.start('desktop', way)
  await walker.goto(`/account/sign-in?return_to=${path}`)
  await walker.fill({ email: people.ada.email, password: PASSWORD })
  return walker
}

const countNamed = async (name: string): Promise<number> =>
  (await app.database.query('select 1 from groups where name = $1', [name])).length

testBothWays('a form that is sent twice makes one thing', async way => {
  const { page, look, close } = await enter('/staff/groups', way)
  const name = `Early birds ${way.javaScriptEnabled}`
  await page.locator('details:has([name=name]) summary').click()
  await page.fill('[name=name]', name)
  await page.locator('form:has([name=name]) button').dblclick()
  await page.waitForSelector('#done')
  await look()
  assert.equal(await countNamed(name), 1)
  await close()
})

test('the button of a form says that it is being sent, and a second press sends nothing', async () => {
  const { page, close } = await enter('/staff/groups')
  await page.locator('details:has([name=name]) summary').click()
  await page.fill('[name=name]', 'Once')
  // A form is sent after it was asked whether its person is still signed in, so it is pressed again before and after.
  const busy = await page.evaluate(`(() => {
    sessionStorage.sent = 0
    const button = document.querySelector('form:has([name=name]) button')
    const pressAgain = () => {
      button.click()
      button.form.requestSubmit()
    }
    addEventListener('submit', event => {
      if (event.defaultPrevented) return
      sessionStorage.sent++
      if (sessionStorage.sent === '1') queueMicrotask(pressAgain)
    })
    button.click()
    const busy = button.getAttribute('aria-busy')
    pressAgain()
    return busy
  })()`)
  await page.waitForSelector('#done')
  assert.deepEqual([busy, await page.evaluate('sessionStorage.sent')], ['true', '1'])
  assert.equal(await page.locator('[aria-busy]').count(), 0)
  await close()
})

test('what was done is said for eight seconds, and stays while somebody is at it; a refusal stays', async () => {
  const { page, goto, close } = await enter('/staff/settings/school')
  await page.clock.install()
  await page.click('button.main')
  await page.waitForSelector('#done')
  await page.hover('#done')
  await page.clock.runFor(20_000)
  assert.equal(await page.locator('#done').count(), 1)
  await page.mouse.move(0, 0)
  await page.clock.runFor(9000)
  assert.equal(await page.locator('#done').count(), 0)
  await goto('/staff/settings/school')
  await page.fill('[name=name]', ' ')
  await page.click('button.main')
  await page.waitForSelector('#complaint')
  await page.clock.runFor(20_000)
  assert.equal(await page.locator('#complaint').count(), 1)
  await close()
})

// Menus and guarded forms as pages have them, with the module of a page of the console.
const openPart = async (page: Page, body: string): Promise<void> => {
  const modules = await page
    .locator('script[data-module]')
    .evaluateAll(found => found.map(one => (one as unknown as { outerHTML: string }).outerHTML))
  await page.route('**/part-of-a-page', route =>
    route.fulfill({ contentType: 'text/html', body: `<!doctype html><head>${modules.join('')}</head>${body}` }),
  )
  await page.goto(`${app.a.siteOrigin}/part-of-a-page`)
}

const MENUS = `<details class="menu" id="one"><summary>One</summary><div><ul>
<li><a href="#a">A</a></li><li><button type="button">B</button></li><li><a href="#c">C</a></li></ul></div></details>
<details class="menu" id="two"><summary>Two</summary><div><ul><li><a href="#d">D</a></li></ul></div></details><p>Text</p>`

test('a menu is used with the arrows, closes by Escape and a click outside, and one is open at a time', async () => {
  const { page, complaints, close } = await enter('/staff/groups')
  await openPart(page, MENUS)
  const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent')
  const open = (): Promise<string> =>
    page.evaluate("[...document.querySelectorAll('[open]')].map(one => one.id).join()")
  await page.focus('#one summary')
  await page.keyboard.press('ArrowDown')
  assert.deepEqual([await open(), await focused()], ['one', 'A'])
  for (const [key, at] of [
    ['ArrowDown', 'B'],
    ['End', 'C'],
    ['ArrowDown', 'A'],
    ['ArrowUp', 'C'],
    ['Home', 'A'],
  ] as const) {
    await page.keyboard.press(key)
    assert.equal(await focused(), at, key)
  }
  await page.keyboard.press('Escape')
  assert.deepEqual([await open(), await focused()], ['', 'One'])
  await page.click('#one summary')
  await page.click('#two summary')
  assert.equal(await open(), 'two')
  await page.click('p')
  assert.equal(await open(), '')
  assert.deepEqual(complaints, [])
  await close()
})

test('the browser asks before a form with unsaved changes is left, and not when it is sent', async () => {
  const { page, close } = await enter('/staff/groups')
  const guarded =
    '<form method="post" action="/part-of-a-page" data-guard><input name="name" value="Loaf"><button>Save</button></form>'
  await openPart(page, guarded)
  const asked: string[] = []
  page.on('dialog', dialog => {
    asked.push(dialog.type())
    return dialog.accept()
  })
  await page.fill('[name=name]', 'Loaf')
  await page.reload()
  assert.deepEqual(asked, [])
  await page.fill('[name=name]', 'Loaves')
  await page.reload()
  assert.deepEqual(asked, ['beforeunload'])
  await page.fill('[name=name]', 'Buns')
  await page.click('button')
  await page.waitForLoadState()
  assert.deepEqual(asked, ['beforeunload'])
  await close()
})

test('a page whose module fails works as before', async () => {
  const { page, goto, close } = await enter('/staff/groups')
  await page.route('**/assets/modules/**', route => route.fulfill({ status: 500, body: '' }))
  await goto('/staff/groups')
  await page.locator('details:has([name=name]) summary').click()
  await page.fill('[name=name]', 'Without a module')
  await page.locator('form:has([name=name]) button').click()
  await page.waitForSelector('#done')
  await close()
})
