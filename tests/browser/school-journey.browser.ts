// One thing: a new school from its first course to the first certificate, in a browser without scripts and without the API.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createPerson } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { addLesson } from '#testing/built-course.ts'
import { enterPassword, sizes, startChromium, unfold } from '#testing/chromium.ts'
import { follow, followInConsole, press, readDone, write } from '#testing/clicks.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { textOfPdf } from '#testing/pdf.ts'
import { addSchool } from '#testing/schools.ts'
import { until } from '#testing/until.ts'

let chromium: Browser
let mailbox: Mailbox
let base = ''
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})

const OWNER = { email: 'olga@new.example', name: 'Olga Owner' }
const LEARNER = { email: 'lena@new.example', name: 'Lena Learner', password: 'rye-barley-and-oats' }
const COURSE = 'Croissants at home'
const PATIENCE_MS = 10_000

before(async () => {
  chromium = await startChromium()
})
after(async () => {
  await chromium.close()
  await mailbox.stop()
})

// A school with an owner and nothing else.
const openSchool = async (): Promise<void> => {
  base = `http://new.localhost:${app.port}`
  const { id } = await addSchool(app, base)
  const person = await createPerson(app.database.elsewhere(), id, { ...OWNER, role: 'owner', password: PASSWORD })
  assert.notEqual(person, 'email_taken')
}

const openTab = async (size: keyof typeof sizes): Promise<Page> => {
  const context = await chromium.newContext({ viewport: sizes[size], javaScriptEnabled: false })
  context.setDefaultTimeout(PATIENCE_MS)
  return context.newPage()
}

const headingIs = async (page: Page, heading: string | RegExp): Promise<void> => {
  const text = await page.locator('h1').innerText()
  assert.ok(typeof heading === 'string' ? text === heading : heading.test(text), `${text} at ${page.url()}`)
}

const begin = async (page: Page): Promise<void> => {
  await page.goto(`${base}/staff`)
  await write(page, { 'E-mail address': OWNER.email })
  await enterPassword(page, PASSWORD)
  await page.waitForSelector('.guide')
}

const handsOn = (page: Page) => ({
  page,
  click: async (target: string): Promise<void> => {
    await page.locator(target).first().click()
    await page.waitForLoadState()
  },
})

const addSection = async (page: Page, name: string): Promise<void> => {
  await page.click('#section a.add')
  await page.fill('#section input[name=name]', name)
  await page.press('#section input[name=name]', 'Enter')
  await page.waitForSelector(`.outline h2:has-text("${name}")`)
}

// What browsers recognize as a film: its first box, and nothing to play.
const FILM = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42\0\0\0\0mp42isom')])

const writeLessons = async (page: Page): Promise<void> => {
  await addLesson(handsOn(page), 'Fold it', 'video')
  await page.setInputFiles('#main-file', { name: 'fold.mp4', mimeType: 'video/mp4', buffer: FILM })
  await page.fill('#body', 'Fold it **three** times.')
  await page.click('.save [value=publish]')
  await page.waitForURL(/done=/)
  await addSection(page, 'The dough')
  await addLesson(handsOn(page), 'What you know', 'quiz')
  await page.click('a[href$="kind=single"]')
  await write(page, { 'Question (Markdown)': 'What makes it rise?', 'Choice 1': 'Steam', 'Choice 2': 'Salt' })
  await page.getByLabel('Choice 1 is correct').check()
  await press(page, 'Save')
  await page.waitForSelector('#questions li')
  await unfold(page, '[name=passing_percentage]')
  await page.fill('[name=passing_percentage]', '100')
  await page.click('.save [value=save]')
  await page.waitForURL(/done=saved/)
}

const giveCertificate = async (page: Page): Promise<void> => {
  await follow(page, 'Certificate')
  await follow(page, 'Create a template')
  await page.getByLabel('Who signs (optional)').fill(OWNER.name)
  await press(page, 'Create a template')
  assert.match(await readDone(page), /template was created/)
  await followInConsole(page, 'Courses')
  await follow(page, COURSE)
  await follow(page, 'Certificate')
  await page.getByLabel('Certificate', { exact: true }).selectOption({ label: 'Certificate of completion' })
  await press(page, 'Save')
  assert.match(await readDone(page), /Saved/)
}

const createCourse = async (page: Page): Promise<void> => {
  await followInConsole(page, 'Courses')
  await follow(page, 'Create a course')
  await write(page, { 'Name of the course': COURSE, 'Price in EUR (optional)': '0' })
  await press(page, 'Create a course')
  await page.waitForSelector('#done')
  await writeLessons(page)
  await giveCertificate(page)
  await follow(page, COURSE)
  await page.click('details.publish summary')
  await press(page, 'Publish now')
  assert.match(await readDone(page), /course is published/)
}

const putOnHomePage = async (page: Page): Promise<void> => {
  await followInConsole(page, 'Site')
  await write(page, { Title: 'Welcome to the academy' })
  await press(page, 'Create a page')
  await page.getByLabel('Kind of block').selectOption({ label: 'Courses' })
  await press(page, 'Add block')
  await page.getByLabel('Heading (optional)').fill('What you can learn')
  await press(page, 'Save and publish')
  assert.match(await readDone(page), /is published/)
  const home = page.locator('button', { hasText: 'Make it the home page' })
  await page.locator('details', { has: home }).locator('summary').click()
  await home.click()
  await page.waitForSelector('#done')
}

const join = async (page: Page): Promise<void> => {
  // What a page of the site shows may be a second old.
  await until(async () => {
    await page.goto(base)
    return (await page.getByRole('heading', { name: 'What you can learn' }).count()) > 0
  }, 'the home page')
  await follow(page, COURSE)
  // Whoever is new is led to an account, and from it back to the course.
  await page.locator('.offer a.button, .actions a.button').first().click()
  await page.waitForURL(/\/sign-up\?/)
  await page.fill('input[name=email]', LEARNER.email)
  await page.fill('input[name=name]', LEARNER.name)
  await enterPassword(page, LEARNER.password)
  await page.waitForURL(/\/sign-up\/code/)
  const [mail] = await mailbox.waitFor(LEARNER.email)
  await page.fill('input[name=code]', /\b\d{6}\b/.exec(mail?.email.text ?? '')?.[0] ?? '')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/account\/enroll/)
  await page.click('button.main')
  await page.waitForURL(/\/learn\//)
}

const learn = async (page: Page): Promise<void> => {
  await follow(page, 'Start')
  await headingIs(page, 'Fold it')
  assert.equal(await page.locator('video').count(), 1)
  assert.match(await page.locator('.prose').innerText(), /three times/)
  await press(page, 'Mark as done and continue')
  await headingIs(page, 'What you know')
  await press(page, 'Start the quiz')
  await page.getByLabel('Steam').check()
  await press(page, 'Submit')
  assert.match(await page.locator('.result-words').innerText(), /Passed/)
}

const openCertificate = async (page: Page): Promise<void> => {
  await page.locator(`a[href*="/learn/"]`, { hasText: COURSE }).first().click()
  await page.waitForLoadState()
  await until(async () => {
    await page.reload()
    return (await page.locator('.finished .cert').count()) > 0
  }, 'the certificate')
  await follow(page, 'Open your certificate')
  assert.match(await page.locator('main').innerText(), new RegExp(`${LEARNER.name}[\\s\\S]*${COURSE}`))
  const href = (await page.locator('a[href$=".pdf"], a[href$="/pdf"]').first().getAttribute('href')) ?? ''
  // Chromium resolves names below localhost, and Node may not.
  const { pathname, host } = new URL(href, page.url())
  const pdf = await page.context().request.get(`http://127.0.0.1:${app.port}${pathname}`, { headers: { host } })
  assert.equal(pdf.headers()['content-type'], 'application/pdf')
  const words = await textOfPdf(await pdf.body())
  for (const expected of [LEARNER.name, COURSE, OWNER.name]) assert.ok(words.includes(expected), words)
}

test('an owner writes a course with a certificate and shows it on the home page, and a visitor learns and opens the certificate', async () => {
  await openSchool()
  const owner = await openTab('desktop')
  await begin(owner)
  await createCourse(owner)
  await putOnHomePage(owner)
  await owner.goto(base)
  await owner.context().close()
  const visitor = await openTab('phone')
  await join(visitor)
  await learn(visitor)
  await openCertificate(visitor)
  await visitor.context().close()
})
