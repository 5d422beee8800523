// One thing: an author writes a course on the pages of the staff, from its name to its publication.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { formatCookie, formTo } from '#testing/account-pages.ts'
import { testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { listSent } from '#testing/controls.ts'
import type { TestReply } from '#testing/http.ts'
import { learner, listLinks, readMain } from '#testing/learn-pages.ts'

const app = testApp()

type Fields = Readonly<Record<string, string>>

/** The names of the sections and lessons of an outline, in their order. */
const listRows = ({ text }: TestReply): string[] => {
  const outline = text.slice(text.indexOf('<ol class="outline">'), text.indexOf('</aside>'))
  return [...outline.matchAll(/<h2><bdi>([^<]*)|<span><bdi>([^<]*)/g)].map(([, one, two]) => one ?? two ?? '')
}

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
  const section = idIn(page, 'sec')
  page = await browser.open(`${path}?add=${section}`)
  const added = await send(browser, page, path, { name, type }, { do: `add_lesson ${section}` })
  assert.match(added.text, /id="done">The lesson was added/, added.text)
  return `${path}/lessons/${idIn(added, 'les')}`
}

const LESSON = {
  name: 'Flour',
  mode: 'immediate',
  comments: 'open',
  preview: 'yes',
  required_for_completion: 'yes',
  minutes: '3',
  seconds: '20',
}

const readRevision = ({ text }: TestReply): string => /name="revision" value="(\d+)"/.exec(text)?.[1] ?? ''

const uploadTo = async (
  browser: Browser,
  path: string,
  { act = '' }: Fields,
  file: File,
  typed: Fields = {},
  field = 'file',
): Promise<TestReply> => {
  const data = new FormData()
  for (const [name, value] of listSent(await browser.open(path), path)) data.append(name, value)
  for (const [name, value] of Object.entries({ ...typed, act })) data.set(name, value)
  data.set(field, file)
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
  let page = await send(ada, await ada.open(`${path}?add=section`), path, { name: 'Baking' }, { do: 'add_section' })
  assert.match(page.text, /id="done">The section was added/)
  const order = () => listRows(page)
  assert.deepEqual(order(), ['First section', 'Flour', 'Water', 'Baking'])
  const press = async (label: string) => {
    const value =
      new RegExp(`name="do" value="([^"]*)" aria-label="${label}"`).exec(page.text)?.[1] ?? assert.fail(label)
    page = await send(ada, page, path, { do: value })
    assert.equal(page.status, 200, readMain(page))
    return value
  }
  const change = async (id: string, act: string, fields: Fields = {}) => {
    const open = await ada.open(`${path}?edit=${id}`)
    const value = new RegExp(`value="(${act} [^"]*)"`).exec(open.text)?.[1] ?? assert.fail(act)
    page = await ada.submit(formTo(open, path), Object.entries({ ...fields, do: value }))
  }
  await press('Move down: Water')
  assert.deepEqual(order(), ['First section', 'Flour', 'Baking', 'Water'], 'a lesson goes on to the next section')
  await press('Move up: Baking')
  assert.deepEqual(order(), ['Baking', 'Water', 'First section', 'Flour'])
  const published = await press('Published: Water')
  const again = await send(ada, page, path, { do: published })
  assert.equal(again.status, 412, 'the button names the revision that the page showed')
  assert.match(again.text, /id="complaint">Somebody has changed this/)
  await change(idIn({ ...page, text: page.text.slice(page.text.indexOf('data-section')) }, 'sec'), 'remove_section')
  assert.deepEqual(order(), ['First section', 'Flour'])
  await press('Restore: Baking')
  assert.deepEqual(order(), ['First section', 'Flour', 'Baking', 'Water'])
  const flour = first.split('/').at(-1) ?? ''
  page = await ada.open(first)
  await change(flour, 'remove_lesson', { at: flour })
  assert.match(page.text, /id="done"><p>“Flour” is in the bin/)
  assert.match(page.text, /aria-label="Restore: Flour"/)
})

test('a lesson and a section are renamed, duplicated, and moved to another section and another course', async () => {
  const ada = await learner(app, 'ada')
  const { path } = await create(ada, 'Of moves')
  const other = await create(ada, 'Where it goes')
  const flour = await addLesson(ada, path, 'Flour', 'text')
  await send(ada, await ada.open(flour), flour, { ...LESSON, body: 'Cold **flour**.', act: 'publish' })
  await send(ada, await ada.open(`${path}?add=section`), path, { name: 'Baking' }, { do: 'add_section' })
  const change = async (name: string, act: string, fields: Fields = {}) => {
    const open = await ada.open(path)
    const row = open.text.split('<li id="').find(one => one.includes(`<bdi>${name}</bdi>`))
    const [id] = row?.split('"') ?? []
    const page = await ada.open(`${path}?edit=${id}`)
    const value = new RegExp(`value="(${act} [^"]*)"`).exec(page.text)?.[1] ?? assert.fail(`no ${act} of ${name}`)
    const form = formTo(page, path, { name })
    return { page, reply: await ada.submit(form, Object.entries({ ...fields, do: value })) }
  }
  const nameless = (await change('Flour', 'rename_lesson', { name: ' ' })).reply
  assert.equal(nameless.status, 422)
  assert.deepEqual(listRows((await change('Flour', 'rename_lesson', { name: 'Rye' })).reply), [
    'First section',
    'Rye',
    'Baking',
  ])
  const copied = (await change('Rye', 'copy_lesson')).reply
  assert.deepEqual(listRows(copied), ['First section', 'Rye', 'Rye', 'Baking'])
  assert.equal(copied.text.match(/aria-checked="false"/g)?.length, 1, 'the copy is a draft')
  const section = /<option value="(sec_\w+)">Baking/.exec((await change('Rye', 'rename_lesson')).page.text)?.[1] ?? ''
  const put = (await change('Rye', 'put_lesson', { to_section: section })).reply
  assert.deepEqual(listRows(put), ['First section', 'Rye', 'Baking', 'Rye'])
  assert.deepEqual(listRows((await change('Baking', 'copy_section')).reply).slice(2), [
    'Baking',
    'Rye',
    'Baking',
    'Rye',
  ])
  const into = idIn({ ...put, text: other.path }, 'crs')
  const given = (await change('Baking', 'give_section', { to_course: into })).reply
  assert.match(given.text, /id="done">Moved to the other course/)
  assert.deepEqual(listRows(given), ['First section', 'Rye', 'Baking', 'Rye'])
  assert.deepEqual(listRows((await change('Rye', 'give_lesson', { to_course: into })).reply), [
    'First section',
    'Baking',
    'Rye',
  ])
  const there = await ada.open(other.path)
  assert.deepEqual(listRows(there), ['First section', 'Baking', 'Rye', 'Rye'])
  const lessons = [...there.text.matchAll(/href="([^"]*\/lessons\/les_\w+)"/g)].map(([, href]) => href ?? '')
  for (const href of lessons) assert.match((await ada.open(href)).text, /Cold \*\*flour\*\*/)
})

test('all lessons of a course get their days in one form, which keeps what is wrong and refuses what somebody changed', async () => {
  const ada = await learner(app, 'ada')
  const { path } = await create(ada, 'Of days')
  const [one, two] = [await addLesson(ada, path, 'One', 'text'), await addLesson(ada, path, 'Two', 'text')]
  const [first, second] = [
    idIn({ ...(await ada.open(path)), text: one }, 'les'),
    idIn({ ...(await ada.open(path)), text: two }, 'les'),
  ]
  const schedule = `${path}/schedule`
  const page = await ada.open(schedule)
  const rules = {
    [`mode_${first}`]: 'days_after_enrollment',
    [`value_${first}`]: '2',
    [`local_time_${first}`]: '09:00',
    [`mode_${second}`]: 'on_date',
    [`date_${second}`]: '2099-03-01',
  }
  const wrong = await send(ada, page, schedule, { ...rules, [`value_${first}`]: '' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, new RegExp(`id="value_${first}-error">Enter a number of days`))
  assert.match(wrong.text, new RegExp(`name="date_${second}"[^>]* value="2099-03-01"`))
  const saved = await send(ada, page, schedule, rules)
  assert.match(saved.text, /id="done">Saved/)
  assert.match(readMain(await ada.open(path)), /2 days after enrollment, 09:00.*on 1 Mar 2099/)
  const stale = await send(ada, page, schedule, { ...rules, [`value_${first}`]: '5' })
  assert.equal(stale.status, 412)
  assert.match(stale.text, new RegExp(`name="value_${first}"[^>]* value="5"`))
  assert.match(readMain(await ada.open(path)), /2 days after enrollment/)
})

test('a course begins with its name and its price on one page, and its certificate has a page of its own', async () => {
  const ada = await learner(app, 'ada')
  const page = await ada.open('/staff/courses/new')
  const wrong = await send(ada, page, '/staff/courses/new', { name: 'Priced at once', amount: 'much' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /id="amount-error"/)
  const sent = [1, 2].map(() => send(ada, page, '/staff/courses/new', { name: 'Priced at once', amount: '49,50' }))
  const [made, again] = (await Promise.all(sent)).sort((one, other) => one.status - other.status)
  assert.ok(made && again)
  const path = `/staff/courses/${idIn(made, 'crs')}`
  assert.deepEqual(listRows(await ada.open(path)), ['First section'], 'sent twice, it is made once')
  assert.equal(readMain(await ada.open(`${path}/prices`)).match(/€49\.50/g)?.length, 1)
  const certificate = `${path}/certificate`
  const template = /<option value="(ctp?_?\w+)"/.exec((await ada.open(certificate)).text)?.[1] ?? ''
  const chosen = await send(ada, await ada.open(certificate), certificate, { certificate_template_id: template })
  assert.match(chosen.text, /id="done">Saved/)
  const carla = await learner(app, 'carla')
  assert.equal((await carla.open(certificate)).status, 404)
  const own = await create(carla, 'Priced by staff')
  assert.doesNotMatch((await carla.open('/staff/courses/new')).text, /name="amount"/)
  assert.doesNotMatch((await carla.open(`${own.path}/certificate`)).text, /name="certificate_template_id"/)
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
  const saved = await send(ada, page, lesson, { ...LESSON, body, act: 'publish' })
  assert.match(saved.text, /id="done">The lesson is published/, readMain(saved))
  const stale = await send(ada, page, lesson, { ...LESSON, body: 'Lost?', act: 'save' })
  assert.equal(stale.status, 412)
  assert.match(stale.text, /Lost\?/, 'nothing that was typed is lost')
  const note = new File(['Flour list'], 'flour.txt', { type: 'text/plain' })
  const typed = { ...LESSON, body: 'Typed and not saved.' }
  const attached = await uploadTo(ada, lesson, { act: 'attach' }, note, typed, 'attachment_file')
  assert.equal(attached.status, 200, readMain(attached))
  assert.match(attached.text, /id="done">The file was uploaded/)
  assert.match(attached.text, /Typed and not saved\./, 'attaching a file keeps the text')
  assert.match((await ada.open(lesson)).text, /<bdi>flour\.txt<\/bdi>/)
  assert.doesNotMatch((await ada.open(lesson)).text, /Typed and not saved\./)
  const both = await uploadTo(
    ada,
    lesson,
    { act: 'save' },
    new File(['More'], 'more.txt'),
    { ...LESSON, body },
    'attachment_file',
  )
  assert.equal(both.status, 303, 'what was chosen is saved with the text')
  assert.match((await ada.open(lesson)).text, /<bdi>more\.txt<\/bdi>/)
  const empty = await uploadTo(ada, lesson, { act: 'attach' }, new File([], 'nothing.txt'), {}, 'attachment_file')
  assert.equal(empty.status, 422)
  assert.match(empty.text, /id="complaint">The file is empty: it has 0 bytes/)
  const drip = await send(ada, await ada.open(lesson), lesson, {
    ...LESSON,
    body,
    mode: 'days_after_enrollment',
    value: '',
    act: 'save',
  })
  assert.match(drip.text, /id="value-error"/)
  const released = await send(ada, await ada.open(lesson), lesson, {
    ...LESSON,
    body,
    mode: 'days_after_enrollment',
    value: '3',
    act: 'save',
  })
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
  assert.equal((await uploadTo(ada, lesson, { act: 'set_file' }, sound)).status, 200)
  const add = async (text: string, fields: Fields) =>
    uploadTo(ada, lesson, { act: 'add_captions' }, new File([text], 'bread.srt'), fields, 'captions_file')
  const good = await add('1\n00:00:01,000 --> 00:00:02,000\nCrust\n', { language: 'en', label: 'English' })
  assert.match(good.text, /id="done">The captions were uploaded and converted/)
  const refused = await add('no captions at all', { language: 'pt-PT', label: 'Português <b>' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /aria-invalid="true" aria-describedby="captions-file-error captions-file-hint"/)
  assert.match(
    refused.text,
    /id="captions-file-error">No captions were found in the file\. Choose a WebVTT or SRT file/,
  )
  assert.match(refused.text, /name="language"[^>]* value="pt-PT"/)
  assert.match(refused.text, /name="label"[^>]* value="Português &lt;b&gt;"/)
  assert.match(refused.text, /<details class="more" open><summary>Captions/)
  const page = await ada.open(lesson)
  assert.match(page.text, /<bdi>English<\/bdi> \(en\)/)
  assert.doesNotMatch(page.text, /Português &lt;b&gt;/)
})

test('a quiz has questions of every kind, and an assignment its terms; errors stand at their fields', async () => {
  const ada = await learner(app, 'ada')
  const { path } = await create(ada, 'Questions')
  const lesson = await addLesson(ada, path, 'What you know', 'quiz')
  const quiz = `${lesson}/quiz`
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
  const up = [...page.text.matchAll(/name="act" value="(question_up [^"]*)"/g)].at(-1)?.[1] ?? ''
  const moved = await send(ada, page, lesson, { ...LESSON, body: 'Still here', act: up })
  assert.match(moved.text, /Still here/)
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
  const bad = await send(ada, moved, lesson, { ...LESSON, ...settings, passing_percentage: '200', act: 'save' })
  assert.match(bad.text, /id="passing_percentage-error"/)
  const stored = await send(ada, moved, lesson, { ...LESSON, ...settings, act: 'save' })
  assert.match(stored.text, /value="62.5"/)
  assert.match(stored.text, /Questions \(4\)/, 'the questions stay')
  const work = await addLesson(ada, path, 'Bake', 'assignment')
  const terms = {
    ...LESSON,
    act: 'save',
    instructions: 'Bake *one*.',
    kinds: 'text',
    max_points: '10',
    passing_points: '20',
    late: 'allowed',
  }
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
  await send(ada, await ada.open(lesson), lesson, { ...LESSON, body: 'Cold.', act: 'save' })
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
