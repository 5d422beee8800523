import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { testApp } from '#testing/app.ts'
import { createWalk, type Size, type Walker } from '#testing/browser-walk.ts'
import { fillField, sizes, startChromium } from '#testing/chromium.ts'
import { enterConsole } from '#testing/console.ts'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

// The path of the page without that of the session.
const here = ({ page }: Walker): string => new URL(page.url()).pathname

// On a phone the outline is a panel.
const showOutline = async ({ page }: Walker): Promise<void> => {
  const opener = page.locator('[popovertarget=outline]')
  if (await opener.isVisible()) await opener.click()
}

const createCourse = async (walker: Walker, size: Size): Promise<string> => {
  const { page, goto, look } = walker
  await goto('/staff/courses')
  await look()
  await page.click('main a[href$="/staff/courses/new"]')
  await look()
  await page.fill('input[name=name]', `Laminated doughs, butter in very many thin layers (${size})`)
  await page.click('button.main')
  await page.waitForSelector('#done')
  await look()
  const course = here(walker)
  await goto(`${course}?add=section`)
  await showOutline(walker)
  await look()
  await page.fill('#section input[name=name]', 'The dough')
  await page.click('#section button')
  await page.waitForSelector('.outline > li:nth-child(2)')
  return course
}

const addLesson = async (walker: Walker, course: string, name: string, type: string): Promise<void> => {
  const { page, goto } = walker
  const form = '.outline > li:first-child > .inline-add'
  await goto(course)
  await goto(`${course}?add=${await page.getAttribute('.outline > li', 'id')}`)
  await showOutline(walker)
  await page.fill(`${form} input[name=name]`, name)
  await page.selectOption(`${form} select[name=type]`, type)
  await page.click(`${form} button`)
  await page.waitForURL(/\/lessons\/les_/)
  await goto(here(walker))
}

const writeLesson = async (walker: Walker, course: string): Promise<void> => {
  const { page, look } = walker
  await addLesson(walker, course, 'Why butter', 'video')
  await fillField(page, 'textarea[name=body]', '## Cold\n\nKeep it **cold**.\n\n- one\n- two')
  await page.click('.save [value=preview]')
  await page.waitForSelector('#text-preview')
  // The label of the box for a free preview is that of no other part of the page.
  await page.click('label[for=preview]')
  assert.ok(await page.isChecked('input[name=preview]'))
  await page.fill('input[name=minutes]', 'a lot')
  await page.click('.save [value=publish]')
  await look(/status of 422/)
  await page.fill('input[name=minutes]', '4')
  await page.click('.save [value=publish]')
  await page.waitForURL(/done=shown/)
  await page.click('.fold:has(#attachment-file) summary')
  await page.setInputFiles('#attachment-file', {
    name: 'butter.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Which butter'),
  })
  await page.click('[value=attach]')
  await page.waitForSelector('.fold bdi:text-is("butter.txt")', { state: 'attached' })
  await look()
}

const writeQuiz = async (walker: Walker, course: string): Promise<void> => {
  const { page, look } = walker
  await addLesson(walker, course, 'What you know', 'quiz')
  await page.click('a[href$="kind=single"]')
  await look()
  await fillField(page, 'textarea[name=prompt]', 'What makes it rise?')
  await page.fill('input[name=choice_0]', 'Steam')
  await page.fill('input[name=choice_1]', 'Salt')
  await page.click('button.main')
  await look(/status of 422/)
  await page.check('input[name=correct][value="0"]')
  // The keyboard alone saves the question.
  await page.press('input[name=choice_1]', 'Enter')
  await page.waitForSelector('#questions li')
  await look()
  await page.click('.numbered a')
  await look()
}

const setTerms = async (walker: Walker, course: string): Promise<void> => {
  const { page, look } = walker
  await addLesson(walker, course, 'Bake a croissant', 'assignment')
  await fillField(page, 'textarea[name=instructions]', 'Bake *one* and show its crumb.')
  await page.click('.save [value=save]')
  await page.waitForSelector('.preview', { state: 'attached' })
  await look()
}

const publish = async ({ page, goto, look }: Walker, course: string): Promise<void> => {
  for (const part of ['details', 'schedule', 'certificate']) {
    await goto(`${course}/${part}`)
    await look()
  }
  await goto(`${course}/prices`)
  await page.fill('input[name=amount]', '49')
  await page.click('button.main')
  await page.waitForSelector('#done')
  await look()
  await goto(`${course}/preview`)
  await look()
  await goto(course)
  await look()
  await goto(`${course}/publication`)
  await look()
  await page.click('button.main')
  await page.waitForSelector('#done')
  await look()
}

const author = async (size: Size): Promise<void> => {
  const walker = await walk.start(size)
  await enterConsole(walker, size, '/staff/courses')
  const course = await createCourse(walker, size)
  await writeLesson(walker, course)
  await writeQuiz(walker, course)
  await setTerms(walker, course)
  await publish(walker, course)
  await walker.close()
}

for (const size of Object.keys(sizes) as Size[])
  test(`an owner writes a course with a video, a quiz and an assignment, and publishes it, on a ${size}`, () =>
    author(size))

test('every page of courses was looked at, on a desktop and on a phone', async () => {
  assert.deepEqual(await walk.missing('staffCourses'), [])
})
