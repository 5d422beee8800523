import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { texts } from '#src/texts/index.ts'
import { testApp } from '#testing/app.ts'
import { createWalk, type Walker } from '#testing/browser-walk.ts'
import { startChromium } from '#testing/chromium.ts'
import { enterConsole } from '#testing/console.ts'
import { pathOfTable, type StoredTable, storedTables } from '#testing/files/tables/index.ts'
import { importer } from '#testing/imports.ts'
import { startMailbox } from '#testing/mail.ts'

let chromium: Browser
// The worker reads, checks and imports; it runs where mails are sent.
let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const walk = createWalk(app, () => chromium)
let walker: Walker | undefined
before(async () => {
  chromium = await startChromium()
})
after(async () => {
  await walker?.close()
  await Promise.all([chromium.close(), mailbox?.stop()])
})

const openConsole = async (): Promise<Walker> => {
  if (walker !== undefined) return walker
  walker = await walk.start('desktop')
  await enterConsole(walker, 'desktop', '/staff/imports')
  await walker.page.waitForURL('**/staff/imports')
  return walker
}

const CHECK = 'button[name=act][value=check]'
const RUN = 'form:has([name=act][value=run]) button.main'
const UNDO = 'form:has([name=act][value=undo])'

/** What somebody does by hand on the way from a file to people; counts how often they click. The pages reload until the worker is done. */
const startImport = async (kind: StoredTable['kind'], name: string) => {
  const { page, goto } = await openConsole()
  let clicks = 0
  const click = async (selector: string): Promise<void> => {
    clicks += 1
    await page.click(selector)
  }
  await goto(`/staff/imports/new?kind=${kind}`)
  await page.setInputFiles('input[type=file]', pathOfTable(name))
  await click('form[enctype] button.main')
  await page.waitForSelector(CHECK)
  return {
    page,
    click,
    check: async () => {
      await click(CHECK)
      await page.waitForSelector(RUN)
    },
    run: async () => {
      await click(RUN)
      await page.waitForSelector(UNDO, { state: 'attached' })
    },
    undo: async () => {
      const { undo } = await importer(app, 'ada', kind)
      assert.equal((await undo(new URL(page.url()).pathname.split('/').at(-1) ?? '')).status, 'undone')
    },
    countClicks: () => clicks,
  }
}

const readHeadings = (page: Page): Promise<string[]> => page.locator('section.card h3').allInnerTexts()

const readNew = (page: Page): Promise<string[]> =>
  page
    .locator('section[aria-labelledby=new] tbody a')
    .evaluateAll(links => links.map(link => String(Reflect.get(link, 'pathname')).split('/').at(-1) ?? ''))

const numberIn = (text: string): number => Number(/\d+/.exec(text)?.[0])

/** The lines of the rows that are left out. */
const readLines = (page: Page): Promise<number[]> =>
  page
    .locator(':is([aria-labelledby^=error-], [aria-labelledby^=notice-inactive]) td.c-lead')
    .allInnerTexts()
    .then(cells => cells.map(numberIn).toSorted((one, other) => one - other))

const CHOICES = 'section.card .choices'

const vague = texts.staff.imports.codes.other

/** Asserts that each sentence says what to do about its rows. */
const assertSaid = (headings: readonly string[]): void => {
  for (const heading of headings) {
    assert.notEqual(heading, vague.en)
    assert.match(heading, /\. |, such as |[:;,] /, heading)
  }
}

const assertPeople = async (kind: StoredTable['kind'], ids: readonly string[], created: number): Promise<void> => {
  assert.equal(ids.length, created)
  const ada = await importer(app, 'ada', kind)
  for (const id of ids) {
    const { status, json, text } = await ada.get(kind === 'people' ? `/members/${id}` : `/enrollments/${id}`)
    assert.equal(status, 200, text)
    if (kind === 'learning') assert.notEqual(json.state, 'revoked', text)
  }
}

for (const { name, program, kind, ambiguous, created, failed = [], skipped = [] } of storedTables)
  test(`${name} (${program}) goes from the file to people in the browser with ${ambiguous === undefined ? 'no choice' : 'one choice'}`, async () => {
    const { page, click, check, run, undo, countClicks } = await startImport(kind, name)
    assert.equal(await page.locator(CHOICES).count(), ambiguous === undefined ? 0 : 1)
    if (ambiguous !== undefined) await click(`${CHOICES} input[value=month_day_year]`)
    await check()
    const lines = failed.map(([line]) => line)
    assert.deepEqual(
      await readLines(page),
      [...lines, ...skipped].toSorted((one, other) => one - other),
    )
    assertSaid(await readHeadings(page))
    await run()
    assert.equal(countClicks(), ambiguous === undefined ? 3 : 4)
    assertSaid(await readHeadings(page))
    const [counted = ''] = await page.locator('.counts dd').allInnerTexts()
    assert.equal(numberIn(counted), created)
    await assertPeople(kind, await readNew(page), created)
    await undo()
  })

for (const { name, created } of storedTables.filter(
  ({ source, kind }) => kind === 'people' && ['teachable', 'thinkific', 'kajabi', 'podia'].includes(source),
))
  test(`the people of ${name} become students of a course that is chosen by hand`, async () => {
    const { page, check, run, undo, countClicks } = await startImport('learning', name)
    await page.selectOption('select[name=course_id]', { label: 'First loaf' })
    await check()
    await run()
    assert.equal(countClicks(), 3)
    assert.deepEqual(await readHeadings(page), [])
    await assertPeople('learning', await readNew(page), created)
    await undo()
  })
