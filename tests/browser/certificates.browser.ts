import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import type { Sheet } from '#src/contract/print.ts'
import { people } from '#src/demo/index.ts'
import { createPrinter } from '#src/print/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { createWalk } from '#testing/browser-walk.ts'
import { sizes, startChromium, testBothWays, watchPage } from '#testing/chromium.ts'
import { drawPdf } from '#testing/pdf.ts'

let chromium: Browser
const app = testApp()
const printer = createPrinter()
before(async () => {
  chromium = await startChromium()
})
after(async () => {
  await chromium.close()
  await printer.stop()
})

const FONTS = new URL('../../node_modules/@fontsource/', import.meta.url)
const SIZE = 20
const GAP = 18
const SCALE = 3
const INK = 140

// Each name with the packages whose fonts a browser needs to set it; browsers have shaped every script for decades.
const NAMES: readonly (readonly [name: string, ...packages: string[]])[] = [
  ['王小明', 'noto-sans-sc'],
  ['Łukasz', 'noto-sans'],
  ['Zoë', 'noto-sans'],
  ['Ξένια', 'noto-sans'],
  ['Анна', 'noto-sans'],
  ['Ελένη', 'noto-sans'],
  ['عمر بن محمد', 'noto-sans-arabic', 'noto-sans'],
  ['דוד כהן (12)', 'noto-sans-hebrew', 'noto-sans'],
  ['मीरा शर्मा', 'noto-sans'],
  ['김민준', 'noto-sans-kr'],
  ['高橋さくら', 'noto-sans-sc'],
  ['陳大文', 'noto-sans-sc'],
  ['สมชาย ใจดี', 'noto-sans-thai', 'noto-sans'],
  ['Nguyễn Thị Hương', 'noto-sans'],
  ['Zoë عمر 12', 'noto-sans', 'noto-sans-arabic'],
]

// One below the other on one page, with space between them.
const buildSheet = (names: readonly string[]): Sheet => ({
  title: 'Names',
  locale: 'en',
  createdAt: new Date(0),
  pageSize: 'A4',
  orientation: 'portrait',
  background: '#ffffff',
  accent: '#ffffff',
  body: names.map(text => ({ text, size: SIZE, color: '#000000', gap: GAP })),
  foot: [],
})

/** A stretch of rows of an image, cut to its ink. */
type Ink = { readonly width: number; readonly height: number; dark(x: number, y: number): boolean }

type Picture = ReturnType<typeof PNG.sync.read>

const isDark = ({ data, width }: Picture, x: number, y: number): boolean => (data[(y * width + x) * 4] ?? 255) < INK

const inkIn = (picture: Picture, top: number, bottom: number): Ink => {
  let [left, right] = [picture.width, -1]
  for (let y = top; y < bottom; y++)
    for (let x = 0; x < picture.width; x++)
      if (isDark(picture, x, y)) {
        left = Math.min(left, x)
        right = Math.max(right, x)
      }
  assert.ok(right > left, 'something is drawn')
  const [width, height] = [right - left + 1, bottom - top]
  const dark = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < width && y < height && isDark(picture, left + x, top + y)
  return { width, height, dark }
}

/** What is drawn in an image, line by line: rows without ink lie between them. */
const listLines = (png: Buffer, blank: number): Ink[] => {
  const picture = PNG.sync.read(png)
  const bands: [top: number, bottom: number][] = []
  for (let y = 0; y < picture.height; y++) {
    let isInked = false
    for (let x = 0; x < picture.width && !isInked; x++) isInked = isDark(picture, x, y)
    if (!isInked) continue
    const last = bands.at(-1)
    // A dot below or above a letter belongs to its line.
    if (last !== undefined && y - last[1] < blank) last[1] = y + 1
    else bands.push([y, y + 1])
  }
  return bands.map(([top, bottom]) => inkIn(picture, top, bottom))
}

const around = (ink: Ink, x: number, y: number): boolean =>
  [-1, 0, 1].some(dx => [-1, 0, 1].some(dy => ink.dark(x + dx, y + dy)))

// The share of one image's ink that lies on or beside ink of the other: the two programs smooth edges differently.
const covered = (one: Ink, other: Ink): number => {
  let all = 0
  let met = 0
  for (let y = 0; y < one.height; y++)
    for (let x = 0; x < one.width; x++) {
      if (!one.dark(x, y)) continue
      all++
      const at = [Math.round((x * other.width) / one.width), Math.round((y * other.height) / one.height)] as const
      if (around(other, ...at)) met++
    }
  return met / all
}

/** How alike two drawings are, from 0 to 1: each one's ink must lie on the other's. */
const likeness = (one: Ink, other: Ink): number => Math.min(covered(one, other), covered(other, one))

const fontFaces = async (packages: readonly string[]): Promise<string> => {
  const sheets = await Promise.all(packages.map(name => readFile(new URL(`${name}/400.css`, FONTS), 'utf8')))
  return sheets
    .map((css, index) => css.replaceAll('./files/', `http://fonts.test/${packages[index]}/files/`))
    .join('\n')
    .replace(/font-family: '[^']+'/g, "font-family: 'Wanted'")
    .replace(/url\([^)]+\.woff2\) format\('woff2'\), /g, '')
}

const setByChromium = async (tab: Page, name: string, packages: readonly string[]): Promise<Ink> => {
  await tab.setContent(`<!doctype html><meta charset="utf-8"><style>${await fontFaces(packages)}
    body { margin: 60px; background: #fff }
    p { font: 400 ${SIZE}px Wanted; color: #000; width: max-content; padding: 20px; margin: 0 }</style>
    <p dir="auto">${name}</p>`)
  await tab.evaluate('document.fonts.ready')
  const [line, more] = listLines(await tab.locator('p').screenshot(), GAP * SCALE)
  assert.ok(line !== undefined && more === undefined, name)
  return line
}

const openTab = async (): Promise<Page> => {
  const tab = await chromium.newPage({ viewport: { width: 1400, height: 400 }, deviceScaleFactor: SCALE })
  await tab.route('http://fonts.test/**', async route => {
    const path = new URL(route.request().url()).pathname.slice(1)
    await route.fulfill({ body: await readFile(new URL(path, FONTS)), headers: { 'access-control-allow-origin': '*' } })
  })
  return tab
}

const print = async (): Promise<Ink[]> => {
  const names = NAMES.map(([name]) => name)
  const sheet = await printer.print('names', async () => buildSheet(names))
  assert.ok('pdf' in sheet)
  const lines = listLines(await drawPdf(chromium, sheet.pdf, SCALE), (GAP * SCALE) / 2)
  assert.equal(lines.length, NAMES.length)
  return lines
}

let printing: Promise<Ink[]> | undefined
const printed = async (name: string): Promise<Ink> => {
  printing ??= print()
  const paper = (await printing)[NAMES.findIndex(([one]) => one === name)]
  assert.ok(paper, name)
  return paper
}

test('decisions E: a name on paper is the image a browser draws of it with the same fonts, in every script', async () => {
  const tab = await openTab()
  for (const [name, ...packages] of NAMES) {
    const paper = await printed(name)
    const screen = await setByChromium(tab, name, packages)
    const alike = likeness(paper, screen)
    assert.ok(alike > 0.9, `${name}: ${alike.toFixed(3)}`)
    assert.ok(Math.abs(paper.width / screen.width - 1) < 0.04, `${name} is ${paper.width} and ${screen.width} wide`)
  }
  await tab.close()
})

test('a wrong drawing is not taken for a right one: another name, letters unjoined, turned round, or empty boxes', async () => {
  for (const [index, [name]] of NAMES.entries()) {
    const other = NAMES[(index + 1) % NAMES.length]?.[0] ?? ''
    const alike = likeness(await printed(name), await printed(other))
    assert.ok(alike < 0.85, `${name} and ${other}: ${alike.toFixed(3)}`)
  }
  const wrong: readonly (readonly [right: string, drawn: string, ...packages: string[]])[] = [
    ['عمر بن محمد', 'ﻉﻡﺭ ﺏﻥ ﻡﺡﻡﺩ', 'noto-sans-arabic', 'noto-sans'],
    ['דוד כהן (12)', '(12) נהכ דוד', 'noto-sans-hebrew', 'noto-sans'],
    ['Łukasz', '□ukasz', 'noto-sans'],
    ['王小明', '□□□', 'noto-sans-sc'],
  ]
  const tab = await openTab()
  for (const [right, drawn, ...packages] of wrong) {
    const alike = likeness(await printed(right), await setByChromium(tab, drawn, packages))
    assert.ok(alike < 0.85, `${right}: ${alike.toFixed(3)}`)
  }
  await tab.close()
})

const walk = createWalk(app, () => chromium)

// The color in the middle of a share of the width and height.
const pick = ({ data, width, height }: Picture, x: number, y: number): string => {
  const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 4
  return [...data.subarray(at, at + 3)].map(part => part.toString(16).padStart(2, '0')).join('')
}

testBothWays('a design is chosen by what it looks like, and the preview is the paper with it', async way => {
  const { page, goto, fill, look, close } = await walk.start('desktop', way)
  await goto('/account/sign-in?return_to=/staff/certificates')
  await fill({ email: people.ada.email, password: PASSWORD })
  await page.getByRole('link', { name: 'House certificate' }).click()
  await page.waitForURL(/\/staff\/certificates\/ctp_/)
  const path = new URL(page.url()).pathname
  const [accent, paper] = ['8a3b12', 'ffffff']
  const expected = { frame: [paper, paper], band: [accent, paper], plain: [paper, accent] } as const
  for (const design of ['band', 'plain', 'frame'] as const) {
    await goto(path)
    await page.check(`input[name=design][value=${design}]`)
    await page.click('button[value=save]')
    await page.waitForSelector('#done')
    assert.ok(await page.isChecked(`input[name=design][value=${design}]`))
    const preview = await page.request.get(`${app.a.baseUrl}${path}/preview`)
    assert.equal(preview.headers()['content-type'], 'application/pdf')
    const picture = PNG.sync.read(await drawPdf(chromium, await preview.body(), 1))
    assert.deepEqual([pick(picture, 0.01, 0.5), pick(picture, 0.5, 0.01)], expected[design], design)
  }
  await look()
  await close()
})

for (const [size, viewport] of Object.entries(sizes))
  test(`the page of a certificate keeps its policy and fits a ${size}; printed it contains only the certificate`, async () => {
    const tab = await chromium.newPage({ viewport })
    const complaints = watchPage(tab, app.a.baseUrl)
    await tab.goto(`${app.a.baseUrl}/certificates/BAKED-WARM0-BREAD-DEM00`)
    assert.ok(await tab.getByText('This certificate is valid.').isVisible())
    const wide = await tab.evaluate('document.documentElement.scrollWidth - window.innerWidth')
    assert.ok(Number(wide) <= 0, `${wide} pixels too wide`)
    await tab.emulateMedia({ media: 'print' })
    assert.ok(await tab.getByText('Ada Moreira').first().isVisible())
    assert.ok(!(await tab.locator('.certificate-files').isVisible()), 'links are of no use on paper')
    assert.deepEqual(complaints, [])
    await tab.close()
  })
