// One thing: the first evening of an owner, from an empty school to its first sale, by the pages alone.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { createPerson } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { LESSONS, writeCourse, writeText } from '#testing/built-course.ts'
import { startChromium } from '#testing/chromium.ts'
import { readMain, write } from '#testing/clicks.ts'
import {
  type Counted,
  type CountedTab,
  describeWay,
  openCountedTab,
  signInAt,
  type TabWay,
} from '#testing/counted-tab.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { newestCode } from '#testing/people.ts'
import { addSchool } from '#testing/schools.ts'
import { until } from '#testing/until.ts'

let chromium: Browser
let mailbox: Mailbox
const app = testApp({
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

// Axe looks at some forty pages.
const PATIENCE_MS = 300_000
const OWNER = 'Olga Owner'
const BUYER = 'Wanda Walker'
const COURSE = 'Croissants at home'
const SCHOOL = 'Butter Academy'

/** A new school as the first start makes it: with its owner, and nothing else. */
const openSchool = async (name: string): Promise<{ readonly base: string; readonly email: string }> => {
  const base = `http://${name}.localhost:${app.port}`
  const { id } = await addSchool(app, base, 'My school')
  const email = `olga@${name}.example`
  const person = { email, name: OWNER, role: 'owner', password: PASSWORD } as const
  assert.notEqual(await createPerson(app.database.elsewhere(), id, person), 'email_taken')
  return { base, email }
}

const isDone = async ({ page, arrive }: CountedTab, words: RegExp): Promise<void> => {
  await page.locator('#done', { hasText: words }).waitFor()
  await arrive('#done')
}

const nameSchool = async (tab: CountedTab): Promise<void> => {
  await tab.follow('Name the school')
  await tab.page.fill('input[name=name]', SCHOOL)
  await tab.page.press('input[name=name]', 'Enter')
  await isDone(tab, /saved/)
  await tab.follow('Next: Choose the look')
  await tab.press('Save and publish')
  await isDone(tab, /published/)
}

const nameSeller = async (tab: CountedTab): Promise<void> => {
  const { page } = tab
  await tab.follow('Next: Say who sells')
  await write(page, { 'Legal name': 'Butter, Lda.', 'Street and number': 'Rua Um 1', 'Town or city': 'Porto' })
  await tab.click('select[name="address.country"]')
  await page.selectOption('select[name="address.country"]', 'PT')
  await page.press('input[name="address.city"]', 'Enter')
  await isDone(tab, /saved/)
  await tab.follow('Next: Write the terms')
  await writeText(page, '[name=body]', 'We sell courses. Within 14 days you get your money back.')
  await tab.press('Publish the terms')
  await isDone(tab, /terms are published/)
}

const acceptTransfers = async (tab: CountedTab): Promise<void> => {
  const { page } = tab
  await tab.follow('Next: Set how the school is paid')
  await tab.follow('Bank transfer')
  await write(page, { 'Account holder': 'Butter, Lda.', IBAN: 'PT50 0002 0123 1234 5678 9015 4' })
  await page.getByLabel('IBAN').press('Enter')
  await isDone(tab, /saved/)
}

const tryMails = async (tab: CountedTab, email: string): Promise<void> => {
  await tab.follow('Next: Check the mails')
  await tab.press('Send a test message')
  await isDone(tab, /has accepted the test message/)
  await mailbox.waitFor(email, 1, /^Test message of /)
}

/** Builds the course on the page to which the guide leads, and returns what it took. */
const sellCourse = async (tab: CountedTab): Promise<Counted> => {
  const { page } = tab
  await tab.follow('Create a course')
  const before = { ...tab.counted }
  await writeCourse(tab, COURSE, tab.look)
  const taken = { clicks: tab.counted.clicks - before.clicks, loads: tab.counted.loads - before.loads }
  await page.goto(new URL('/staff', page.url()).href)
  assert.equal(await page.locator('.guide').count(), 0, 'the guide is over')
  return taken
}

/** From the first page of the console to a school that sells. */
const setUp = async (tab: CountedTab, email: string): Promise<Counted> => {
  await tab.look()
  await nameSchool(tab)
  await nameSeller(tab)
  await acceptTransfers(tab)
  await tryMails(tab, email)
  // The school is on this computer, and its address is for later.
  await tab.follow('Next: See the address')
  await tab.press('Later: An address that others reach')
  await tab.arrive('.guide')
  return sellCourse(tab)
}

/** Opens a page until it has a link: what a page of the site shows may be a second old. That counts as one load. */
const openUntil = async ({ page, counted, look }: CountedTab, address: string, link: string): Promise<void> => {
  const { loads } = counted
  await until(async () => {
    await page.goto(address)
    return (await page.getByRole('link', { name: link }).count()) > 0
  }, link)
  counted.loads = loads + 1
  await look()
}

const buy = async (tab: CountedTab, base: string, email: string): Promise<string> => {
  const { page } = tab
  await openUntil(tab, base, COURSE)
  await tab.follow(COURSE)
  for (const lesson of LESSONS) assert.equal(await page.getByText(lesson).count(), 1, `visitors see ${lesson}`)
  await tab.follow('Buy for €49')
  await write(page, { 'E-mail address': email, 'Your name': BUYER })
  await tab.click('input[name=accept_terms]')
  await tab.press('Pay €49.00')
  await tab.arrive('input[name=code]')
  await page.fill('input[name=code]', await newestCode(mailbox, email))
  await tab.press('Pay €49.00')
  await tab.arrive('main:has-text("Reference")')
  return page.url()
}

const confirm = async (tab: CountedTab): Promise<void> => {
  await tab.follow('Home')
  await tab.follow('1 bank transfer to confirm')
  await tab.click('details:has(input[name=act][value=confirm]) summary')
  await tab.click('details:has(input[name=act][value=confirm]) button')
  await tab.arrive('#done')
}

const learn = async (tab: CountedTab, order: string): Promise<void> => {
  const { page } = tab
  await openUntil(tab, order, `Start: ${COURSE}`)
  await tab.follow(`Start: ${COURSE}`)
  assert.match(await readMain(page), /Because it melts/)
  await tab.press('Mark as done and continue')
  await tab.arrive('h1:has-text("Folding")')
}

const seeSale = async ({ page, look }: CountedTab, base: string): Promise<void> => {
  await page.goto(`${base}/staff`)
  const main = await readMain(page)
  assert.match(main, /€49\.00/)
  assert.match(main, new RegExp(`${BUYER}[\\s\\S]+Paid`))
  await look()
}

/** What a job may take at most, in clicks and page loads. */
type Most = readonly [clicks: number, loads: number]

const assertTaken = (who: string, { clicks, loads }: Counted, [mostClicks, mostLoads]: Most): void => {
  const said = `${who}: ${clicks} clicks, ${loads} page loads`
  console.log(said)
  assert.ok(clicks <= mostClicks && loads <= mostLoads, said)
}

/** A way of spending the evening, with what the course and the whole of it may take. */
type Evening = { readonly way: TabWay; readonly course: Most; readonly owner: Most }

const spendEvening = async ({ way, course, owner: whole }: Evening, name: string): Promise<void> => {
  const { base, email } = await openSchool(name)
  const owner = await openCountedTab(chromium, base, way)
  await owner.page.goto(`${base}/staff`)
  await owner.look()
  await signInAt(owner, email, PASSWORD)
  await owner.page.waitForSelector('.guide')
  assertTaken('course', await setUp(owner, email), course)
  const visitor = await openCountedTab(chromium, base, way)
  const order = await buy(visitor, base, `wanda@${name}.example`)
  await confirm(owner)
  await learn(visitor, order)
  await seeSale(owner, base)
  assertTaken('owner', owner.counted, whole)
  assertTaken('visitor', visitor.counted, [7, 8])
  await owner.close()
  await visitor.close()
}

const evenings: readonly Evening[] = [
  {
    way: { javaScriptEnabled: true, width: 1280, colorScheme: 'light' },
    course: [12, 4],
    owner: [31, 27],
  },
  {
    way: { javaScriptEnabled: true, width: 360, colorScheme: 'dark' },
    course: [15, 4],
    owner: [34, 27],
  },
  {
    way: { javaScriptEnabled: false, width: 1280, colorScheme: 'dark' },
    course: [14, 14],
    owner: [33, 37],
  },
  {
    way: { javaScriptEnabled: false, width: 360, colorScheme: 'light' },
    course: [20, 14],
    owner: [39, 37],
  },
]

for (const [at, evening] of evenings.entries())
  test(
    `an owner sets up an empty school, sells the first course and sees the sale, ${describeWay(evening.way)}`,
    { timeout: PATIENCE_MS },
    () => spendEvening(evening, `evening${at}`),
  )
