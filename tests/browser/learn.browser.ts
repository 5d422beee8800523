import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { must } from '#testing/awards.ts'
import { createWalk, type Walker } from '#testing/browser-walk.ts'
import { startChromium } from '#testing/chromium.ts'
import { enrollIn, TEACHING, teach } from '#testing/learning.ts'
import { startMailbox } from '#testing/mail.ts'
import { until } from '#testing/until.ts'

let chromium: Browser
const mailbox = startMailbox()
const app = testApp({ mailbox: () => mailbox })
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(async () => {
  await chromium.close()
  await (await mailbox).stop()
})

const MOST_STOPS = 80
const TEXT =
  '## Why it rises\n\nYeast makes **gas**.\n\n| day | height |\n| --- | --- |\n| 1 | none |\n\n```\na long line of code that does not fit on a phone without a scroll bar of its own\n```'
const LESSONS = [
  { name: 'What rises', type: 'text', duration_seconds: 300 },
  { name: `A quiz about ${'Brotbackkunst'.repeat(8)}`, type: 'quiz' },
  { name: 'Your loaf', type: 'assignment' },
  {
    name: 'Next month',
    type: 'text',
    required_for_completion: false,
    drip: { mode: 'days_after_enrollment', value: 30 },
  },
]
const QUIZ = {
  passing_percentage: 50,
  time_limit_seconds: 3600,
  show_answers: 'after_attempt',
  questions: [
    {
      kind: 'single',
      prompt: 'What makes it **rise**?',
      choices: [
        { text: 'Yeast', is_correct: true },
        { text: 'Salt', is_correct: false },
      ],
      explanation: 'Salt slows it down.',
    },
    { kind: 'number', prompt: 'How many grams of salt?', value: '20', tolerance: '1' },
  ],
}
const WORK = {
  instructions: 'Bake it, and send a *picture*.',
  kinds: ['text', 'files'],
  max_points: 20,
  passing_points: 12,
}

/** Creates a course with a certificate in which a person is enrolled; returns its path and its lessons. */
const arrange = async (name: 'dev' | 'eli') => {
  const owner = await app.actor('ada', { scopes: TEACHING })
  const { id, lessons } = await teach(owner, `Bread of ${name}`, LESSONS)
  const [text, quiz, work] = lessons
  await must(owner.write('PATCH', `/lessons/${text}`, { body: TEXT }))
  await must(owner.write('PUT', `/lessons/${quiz}/quiz`, QUIZ))
  await must(owner.write('PUT', `/lessons/${work}/assignment`, WORK))
  const template = await must(owner.write('POST', '/certificate-templates', { name: `Baker ${name}` }), 201)
  await must(owner.write('PATCH', `/courses/${id}`, { certificate_template_id: template.id }))
  await enrollIn(app, name, id)
  const grade = async () => {
    const [waiting] = (await must(owner.get(`/submissions?lesson_id=${work}&graded=false`))).data
    const { headers } = await owner.get(`/submissions/${waiting.id}`)
    await must(
      owner.write('PUT', `/submissions/${waiting.id}/grade`, { points: 20 }, { 'if-match': String(headers.etag) }),
    )
  }
  return { path: `/learn/${(await must(owner.get(`/courses/${id}`))).slug}`, grade }
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const one = document.activeElement
    const label = one.labels?.[0]?.textContent ?? ''
    return [one.getAttribute('aria-label') ?? '', label, one.textContent].join(' ').replace(/\\s+/g, ' ').trim()
  })()`)

// Goes on by the keyboard alone, as far as an element with this name.
const reach = async (page: Page, name: RegExp): Promise<void> => {
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    await page.keyboard.press('Tab')
    if (name.test(await focused(page))) return
  }
  assert.fail(`${name} is not reached by the keyboard on ${page.url()}`)
}

const press = async (page: Page, name: RegExp): Promise<void> => {
  await reach(page, name)
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
}

const heading = (page: Page): Promise<string> => page.locator('h1').innerText()

const learnText = async ({ page, look }: Walker): Promise<void> => {
  await press(page, /^Start: Bread of/)
  assert.equal(await heading(page), 'What rises')
  await look()
  await reach(page, /^Skip to the content/)
  await page.keyboard.press('Enter')
  await press(page, /^Mark as done and continue$/)
  assert.match(await page.locator('#done').innerText(), /Done: “What rises”/)
}

const passQuiz = async ({ page, look }: Walker): Promise<void> => {
  await press(page, /^Start the quiz$/)
  await look()
  await reach(page, /Yeast/)
  await page.keyboard.press('Space')
  await press(page, /^Submit$/)
  assert.match(await page.locator('#complaint').innerText(), /1 question has no answer yet/)
  await look(/422/)
  await reach(page, /Yeast/)
  await page.keyboard.press('Tab')
  await page.keyboard.type('20')
  await press(page, /^Submit anyway$/)
  assert.match(await page.locator('.result-words').innerText(), /Passed/)
  await look()
}

const handIn = async ({ page, look }: Walker): Promise<void> => {
  await press(page, /^Next lesson Your loaf$/)
  await look()
  await page.setInputFiles('input[type=file]', { name: 'loaf.txt', mimeType: 'text/plain', buffer: Buffer.from('Rye') })
  await reach(page, /^Text/)
  await page.keyboard.type('It rose by half.')
  await press(page, /^Hand in your work$/)
  assert.match(await page.locator('main').innerText(), /Your work is handed in\.[\s\S]*loaf\.txt/)
  await look()
}

const openCertificate = async ({ page, goto, look }: Walker, path: string): Promise<void> => {
  await until(async () => {
    await goto(path)
    return (await page.locator('.cert').count()) > 0
  }, 'the certificate')
  await look()
  await press(page, /^Open your certificate$/)
  assert.match(page.url(), /\/certificates\//)
}

const lookOnPaper = async (page: Page, path: string): Promise<void> => {
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.locator('.learn-side').isVisible(), false, `${path} prints without the outline`)
  assert.equal(await page.locator('.prose').isVisible(), true)
  await page.emulateMedia({ media: null })
}

for (const [size, name, width] of [
  ['desktop', 'dev', 1280],
  ['phone', 'eli', 360],
] as const)
  test(`a person learns, passes, hands in a file and opens the certificate by the keyboard alone, at ${width} pixels`, async () => {
    const { path, grade } = await arrange(name)
    const walker = await walk.start(size)
    const { page, goto, look } = walker
    await page.setViewportSize({ width, height: 800 })
    await goto('/account/sign-in?return_to=/learn')
    await walker.fill({ email: people[name].email, password: PASSWORD })
    assert.equal(await heading(page), 'Your courses')
    await look()
    await learnText(walker)
    await passQuiz(walker)
    await handIn(walker)
    await grade()
    await openCertificate(walker, path)
    // The page of a certificate is public, and below no session.
    await page.goBack()
    const [first = '', , , locked = ''] = await page.locator('.learn-lessons li').allInnerTexts()
    assert.match(first, /What rises/)
    assert.match(locked, /Available from/)
    await page.locator('.learn-lessons a').first().click()
    await look()
    await lookOnPaper(page, path)
    await page.emulateMedia({ colorScheme: size === 'phone' ? 'light' : 'dark' })
    await look()
    await walker.close()
  })
