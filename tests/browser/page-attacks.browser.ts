import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import { people } from '#src/demo/index.ts'
import { moduleNames, readModulePath } from '#src/kit/browser-modules.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { attacks } from '#testing/attacks.ts'
import { enterPassword, startChromium } from '#testing/chromium.ts'
import { until } from '#testing/until.ts'
import { uploader } from '#testing/uploads.ts'

let chromium: Browser
const app = testApp()
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

const PLAYER = 'https://www.youtube-nocookie.com/'
const AT_ONCE = 7

// What a JSON text can have; the API refuses the others.
const storable = attacks.filter(attack => !attack.includes('\u0000') && attack.isWellFormed())

const line = (attack: string, length: number): string =>
  `x ${attack.replace(/[\p{C}\p{Z}]/gu, ' ')}`.slice(0, length).trim()

/** Blocks with an attack in each of their texts. */
const buildBlocks = (attack: string, file: string): object[] => {
  const short = line(attack, 110)
  return [
    { type: 'text', body: attack },
    { type: 'html', html: attack },
    { type: 'image', file_id: file, alt: short, caption: short, href: '/courses' },
    { type: 'gallery', images: [{ file_id: file, alt: short, caption: short }] },
    { type: 'columns', columns: [{ body: attack, file_id: file, alt: short }, { body: attack }] },
    { type: 'button', label: short.slice(0, 60), href: '/courses' },
    { type: 'quote', quote: attack, author: short, about: short },
    { type: 'faq', title: short, items: [{ question: short, answer: attack }] },
    { type: 'embed', url: 'https://youtu.be/dQw4w9WgXcQ', title: short },
    ...['courses', 'products', 'plans', 'lecturers', 'reviews'].map(type => ({ type, title: short, limit: 1 })),
  ]
}

/** The pages that visitors and staff see of the attacks. */
const store = async () => {
  const ada = await uploader(app, 'ada', app.a, ['pages:read', 'pages:write', 'courses:read', 'school:read'])
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#a52' } })
    .png()
    .toBuffer()
  const [course] = (await ada.get('/courses?status=published&expand=prices')).json.data
  const [site, staff, others]: [string[], string[], string[]] = [[], ['/staff/pages'], []]
  for (let from = 0; from < storable.length; from += AT_ONCE) {
    const some = storable.slice(from, from + AT_ONCE)
    const [first = '', second = first, third = first] = some
    const filename = `${line(first, 100).replaceAll('/', '')}.png`
    const uploaded = await ada.upload(bytes, { filename, content_type: 'image/png', purpose: 'page' })
    const checkout = { type: 'checkout', price_id: course.prices[0].id, label: line(third, 60) }
    const body = {
      title: line(first, 200),
      nav_label: line(second, 60),
      seo: { title: line(second, 120), description: line(third, 320) },
      blocks: [...some.flatMap(attack => buildBlocks(attack, uploaded.json.file.file_id)), checkout],
    }
    const { status, json, text } = await ada.write('POST', '/pages', body)
    assert.equal(status, 201, text)
    await ada.write('PUT', `/pages/${json.id}/publication`, {})
    site.push(json.path)
    staff.push(`/staff/pages/${json.id}`)
    // Previews and versions show the same in the same way.
    if (from > 0) continue
    const preview = (await ada.write('POST', `/pages/${json.id}/previews`)).json.url
    others.push(new URL(preview).pathname, `/staff/pages/${json.id}/versions?version=1`)
  }
  return { site: [...site, '/search?q=x'], others: [...staff, ...others] }
}

type Opened = { readonly context: BrowserContext; readonly page: Page; readonly requests: string[] }

const open = async (bypassCSP: boolean): Promise<Opened> => {
  const context = await chromium.newContext({ bypassCSP })
  const page = await context.newPage()
  // Whatever calls one of these was executed.
  await page.addInitScript(`
    window.executed = []
    for (const name of ['alert', 'confirm', 'prompt'])
      window[name] = (...values) => void window.executed.push(name + ': ' + values.join())`)
  const requests: string[] = []
  page.on('request', request => {
    if (!request.url().startsWith(`${app.a.baseUrl}/`)) requests.push(request.url())
  })
  await page.route(
    url => !url.href.startsWith(app.a.baseUrl),
    route => route.fulfill({ contentType: 'text/html', body: '' }),
  )
  return { context, page, requests }
}

const modulePaths = moduleNames.map(readModulePath)

// What could run later in the document that Chromium made of a page, and what has run already. The head of a page of the console
// has modules of our own (decision 266), which are named in full: nothing else below their path, and none elsewhere in a page.
const findDangers = (modules: readonly string[]): string => `(() => {
  const modules = ${JSON.stringify(modules)}
  const isModule = script => script.parentNode === document.head && script.textContent === ''
    && script.getAttribute('type') === 'module' && modules.includes(script.getAttribute('src'))
  const found = window.executed.map(text => 'executed ' + text)
  for (const element of document.querySelectorAll('*')) {
    const name = element.localName
    if (['object', 'embed', 'applet', 'base', 'style', 'foreignobject', 'animate'].includes(name)) found.push(name)
    if (name === 'script' && element.type !== 'application/ld+json' && !isModule(element)) found.push('script')
    if (name === 'meta' && element.httpEquiv !== '') found.push('meta ' + element.httpEquiv)
    if (name === 'iframe' && !element.src.startsWith(${JSON.stringify(PLAYER)})) found.push('iframe ' + element.src)
    // By methods, since an attack may put an element in the place of a property.
    for (const attribute of Element.prototype.getAttributeNames.call(element)) {
      const value = Element.prototype.getAttribute.call(element, attribute)
      if (/^on|^srcdoc$|^style$/i.test(attribute)) found.push(name + ' ' + attribute)
      if (/^(?:href|src|action|formaction|data|background|poster|xlink:href)$/i.test(attribute)
        && URL.canParse(value, location.href)
        && !/^(?:https?|mailto|tel):$/.test(new URL(value, location.href).protocol)) found.push(name + ' ' + value)
    }
  }
  // Handlers and links may wait for an event.
  for (const element of document.querySelectorAll('main a, main summary'))
    for (const type of ['mouseover', 'focus']) element.dispatchEvent(new Event(type, { bubbles: true }))
  return [...found, ...window.executed.map(text => 'executed ' + text)]
})()`

const dangersAt = async ({ page, requests }: Opened, path: string): Promise<readonly string[]> => {
  requests.splice(0)
  await page.goto(`${app.a.baseUrl}${path}`, { waitUntil: 'load' })
  const found = (await page.evaluate(findDangers(path.startsWith('/staff/') ? modulePaths : []))) as string[]
  return [...found, ...requests.splice(0).filter(url => !url.startsWith(PLAYER))]
}

const signIn = async (page: Page): Promise<void> => {
  await page.goto(`${app.a.baseUrl}/staff/pages`)
  await page.fill('input[name=email]', people.ben.email)
  await enterPassword(page, PASSWORD)
  await page.waitForURL(/\/staff\/pages$/)
}

test(`${storable.length} attacks in every text of every block run nothing, with the content security policy and without it`, async () => {
  assert.ok(storable.length >= 40, `${storable.length} attacks`)
  const { site, others } = await store()
  const newest = site.at(-2) ?? ''
  await until(
    async () => (await app.send({ path: newest, headers: { accept: 'text/html' } })).status === 200,
    'the last page',
  )
  const guarded = await open(false)
  for (const path of site) assert.deepEqual(await dangersAt(guarded, path), [], path)
  await guarded.context.close()
  const unguarded = await open(true)
  await signIn(unguarded.page)
  for (const path of [...site, ...others]) {
    assert.deepEqual(await dangersAt(unguarded, path), [], path)
    assert.equal(await unguarded.page.locator('main').count(), 1, path)
  }
  await unguarded.context.close()
})

test('addresses of pages, links and redirects are no attacks: each is refused', async () => {
  const ada = await app.actor('ada', { scopes: ['pages:read', 'pages:write'] })
  const addresses = [
    ...storable.map(attack => line(attack, 200)),
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    '//evil.example',
    '/\\evil.example',
    'https://ada:secret@evil.example',
  ]
  for (const address of addresses) {
    const link = { type: 'button', label: 'x', href: address }
    for (const body of [{ path: address }, { redirects: [address] }, { blocks: [link] }]) {
      const { status } = await ada.write('POST', '/pages', { title: 'Address', ...body })
      assert.equal(status, 422, JSON.stringify(body))
    }
  }
})

test('the search for dangers finds the attacks in a page that does not escape them', async () => {
  const opened = await open(true)
  const found: string[] = []
  for (const attack of storable) {
    await opened.page.route(`${app.a.baseUrl}/unsafe`, route =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html><main>${attack}</main>` }),
    )
    if ((await dangersAt(opened, '/unsafe')).length > 0) found.push(attack)
    await opened.page.unroute(`${app.a.baseUrl}/unsafe`)
  }
  assert.ok(found.length >= 40, `${found.length} of ${storable.length} were found`)
  await opened.context.close()
})

test('the search for dangers finds every script that is none of our modules in the head of a page of the console', async () => {
  const opened = await open(true)
  const [module = ''] = modulePaths
  const write = (src: string, inside = '', type = 'module'): string =>
    `<script type="${type}" src="${src}">${inside}</script>`
  for (const [path, head, main, dangers] of [
    ['/staff/unsafe', write(module), '', []],
    ['/staff/unsafe', write(module), write(module), ['script']],
    ['/staff/unsafe', write(module, 'x'), '', ['script']],
    ['/staff/unsafe', write(module, '', 'text/javascript'), '', ['script']],
    ['/staff/unsafe', write(`${module}?x`), write('/assets/modules/evil.js'), ['script', 'script']],
    ['/staff/unsafe', '<script type="module">x</script>', '', ['script']],
    ['/unsafe', write(module), '', ['script']],
  ] as const) {
    await opened.page.route(`${app.a.baseUrl}${path}`, route =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><head><title>x</title>${head}</head><main>${main}</main>`,
      }),
    )
    assert.deepEqual(await dangersAt(opened, path), dangers, `${path} ${head} ${main}`)
    await opened.page.unroute(`${app.a.baseUrl}${path}`)
  }
  await opened.context.close()
})
