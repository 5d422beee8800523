import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { testApp } from '#testing/app.ts'
import { createWalk, type Size, type Walker } from '#testing/browser-walk.ts'
import { fillField, sizes, startChromium } from '#testing/chromium.ts'
import { enterConsole } from '#testing/console.ts'
import { enrollIn, LEARNING, TEACHING, teach } from '#testing/learning.ts'
import { beginQuiz, saveQuiz, submitQuiz } from '#testing/quizzes.ts'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

const LONG = 'Sourdough from scratch, for bakers who have no time and a very small kitchen'

/** A course with work and quiz answers of Dev that wait for a grade. */
const waitingWork = async (size: Size): Promise<string> => {
  const ada = await app.actor('ada', { scopes: TEACHING })
  const course = await teach(ada, `${LONG} (${size})`, [
    { name: 'Your own loaf, in words', type: 'assignment' },
    { name: 'What you remember', type: 'quiz' },
  ])
  const [work = '', quiz = ''] = course.lessons
  await ada.write('PUT', `/lessons/${work}/assignment`, {
    instructions: 'Bake a loaf.\n\n## What to hand in\n\nWhat you *changed* on the way.',
    max_points: 20,
    passing_points: 12,
  })
  const questions = [
    {
      kind: 'text',
      grading: 'manual',
      prompt: 'What does a starter smell of?',
      points: 3,
      explanation: 'Of **yoghurt**.',
    },
    { kind: 'number', prompt: 'Grams of salt for a loaf?', value: '10', tolerance: '1' },
  ]
  await ada.write('PUT', `/lessons/${quiz}/quiz`, { passing_percentage: 50, questions })
  await enrollIn(app, 'dev', course.id)
  const dev = await app.actor('dev', { scopes: LEARNING })
  await dev.write('POST', '/account/submissions', {
    lesson_id: work,
    text: 'Rye in the evening, white in the morning.\n\nIt doubled on the fifth day.',
  })
  const attempt = await beginQuiz(dev, quiz)
  const [first, second] = attempt.questions
  await saveQuiz(dev, attempt.id, [
    { question_id: first.id, text: 'Of yoghurt, and a little of beer.' },
    { question_id: second.id, number: '25' },
  ])
  await submitQuiz(dev, attempt.id)
  return course.id
}

// What was said of an earlier form may still be shown.
const send = async (page: Page, button: string): Promise<void> => {
  await page.evaluate("document.querySelector('#done')?.remove()")
  await page.click(button)
  await page.waitForSelector('#done')
}

const grade = async ({ page, goto, look }: Walker, course: string): Promise<void> => {
  await goto('/staff/teaching')
  await look()
  await goto(`/staff/grading?course_id=${course}`)
  await look()
  await page.click('a.button.main')
  await page.click('details.card > summary')
  await look()
  await fillField(page, 'textarea[name=feedback]', 'A lively starter. Feed it at the same hour each day.')
  await page.fill('input[name=points]', '30')
  await page.click('button.main')
  await look(/status of 422/)
  assert.match(await page.inputValue('textarea[name=feedback]'), /lively/)
  await page.fill('input[name=points]', '16')
  await send(page, 'button.main')
  await look()
  await page.click('details.card > summary')
  await page.fill('input[name^=points_]', '2')
  await look()
  await send(page, 'button.main')
  await goto(`/staff/grading?show=graded&course_id=${course}`)
  await look()
  await page.click('main tbody a')
  await look()
}

const enroll = async ({ page, goto, look, fill }: Walker, course: string, size: Size): Promise<void> => {
  await goto(`/staff/students/new?course_id=${course}`)
  await look()
  await fill({ email: `hana.${size}@crumb.example` })
  await look(/status of 422/)
  await fill({ name: 'Hana <b>Sato</b> of the very long name that somebody may have' })
  await page.waitForSelector('#done')
  await look()
  await page.click('main .card:last-child tbody a[href*="/students/enr_"]')
  await look()
  await goto(`/staff/students?course_id=${course}&q=dev`)
  await look()
  await page.click('main tbody a[href*="member_id="]')
  await look()
  await page.click('main tbody a[href*="/students/enr_"]')
  await page.click('details.card:last-of-type summary')
  await look()
  await page.click('details.card:has(input[value=hold]) summary')
  await send(page, 'details.card:has(input[value=hold]) button')
  await look()
  await page.click('main a[href*="/lessons/"]')
  await look()
}

const sort = async ({ page, goto, look }: Walker, size: Size): Promise<void> => {
  await goto('/staff/reviews')
  await page.click('details.card summary')
  await look()
  await goto('/staff/categories')
  await look()
  await page.click('main tbody a')
  await look()
  await goto('/staff/groups')
  await look()
  await page.click('details.card summary')
  await page.fill('input[name=name]', `Spring class ${size}`)
  await send(page, 'details.card button')
  await page.fill('main input[name=q]', 'femi')
  await page.click('main form:has(input[name=q]) button')
  await look()
  await send(page, 'main section:has(#found) button.small')
  await page.fill('input[name=item]', 'sourdough')
  await page.click('form:has(input[name=item]) button')
  await look()
}

const describe = async ({ page, goto, look, fill }: Walker, size: Size): Promise<void> => {
  await goto('/staff/certificates')
  await look()
  await page.click('main a.button.main')
  await look()
  await fill({ name: `Diploma of bakers ${size}`, signature_name: 'Ada Moreira' })
  await page.waitForSelector('#done')
  await look()
  await goto('/staff/lecturers')
  await look()
  await page.click('main a.button.main')
  await look()
  await fill({ display_name: `Gil Tavares ${size}`, email: 'nobody@crumb.example' })
  await look(/status of 422/)
  await fill({ email: '' })
  await page.waitForSelector('#done')
  await look()
}

const sellFiles = async ({ page, goto, look, fill }: Walker, size: Size): Promise<void> => {
  await goto('/staff/products')
  await look()
  await page.click('a.button.main')
  await page.click('.filters summary')
  await look()
  await fill({ name: `Table of proofing times, for kitchens of every size (${size})` })
  await page.waitForSelector('#done')
  const product = new URL(page.url()).pathname
  await page.setInputFiles('#file-add', {
    name: 'table.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('24 °C: 4 h'),
  })
  await send(page, 'form:has(#file-add) button[type=submit]')
  const price = 'details.card:has(input[name=amount])'
  await page.click(`${price} summary`)
  await page.fill(`${price} input[name=amount]`, '12.50')
  await send(page, `${price} button`)
  await look()
  await page.click('a[href*="/files/dpf_"]')
  await page.click('details.card summary')
  await look()
  await goto(`${product}/edit`)
  await look()
  await goto(`${product}/people`)
  await page.click('details.card summary')
  await page.fill('input[name=email]', people.eli.email)
  await send(page, 'details.card button')
  await look()
}

const walkTeaching = async (size: Size): Promise<void> => {
  const course = await waitingWork(size)
  const walker = await walk.start(size)
  await enterConsole(walker, size, '/staff/teaching')
  await grade(walker, course)
  await enroll(walker, course, size)
  await sort(walker, size)
  await describe(walker, size)
  await sellFiles(walker, size)
  await walker.close()
}

for (const size of Object.keys(sizes) as Size[])
  test(`staff grade work, enroll a student, form a group and sell a file, on a ${size}`, () => walkTeaching(size))

test('every page of teaching and products was looked at, on a desktop and on a phone', async () => {
  assert.deepEqual(await walk.missing('staffTeaching'), [])
})
