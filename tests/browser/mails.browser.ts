import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { isButton, isTable, listNames, type MailKind, type MailValues } from '#src/contract/mail.ts'
import { people } from '#src/demo/index.ts'
import { testApp } from '#testing/app.ts'
import { assertAccessible } from '#testing/browser-walk.ts'
import { startChromium } from '#testing/chromium.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { mailTo } from '#testing/mails.ts'
import { areas, listMailKinds } from '../../src/areas.ts'

let mailbox: Mailbox
let chromium: Browser
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
before(async () => {
  chromium = await startChromium()
  const dev = await app.actor('dev', { scopes: ['account:read', 'account:write'] })
  const choices = { marketing_consent: { granted: true }, notifications: { lesson_opened: true } }
  assert.equal((await dev.write('PATCH', '/account', choices)).status, 200)
  // The app of the request was connected, which is mailed.
  await mailbox.waitFor(people.dev.email, 1, /^An app was connected/)
})
after(async () => {
  await chromium.close()
  await mailbox.stop()
})

const LINK = '/learn/sourdough-from-scratch?from=mail'
const WHEN = 'Tuesday, 1 December 2026, 19:00–21:00 WET'

// One of each value that a kind of mail names; the link, the school and what the delivery adds are not recorded.
const values: MailValues = {
  code: '482913',
  client: 'Proofing Basket',
  product: 'Starter handbook',
  course: 'Sourdough from scratch',
  lesson: 'The oven',
  lessons: 'The oven, Shaping and scoring',
  event: 'An evening with rye',
  when: WHEN,
  end: '1 December 2026 at 19:00 WET',
  until: '1 December 2026 at 19:00 WET',
  due: '28 December 2026 at 09:12 WET',
  retry: '1 December 2026',
  day: '1 December 2026',
  date: '1 December 2026',
  paid: 'Saturday, 28 November 2026 at 09:12 WET',
  period: '1 December 2026 – 31 December 2026',
  name: 'Lúcia Ferreira',
  buyer: 'Lúcia Ferreira',
  subject: 'Bring an apron to the evening with rye',
  title: 'What to do with a starter that is late',
  excerpt: 'A starter that has been asleep for a month needs three feedings, warm water and some patience.',
  email: 'lucia.with.a.rather.long.address@mail.crumb-and-crust.example',
  item: 'Bakers’ circle, monthly',
  amount: '€39.20',
  before: '€9.00 a month',
  after: '€12.00 a month',
  total: '€39.20',
  missing: '€20.00',
  received: '€10.00',
  number: 'ORD-33',
  document: 'INV-44',
  provider: 'Stripe',
  payments: '6',
  host: 'hooks.a-program-with-a-long-name.crumb-and-crust.example',
  last4: '4242',
  count: '3',
  suspected: '1',
  action: 'Start now',
  lines: [
    ['Sourdough from scratch', '€49.00', 'stays'],
    ['A course with a name so long that it needs more than one line of a telephone', '€149.00', 'has ended'],
    ['Code SUMMER20', '-€9.80', 'stays'],
  ],
  sums: [
    ['Paid: Visa ending in 4242', '€39.20'],
    ['of which VAT 23%', '€7.33'],
  ],
  notes: [['Invoice INV-44 is attached.'], ['Bring an apron.']],
  seats: [
    ['Lúcia Ferreira', 'K7PX-93QF'],
    ['Dora', 'B2MN-55TR'],
  ],
  details: [
    ['Account holder', 'Crumb & Crust, Lda.'],
    ['IBAN', 'PT50 0002 0123 1234 5678 9015 4'],
    ['Reference', 'ORD-33'],
  ],
  subjects: [['Sourdough from scratch', '3']],
  file: 'bakers-2026.csv',
  rows: '214',
  handled: '200',
  created: '187',
  updated: '24',
  unchanged: '0',
  failed: '3',
  skipped: '0',
}

const ADDED = ['school', 'account', 'link', 'recorded', 'unsubscribe']

// Records a mail of a kind as an area does, and returns what a mail server got.
const receive = async (kind: MailKind): Promise<{ readonly html: string; readonly text: string }> => {
  const { email } = people.dev
  const already = mailbox.arrived.filter(({ to }) => to.includes(email)).length
  assert.equal(await mailTo(app, 'dev', { kind, values, link: LINK }), 1, kind.name)
  const mail = (await mailbox.waitFor(email, already + 1)).at(-1)
  return { html: mail?.email.html ?? '', text: mail?.email.text ?? '' }
}

const readFill = (page: Page): Promise<string> =>
  page.evaluate("getComputedStyle(document.querySelector('.fill')).backgroundColor")

// Of the appearance that the school of the demo published.
const ACCENT = { light: '#94400f', dark: '#f2a96b' }

const toRgb = (hex: string): string =>
  `rgb(${[1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`

const FIND_SMALL = `[...document.querySelectorAll('p, td, th, h1, a')].filter(element =>
  element.textContent.trim() !== '' && parseFloat(getComputedStyle(element).fontSize) < 14).map(({ outerHTML }) => outerHTML)`

// Words of cells that have a part on another line, unless they are longer than a column may be.
const FIND_BROKEN = `[...document.querySelectorAll('td[dir], th')].flatMap(({ firstChild: text }) =>
  [...(text?.data ?? '').matchAll(/(?<!\\S)\\S{1,12}(?!\\S)/g)].flatMap(({ 0: word, index }) => {
    const range = document.createRange()
    range.setStart(text, index)
    range.setEnd(text, index + word.length)
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1 ? [word] : []
  }))`

// Pictures of all mails are kept where this names a folder, to look at them.
const folder = process.env.STOA_MAIL_PICTURES

const look = async (page: Page, { name }: MailKind): Promise<void> => {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    assert.equal(await readFill(page), toRgb(ACCENT[scheme]), `${name} ${scheme}`)
    for (const width of [600, 320]) {
      await page.setViewportSize({ width, height: 700 })
      const sideways = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      )
      assert.equal(sideways, false, `${name} scrolls sideways at ${width}`)
      assert.deepEqual(await page.evaluate(FIND_BROKEN), [], `${name} at ${width}`)
      await assertAccessible(page)
      if (folder === undefined) continue
      await mkdir(folder, { recursive: true })
      await page.screenshot({ path: join(folder, `${name}-${width}-${scheme}.png`), fullPage: true })
    }
  }
  assert.deepEqual(await page.evaluate(FIND_SMALL), [], `${name} has small text`)
}

for (const kind of listMailKinds(areas))
  test(`the mail ${kind.name} fits, and can be read, on a telephone and a desktop, in both schemes`, async () => {
    for (const name of listNames(kind)) assert.ok(name in values || ADDED.includes(name), `a value for ${name}`)
    const tables = kind.paragraphs.filter(isTable).flatMap(({ rows, sums = rows }) => [rows, sums])
    for (const rows of tables) assert.ok(Array.isArray(values[rows]), `rows for ${rows}`)
    const { html, text } = await receive(kind)
    assert.doesNotMatch(html + text, /\{\w+\}/)
    const page = await chromium.newPage()
    await page.setContent(html)
    await look(page, kind)
    const buttons = await page.locator('a.fill').count()
    assert.equal(buttons, kind.paragraphs.filter(isButton).length)
    for (let at = 0; at < buttons; at++) {
      const button = page.locator('a.fill').nth(at)
      assert.ok(((await button.boundingBox())?.height ?? 0) >= 44, 'a button is large enough for a thumb')
      const address = (await button.getAttribute('href')) ?? ''
      assert.ok(address.startsWith(`${app.a.baseUrl}/`), address)
      assert.ok(text.includes(`:\n${address}\n`), 'the text has the address on its own line')
    }
    await page.close()
  })
