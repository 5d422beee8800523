import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { createWalk, type Size } from '#testing/browser-walk.ts'
import { sizes, startChromium } from '#testing/chromium.ts'
import { give, seller, sellProduct } from '#testing/products.ts'

const WORKBOOK = '/products/sourdough-workbook'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

test('the products of a school are legible in both color schemes, on a desktop, on a phone and on paper', async () => {
  for (const size of Object.keys(sizes) as Size[])
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, ...walker } = await walk.start(size)
      for (const path of ['/products', WORKBOOK])
        for (const media of ['screen', 'print'] as const) {
          await page.emulateMedia({ colorScheme, media })
          await walker.goto(path)
          await walker.look()
        }
      await walker.close()
    }
})

test('a person saves a file of a product from the page of their downloads', async () => {
  const ada = await seller(app)
  await give(app, ada, await sellProduct(ada, { name: 'Rye handbook' }, ['Rye, water, salt']), 'dev')
  for (const size of Object.keys(sizes) as Size[]) {
    const { page, ...walker } = await walk.start(size)
    await walker.goto('/account/downloads')
    await walker.fill({ email: people.dev.email, password: PASSWORD })
    await page.waitForURL(/\/account\/downloads$/)
    await walker.look()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('main section:has-text("Rye handbook") form button'),
    ])
    assert.equal(download.suggestedFilename(), 'recipes.txt')
    assert.equal(await readFile(await download.path(), 'utf8'), 'Rye, water, salt')
    await walker.close()
  }
})

test('every page of products was looked at, on a desktop and on a phone', async () => {
  assert.deepEqual(await walk.missing('products'), [])
})
