import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { computeShade, type Pair, pairs, type Shade } from '#src/areas/files/appearance/contrast/rules.ts'
import { defaults } from '#src/areas/files/appearance/settings/rules.ts'
import { type Colors, colorNames } from '#src/areas/files/appearance/settings/schema.ts'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { createWalk } from '#testing/browser-walk.ts'
import { enterPassword, startChromium, testBothWays, unfold, type Way } from '#testing/chromium.ts'
import { acceptedCss, harmlessCss, loadingCss } from '#testing/css-corpus.ts'
import { until } from '#testing/until.ts'

let chromium: Browser
const app = testApp()
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

type Seen = {
  readonly foreground: string
  readonly background: string
  readonly isLarge: boolean
  readonly text: string
}

// Which colors of text are on which backgrounds; a gradient counts as the color at its end.
const READ = `(() => {
  const parts = color => color.match(/[\\d.]+/g).map(Number)
  const isClear = color => color === 'transparent' || (/rgba|\\//.test(color) && parts(color).at(-1) === 0)
  const behind = element => {
    for (let at = element; at !== null; at = at.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(at)
      const gradient = /gradient/.test(backgroundImage) && backgroundImage.match(/(?:rgb|color)\\([^)]*\\)/g)
      if (gradient) return gradient.at(-1)
      if (!isClear(backgroundColor)) return backgroundColor
    }
    return 'rgb(255, 255, 255)'
  }
  return [...document.querySelectorAll('body *')].flatMap(element => {
    const words = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(node => node.data.trim()).join('')
    if (words === '' || !element.checkVisibility() || element.closest('svg, script, option')) return []
    const style = getComputedStyle(element)
    const size = parseFloat(style.fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    return [{ foreground: style.color, background: behind(element), isLarge, text: words.slice(0, 40) }]
  })
})()`

const parseBytes = (color: string): number[] => {
  const numbers = (color.match(/[\d.]+/g) ?? []).map(Number).slice(0, 3)
  return color.startsWith('color(') ? numbers.map(part => part * 255) : numbers
}

const shades: readonly Shade[] = [...colorNames, 'tint', 'shade', 'tone', 'pressed']

const findName = (colors: Colors, color: string): Shade | undefined =>
  shades.find(name =>
    computeShade(colors, name).every((part, at) => Math.abs(part * 255 - (parseBytes(color)[at] ?? -9)) <= 1),
  )

const isKnown = (colors: Colors, { foreground, background, isLarge }: Seen): boolean => {
  const [front, back] = [findName(colors, foreground), findName(colors, background)]
  const covers = (pair: Pair, one = front, other = back) =>
    pair.foreground === one && pair.background === other && (isLarge || pair.least >= 4.5)
  // Contrast is the same in both directions.
  return pairs.some(pair => covers(pair) || covers(pair, back, front))
}

const PUBLIC = [
  '/',
  '/courses',
  '/courses/sourdough-from-scratch',
  '/lecturers',
  '/lecturers/carla-nunes',
  '/about',
  '/products',
  '/products/sourdough-workbook',
  '/search?q=bread',
  '/search?q=nothing+at+all',
  '/developers',
  '/nothing-here',
  '/account/sign-in',
  '/account/sign-up',
  '/account/reset',
  '/problems/not_found',
]
// The console has colors of its own, whose contrast axe measures on each of its pages.
const OWN = [
  '/account',
  '/account/profile',
  '/account/apps',
  '/account/email',
  '/account/courses',
  '/account/downloads',
  '/account/emails',
  '/account/sessions',
  '/account/deletion',
  '/account/orders',
  '/account/orders/ORD-1',
  '/account/orders/ORD-1/pay',
  '/account/orders/ORD-3',
  '/learn',
  '/learn/sourdough-from-scratch',
]

const unknownOn = async (page: Page, colors: Colors, path: string): Promise<string[]> => {
  const seen: Seen[] = await page.evaluate(READ)
  assert.ok(seen.length > 0, path)
  return seen
    .filter(one => !isKnown(colors, one))
    .map(
      ({ foreground, background, text }) =>
        `${path}: ${findName(colors, foreground) ?? foreground} on ${findName(colors, background) ?? background}: ${text}`,
    )
}

// Opens each page, also parts of it that are closed at first, and returns the colors that are in no pair.
const unknownAt = async (page: Page, colors: Colors, below: string, path: string): Promise<string[]> => {
  const reply = await page.goto(`${app.a.baseUrl}${below}${path}`)
  assert.equal(reply?.status(), path === '/nothing-here' ? 404 : 200, path)
  // No page led elsewhere, as to the sign-in.
  assert.ok(page.url().endsWith(path), page.url())
  await page.evaluate("for (const one of document.querySelectorAll('details:not([name])')) one.open = true")
  return unknownOn(page, colors, path)
}

const readHrefs = (page: Page, selector: string): Promise<string[]> =>
  page.$$eval(selector, links => links.map(link => link.getAttribute('href') ?? ''))

// A visitor chooses a price, and is asked for the code.
const unknownInCheckout = async (page: Page, colors: Colors, email: string): Promise<string[]> => {
  await page.goto(`${app.a.baseUrl}/courses/sourdough-from-scratch`)
  const [path = ''] = await readHrefs(page, '.buy-bar a.button')
  const found = await unknownAt(page, colors, '', path)
  await page.fill('#email', email)
  await page.fill('#name', 'Wanda Walker')
  await page.click('button.main')
  await page.waitForURL(/\/checkout\/chk_/)
  return [...found, ...(await unknownOn(page, colors, '/checkout/:checkout_id'))]
}

const unknownInLessons = async (page: Page, colors: Colors, below: string): Promise<string[]> => {
  await page.goto(`${app.a.baseUrl}${below}/learn/sourdough-from-scratch`)
  const lessons = await readHrefs(page, '.learn-lessons a')
  assert.ok(lessons.length > 0)
  const found: string[] = []
  for (const path of new Set(lessons)) found.push(...(await unknownAt(page, colors, '', path)))
  return found
}

test('pages use no pair of colors that is not in the table of contrasts, in either scheme', async () => {
  const { json } = await app.send({ path: '/api/v1/appearance' })
  const found: string[] = []
  for (const scheme of ['light', 'dark'] as const) {
    const context = await chromium.newContext({ colorScheme: scheme, viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    const colors: Colors = json.colors[scheme]
    for (const path of PUBLIC) found.push(...(await unknownAt(page, colors, '', path)))
    found.push(...(await unknownInCheckout(page, colors, `wanda-${scheme}@crumb.example`)))
    await page.goto(`${app.a.baseUrl}/account/sign-in?return_to=/staff`)
    await page.fill('[name=email]', people.ada.email)
    await enterPassword(page, PASSWORD)
    await page.waitForURL(/\/staff$/)
    const below = new URL(page.url()).pathname.replace(/\/staff$/, '')
    for (const path of OWN) found.push(...(await unknownAt(page, colors, below, path)))
    found.push(...(await unknownInLessons(page, colors, below)))
    await context.close()
  }
  assert.deepEqual([...new Set(found)], [])
})

const walk = createWalk(app, () => chromium)

const openDraft = async (way?: Way) => {
  const walker = await walk.start('desktop', way)
  const { page, goto } = walker
  await goto('/account/sign-in?return_to=/staff/appearance')
  await walker.fill({ email: people.ada.email, password: PASSWORD })
  await page.waitForURL(/\/staff\/appearance$/)
  const frame = page.frameLocator('iframe[name=preview]')
  await frame.locator('h1').first().waitFor()
  // While a page is loaded into the frame it has none.
  const read = (name: string): Promise<unknown> =>
    page.evaluate(`(() => {
      const shown = document.querySelector('iframe[name=preview]').contentDocument?.documentElement
      return shown && getComputedStyle(shown).getPropertyValue('${name}').trim()
    })()`)
  return { ...walker, frame, read }
}

const choose = (page: Page, name: string, value: string): Promise<void> =>
  page.check(`.look input[name="${name}"][value="${value}"]`)

testBothWays(
  'what is decided is seen in the draft beside it: at once with scripts, and after a save in any case',
  async way => {
    const { page, frame, read, complaints, look, close } = await openDraft(way)
    const [accent, pair, radius] = way.javaScriptEnabled
      ? ['#123a7b', 'gentle', 'square']
      : ['#4a1d6e', 'clear', 'soft']
    const [font, corner] = way.javaScriptEnabled ? ['Lora', '0'] : ['Work Sans', '0.9rem']
    const isShown = async () =>
      (await read('--accent')) === accent &&
      String(await read('--display')).includes(font) &&
      (await read('--radius')) === corner
    await choose(page, 'pair', pair)
    await choose(page, 'radius', radius)
    await page.fill('#light_accent', accent)
    if (way.javaScriptEnabled) await until(isShown, 'the choices are seen before they are saved')
    else assert.ok(!(await isShown()), 'nothing changes without a script')
    await page.click('.save button[value=save]')
    await page.waitForSelector('#done')
    await until(isShown, 'the draft has it')
    await look()
    await page.locator('.view').getByText('Courses', { exact: true }).click()
    await frame.locator('h1').filter({ hasText: 'Courses' }).waitFor()
    assert.match(String(page.frame('preview')?.url()), /\/appearance\/previews\/[^/]+\/courses$/)
    await page.locator('.view').getByText('Dark', { exact: true }).click()
    await frame.locator('html[data-scheme=dark]').waitFor()
    assert.deepEqual(complaints, [])
    await page.click('.save button[value=preview]')
    await page.waitForURL(/\/appearance\/previews\//)
    await close()
  },
)

test('without a saved change nobody else sees it, two fonts of their own are chosen, and the frame stays in the preview', async () => {
  const { page, frame, read, look, close } = await openDraft()
  await page.selectOption('#heading', 'playfair_display', { timeout: 500 }).then(
    () => assert.fail('two fonts are asked for only when no pair is chosen'),
    () => undefined,
  )
  await choose(page, 'pair', 'own')
  await page.selectOption('#heading', 'playfair_display')
  await until(async () => String(await read('--display')).includes('Playfair'), 'the heading has the font')
  await unfold(page, '#light_page')
  await page.fill('#light_page', '#fafaf0')
  await until(async () => (await read('--page')) === '#fafaf0', 'any color')
  const { json } = await app.send({ path: '/api/v1/appearance' })
  assert.notEqual(json.colors.light.page, '#fafaf0')
  await frame.locator('header').getByText('Sign in', { exact: true }).first().click()
  assert.match(String(page.frame('preview')?.url()), /\/appearance\/previews\//)
  await look()
  await page.setViewportSize({ width: 360, height: 720 })
  await look()
  await close()
})

// A server at another port of this machine, which no page has a reason to ask.
const listen = async () => {
  const requested: string[] = []
  const server = createServer(({ url = '' }, reply) => {
    requested.push(url)
    reply.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return { requested, origin: `http://127.0.0.1:${address.port}`, close: () => server.close() }
}

// Elements for the sheets of the corpus, one style element for each sheet, and what a person does with a page.
const show = async (page: Page, sheets: readonly string[]): Promise<void> => {
  await page.evaluate(`(() => {
    for (let at = 0; at < 200; at++) {
      const element = document.createElement(at % 2 ? 'a' : 'p')
      element.className = 't' + at
      element.textContent = 'a'
      document.querySelector('main').prepend(element)
    }
    for (const css of ${JSON.stringify(sheets)}) {
      const style = document.createElement('style')
      style.textContent = css
      document.head.append(style)
    }
    return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))
  })()`)
}

const fence = (page: Page, origin: string): Promise<unknown> =>
  page.evaluate(`fetch('${origin}/fence', { mode: 'no-cors' }).then(() => true)`)

// The policy of the pages is off: what keeps the browser from asking is the check of the CSS alone.
const openPage = async (path: string) => {
  const context = await chromium.newContext({ bypassCSP: true })
  const page = await context.newPage()
  const urls: string[] = []
  page.on('request', request => urls.push(request.url()))
  await page.goto(`${app.a.baseUrl}${path}`)
  return { page, urls, close: () => context.close() }
}

test('a browser loads most of the addresses of the corpus where nobody checks it', async () => {
  const { requested, origin, close } = await listen()
  const tab = await openPage('/developers')
  await show(tab.page, loadingCss(origin))
  await until(async () => new Set(requested).size >= 40, 'forty addresses are requested')
  await tab.close()
  close()
})

test('through the API no CSS of the corpus causes a request: it is refused, or what is stored loads nothing', async () => {
  const { requested, origin, close } = await listen()
  const ada = await app.actor('ada', { scopes: ['appearance:read', 'appearance:write'] })
  const put = async (css: string) => {
    const { json, headers } = await ada.get('/appearance/draft')
    const settings = Object.fromEntries(Object.keys(defaults).map(name => [name, json[name]]))
    const email = { header_image_file_id: null, footer: null }
    const body = { ...settings, email, sign_in: { image_file_id: null, text: null }, custom_css: css }
    return ada.write('PUT', '/appearance/draft', body, { 'if-match': String(headers.etag) })
  }
  for (const css of loadingCss(origin)) assert.equal((await put(css)).status, 422, css)
  const stored = await put([...harmlessCss(origin), ...acceptedCss].join('\n'))
  assert.equal(stored.status, 200, stored.text)
  const published = await ada.write('POST', '/appearance/publications', undefined, {
    'if-match': String(stored.headers.etag),
  })
  assert.equal(published.status, 201, published.text)
  const sheet = new URL(published.json.css_url).pathname
  await until(async () => (await app.send({ path: '/' })).text.includes(sheet), 'the page has the sheet')
  const tab = await openPage('/')
  await show(tab.page, [])
  const color = `getComputedStyle(document.querySelector('.t${loadingCss(origin).length}')).color`
  assert.equal(await tab.page.evaluate(color), 'rgb(255, 0, 0)', 'the page has the CSS')
  await tab.page.hover('.card')
  await fence(tab.page, origin)
  assert.deepEqual(requested, ['/fence'])
  assert.deepEqual(
    tab.urls.filter(url => !url.startsWith(`${app.a.baseUrl}/`)),
    [`${origin}/fence`],
  )
  await tab.close()
  close()
})
