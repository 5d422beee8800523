// One thing: a bookkeeper takes the invoices of last month with their files, the taxes and a list, and corrects an order.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openZip } from '#src/kit/archive/zip.ts'
import { rollUp } from '#testing/analytics.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { startChromium } from '#testing/chromium.ts'
import {
  assertWithin,
  type ConsoleJourney,
  type Cost,
  enterConsole,
  type Look,
  looks,
  sayLook,
} from '#testing/console-journeys.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { checkout, decide, once, sell } from '#testing/orders.ts'
import { settledInvoice } from '#testing/printed-invoices.ts'
import { sellingSettings } from '#testing/selling.ts'

let chromium: Browser
let mailbox: Mailbox
// With a worker, which prints.
const app: TestApp = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
before(async () => {
  chromium = await startChromium()
})
after(async () => {
  await chromium.close()
  await mailbox.stop()
})

const DAY = 24 * 3600

const LEGAL = {
  name: 'Crumb & Crust, Lda.',
  address: {
    line1: 'Rua do Forno 7',
    line2: null,
    postal_code: '4000-100',
    city: 'Porto',
    region: null,
    country: 'PT',
  },
}

const moveToDayOfNextMonth = async (day: number): Promise<void> => {
  const [row] = await app.database.query<{ seconds: number }>(
    `select extract(epoch from date_trunc('month', stoa.now() at time zone 'UTC') + interval '1 month'
       + make_interval(days => $1) - stoa.now() at time zone 'UTC')::float8 as seconds`,
    [day - 1],
  )
  await app.moveClock(row?.seconds ?? 0)
}

const orders: string[] = []

// One order for each look, paid and with its invoice as a file, in the month before.
const sellLastMonth = async (): Promise<void> => {
  await moveToDayOfNextMonth(10)
  await sellingSettings(app)({
    legal: LEGAL,
    tax: { mode: 'inclusive', rates: [{ country: '*', percent: '23', name: 'VAT' }] },
  })
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read'] })
  const femi = await app.actor('femi', { scopes: ['account:read', 'account:write', 'courses:read'] })
  for (const [at] of looks.entries()) {
    const { priceId } = await sell(ada, `Rye for the books (${at})`, [once(4900 + at * 100)])
    const { json, status, text } = await checkout(femi, [priceId], { billing: { country: 'PT' } })
    assert.equal(status, 201, text)
    await decide(app, 'confirmPayment', json.id, {})
    const { json: issued } = await ada.get(`/invoices?order_id=${json.id}`)
    await settledInvoice(ada, issued.data[0].id)
    orders.push(json.number)
  }
  await app.moveClock(28 * DAY)
  await rollUp(app)
}

const main = (page: Page) => page.locator('main')
const link = (page: Page, name: string | RegExp) => main(page).getByRole('link', { name }).first()

/** An amount in the smallest unit, as a page writes it. */
const readAmount = (text: string): number =>
  Number(
    text
      .replace('−', '-')
      .replaceAll(/[^\d.-]/g, '')
      .replace('.', ''),
  )

const readRows = async (page: Page): Promise<readonly (readonly [string, number])[]> => {
  const rows = await main(page).locator('tbody tr').all()
  return Promise.all(
    rows.map(async row => [
      await row.locator('.c-main bdi').first().innerText(),
      readAmount(await row.locator('.c-lead').innerText()),
    ]),
  )
}

const saveFile = async ({ page, click }: ConsoleJourney, what: Parameters<ConsoleJourney['click']>[0]) => {
  const begun = page.waitForEvent('download')
  await click(what)
  const download = await begun
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

const parseLine = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  )

const parseCsv = (bytes: Buffer): readonly (readonly [string, number])[] => {
  const [head = '', ...lines] = bytes.toString().replace('\ufeff', '').trimEnd().split('\r\n')
  const names = parseLine(head)
  return lines.map(line => {
    const cells = parseLine(line)
    return [cells[names.indexOf('number')] ?? '', Math.round(Number(cells[names.indexOf('total')]) * 100)]
  })
}

// The month is read from the page, which shows the present one first.
const openLastMonth = async ({ page, visit, click, reach }: ConsoleJourney): Promise<void> => {
  await reach('Newest orders')
  await visit('Sales', 'Invoices')
  await reach('Tax report')
  await click(main(page).locator('header a[href^="/staff/invoices?month="]').first())
  await page.waitForURL(/month=/)
  await reach(orders[0] ?? '')
}

const compareSums = async (page: Page): Promise<void> => {
  const rows = await readRows(page)
  const said = readAmount(await main(page).locator('.stat b').first().innerText())
  assert.equal(
    said,
    rows.reduce((sum, [, amount]) => sum + amount, 0),
  )
}

const takeFiles = async (journey: ConsoleJourney): Promise<void> => {
  const rows = await readRows(journey.page)
  const { name, bytes } = await saveFile(journey, journey.page.getByRole('button', { name: 'Download all PDFs' }))
  assert.match(name, /^invoices-\d{4}-\d{2}\.zip$/)
  const names: string[] = []
  for await (const entry of (await openZip(bytes)).entries()) {
    names.push(String(entry.name))
    assert.equal(String((await entry.read(2_000_000)).subarray(0, 5)), '%PDF-')
  }
  assert.deepEqual(names.toSorted(), rows.map(([number]) => `${number}.pdf`).toSorted())
}

const takeList = async (journey: ConsoleJourney): Promise<void> => {
  const rows = await readRows(journey.page)
  const { bytes } = await saveFile(journey, link(journey.page, /^Download this list as CSV/))
  assert.deepEqual(parseCsv(bytes), rows)
}

const readTaxes = async ({ page, click, reach }: ConsoleJourney): Promise<void> => {
  const taxes = readAmount(await main(page).locator('.stat', { hasText: 'Tax' }).locator('b').innerText())
  assert.ok(taxes > 0)
  await click(link(page, 'Tax report'))
  await reach('in the time zone')
  const shown = await main(page).locator('tbody tr').allInnerTexts()
  const sums = shown.map(text => readAmount(text.trim().split(/\s+/).at(-1) ?? ''))
  assert.equal(
    sums.reduce((sum, one) => sum + one, 0),
    taxes,
    shown.join('\n'),
  )
}

const openDocuments = async ({ page, click, reach, context }: ConsoleJourney, order: string): Promise<void> => {
  await page.goBack()
  await reach(order)
  await click(link(page, order))
  await reach('What was ordered')
  const file = main(page)
    .getByRole('link', { name: /^Invoice / })
    .first()
  const reply = await context.request.get(new URL((await file.getAttribute('href')) ?? '', page.url()).href)
  assert.match(reply.headers()['content-type'] ?? '', /^application\/pdf/)
}

const correct = async ({ page, visit, click, reach }: ConsoleJourney): Promise<void> => {
  await click(link(page, 'Refund this order'))
  await reach('Keep the order')
  await click(page.getByRole('button', { name: 'See what happens' }))
  await reach('credit note')
  await click(page.getByRole('button', { name: /^Refund €/ }))
  await reach('The refund has begun.')
  const note = await main(page)
    .getByText(/^Credit note /)
    .first()
    .innerText()
  await visit('Sales', 'Invoices')
  await reach(note.replace('Credit note ', ''))
  const [first] = await readRows(page)
  assert.ok((first?.[1] ?? 0) < 0, 'what it corrects is taken off')
  await compareSums(page)
}

type Job = readonly [name: string, run: () => Promise<void>]

const keepBooks = async (look: Look, order: string): Promise<Record<string, Cost>> => {
  const journey = await enterConsole({ app, browser: chromium }, 'ben', look)
  const jobs: readonly Job[] = [
    ['month', () => openLastMonth(journey)],
    ['sums', () => compareSums(journey.page)],
    ['files', () => takeFiles(journey)],
    ['list', () => takeList(journey)],
    ['taxes', () => readTaxes(journey)],
    ['documents', () => openDocuments(journey, order)],
    ['correction', () => correct(journey)],
  ]
  const costs: Record<string, Cost> = {}
  journey.take()
  for (const [name, run] of jobs) {
    await run()
    costs[name] = journey.take()
  }
  await journey.close()
  return costs
}

before(sellLastMonth)

const MOST: Record<string, Cost> = {
  month: { clicks: 3, pages: 3 },
  sums: { clicks: 0, pages: 0 },
  files: { clicks: 1, pages: 0 },
  list: { clicks: 1, pages: 0 },
  taxes: { clicks: 1, pages: 1 },
  documents: { clicks: 1, pages: 2 },
  correction: { clicks: 5, pages: 5 },
}

for (const [at, look] of looks.entries())
  test(`a bookkeeper ${sayLook(look)}`, async () => {
    assertWithin(look, await keepBooks(look, orders[at] ?? ''), MOST)
  })
