import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { createWalk, type Size } from '#testing/browser-walk.ts'
import { sizes, startChromium } from '#testing/chromium.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { until } from '#testing/until.ts'

const STARTER = '/blog/why-your-starter-sulks'

let chromium: Browser
let mailbox: Mailbox | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(async () => {
  await chromium.close()
  await mailbox?.stop()
})

const visit = async (path: string): Promise<string> => (await app.send({ path, headers: { accept: 'text/html' } })).text

test('the blog is legible in both color schemes, on a desktop and on a phone', async () => {
  for (const size of Object.keys(sizes) as Size[])
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, ...walker } = await walk.start(size)
      await page.emulateMedia({ colorScheme })
      for (const path of ['/blog', '/blog/category/news', STARTER, '/blog/notes-on-hydration']) {
        await walker.goto(path)
        await walker.look()
      }
      await walker.close()
    }
})

test('a post from a draft to a scheduled publication, to the feed and to the search', async () => {
  for (const size of Object.keys(sizes) as Size[]) {
    const title = `Crackling crust on a ${size}`
    const { page, ...walker } = await walk.start(size)
    await walker.goto('/staff/posts/new')
    await walker.fill({ email: people.ada.email, password: PASSWORD })
    await page.waitForURL(/\/staff\/posts\/new$/)
    await walker.look()
    await walker.fill({ title })
    await page.waitForURL(/\/staff\/posts\/pst_/)
    await walker.look()
    await walker.fill({ body: `Steam for **ten** minutes.\n\n<!--more-->\n\nThen the secretcrumb${size}.` })
    await page.selectOption('select[name=access]', 'members')
    await page.click('button[value=preview]')
    await page.waitForSelector('#text-preview strong')
    await page.click('button[value=save]')
    await page.waitForURL(/done=save\b/)
    await page.click('#publication summary')
    await page.fill('#publication input[name=at]', '2090-03-04T07:30')
    await page.click('#publication details button[type=submit]')
    await page.waitForURL(/done=schedule\b/)
    await walker.look()
    assert.ok(!(await visit('/feed.xml')).includes(title))
    await app.database.query(`update posts set publish_at = stoa.now() where status = 'scheduled' and school_id = $1`, [
      app.a.id,
    ])
    await app.database.query(`update jobs set due_at = stoa.now() where kind = 'post_publication'`)
    await until(async () => (await visit('/feed.xml')).includes(title), 'the post in the feed')
    await until(async () => (await visit('/search?q=crackling')).includes(title), 'the post in the search')
    assert.ok(!(await visit('/search?q=secretcrumb')).includes(title))
    await walker.goto('/staff/posts')
    await walker.look()
    await walker.goto('/staff/posts/categories')
    await walker.look()
    const slug = title.toLowerCase().replaceAll(' ', '-')
    assert.ok(!(await visit(`/blog/${slug}`)).includes('secretcrumb'))
    await walker.goto(`/account/posts/${slug}`)
    await walker.look()
    assert.match(await page.innerText('main'), /secretcrumb/)
    await walker.close()
  }
})

test('every page of posts was looked at, on a desktop and on a phone', async () => {
  assert.deepEqual(await walk.missing('posts'), [])
})
