// One thing: the Monday of an owner: what waits is graded, answered and refunded, a lesson gets a picture, and a person more time.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { people } from '#src/demo/index.ts'
import { testApp } from '#testing/app.ts'
import { startChromium } from '#testing/chromium.ts'
import { COMMENT_STAFF, COMMENTING, commented, commentedCourse } from '#testing/comments.ts'
import {
  assertWithin,
  type ConsoleJourney,
  type Cost,
  enterConsole,
  type Look,
  looks,
  sayLook,
} from '#testing/console-journeys.ts'
import { LEARNING } from '#testing/learning.ts'
import { checkout, decide, once, sell } from '#testing/orders.ts'

let chromium: Browser
const app = testApp({ trustProxy: '127.0.0.1' })
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

const ask = (course: string): string => `May I bake it on a cold stone? (${course})`
const STUDENT = people.eli.name

/** What waits on this Monday: work and a question of Eli, and an order of Femi that is paid. */
const prepare = async (name: string): Promise<{ readonly order: string; readonly slug: string }> => {
  const ada = await app.actor('ada', { scopes: [...COMMENT_STAFF, 'orders:read', 'students:write'] })
  const { id, slug, lesson } = await commentedCourse(app, ada, name, ['eli'])
  const work = await lesson({ name: 'Bake one', type: 'assignment' })
  const set = await ada.write('PUT', `/lessons/${work}/assignment`, { instructions: 'Bake it.', max_points: 20 })
  assert.equal(set.status, 200, set.text)
  // What waits besides is of the demo.
  await app.database.query('delete from submissions where school_id = $1', [app.a.id])
  const eli = await app.actor('eli', { scopes: [...LEARNING, ...COMMENTING] })
  const sent = await eli.write('POST', '/account/submissions', { lesson_id: work, text: 'It rose **twice**.' })
  assert.equal(sent.status, 201, sent.text)
  await commented(eli, id, ask(name))
  const { priceId } = await sell(ada, `Rye for ${name}`, [once(4900)])
  const femi = await app.actor('femi', { scopes: ['account:read', 'account:write', 'courses:read'] })
  const { json } = await checkout(femi, [priceId])
  await decide(app, 'confirmPayment', json.id, {})
  return { order: json.number, slug }
}

const main = (page: Page) => page.locator('main')
const link = (page: Page, name: string | RegExp) => main(page).getByRole('link', { name }).first()
const button = (page: Page, name: string | RegExp) => main(page).getByRole('button', { name }).first()

const gradeWork = async ({ page, click, reach }: ConsoleJourney): Promise<void> => {
  await reach('Waiting for you')
  await click(link(page, /1 submission to grade/))
  await reach('Bake one')
  await click(link(page, STUDENT))
  await reach('It rose')
  await page.getByLabel(/^Points/).fill('18')
  await page
    .getByRole('textbox', { name: /^Feedback/ })
    .first()
    .fill('A lively dough.')
  await click(button(page, /^Save/))
  await reach(/saved/i)
}

const answerComment = async ({ page, visit, click, reach }: ConsoleJourney, question: string): Promise<void> => {
  await visit('Home')
  await reach(question)
  await click(link(page, /comments? without an answer/))
  await reach(question)
  const entry = page.locator('article', { hasText: question })
  await click(entry.locator('summary', { hasText: 'Answer' }))
  await entry.getByRole('textbox', { name: `Answer ${STUDENT}` }).fill(`Heat it first. (${question})`)
  await click(entry.getByRole('button', { name: 'Publish the answer' }))
  await reach('The answer is published.')
}

const refundOrder = async ({ page, visit, click, reach }: ConsoleJourney, order: string): Promise<void> => {
  await visit('Home')
  await reach(order)
  await click(main(page).locator(`a[href="/staff/orders/${order}"]`).first())
  await reach('What was ordered')
  await click(link(page, 'Refund this order'))
  await reach('Keep the order')
  await click(button(page, 'See what happens'))
  await reach(/What will happen[\s\S]*Transfer it to the buyer yourself[\s\S]*credit note[\s\S]*Ends:/)
  await click(button(page, 'Refund €49.00'))
  await reach(/The refund has begun\.[\s\S]*Credit note/)
}

const PICTURE = { name: 'stone.png', mimeType: 'image/png' }

const drawStone = async () => ({
  ...PICTURE,
  buffer: await sharp({ create: { width: 300, height: 200, channels: 3, background: '#864' } })
    .png()
    .toBuffer(),
})

const putPicture = async ({ page, look, click }: ConsoleJourney): Promise<void> => {
  if (look.javaScriptEnabled) {
    const chosen = page.waitForEvent('filechooser')
    await click(page.getByRole('button', { name: 'Picture' }))
    await (await chosen).setFiles(await drawStone())
    await page.getByLabel('What the picture shows').fill('A hot stone')
    await page.locator('.editor img[src]').waitFor()
    return
  }
  await click(page.locator('summary', { hasText: 'Put a file into the text' }))
  await page.setInputFiles('[name=text_picture]', await drawStone())
  await page.getByLabel('What it shows').fill('A hot stone')
  await click(page.getByRole('button', { name: 'Put the picture into the text' }))
  await page.locator('textarea', { hasText: '![A hot stone]' }).waitFor()
}

const addLesson = async (journey: ConsoleJourney, course: string, slug: string): Promise<void> => {
  const { page, visit, click, reach } = journey
  await visit('Courses')
  await reach(course)
  await click(main(page).getByRole('link', { name: course, exact: true }))
  await reach('Bake one')
  await click(page.getByRole('link', { name: /^Add a lesson/ }).first())
  await page.getByLabel('Name of the lesson').fill('The stone')
  await page.keyboard.press('Enter')
  await page.locator('.work [name=name]').waitFor()
  await reach('Publish the lesson')
  await putPicture(journey)
  await click(page.locator('.save').getByRole('button', { name: 'Publish the lesson' }))
  await reach(/is published/)
  const eli = await app.actor('eli', { scopes: LEARNING })
  const { json } = await eli.get(`/courses/slug:${slug}/outline`)
  assert.match(JSON.stringify(json), /The stone/)
}

const findPerson = async ({ page, look, click, reach }: ConsoleJourney, course: string): Promise<void> => {
  if (look.javaScriptEnabled) {
    await page.locator('.bar kbd').waitFor({ state: 'attached' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type(STUDENT)
    await click(page.getByRole('option', { name: new RegExp(STUDENT) }).first())
  } else {
    if (look.width === 360) {
      await click(page.locator('.bar').getByRole('link', { name: 'Search' }))
      await reach('Search')
    }
    await page.locator(look.width === 360 ? 'main [name=q]' : '.bar [name=q]').fill(STUDENT)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/staff\/search\?q=/)
    await reach(STUDENT)
    await click(link(page, STUDENT))
  }
  await page.waitForURL(/\/staff\/people\//)
  await reach(`Why there is access to ${course}`)
  const write = main(page).getByRole('link', { name: 'Write', exact: true })
  assert.equal(await write.getAttribute('href'), `mailto:${people.eli.email}`)
}

const extendDeadline = async ({ page, click, reach }: ConsoleJourney, course: string): Promise<void> => {
  await click(link(page, course))
  await reach('Bake one')
  await click(main(page).locator('a[href*="/lessons/"]', { hasText: 'Bake one' }).first())
  await reach('Change the deadline for this student')
  await click(page.locator('summary', { hasText: 'Change the deadline for this student' }))
  await page.getByLabel(/^New deadline/).fill('2099-12-24T18:00')
  await click(button(page, 'Save the deadline'))
  await reach(/The deadline was changed\.[\s\S]*24 December 2099/)
}

type Job = readonly [name: string, run: () => Promise<void>]

const spendMonday = async (look: Look): Promise<Record<string, Cost>> => {
  const course = `Stone, ${sayLook(look)}`
  const { order, slug } = await prepare(course)
  const journey = await enterConsole({ app, browser: chromium }, 'ada', look)
  const jobs: readonly Job[] = [
    ['grade', () => gradeWork(journey)],
    ['answer', () => answerComment(journey, ask(course))],
    ['refund', () => refundOrder(journey, order)],
    ['lesson', () => addLesson(journey, course, slug)],
    ['person', () => findPerson(journey, course)],
    ['deadline', () => extendDeadline(journey, course)],
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

const WITH_SCRIPTS: Record<string, Cost> = {
  grade: { clicks: 3, pages: 3 },
  answer: { clicks: 4, pages: 3 },
  refund: { clicks: 5, pages: 5 },
  lesson: { clicks: 5, pages: 2 },
  person: { clicks: 1, pages: 1 },
  deadline: { clicks: 4, pages: 3 },
}

// A phone has the search on a page of its own.
const WITHOUT_SCRIPTS = { ...WITH_SCRIPTS, lesson: { clicks: 6, pages: 6 }, person: { clicks: 1, pages: 3 } }

for (const look of looks)
  test(`Monday ${sayLook(look)}`, async () => {
    assertWithin(look, await spendMonday(look), look.javaScriptEnabled ? WITH_SCRIPTS : WITHOUT_SCRIPTS)
  })
