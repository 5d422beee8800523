// One thing: what it takes to learn at a school, in clicks and pages of Chromium.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { PersonName } from '#testing/app.ts'
import { must } from '#testing/awards.ts'
import { follow, type Journey, press, testJourneys, write } from '#testing/clicks.ts'
import { enrollIn, TEACHING, teach } from '#testing/learning.ts'
import { textOfPdf } from '#testing/pdf.ts'
import { give, seller, sellProduct } from '#testing/products.ts'
import { settledNow } from '#testing/subscriptions.ts'
import { until } from '#testing/until.ts'
import { uploader } from '#testing/uploads.ts'

const { app, enter } = testJourneys()

const TEXT = 'Flour and water, and nothing else.'
const QUIZ = {
  passing_percentage: 50,
  questions: [
    {
      kind: 'single',
      prompt: 'What makes it rise?',
      choices: [
        { text: 'Yeast', is_correct: true },
        { text: 'Salt', is_correct: false },
      ],
    },
  ],
}

type Lessons = Parameters<typeof teach>[2]

const staff = () => app.actor('ada', { scopes: TEACHING })

/** Creates a course in which somebody is enrolled; returns its id, and those of its lessons. */
const arrange = async (who: PersonName, name: string, lessons: Lessons) => {
  const course = await teach(await staff(), name, lessons)
  // What follows from a new course is done before somebody is in it, as with every course that is on sale.
  await settledNow(app)
  await until(
    async () => (await app.database.query(`select from jobs where kind = 'course_progress'`)).length === 0,
    name,
  )
  await enrollIn(app, who, course.id)
  return course
}

const addFilm = async (lesson: string | undefined): Promise<void> => {
  const carrier = await uploader(app, 'ada', app.a, TEACHING)
  const bytes = await readFile(new URL('../../src/demo/files/films/feeding.mp4', import.meta.url))
  const { json } = await carrier.upload(bytes, {
    filename: 'feeding.mp4',
    content_type: 'video/mp4',
    purpose: 'course',
  })
  await must(carrier.write('PATCH', `/lessons/${lesson}`, { file_id: json.file.file_id }))
}

/** From the home page, which begins with the newest course of a person, to its first lesson. */
const start = async ({ page, begin }: Journey, course: string): Promise<void> => {
  await begin('/')
  await page
    .getByRole('region', { name: /^Welcome back/ })
    .getByRole('link', { name: 'Start' })
    .click()
  await page.getByRole('heading', { level: 1, name: course }).waitFor()
  await follow(page, 'Start')
}

test('a lesson: from the home page to it, and on to the next', async () => {
  const { lessons } = await arrange('dev', 'Brown bread', [{ name: 'Weigh' }, { name: 'Knead' }])
  await must((await staff()).write('PATCH', `/lessons/${lessons[0]}`, { body: TEXT }))
  const journey = await enter('dev', 360)
  const { page, reach } = journey
  await start(journey, 'Brown bread')
  assert.deepEqual(await reach(TEXT), { clicks: 2, pages: 2 })
  await press(page, 'Mark as done and continue')
  assert.deepEqual(await reach('Done: “Weigh”'), { clicks: 3, pages: 3 })
  assert.equal(await page.locator('h1').innerText(), 'Knead')
  await journey.begin('/')
  await follow(page, 'Continue')
  assert.deepEqual(await reach('Knead'), { clicks: 1, pages: 1 })
})

test('a video: from the home page to the film, which plays', async () => {
  const { lessons } = await arrange('eli', 'Film bread', [{ name: 'Watch', type: 'video' }, { name: 'Knead' }])
  await addFilm(lessons[0])
  const journey = await enter('eli', 1280)
  const { page, reach } = journey
  await start(journey, 'Film bread')
  await page.locator('video').click()
  await until(async () => Number(await page.evaluate('document.querySelector("video").currentTime')) > 0.2, 'the film')
  assert.deepEqual(await reach('Watch'), { clicks: 3, pages: 2 })
})

test('a quiz: what is asked, the answers, and the result', async () => {
  const { lessons } = await arrange('femi', 'Quiz bread', [{ name: 'What you know', type: 'quiz' }])
  await must((await staff()).write('PUT', `/lessons/${lessons[0]}/quiz`, QUIZ))
  const journey = await enter('femi', 360)
  const { page, reach } = journey
  await start(journey, 'Quiz bread')
  await press(page, 'Start the quiz')
  await page.getByText('Yeast', { exact: true }).click()
  await press(page, 'Submit')
  assert.deepEqual(await reach(/Result of attempt 1\s+Passed/), { clicks: 5, pages: 4 })
})

test('an assignment: the instructions, and the work below them', async () => {
  const { lessons } = await arrange('dev', 'Work bread', [{ name: 'Your loaf', type: 'assignment' }])
  const work = {
    instructions: 'Bake it, and say how it rose.',
    kinds: ['text', 'files'],
    max_points: 20,
    passing_points: 12,
  }
  await must((await staff()).write('PUT', `/lessons/${lessons[0]}/assignment`, work))
  const journey = await enter('dev', 1280)
  const { page, reach } = journey
  await start(journey, 'Work bread')
  await write(page, { Text: 'By half, in four hours.' })
  await press(page, 'Hand in your work')
  assert.deepEqual(await reach(/Your work is handed in[\s\S]+By half, in four hours/), { clicks: 3, pages: 3 })
})

test('finishing: the last lesson leads to the certificate and to a review', async () => {
  const ada = await staff()
  const { id } = await arrange('femi', 'Last bread', [{ name: 'Slice it' }])
  const template = await must(ada.write('POST', '/certificate-templates', { name: 'Slicer' }), 201)
  await must(ada.write('PATCH', `/courses/${id}`, { certificate_template_id: template.id }))
  const journey = await enter('femi', 360)
  const { page, reach } = journey
  await start(journey, 'Last bread')
  await press(page, 'Mark as done')
  assert.deepEqual(await reach('You have completed the course!'), { clicks: 3, pages: 3 })
  const course = page.url()
  await until(async () => {
    await journey.begin(course)
    return (await page.getByRole('link', { name: 'Open your certificate' }).count()) > 0
  }, 'the certificate')
  await follow(page, 'Open your certificate')
  assert.deepEqual(await reach('Femi Adeyemi'), { clicks: 1, pages: 1 })
  await journey.begin(course)
  await page.getByText('Excellent').click()
  await write(page, { 'Your review': 'I slice better now.' })
  await press(page, 'Send the review')
  assert.deepEqual(await reach('Your review was saved'), { clicks: 2, pages: 1 })
})

test('a comment: written from a lesson, and shown there', async () => {
  await arrange('eli', 'Talk bread', [{ name: 'Let it rise' }])
  const journey = await enter('eli', 1280)
  const { page, reach } = journey
  await start(journey, 'Talk bread')
  await follow(page, 'Write a comment')
  await write(page, { 'Your comment': 'Mine needed seven hours.' })
  await press(page, 'Send')
  assert.deepEqual(await reach(/Mine needed seven hours/), { clicks: 4, pages: 4 })
})

test('printing: a lesson on paper is its text alone', async () => {
  const { lessons } = await arrange('femi', 'Paper bread', [{ name: 'Weigh' }, { name: 'Knead' }])
  await must((await staff()).write('PATCH', `/lessons/${lessons[0]}`, { body: TEXT }))
  const journey = await enter('femi', 1280)
  const { page, reach } = journey
  await start(journey, 'Paper bread')
  assert.deepEqual(await reach(TEXT), { clicks: 2, pages: 2 })
  const paper = await textOfPdf(await page.pdf())
  assert.match(paper, /Flour and water, and nothing else/)
  assert.doesNotMatch(paper, /Knead|Mark as done|Your courses/)
})

test('a download: from the page of what one owns', async () => {
  const ada = await seller(app)
  await give(app, ada, await sellProduct(ada, { name: 'Rye handbook' }, ['Rye, water, salt']), 'eli')
  const { page, begin, reach } = await enter('eli', 1280)
  await begin('/')
  await follow(page, 'Rye handbook')
  await follow(page, 'Download')
  const file = page.waitForEvent('download')
  await page
    .locator('section', { hasText: 'Rye handbook' })
    .getByRole('button', { name: /^Download/ })
    .click()
  assert.equal(await readFile(await (await file).path(), 'utf8'), 'Rye, water, salt')
  assert.deepEqual(await reach('Rye handbook'), { clicks: 3, pages: 2 })
})
