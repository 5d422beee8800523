import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { must } from '#testing/awards.ts'
import { createWalk, type Size } from '#testing/browser-walk.ts'
import { sizes, startChromium } from '#testing/chromium.ts'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

// The page about the school, a static page with its newest deployment, and a preview of the first.
const arrange = async () => {
  const ada = await app.actor('ada', { scopes: ['pages:read', 'pages:write'] })
  const list: { id: string; path: string; kind: string }[] = (await must(ada.get('/pages?limit=100'))).data
  const about = list.find(({ path }) => path === '/about')?.id ?? ''
  const fixed = list.find(({ kind }) => kind === 'static')?.id ?? ''
  const [deployment] = (await must(ada.get(`/pages/${fixed}/deployments`))).data
  const { url } = await must(ada.write('POST', `/pages/${about}/previews`), 201)
  return { about, fixed, deployment: deployment.id, preview: new URL(url).pathname }
}

for (const size of Object.keys(sizes) as Size[])
  test(`staff look at the pages of the site, their editor, versions, deployments and a preview, on a ${size}`, async () => {
    const { about, fixed, deployment, preview } = await arrange()
    const walker = await walk.start(size)
    const { page, goto, look } = walker
    await goto('/staff/pages')
    await walker.fill({ email: people.ada.email, password: PASSWORD })
    await look()
    for (const path of [`/${about}`, `/${about}/versions`, `/${fixed}/bundles`, `/${fixed}/bundles/${deployment}`]) {
      await goto(`/staff/pages${path}`)
      await look()
    }
    await goto(preview)
    assert.equal(await page.locator('h1').innerText(), 'About us')
    await look()
    await goto(`/pages/${about}`)
    assert.equal(new URL(page.url()).pathname, '/about')
    await look()
    walk.note(size, `/pages/${about}`)
    await walker.close()
  })

test('every page of the editor of pages was looked at, on a desktop and on a phone', async () => {
  assert.deepEqual(await walk.missing('staffPages'), [])
})
