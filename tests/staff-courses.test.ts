// One thing: an author writes a course on the pages of the staff, from its name to its publication.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { formatCookie, formTo } from '#testing/account-pages.ts'
import { testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { learner, listLinks, readMain } from '#testing/learn-pages.ts'

const app = testApp()

type Fields = Readonly<Record<string, string>>

/** Sends the form of a page that has an action and these hidden fields, with more fields. */
const send = (browser: Browser, page: TestReply, path: string, fields: Fields, hidden: Fields = {}) =>
  browser.submit(formTo(page, path, hidden), Object.entries(fields))

const idIn = ({ text }: TestReply, prefix: string): string =>
  new RegExp(`${prefix}_[0-9A-Za-z]+`).exec(text)?.[0] ?? assert.fail(`no ${prefix} on ${text}`)

const create = async (browser: Browser, name: string): Promise<{ page: TestReply; path: string }> => {
  const page = await send(browser, await browser.open('/staff/courses/new'), '/staff/courses/new', { name })
  assert.match(page.text, /id="done">The course was created/)
  return { page, path: `/staff/courses/${idIn(page, 'crs')}` }
}

const addLesson = async (browser: Browser, path: string, name: string, type: string): Promise<string> => {
  let page = await browser.open(path)
  if (!page.text.includes('outline-section'))
    page = await send(browser, page, path, { name: 'Welcome' }, { do: 'add_section' })
  const section = idIn(page, 'sec')
  const added = await send(browser, page, path, { name, type }, { do: `add_lesson ${section}` })
  assert.match(added.text, /id="done">The lesson was added/, added.text)
  return `${path}/lessons/${idIn(added, 'les')}`
}

const LESSON = {
  name: 'Flour',
  status: 'published',
  preview: 'yes',
  required_for_completion: 'yes',
  minutes: '3',
  seconds: '20',
}

const readRevision = ({ text }: TestReply): string => /name="revision" value="(\d+)"/.exec(text)?.[1] ?? ''

const uploadTo = async (
  browser: Browser,
  path: string,
  hidden: Fields,
  file: File,
  typed: Fields = {},
): Promise<TestReply> => {
  const form = formTo(await browser.open(path), path, hidden)
  const data = new FormData()
  for (const [name, value] of form.fields) if (name !== 'file') data.set(name, typed[name] ?? value)
  data.set('file', file)
  const request = new Request('http://x.example', { method: 'POST', body: data })
  return app.send({
    method: 'POST',
    path,
    headers: {
      accept: 'text/html',
      cookie: formatCookie(browser),
      origin: app.a.baseUrl,
      'content-type': request.headers.get('content-type') ?? '',
    },
    body: Buffer.from(await request.arrayBuffer()),
  })
}

test('an owner creates a course, sections and lessons, moves and removes them, and restores what was removed', async () => {
  const ada = await learner(app, 'ada')
  const nameless = await send(ada, await ada.open('/staff/courses/new'), '/staff/courses/new', {
    name: ' ',
    subtitle: 'Kept',
  })
  assert.equal(nameless.status, 422)
  assert.match(nameless.text, /id="name-error"/)
  assert.match(nameless.text, /value="Kept"/, 'what was typed is still there')
  const { path } = await create(ada, 'Rye in winter')
  const first = await addLesson(ada, path, 'Flour', 'text')
  await addLesson(ada, path, 'Water', 'text')
  let page = await send(ada, await ada.open(path), path, { name: 'Baking' }, { do: 'add_section' })
  const order = () =>
    [...page.text.matchAll(/<h2><bdi>([^<]*)|lessons\/les_\w+"><bdi>([^<]*)/g)].map(([, one, two]) => one ?? two)
  assert.deepEqual(order(), ['Welcome', 'Flour', 'Water', 'Baking'])
  const press = async (label: string) => {
    const value =
      new RegExp(`name="do" value="([^"]*)" aria-label="${label}"`).exec(page.text)?.[1] ?? assert.fail(label)
    page = await send(ada, page, path, { do: value })
    assert.equal(page.status, 200, readMain(page))
    return value
  }
  await press('Move down: Water')
  assert.deepEqual(order(), ['Welcome', 'Flour', 'Baking', 'Water'], 'a lesson goes on to the next section')
  await press('Move up: Baking')
  assert.deepEqual(order(), ['Baking', 'Water', 'Welcome', 'Flour'])
  const published = await press('Publish: Water')
  const again = await send(ada, page, path, { do: published })
  assert.equal(again.status, 412, 'the button names the revision that the page showed')
  assert.match(again.text, /id="complaint">Somebody has changed this/)
  await press('Remove the section: Baking')
  assert.deepEqual(order(), ['Welcome', 'Flour'])
  await press('Restore: Baking')
  assert.deepEqual(order(), ['Welcome', 'Flour', 'Baking', 'Water'])
  const removed = await send(ada, await ada.open(first), first, {}, { act: 'remove' })
  assert.match(removed.text, /id="done"><p>“Flour” is in the bin/)
  assert.match(removed.text, /aria-label="Restore: Flour"/)
})

test('an author writes a lesson, previews it, attaches a file, and sees it as a student', async () => {
  const ada = await learner(app, 'ada')
  const { path } = await create(ada, 'Wheat <b>by</b> hand')
  const lesson = await addLesson(ada, path, 'Flour', 'text')
  const page = await ada.open(lesson)
  const body = '## Types\n\nUse **strong** flour.\n\n<script>alert(1)</script>'
  const preview = await send(ada, page, lesson, { ...LESSON, body, act: 'preview' })
  assert.match(preview.text, /<strong>strong<\/strong>/)
  assert.doesNotMatch(preview.text, /<script(?! type="module")/)
  assert.match(preview.text, /Use \*\*strong\*\* flour/, 'what was typed is still in the form')
  assert.equal(readRevision(await ada.open(lesson)), readRevision(page), 'a preview stores nothing')
  const wrong = await send(ada, page, lesson, { ...LESSON, body, minutes: 'long', act: 'save' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /id="minutes-error">Enter a whole number/)
  const saved = await send(ada, page, lesson, { ...LESSON, body, act: 'save' })
  assert.match(saved.text, /id="done">Saved/, readMain(saved))
  const stale = await send(ada, page, lesson, { ...LESSON, body: 'Lost?', act: 'save' })
  assert.equal(stale.status, 412)
  assert.match(stale.text, /Lost\?/, 'nothing that was typed is lost')
  const note = new File(['Flour list'], 'flour.txt', { type: 'text/plain' })
  assert.equal((await uploadTo(ada, lesson, { act: 'attach' }, note)).status, 303)
  assert.match((await ada.open(lesson)).text, /<bdi>flour\.txt<\/bdi>/)
  const empty = await uploadTo(ada, lesson, { act: 'attach' }, new File([], 'nothing.txt'))
  assert.equal(empty.status, 422)
  assert.match(empty.text, /id="complaint">The file is empty: it has 0 bytes/)
  const drip = await send(
    ada,
    await ada.open(lesson),
    lesson,
    { mode: 'days_after_enrollment', value: '' },
    { act: 'drip' },
  )
  assert.match(drip.text, /id="value-error"/)
  const released = await send(
    ada,
    await ada.open(lesson),
    lesson,
    { mode: 'days_after_enrollment', value: '3' },
    { act: 'drip' },
  )
  assert.match(released.text, /id="done">Saved/)
  const learn = listLinks(await ada.open(lesson)).find(href => href.startsWith('/learn/')) ?? ''
  assert.match((await ada.open(learn)).text, /<strong>strong<\/strong>/)
  const visitor = await ada.open(`${path}/preview`)
  assert.equal(visitor.status, 200)
  assert.match(visitor.text, /Wheat &lt;b&gt;by&lt;\/b&gt; hand/)
})

test('captions that cannot be read are refused at their field, and keep what was typed and those that are there', async () => {
  const ada = await learner(app, 'ada')
  const { path } = await create(ada, 'Spoken bread')
  const lesson = await addLesson(ada, path, 'Listen', 'audio')
  const bytes = await readFile(join(import.meta.dirname, '../testing/files/sound.mp3'))
  const sound = new File([new Uint8Array(bytes)], 'bread.mp3', { type: 'audio/mpeg' })
  assert.equal((await uploadTo(ada, lesson, { act: 'set_file' }, sound)).status, 303)
  const add = async (text: string, fields: Fields) =>
    uploadTo(ada, lesson, { act: 'add_captions' }, new File([text], 'bread.srt'), fields)
  const good = await add('1\n00:00:01,000 --> 00:00:02,000\nCrust\n', { language: 'en', label: 'English' })
  assert.equal(good.status, 303)
  const refused = await add('no captions at all', { language: 'pt-PT', label: 'Português <b>' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /aria-invalid="true" aria-describedby="captions-file-error captions-file-hint"/)
  assert.match(
    refused.text,
    /id="captions-file-error">No captions were found in the file\. Choose a WebVTT or SRT file/,
  )
  assert.match(refused.text, /name="language"[^>]* value="pt-PT"/)
  assert.match(refused.text, /name="label"[^>]* value="Português &lt;b&gt;"/)
  assert.match(refused.text, /<details open><summary>Captions/)
  const page = await ada.open(lesson)
  assert.match(page.text, /<bdi>English<\/bdi> \(en\)/)
  assert.doesNotMatch(page.text, /Português &lt;b&gt;/)
})

test('a quiz has questions of every kind, and an assignment its terms; errors stand at their fields', async () => {
  const ada = await learner(app, 'ada')
  const { path } = await create(ada, 'Questions')
  const quiz = `${await addLesson(ada, path, 'What you know', 'quiz')}/quiz`
  const add = async (kind: string, fields: Fields): Promise<TestReply> => {
    const action = `${quiz}/questions/new?kind=${kind}`
    return send(ada, await ada.open(action), action, { prompt: `Of ${kind}?`, points: '2', act: 'save', ...fields })
  }
  const few = await add('single', { choice_0: 'Yeast' })
  assert.equal(few.status, 422)
  assert.match(few.text, /id="choices-error">Write at least two choices/)
  assert.match(few.text, /value="Yeast"/)
  const more = await add('single', { choice_0: 'Yeast', act: 'more' })
  assert.match(more.text, /name="choice_7"/)
  await add('single', { choice_0: 'Yeast', choice_2: 'Salt', correct: '0' })
  await add('multiple', { choice_0: 'Flour', choice_1: 'Stones', correct: '0' })
  await add('text', { grading: 'automatic', accepted_answers: 'levain\r\n sourdough ' })
  const number = await add('number', { value: 'many' })
  assert.match(number.text, /id="value-error"/)
  const page = await add('number', { value: '2,5', tolerance: '' })
  assert.match(page.text, /Questions \(4\), points: 8/, readMain(page))
  const up = [...page.text.matchAll(/name="do" value="(up [^"]*)"/g)].at(-1)?.[1] ?? ''
  const moved = await send(ada, page, quiz, { do: up })
  assert.deepEqual(
    [...moved.text.matchAll(/<bdi>Of (\w+)\?/g)].map(([, kind]) => kind),
    ['single', 'multiple', 'number', 'text'],
  )
  const settings = {
    passing_percentage: '62,5',
    max_attempts: '3',
    time_limit_seconds: '10',
    show_answers: 'after_passing',
  }
  const bad = await send(ada, moved, quiz, { ...settings, passing_percentage: '200' }, { act: 'settings' })
  assert.match(bad.text, /id="passing_percentage-error"/)
  const stored = await send(ada, moved, quiz, settings, { act: 'settings' })
  assert.match(stored.text, /value="62.5"/)
  assert.match(stored.text, /Questions \(4\)/, 'the questions stay')
  const work = `${await addLesson(ada, path, 'Bake', 'assignment')}/assignment`
  const terms = { instructions: 'Bake *one*.', kinds: 'text', max_points: '10', passing_points: '20', late: 'allowed' }
  const refused = await send(ada, await ada.open(work), work, terms)
  assert.match(refused.text, /id="passing_points-error"/)
  const due = { due_at_local: '2099-03-04T18:30', due_at_time_zone: 'Europe/Lisbon' }
  const kept = await send(ada, await ada.open(work), work, { ...terms, ...due, passing_points: '5' })
  assert.match(kept.text, /<em>one<\/em>/, readMain(kept))
  assert.match(kept.text, /value="2099-03-04T18:30"/)
})

test('all fields, a picture and a price are set, what is missing is said, and the course is published', async () => {
  const ada = await learner(app, 'ada')
  const { path } = await create(ada, 'Brioche')
  const details = `${path}/details`
  const fields = {
    name: 'Brioche',
    subtitle: 'Butter',
    description: 'Rich.',
    visibility: 'listed',
    tags: 'Butter, sweet',
  }
  const wrong = await send(ada, await ada.open(details), details, { ...fields, slug: 'No Slug' }, { act: 'save' })
  assert.match(wrong.text, /id="slug-error"/)
  const saved = await send(
    ada,
    await ada.open(details),
    details,
    { ...fields, slug: 'brioche-de-luxe' },
    { act: 'save' },
  )
  assert.match(saved.text, /value="butter, sweet"/, readMain(saved))
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  const file = new File([new Uint8Array(picture)], 'brioche.png', { type: 'image/png' })
  assert.equal((await uploadTo(ada, details, { act: 'picture' }, file)).status, 303)
  assert.match((await ada.open(details)).text, /class="thumbnail"/)
  const lie = new File(['not a picture'], 'lie.png', { type: 'image/png' })
  assert.equal((await uploadTo(ada, details, { act: 'picture' }, lie)).status, 422)
  const publication = `${path}/publication`
  assert.match(readMain(await ada.open(publication)), /No lesson is published yet.*There is no price/)
  const lesson = await addLesson(ada, path, 'Butter', 'text')
  await send(ada, await ada.open(lesson), lesson, { ...LESSON, status: 'draft', body: 'Cold.', act: 'save' })
  await send(ada, await ada.open(publication), publication, {}, { act: 'lessons' })
  const prices = `${path}/prices`
  const noAmount = await send(
    ada,
    await ada.open(prices),
    prices,
    { payment_type: 'one_time', amount: 'much' },
    { act: 'add' },
  )
  assert.match(noAmount.text, /id="amount-error"/)
  const priced = await send(
    ada,
    await ada.open(prices),
    prices,
    { payment_type: 'one_time', amount: '49,50' },
    { act: 'add' },
  )
  assert.match(readMain(priced), /49\.50/)
  const ready = await ada.open(publication)
  assert.match(readMain(ready), /Nothing is missing/)
  const published = await send(ada, ready, publication, {}, { act: 'publish' })
  assert.match(published.text, /id="done">The course is published/)
  assert.equal((await app.send({ path: '/courses/brioche-de-luxe' })).status, 200)
  const copy = await send(ada, published, publication, { name: 'Brioche again' }, { act: 'copy' })
  assert.match(copy.text, /id="done">This is the copy/)
  const copied = `/staff/courses/${idIn(copy, 'crs')}/publication`
  const deleted = await send(ada, await ada.open(copied), copied, {}, { act: 'delete' })
  assert.match(deleted.text, /id="done"><p>“Brioche again” is in the bin/)
})

test('lecturers see and write their own courses, others see nothing, and only staff publish', async () => {
  const ada = await learner(app, 'ada')
  const { path } = await create(ada, 'Not of Carla')
  const carla = await learner(app, 'carla')
  const list = await carla.open('/staff/courses')
  assert.equal(list.status, 200)
  assert.match(list.text, /Sourdough from scratch/)
  assert.doesNotMatch(list.text, /Not of Carla/)
  assert.equal((await carla.open(path)).status, 404)
  assert.equal((await carla.open(`${path}/preview`)).status, 404)
  const own = await create(carla, 'Of Carla')
  const publication = await carla.open(`${own.path}/publication`)
  assert.doesNotMatch(publication.text, /value="publish"/)
  assert.doesNotMatch((await carla.open(`${own.path}/prices`)).text, /name="amount"/)
  const form = formTo(publication, `${own.path}/publication`, { act: 'copy' })
  const forced = await carla.submit(form, [
    ['act', 'publish'],
    ['revision', '1'],
  ])
  assert.equal(forced.status, 403, readMain(forced))
  const dev = await learner(app, 'dev')
  for (const page of ['/staff/courses', own.path, `${own.path}/details`]) {
    const refused = await dev.open(page)
    assert.equal(refused.status, 403)
    assert.doesNotMatch(refused.text, /Of Carla/)
    const stranger = await app.send({ path: page, headers: { accept: 'text/html' } })
    assert.equal(stranger.status, 303)
    assert.match(String(stranger.headers.location), /^\/account\/sign-in/)
  }
})
