import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Pair, pairs, type Shade, shadeOf } from '#src/areas/appearance/contrast/rules.ts'
import { checkCss, scopedCss } from '#src/areas/appearance/css/rules.ts'
import { type Colors, colorNames } from '#src/areas/appearance/settings/schema.ts'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { startChromium } from '#testing/chromium.ts'
import { acceptedCss } from '#testing/css-corpus.ts'

let chromium: Browser
const app = testApp()
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

test('all CSS that is accepted, on one page, causes no request', async () => {
  const parts: string[] = []
  for (const css of acceptedCss) {
    const checked = await checkCss(css)
    assert.ok('css' in checked)
    parts.push(await scopedCss(checked.css))
  }
  const page = await chromium.newPage()
  const requests: string[] = []
  page.on('request', request => requests.push(request.url()))
  const style = `<style>${parts.join('\n')}</style>`
  await page.setContent(
    `<body class="school-content"><h1>A</h1><p class="badge card">B</p><input type="search" value="x">${style}</body>`,
  )
  await page.hover('h1')
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  assert.deepEqual(
    requests.filter(url => !url.startsWith('about:') && !url.includes('/assets/fonts/')),
    [],
  )
  await page.close()
})

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

const bytesOf = (color: string): number[] => {
  const numbers = (color.match(/[\d.]+/g) ?? []).map(Number).slice(0, 3)
  return color.startsWith('color(') ? numbers.map(part => part * 255) : numbers
}

const shades: readonly Shade[] = [...colorNames, 'tint', 'shade', 'tone', 'pressed']

const nameOf = (colors: Colors, color: string): Shade | undefined =>
  shades.find(name => shadeOf(colors, name).every((part, at) => Math.abs(part * 255 - (bytesOf(color)[at] ?? -9)) <= 1))

const isKnown = (colors: Colors, { foreground, background, isLarge }: Seen): boolean => {
  const [front, back] = [nameOf(colors, foreground), nameOf(colors, background)]
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
const OWN = [
  '/account',
  '/account/profile',
  '/account/apps',
  '/account/email',
  '/staff',
  '/staff/people',
  '/staff/appearance',
]

const unknownOn = async (page: Page, colors: Colors, path: string): Promise<string[]> => {
  const seen: Seen[] = await page.evaluate(READ)
  assert.ok(seen.length > 0, path)
  return seen
    .filter(one => !isKnown(colors, one))
    .map(
      ({ foreground, background, text }) =>
        `${path}: ${nameOf(colors, foreground) ?? foreground} on ${nameOf(colors, background) ?? background}: ${text}`,
    )
}

test('pages use no pair of colors that is not in the table of contrasts, in either scheme', async () => {
  const { json } = await app.send({ path: '/api/v1/appearance' })
  const found: string[] = []
  for (const scheme of ['light', 'dark'] as const) {
    const context = await chromium.newContext({ colorScheme: scheme, viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    for (const path of PUBLIC) {
      await page.goto(`${app.a.baseUrl}${path}`)
      found.push(...(await unknownOn(page, json.colors[scheme], path)))
    }
    await page.goto(`${app.a.baseUrl}/account/sign-in?return_to=/staff`)
    await page.fill('[name=email]', people.ada.email)
    await page.fill('[name=password]', PASSWORD)
    await page.click('button.main')
    await page.waitForURL(/\/staff$/)
    const below = new URL(page.url()).pathname.replace(/\/staff$/, '')
    for (const path of OWN) {
      await page.goto(`${app.a.baseUrl}${below}${path}`)
      found.push(...(await unknownOn(page, json.colors[scheme], path)))
    }
    await context.close()
  }
  assert.deepEqual([...new Set(found)], [])
})
