import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { createWalk, type Walker } from '#testing/browser-walk.ts'
import { startChromium, type Way } from '#testing/chromium.ts'
import { enrollIn, LEARNING, TEACHING, teach } from '#testing/learning.ts'
import { beginQuiz, saveQuiz, submitQuiz } from '#testing/quizzes.ts'
import { uploader } from '#testing/uploads.ts'

let chromium: Browser
const app = testApp()
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

const TEXT = 'Rye in the evening, white in the morning.\n\nIt doubled on the fifth day, *twice*.'

/** Files of Dev: two pictures and a text. */
const uploadFiles = async (): Promise<string[]> => {
  const dev = await uploader(app, 'dev')
  const paint = (background: string) =>
    sharp({ create: { width: 640, height: 480, channels: 3, background } })
      .png()
      .toBuffer()
  const ids: string[] = []
  for (const [filename, content_type, bytes] of [
    ['crumb.png', 'image/png', await paint('#a52')],
    ['crust.png', 'image/png', await paint('#e9c')],
    ['recipe.txt', 'text/plain', Buffer.from('24 °C: 4 h')],
  ] as const)
    ids.push((await dev.upload(bytes, { filename, content_type })).json.file.file_id)
  return ids
}

/** A course with two assignments and a quiz of Dev that wait for a grade; returns its id and the submissions. */
const waitingWork = async (name: string) => {
  const ada = await app.actor('ada', { scopes: TEACHING })
  const dev = await app.actor('dev', { scopes: LEARNING })
  const course = await teach(ada, name, [
    { name: 'Your own loaf', type: 'assignment' },
    { name: 'Your second loaf', type: 'assignment' },
    { name: 'What you remember', type: 'quiz' },
  ])
  const [first = '', second = '', quiz = ''] = course.lessons
  const settings = { instructions: 'Bake a loaf.', max_points: 20, passing_points: 12 }
  for (const lesson of [first, second]) await ada.write('PUT', `/lessons/${lesson}/assignment`, settings)
  const questions = [{ kind: 'text', grading: 'manual', prompt: 'What does a starter smell of?', points: 3 }]
  await ada.write('PUT', `/lessons/${quiz}/quiz`, { questions })
  await enrollIn(app, 'dev', course.id)
  const hand = async (body: object): Promise<string> => (await dev.write('POST', '/account/submissions', body)).json.id
  const works = [
    await hand({ lesson_id: first, text: TEXT, file_ids: await uploadFiles() }),
    await hand({ lesson_id: second, text: 'Flat.' }),
  ]
  const attempt = await beginQuiz(dev, quiz)
  await saveQuiz(dev, attempt.id, [{ question_id: attempt.questions[0].id, text: 'Of yoghurt.' }])
  await submitQuiz(dev, attempt.id)
  return { id: course.id, works }
}

const readWork = async (id: string) =>
  (await (await app.actor('ada', { scopes: TEACHING })).get(`/submissions/${id}`)).json

const enter = async (course: string, way: Way): Promise<Walker> => {
  const walker = await walk.start('desktop', way)
  await walker.goto(`/account/sign-in?return_to=${encodeURIComponent(`/staff/grading?course_id=${course}`)}`)
  await walker.fill({ email: people.ada.email, password: PASSWORD })
  await walker.page.click('a.button.main')
  return walker
}

test('work is graded with keys alone: a passage is quoted, points are typed, and the next work is opened', async () => {
  const { id, works } = await waitingWork('With keys')
  const { page, look, close } = await enter(id, { javaScriptEnabled: true })
  const heading = () => page.textContent('h1')
  const feedback = () => page.inputValue('textarea[name=feedback]')
  await page.waitForSelector('.editor [contenteditable]')
  assert.equal(await page.locator('.shown img').count(), 2)
  await page.waitForSelector('[data-keys]:not([hidden])')
  await look()
  await page.keyboard.press('?')
  await page.waitForSelector('[data-keys][open] li')
  await page.keyboard.press('?')

  await page.evaluate(`(() => {
    const [text] = document.querySelector('#given').childNodes
    const at = text.data.indexOf('It doubled')
    getSelection().setBaseAndExtent(text, at, text, at + 'It doubled on the fifth day, *twice*.'.length)
  })()`)
  await page.waitForSelector('button.quote:text-is("Quote the selection")')
  await page.keyboard.press('q')
  await page.waitForSelector('.editor blockquote')
  await page.keyboard.type('j and k are letters here')
  await page.keyboard.press('Escape')
  assert.equal(await feedback(), '> It doubled on the fifth day, \\*twice\\*.\n\nj and k are letters here')
  assert.equal(await page.locator('#conflict, #done').count(), 0)

  await page.keyboard.press('1')
  await page.keyboard.type('6')
  assert.equal(await page.inputValue('input[name=points]'), '16')
  await page.keyboard.press('Control+Enter')
  await page.waitForSelector('#done:text-is("Saved. 2 more wait.")')
  const { status, grade, feedback: words } = await readWork(works[0] ?? '')
  assert.deepEqual(
    [status, grade.points, words],
    ['graded', 16, '> It doubled on the fifth day, \\*twice\\*.\n\nj and k are letters here'],
  )
  assert.match(page.url(), new RegExp(works[1] ?? ''))

  await page.keyboard.press('j')
  await page.waitForURL(/\/grading\/attempts\//)
  await page.waitForSelector('.editor [contenteditable]')
  await look()
  await page.keyboard.press('k')
  await page.waitForURL(/\/grading\/works\//)
  await page.keyboard.press('r')
  assert.equal(await page.evaluate('document.activeElement.value'), 'return')
  assert.equal((await readWork(works[1] ?? '')).status, 'submitted')
  await page.keyboard.press('f')
  await page.keyboard.type('Feed it first')
  await page.keyboard.press('Escape')
  await page.keyboard.press('r')
  await page.keyboard.press('Enter')
  await page.waitForSelector('#done:text-is("Returned. 1 more waits.")')
  assert.equal((await readWork(works[1] ?? '')).feedback, 'Feed it first')
  await page.keyboard.press('q')
  await page.waitForSelector('.editor blockquote')
  await page.keyboard.press('Escape')
  await page.keyboard.press('3')
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(/\/staff\/grading\?/)
  assert.match((await heading()) ?? '', /Grading/)
  await page.waitForSelector('.empty')
  await close()
})

test('a draft of a grade is kept in the browser until it is sent, and gone then', async () => {
  const { id } = await waitingWork('Drafts of grades')
  const { page, close } = await enter(id, { javaScriptEnabled: true })
  await page.waitForSelector('.editor [contenteditable]')
  const address = page.url()
  await page.keyboard.press('f')
  await page.keyboard.type('Half a sentence')
  await page.keyboard.press('Escape')
  await page.locator('.draft-state', { hasText: ':' }).waitFor()
  page.on('dialog', dialog => dialog.accept())
  await page.goto(address)
  await page.waitForSelector('.notice button.small')
  assert.equal(await page.inputValue('textarea[name=feedback]'), 'Half a sentence')
  await page.fill('input[name=points]', '14')
  await page.keyboard.press('Control+Enter')
  await page.waitForSelector('#done')
  await page.goto(address)
  await page.waitForSelector('.editor [contenteditable]')
  assert.equal(await page.locator('.notice button.small').count(), 0)
  assert.equal(await page.inputValue('textarea[name=feedback]'), 'Half a sentence')
  await close()
})

test('work is graded without scripts: its text is quoted whole, files stand beside it, and the next one is opened', async () => {
  const { id, works } = await waitingWork('Without scripts')
  const { page, look, close } = await enter(id, { javaScriptEnabled: false })
  assert.equal(await page.locator('.shown img').count(), 2)
  assert.equal(await page.locator('a[download]', { hasText: 'recipe.txt' }).count(), 1)
  assert.equal(await page.isVisible('[data-keys]'), false)
  await page.fill('input[name=points]', '15')
  await page.setInputFiles('input[name=files]', [
    { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('1') },
    { name: 'two.txt', mimeType: 'text/plain', buffer: Buffer.from('2') },
  ])
  await page.click('button.quote')
  assert.equal(
    await page.inputValue('textarea[name=feedback]'),
    '> Rye in the evening, white in the morning.\n>\n> It doubled on the fifth day, \\*twice\\*.\n\n',
  )
  assert.equal(await page.inputValue('input[name=points]'), '15')
  await look()
  // Enter in a field saves the grade; it neither quotes nor returns the work.
  await page.press('input[name=points]', 'Enter')
  await page.waitForSelector('#done:text-is("Saved. 2 more wait.")')
  const { status, feedback_files: files } = await readWork(works[0] ?? '')
  assert.equal(status, 'graded')
  assert.deepEqual(
    files.map(({ name }: { readonly name: string }) => name),
    ['one.txt', 'two.txt'],
  )
  await close()
})

test('lecturers are put in another order by dragging', async () => {
  const walker = await walk.start('desktop', { javaScriptEnabled: true })
  const { page, goto, fill, look, close } = walker
  await goto('/account/sign-in?return_to=/staff/lecturers')
  await fill({ email: people.ada.email, password: PASSWORD })
  const names = () => page.locator('tbody .c-main a').allTextContents()
  const [first, second, ...rest] = await names()
  await page.waitForSelector('.grip')
  await look()
  await page
    .locator('tbody tr')
    .nth(0)
    .locator('.grip')
    .dragTo(page.locator('tbody tr').nth(1), {
      targetPosition: { x: 20, y: 40 },
    })
  await page.waitForSelector('#done')
  assert.deepEqual(await names(), [second, first, ...rest])
  await close()
})
