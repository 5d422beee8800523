// Runs in its own process, whose texts the first import replaces before the application is read.

import '#testing/pseudo-language.ts'

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { fontFamilies } from '#src/kit/fonts.ts'
import { buildScopes } from '#src/oauth/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { enterPassword, startChromium } from '#testing/chromium.ts'
import { endpoints } from '#testing/matrix.ts'
import { PSEUDO } from '#testing/pseudo-language.ts'
import { areas } from '../../src/areas.ts'

// The pages in a language that is longer, has accents, is written from right to left and marks each sentence: a page that is too
// narrow for it, is laid out for one direction, or has a sentence outside of the catalogues is found here before a translator.

let chromium: Browser
const app = testApp({ hasSubscriptions: true })
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

const WIDTHS = [1280, 360]

const routes = endpoints
  .map(({ route }) => route)
  .filter(route => route.startsWith('GET /'))
  .map(route => ({ route, pattern: new RegExp(`^${route.slice(4).replace(/:\w+/g, '[^/]+')}$`) }))

// Pages in English for developers, files, previews of other pages, and reports, whose titles are in the language of the school.
const OTHER =
  /^GET \/(?:docs|auth\.md|problems|developers|appearance|assets|files|downloads|sitemaps|staff\/analytics\/reports)|csv|credential$|\.(?:ics|json|txt|xml)$/

const findRoute = (path: string): string | undefined => {
  const found = routes.find(({ pattern }) => pattern.test(path))?.route
  return found === undefined || OTHER.test(found) || /\.\w+$/.test(path) ? undefined : found
}

// A sentence is a text with letters that is neither in brackets nor data: elements whose language or direction is said have
// texts of the school or of people, and so have fields.
const FIND = `(() => {
  const data = '[lang]:not(html), [dir]:not(html), bdi, code, pre, time, kbd, svg, script, style, textarea, select[name*=zone], select[name=locale], .brand'
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const blocks = new Map()
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (element.closest(data) || !/\\p{L}/u.test(node.data)) continue
    let block = element
    while (getComputedStyle(block).display.startsWith('inline') && block.parentElement && !block.matches('a, button, option, label')) block = block.parentElement
    const whole = block.textContent
    const at = whole.indexOf(node.data)
    const opened = whole.slice(0, at).split('⟦').length - whole.slice(0, at).split('⟧').length
    const outside = opened > 0 ? '' : node.data.replace(/⟦[^]*⟧/, '')
    if (/\\p{L}/u.test(outside)) blocks.set(outside.trim(), true)
  }
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], img[alt]'))
    for (const name of ['aria-label', 'placeholder', 'title', 'alt']) {
      const value = element.getAttribute(name) ?? ''
      if (!element.closest(data) && /\\p{L}/u.test(value.replace(/⟦[^]*⟧/, ''))) blocks.set('@' + name + ': ' + value, true)
    }
  return [...blocks.keys()]
})()`

const WIDER = `document.documentElement.scrollWidth > document.documentElement.clientWidth`

/** Opens pages by their links, one for each route, and returns what is wrong with them. */
const crawl = async (page: Page, starts: readonly string[], isData: (text: string) => boolean): Promise<Report> => {
  const seen = new Set<string>()
  const waiting = [...starts]
  const faults: string[] = []
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const route = findRoute(path)
    if (route === undefined || seen.has(route)) continue
    seen.add(route)
    const reply = await page.goto(`${app.a.baseUrl}${path}`)
    if (!(reply?.headers()['content-type'] ?? '').startsWith('text/html')) continue
    const direction = await page.evaluate(
      '[document.documentElement.lang, getComputedStyle(document.body).direction].join()',
    )
    if (direction !== `${PSEUDO},rtl`) faults.push(`${route} is ${direction}`)
    for (const text of await page.evaluate<string[]>(FIND)) if (!isData(text)) faults.push(`${route} says ${text}`)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      if (await page.evaluate(WIDER)) faults.push(`${route} scrolls sideways at ${width}`)
      if (process.env.STOA_TEST_SCREENSHOTS !== undefined)
        await page.screenshot({
          path: `${process.env.STOA_TEST_SCREENSHOTS}/${width}${route.slice(4).replaceAll('/', '_')}.png`,
        })
    }
    const links = await page.evaluate<string[]>(`[...document.querySelectorAll('a[href]')].map(link => link.href)`)
    for (const link of links) if (link.startsWith(`${app.a.baseUrl}/`)) waiting.push(new URL(link).pathname)
  }
  return { faults, seen }
}

type Report = { readonly faults: readonly string[]; readonly seen: ReadonlySet<string> }

// What Intl writes in the locale, codes of currencies and zones, and names of formats and encodings.
const SEPARATORS = /[·,:()|–\n\p{Script=Hebrew}]/u
const NOTATION =
  /^(?:[A-Z]{2,4}|[kMG]B|Markdown|HTML|Webhooks?|UTF-(?:8|16 [BL]E)|Windows 125\d|ISO 8859-15|Mac Roman)$/

// Texts of the school and of people: what a row has.
const readData = async (): Promise<(text: string) => boolean> => {
  const tables = await app.database.query(
    "select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  )
  const rows = await Promise.all(
    tables.map(({ table_name: name }) =>
      app.database.query(`select to_jsonb(one)::text as row from ${name} one limit 3000`),
    ),
  )
  const all = rows
    .flat()
    .map(({ row }) => JSON.stringify(Object.values(JSON.parse(row))))
    .join('\n')
    .replaceAll('\\"', '"')
    .replaceAll('\\\\n', ' ')
  const known = new Set([
    ...Intl.supportedValuesOf('timeZone'),
    ...Object.values(fontFamilies).map(({ name }) => name),
    ...buildScopes(areas).keys(),
    'offline_access',
  ])
  const words = all.replace(/\s+/g, ' ')
  return text =>
    known.has(text) ||
    text
      .replace(/^@[\w-]+: |⟦.*?⟧|GMT\u200e?[+-]?\d*\u200e?/gs, '')
      .split(SEPARATORS)
      .map(part => part.replace(/\s+/g, ' ').trim())
      .every(part => !/\p{Script=Latin}/u.test(part) || NOTATION.test(part) || known.has(part) || words.includes(part))
}

const enter = async (): Promise<{ context: BrowserContext; page: Page }> => {
  await app.database.query(`update members set locale = '${PSEUDO}'`)
  const context = await chromium.newContext({ viewport: { width: 1280, height: 800 }, locale: PSEUDO })
  return { context, page: await context.newPage() }
}

test('a visitor finds every page of the site and of signing in, mirrored, whole and without a sentence of the code', async () => {
  const { context, page } = await enter()
  const starts = [
    '/',
    '/account/sign-in',
    '/account/sign-up',
    '/account/reset',
    '/blog',
    '/events',
    '/products',
    '/plans',
    '/search',
    '/nothing',
  ]
  const { faults, seen } = await crawl(page, starts, await readData())
  await context.close()
  assert.deepEqual(faults, [])
  assert.ok(seen.size > 10, `${seen.size} pages`)
})

test('an owner finds every page of the console, the account and the courses likewise', async () => {
  const { context, page } = await enter()
  await page.goto(`${app.a.baseUrl}/account`)
  await page.fill('input[name=email]', people.ada.email)
  await enterPassword(page, PASSWORD)
  const { faults, seen } = await crawl(page, ['/staff', '/account', '/learn'], await readData())
  await context.close()
  assert.deepEqual(faults, [])
  assert.ok(seen.size > 80, `${seen.size} pages`)
})
