// One thing: a course is built in its editor, in few clicks with scripts and the same without, and nothing typed is lost.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { createWalk, type Size, type Walker } from '#testing/browser-walk.ts'
import { LESSONS, writeCourse, writeText } from '#testing/built-course.ts'
import { startChromium, testBothWays, type Way } from '#testing/chromium.ts'
import { TEACHING, teach } from '#testing/learning.ts'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium?.close())

const enter = async (path: string, way?: Way, size: Size = 'desktop'): Promise<Walker> => {
  const walker = await walk.start(size, way)
  await walker.goto(`/account/sign-in?return_to=${path}`)
  await walker.fill({ email: people.ada.email, password: PASSWORD })
  await walker.page.waitForSelector('.app')
  // Loads are counted from here.
  await walker.page.waitForLoadState()
  return walker
}

/** The names of the rows of the outline, in their order. */
const listRows = (page: Page): Promise<string[]> => page.locator('.outline :is(h2, .les) bdi').allTextContents()

const create = async (
  name: string,
  lessons: readonly string[],
): Promise<{ path: string; lessons: readonly string[] }> => {
  const found = await teach(
    await app.actor('ada', { scopes: TEACHING }),
    name,
    lessons.map(one => ({ name: one })),
  )
  return { path: `/staff/courses/${found.id}`, lessons: found.lessons }
}

// What a person does: clicks are counted, and so are the pages that the browser loads.
const count = (page: Page) => {
  const counted = { clicks: 0, loads: 0 }
  page.on('load', () => {
    counted.loads += 1
  })
  const click = async (target: string): Promise<void> => {
    counted.clicks += 1
    await page.locator(target).first().click()
  }
  return { counted, click }
}

const buildCourse = async (way: Way): Promise<{ clicks: number; loads: number }> => {
  const { page, look, close } = await enter('/staff', way)
  const { counted, click } = count(page)
  const name = `Counted ${way.javaScriptEnabled}`
  await click('.bar details.menu summary')
  await click('.bar a[href="/staff/courses/new"]')
  await writeCourse({ page, click }, name, look)
  await close()
  const visitor = await walk.start('desktop')
  await visitor.goto(`/courses/counted-${way.javaScriptEnabled}`)
  assert.match((await visitor.page.textContent('main')) ?? '', /€49/)
  for (const lesson of LESSONS) assert.equal(await visitor.page.getByText(lesson).count(), 1, `visitors see ${lesson}`)
  await visitor.close()
  return counted
}

test('rows are moved by keys, which say the place, and put back by Escape; the server has the new order', async () => {
  const { path } = await create('Of keys', ['One', 'Two', 'Three'])
  const { page, look, close } = await enter(path)
  const grip = page.locator('li:has(> .les a:has-text("Three")) .grip')
  const said = () => page.locator('[data-live]').textContent()
  await grip.focus()
  await page.keyboard.press('Space')
  assert.match((await said()) ?? '', /^Three: picked up, place 3/)
  await page.keyboard.press('ArrowUp')
  assert.equal(await said(), 'Three: place 2, in “All”')
  await page.keyboard.press('Escape')
  assert.deepEqual(await listRows(page), ['All', 'One', 'Two', 'Three'])
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  await page.waitForSelector('#done')
  assert.equal(await page.locator('li:has(> .les a:has-text("Three")) .grip:focus').count(), 1)
  await look()
  await page.reload()
  assert.deepEqual(await listRows(page), ['All', 'Three', 'One', 'Two'])
  await close()
})

test('rows are dragged by their grips, renamed by a double click, and published by a switch that can be undone', async () => {
  const { path } = await create('Of hands', ['One', 'Two', 'Three'])
  const { page, look, close } = await enter(path)
  const at = async (name: string) => {
    const box = await page.locator(`.les:has-text("${name}") .grip`).boundingBox()
    assert.ok(box)
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  const [from, to] = [await at('Three'), await at('One')]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y + 10, { steps: 4 })
  await page.mouse.move(to.x, to.y - 10, { steps: 4 })
  await page.mouse.up()
  await page.waitForSelector('#done')
  await page.dblclick('.les bdi:text-is("Two")')
  await page.fill('[data-rename]', 'Second')
  await page.press('[data-rename]', 'Enter')
  await page.waitForSelector('.les bdi:text-is("Second")')
  await page.goto(page.url())
  assert.deepEqual(await listRows(page), ['All', 'Three', 'One', 'Second'])
  const published = '[role=switch][aria-label="Published: One"]'
  await page.click(published)
  await page.waitForSelector(`${published}[aria-checked=false]`)
  await look()
  await page.click('#done button')
  await page.waitForSelector(`${published}[aria-checked=true]`)
  await close()
})

test('another lesson is opened without a page load, and what was typed into the one before is still there', async () => {
  const { path, lessons } = await create('Of unsaved texts', ['One', 'Two'])
  const { page, complaints, close } = await enter(`${path}/lessons/${lessons[0]}`)
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await writeText(page, '#body', 'Typed and not saved.')
  await page.click('.les a:has-text("Two")')
  await page.waitForURL(`**${path}/lessons/${lessons[1]}`)
  await page.waitForSelector('.les a:has-text("One") small:text-is("not saved")')
  await writeText(page, '#body', 'Of the second.')
  await page.click('.save [value=save]')
  await page.waitForURL(/done=saved/)
  await page.click('[role=switch][aria-label="Published: One"]')
  await page.waitForSelector('[role=switch][aria-label="Published: One"][aria-checked=false]')
  await page.click('.les a:has-text("One")')
  await page.waitForURL(`**${path}/lessons/${lessons[0]}`)
  assert.equal(await page.inputValue('#body'), 'Typed and not saved.')
  await page.click('.save [value=save]')
  await page.waitForURL(/done=saved/)
  await page.goBack()
  await page.waitForSelector('.work h1:has-text("Two")', { state: 'attached' })
  assert.equal(await page.inputValue('#body'), 'Of the second.')
  assert.deepEqual([loads, complaints], [0, []])
  await page.goto(`${app.a.baseUrl}${path}/lessons/${lessons[0]}`)
  assert.equal(await page.inputValue('#body'), 'Typed and not saved.')
  await close()
})

testBothWays('attaching a file keeps the text that is typed', async way => {
  const { path, lessons } = await create(`Of files ${way.javaScriptEnabled}`, ['One'])
  const { page, look, close } = await enter(`${path}/lessons/${lessons[0]}`, way, 'phone')
  await writeText(page, '#body', 'Typed and not saved.')
  await page.click('.fold:has(#attachment-file) summary')
  const file = { name: 'butter.txt', mimeType: 'text/plain', buffer: Buffer.from('Which butter') }
  await page.setInputFiles('#attachment-file', file)
  await page.click('[value=attach]')
  await page.waitForSelector('.fold bdi:text-is("butter.txt")', { state: 'attached' })
  assert.equal(await page.inputValue('#body'), 'Typed and not saved.')
  await look()
  await page.click('.save [value=save]')
  await page.waitForURL(/done=saved/)
  assert.equal(await page.inputValue('#body'), 'Typed and not saved.')
  await close()
})

testBothWays('an owner builds a course of four lessons with a quiz, an assignment and a price', async way => {
  const { clicks, loads } = await buildCourse(way)
  const [most, mostLoads] = way.javaScriptEnabled ? [15, 6] : [16, 16]
  assert.ok(clicks <= most && loads <= mostLoads, `${clicks} clicks and ${loads} page loads`)
})
