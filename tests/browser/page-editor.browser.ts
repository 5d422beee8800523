import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { must } from '#testing/awards.ts'
import { createWalk, type Size, type Walker } from '#testing/browser-walk.ts'
import { sizes, startChromium } from '#testing/chromium.ts'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

// The Node tests add every kind of block; on a phone those are looked at that are the widest.
const TYPES = {
  desktop: [
    ...['text', 'image', 'gallery', 'columns', 'button', 'quote', 'faq', 'embed'],
    ...['courses', 'products', 'plans', 'lecturers', 'reviews', 'checkout', 'html', 'spacer'],
  ],
  phone: ['gallery', 'columns', 'faq', 'courses', 'checkout', 'html'],
} as const satisfies Readonly<Record<Size, readonly string[]>>

// On a phone the person uses Portuguese.
const signIn = async (walker: Walker, size: Size): Promise<void> => {
  await walker.goto('/staff/pages')
  await walker.fill({ email: people.ada.email, password: PASSWORD })
  if (size === 'desktop') return
  await walker.goto('/account/profile')
  await walker.page.selectOption('select[name=locale]', 'pt')
  await walker.fill({})
  await walker.page.waitForSelector('#done')
}

const addBlock = async ({ page }: Walker, type: string, index: number): Promise<void> => {
  await page.selectOption('select[name=add_type]', type)
  await page.click('button[value=add]')
  // The browser goes to the new block.
  await page.waitForSelector(`#block-${index} h3:focus`)
  const top = await page.evaluate<number>(`document.getElementById('block-${index}').getBoundingClientRect().top`)
  assert.ok(top >= 0 && top < (page.viewportSize()?.height ?? 0), `${type} is in view at ${top}`)
}

const write = async (walker: Walker, size: Size): Promise<void> => {
  const { page, look } = walker
  for (const [index, type] of TYPES[size].entries()) await addBlock(walker, type, index)
  await look()
  await page.click('button[value=save] >> nth=0')
  // Many blocks lack what they need, and each says so.
  await look(/status of 422/)
  assert.ok((await page.locator('.field-error').count()) >= 4)
}

// Only with the keyboard: Tab to the fields and buttons, Enter and the arrow keys.
const writeByKeyboard = async (walker: Walker, title: string): Promise<string> => {
  const { page, goto, look } = walker
  const tabTo = async (selector: string): Promise<void> => {
    for (let presses = 0; presses < 120; presses++) {
      if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`)) return
      await page.keyboard.press('Tab')
    }
    assert.fail(`the keyboard does not reach ${selector} on ${page.url()}`)
  }
  await goto('/staff/pages')
  await tabTo('form input[name=title]')
  await page.keyboard.type(title)
  await page.keyboard.press('Enter')
  await page.waitForSelector('#done')
  await look()
  await tabTo('select[name=add_type]')
  await page.keyboard.press('Home')
  await tabTo('button[value=add]')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#block-0')
  await page.waitForSelector('#block-0 .editor .prose')
  await tabTo('#block-0 .editor .prose')
  await page.keyboard.type('Written **without** a mouse.')
  await tabTo('select[name=add_type]')
  await page.keyboard.press('Home')
  for (let presses = 0; presses < TYPES.desktop.indexOf('button'); presses++) await page.keyboard.press('ArrowDown')
  await tabTo('button[value=add]')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#block-1')
  await tabTo('#block-1 input[name$=label]')
  await page.keyboard.type('Courses')
  await tabTo('#block-1 input[name$=href]')
  await page.keyboard.type('/courses')
  await tabTo('#block-1 button[value="up.1"]')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#block-0 input[name$=href]')
  await tabTo('button[value=publish]')
  await page.keyboard.press('Enter')
  await page.waitForURL(/done=published/)
  await look()
  return (await page.locator('main a[href^="/"]:not([href^="/staff"])').first().getAttribute('href')) ?? ''
}

const upload = async ({ page, look }: Walker): Promise<void> => {
  const buffer = await sharp({ create: { width: 640, height: 400, channels: 3, background: '#a52' } })
    .png()
    .toBuffer()
  await page.selectOption('select[name=add_type]', 'image')
  await page.click('button[value=add]')
  await page.waitForSelector('#block-2')
  await page.setInputFiles('#block-2 input[type=file]', { name: 'loaf.png', mimeType: 'image/png', buffer })
  await page.fill('#block-2 input[name$=alt]', 'A loaf')
  await page.click('button[value=save] >> nth=0')
  await page.waitForSelector('#block-2 img.thumbnail')
  await look()
}

const lookAtPageForMembers = async ({ page, goto, look }: Walker, size: Size): Promise<void> => {
  const ada = await app.actor('ada', { scopes: ['pages:read', 'pages:write'] })
  const path = `/for-members-on-a-${size}`
  const blocks = [{ type: 'text', body: 'Only people who are signed in read this.' }]
  const { id } = await must(
    ada.write('POST', '/pages', { title: 'For members', path, visibility: 'members', blocks }),
    201,
  )
  await must(ada.write('PUT', `/pages/${id}/publication`, {}))
  await goto(`/account/pages/${id}`)
  assert.match(await page.locator('main').innerText(), /Only people who are signed in/)
  await look()
}

const edit = async (size: Size): Promise<void> => {
  const walker = await walk.start(size)
  const { page, goto, look } = walker
  await signIn(walker, size)
  await goto('/staff/pages')
  await look()
  const path = await writeByKeyboard(walker, `By keyboard on a ${size}`)
  assert.equal(path, `/by-keyboard-on-a-${size}`)
  const editor = new URL(page.url()).pathname
  await upload(walker)
  await lookAtPageForMembers(walker, size)
  await goto(editor)
  for (const summary of await page.locator('main details > summary').all()) await summary.click()
  await look()
  await goto(`${editor}/versions`)
  await look()
  await page.click('main tbody .c-main a >> nth=0')
  await page.waitForSelector('main dl')
  await look()
  await goto('/staff/pages')
  await page.fill(
    'input[name=title]',
    `A page with a very long title that nobody can read on a phone at once (${size})`,
  )
  await page.click('button.main')
  await page.waitForSelector('#done')
  await write(walker, size)
  await goto(editor)
  await page.click('button[value=preview] >> nth=0')
  await page.waitForURL(/\/pages\/previews\//)
  await look()
  // The address of a page by its id leads to its path.
  const byId = editor.replace('/staff', '')
  await goto(byId)
  assert.equal(new URL(page.url()).pathname, path)
  walk.note(size, byId)
  await look()
  await walker.close()
}

for (const size of Object.keys(sizes) as Size[])
  test(`an owner writes and publishes a page with the keyboard, uploads a picture, and sees what is wrong, on a ${size}`, () =>
    edit(size))

test('every page of the editor was looked at, on a desktop and on a phone', async () => {
  assert.deepEqual(await walk.missing('pageEditor'), [])
})
