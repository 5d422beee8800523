// One thing: quizzes and assignments on the learning pages, in one course for each test.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { formatCookie, formTo, listFields, post } from '#testing/account-pages.ts'
import { testApp } from '#testing/app.ts'
import type { Browser, PageForm } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { learner, listLinks, readMain } from '#testing/learn-pages.ts'
import { enrollIn, TEACHING, teach } from '#testing/learning.ts'
import { fetched, readObjects } from '#testing/uploads.ts'

const app = testApp()
const ada = () => app.actor('ada', { scopes: TEACHING })

/** Creates a course with one lesson of a type in which Dev is enrolled; returns its path and its id. */
const lessonOfDev = async (name: string, type: 'quiz' | 'assignment', settings: object) => {
  const owner = await ada()
  const { id, lessons } = await teach(owner, name, [{ name: `The ${type}`, type }])
  const [lesson = ''] = lessons
  const written = await owner.write('PUT', `/lessons/${lesson}/${type}`, settings)
  assert.equal(written.status, 200, written.text)
  await enrollIn(app, 'dev', id)
  const { slug } = (await owner.get(`/courses/${id}`)).json
  return { lesson, path: `/learn/${slug}/${lesson}` }
}

const QUESTIONS = [
  {
    kind: 'single',
    prompt: 'What makes it <b>rise</b>?',
    choices: [
      { text: 'Yeast <script>alert(1)</script>', is_correct: true },
      { text: 'Salt', is_correct: false },
    ],
    explanation: 'Salt slows it down.',
  },
  {
    kind: 'multiple',
    prompt: 'What is in it?',
    choices: [
      { text: 'Flour', is_correct: true },
      { text: 'Water', is_correct: true },
      { text: 'Stones', is_correct: false },
    ],
  },
  { kind: 'text', prompt: 'Its name?', accepted_answers: ['levain'] },
  { kind: 'number', prompt: 'How many grams of salt?', value: '20.5', tolerance: '0.5' },
]

const start = async (browser: Browser, path: string): Promise<TestReply> =>
  browser.submit(formTo(await browser.open(path), path, { act: 'start' }), [])

/** Returns the choices of an attempt's page by their text, and the names of the fields in the order of the questions. */
const fieldsIn = ({ text }: TestReply) => {
  const choices = [...text.matchAll(/name="(answer_\w+)" value="(cho_\w+)"[^>]*><span[^>]*>([^<]*)/g)]
  return {
    choice: (words: string): [string, string] => {
      const [, name = '', value = ''] = choices.find(([, , , label = '']) => label.startsWith(words)) ?? []
      return [name, value]
    },
    names: [...new Set([...text.matchAll(/name="(answer_\w+)"/g)].map(([, name = '']) => name))],
  }
}

const hidden = (page: TestReply, path: string): [string, string][] =>
  formTo(page, path).fields.flatMap(([name, value]): [string, string][] =>
    name === 'token' || name === 'attempt' ? [[name, value]] : [],
  )

const send = async (
  browser: Browser,
  path: string,
  fields: readonly (readonly [string, string])[],
): Promise<TestReply> => {
  const reply = await post(app.port, browser, path, fields)
  return reply.status === 303 ? browser.open(reply.headers.location ?? '') : reply
}

test('a quiz is started, answered, saved, submitted once and reviewed as its rules allow', async () => {
  const { path } = await lessonOfDev('Quizzed', 'quiz', {
    passing_percentage: 100,
    max_attempts: 2,
    show_answers: 'after_passing',
    questions: QUESTIONS,
  })
  const dev = await learner(app, 'dev')
  assert.match(readMain(await dev.open(path)), /4 questions, 4 points You pass with 100 % 0 of 2 attempts used/)
  const first = await start(dev, path)
  assert.match(readMain(first), /Attempt 1 .*What makes it &lt;b&gt;rise/)
  assert.doesNotMatch(first.text, /<script/)
  const [, , name = '', number = ''] = fieldsIn(first).names
  const { choice } = fieldsIn(first)
  const base = hidden(first, path)
  const wrong = await send(dev, path, [...base, ['act', 'save'], choice('Salt'), [number, 'twenty'], [name, '<b>x']])
  assert.equal(wrong.status, 422)
  assert.match(readMain(wrong), /Some answers cannot be saved.* This is not a number\./)
  assert.match(wrong.text, /value="twenty"/)
  const kept = await dev.open(path)
  assert.match(kept.text, /&lt;b&gt;x<\/textarea>/, 'the other answers are saved')
  const missing = await send(dev, path, [...base, ['act', 'submit'], choice('Salt'), [number, '20,5']])
  assert.deepEqual(
    [missing.status, /2 questions have no answer yet\..*Submit anyway/.test(readMain(missing))],
    [422, true],
  )
  const result = await send(dev, path, [...base, ['act', 'submit'], ['sure', '1'], choice('Salt'), [number, '20,5']])
  assert.match(
    readMain(result),
    /Result of attempt 1 Not passed 1 of 4 points \(25 %\) The correct answers are shown once you have passed\./,
  )
  assert.doesNotMatch(readMain(result), /Correct answer|slows/)
  const twice = await send(dev, path, [...base, ['act', 'submit'], ['sure', '1'], choice('Yeast')])
  assert.match(readMain(twice), /This attempt has already ended\..*Result of attempt 1 Not passed/)
  assert.doesNotMatch(readMain(twice), /The time is up/)
  const second = await start(dev, path)
  const good = fieldsIn(second)
  const [, , levain = '', salt = ''] = good.names
  const right = [
    good.choice('Yeast'),
    good.choice('Flour'),
    good.choice('Water'),
    [levain, ' Levain '],
    [salt, '20.5'],
  ] as const
  const passed = await send(dev, path, [...hidden(second, path), ['act', 'submit'], ...right])
  assert.match(
    readMain(passed),
    /2 of 2 attempts used You have used all attempts\. .*Result of attempt 2 Passed 4 of 4 points \(100 %\).*Correct answer.*Salt slows it down\..*You have done this lesson\./,
  )
  const before = listLinks(passed).find(link => link.includes('?attempt=')) ?? ''
  assert.match(readMain(await dev.open(before)), /Result of attempt 1 Not passed/)
})

test('two starts at once make one attempt, and an attempt whose time is up takes no more answers', async () => {
  const { path } = await lessonOfDev('Timed', 'quiz', { time_limit_seconds: 60, questions: QUESTIONS.slice(3) })
  const dev = await learner(app, 'dev')
  const form = formTo(await dev.open(path), path, { act: 'start' })
  const both = await Promise.all([1, 2].map(() => post(app.port, dev, path, listFields(form))))
  assert.deepEqual(both.map(({ status }) => status).sort(), [303, 409])
  const page = await dev.open(path)
  assert.match(readMain(page), /Attempt 1 You have until \d+ \w+ \d{4}.* Then what you have saved is submitted\./)
  const [number = ''] = fieldsIn(page).names
  await send(dev, path, [...hidden(page, path), ['act', 'save'], [number, '20.5']])
  await app.moveClock(120)
  const late = await send(dev, path, [...hidden(page, path), ['act', 'submit'], [number, '1']])
  assert.match(readMain(late), /The time is up: what you had saved was submitted\..*20\.5/)
  assert.doesNotMatch(late.text, /<textarea|name="answer_/)
})

test('a number that may mean two is shown as it is read before an attempt ends, and nothing typed is lost', async () => {
  const { path } = await lessonOfDev('Thousands', 'quiz', { questions: QUESTIONS.slice(3) })
  const dev = await learner(app, 'dev')
  const page = await start(dev, path)
  const [number = ''] = fieldsIn(page).names
  const submit = [...hidden(page, path), ['act', 'submit'], [number, '1,250']] as const
  const asked = await send(dev, path, submit)
  assert.equal(asked.status, 422)
  assert.match(readMain(asked), /“1,250” is read as 1250\. Change it if you mean something else\..*Submit anyway/)
  assert.match(asked.text, /value="1,250"/)
  assert.doesNotMatch(readMain(asked), /Result of attempt/)
  const ended = await send(dev, path, [...submit, ['sure', '1']])
  assert.match(readMain(ended), /Result of attempt 1/)
  const plain = await start(dev, path)
  const clear = await send(dev, path, [
    ...hidden(plain, path),
    ['act', 'submit'],
    [fieldsIn(plain).names[0] ?? '', '1250.5'],
  ])
  assert.match(readMain(clear), /Result of attempt 2/)
})

test('an attempt with a limit that the person submitted in time has ended, and its time is not said to be up', async () => {
  const { path } = await lessonOfDev('In time', 'quiz', { time_limit_seconds: 60, questions: QUESTIONS.slice(3) })
  const dev = await learner(app, 'dev')
  const page = await start(dev, path)
  const [number = ''] = fieldsIn(page).names
  const submit = [...hidden(page, path), ['act', 'submit'], ['sure', '1'], [number, '20.5']] as const
  await send(dev, path, submit)
  const twice = await send(dev, path, submit)
  assert.match(readMain(twice), /This attempt has already ended\./)
  assert.doesNotMatch(readMain(twice), /The time is up/)
})

test('the attempt of another person or of another lesson cannot be answered', async () => {
  const one = await lessonOfDev('Quiz of Dev', 'quiz', { questions: QUESTIONS.slice(3) })
  const other = await lessonOfDev('Other quiz', 'quiz', { questions: QUESTIONS.slice(3) })
  const dev = await learner(app, 'dev')
  const page = await start(dev, one.path)
  const fields = [...hidden(page, one.path), ['act', 'submit']] as [string, string][]
  assert.equal((await post(app.port, dev, other.path, fields)).status, 404)
  const broken = fields.map(([name, value]): [string, string] => [name, name === 'attempt' ? "qat_'" : value])
  assert.equal((await post(app.port, dev, one.path, broken)).status, 404)
})

const BOUNDARY = 'boundary-of-the-test'

type File = { readonly name: string; readonly type: string; readonly bytes: Buffer }

const multipart = (fields: readonly (readonly [string, string])[], files: readonly File[]): Buffer =>
  Buffer.concat([
    ...fields.map(([name, value]) =>
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
    ),
    ...files.flatMap(({ name, type, bytes }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`,
      ),
      bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ])

const hand = async (
  browser: Browser,
  form: PageForm,
  fields: Readonly<Record<string, string>>,
  files: readonly File[],
) => {
  const headers = {
    cookie: formatCookie(browser),
    accept: 'text/html',
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
  }
  const reply = await app.send({
    method: 'POST',
    path: form.action,
    headers,
    body: multipart(listFields(form, fields), files),
  })
  return reply.status === 303 ? browser.open(reply.headers.location ?? '') : reply
}

const text = (name: string, words: string): File => ({ name, type: 'text/plain', bytes: Buffer.from(words) })
const WORK = {
  instructions: 'Bake **it**.',
  kinds: ['text', 'files', 'link'],
  max_points: 20,
  passing_points: 12,
  max_files: 2,
}
const left = async () => (await readdir(tmpdir())).filter(name => name.startsWith('stoa-form-')).length

test('work is handed in with a file, changed, returned, handed in again and accepted', async () => {
  const { path, lesson } = await lessonOfDev('Worked', 'assignment', WORK)
  const dev = await learner(app, 'dev')
  const page = await dev.open(path)
  assert.match(readMain(page), /Instructions Bake it \. You need 12 of 20 points Hand in your work/)
  const form = formTo(page, path, { act: 'hand_in' })
  const empty = await hand(dev, form, {}, [])
  assert.deepEqual([empty.status, /There is nothing to hand in yet/.test(readMain(empty))], [422, true])
  const badLink = await hand(dev, form, { text: 'Mine', link: 'javascript:alert(1)' }, [text('crumb.txt', 'Rye')])
  assert.match(readMain(badLink), /The address is not one of the web.* Keep these files crumb\.txt/)
  const done = await hand(
    dev,
    formTo(badLink, path, { act: 'hand_in' }),
    { text: '<b>Mine</b>\r\nindeed', link: '' },
    [],
  )
  assert.match(
    readMain(done),
    /Your work is handed in\. .*waits for a lecturer.*&lt;b&gt;Mine&lt;\/b&gt; indeed crumb\.txt/,
  )
  const [url = ''] = [...done.text.matchAll(/href="([^"]*\/files\/[^"]*crumb\.txt[^"]*)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  )
  assert.equal((await fetched(url)).bytes.toString(), 'Rye')
  const again = await hand(dev, form, { text: 'Twice' }, [])
  assert.deepEqual([again.status, /Your work changed meanwhile/.test(readMain(again))], [409, true])
  const changed = await hand(dev, formTo(done, path, { act: 'change' }), { text: 'Better' }, [
    text('second.txt', 'Wheat'),
  ])
  assert.match(readMain(changed), /Better crumb\.txt .*second\.txt/)
  const owner = await ada()
  const [work] = (await owner.get(`/submissions?lesson_id=${lesson}`)).json.data
  const decide = async (what: string, id: string, body: object) => {
    const { headers } = await owner.get(`/submissions/${id}`)
    const reply = await owner.write('PUT', `/submissions/${id}/${what}`, body, { 'if-match': String(headers.etag) })
    assert.equal(reply.status, 200, reply.text)
  }
  await decide('return', work.id, { feedback: 'More <i>salt</i>' })
  const returned = await dev.open(path)
  assert.match(readMain(returned), /Returned: please improve it.* Feedback of .* More &lt;i&gt;salt/)
  const better = await hand(dev, formTo(returned, path, { act: 'hand_in' }), { text: 'Salted' }, [])
  assert.match(readMain(better), /Attempt 2, handed in on.*Salted.*Earlier work/)
  const [newest] = (await owner.get(`/submissions?lesson_id=${lesson}&graded=false`)).json.data
  await decide('grade', newest.id, { points: 18 })
  assert.match(readMain(await dev.open(path)), /Accepted: 18 of 20 points.*You have done this lesson\./)
  assert.equal(await left(), 0, 'no file of a form stays')
})

test('a picture of a phone is handed in, and a file that is empty or of another type is refused with its reason', async () => {
  const { path } = await lessonOfDev('Photographed', 'assignment', WORK)
  const dev = await learner(app, 'dev')
  const form = formTo(await dev.open(path), path, { act: 'hand_in' })
  const empty = await hand(dev, form, { text: 'Mine' }, [text('nothing.txt', '')])
  assert.equal(empty.status, 422)
  assert.match(readMain(empty), /“nothing\.txt” could not be stored\. The file is empty: it has 0 bytes\./)
  assert.match(empty.text, /Mine<\/textarea>/)
  const html = { name: 'loaf.png', type: 'image/png', bytes: Buffer.from('<!doctype html>') }
  assert.match(readMain(await hand(dev, form, {}, [html])), /“loaf\.png” .* is not of the type that its name says/)
  const phone = Buffer.concat([
    Buffer.from('00000018', 'hex'),
    Buffer.from('ftypheic\0\0\0\0mif1heic'),
    Buffer.alloc(64),
  ])
  const done = await hand(dev, form, {}, [{ name: 'IMG_0001.HEIC', type: 'image/heic', bytes: phone }])
  assert.deepEqual([done.status, /Your work is handed in\..*IMG_0001\.HEIC/.test(readMain(done))], [200, true])
})

test('a form with files without its token, too many files or a body that is cut off stores nothing', async () => {
  const { path } = await lessonOfDev('Guarded work', 'assignment', WORK)
  const dev = await learner(app, 'dev')
  const form = formTo(await dev.open(path), path, { act: 'hand_in' })
  const before = await readObjects(app)
  assert.equal((await hand(dev, form, { token: 'x' }, [text('a.txt', 'a')])).status, 403)
  const many = Array.from({ length: 21 }, (_, at) => text(`${at}.txt`, 'a'))
  assert.equal((await hand(dev, form, {}, many)).status, 413)
  const headers = { cookie: formatCookie(dev), accept: 'text/html' }
  const whole = multipart(listFields(form), [text('a.txt', 'a')])
  const bodies = [
    [`multipart/form-data; boundary=${BOUNDARY}`, whole.subarray(0, -8), 400],
    ['multipart/form-data', whole, 415],
    [`multipart/form-data; boundary=other`, whole, 400],
  ] as const
  for (const [type, body, status] of bodies) {
    const reply = await app.send({ method: 'POST', path, headers: { ...headers, 'content-type': type }, body })
    assert.equal(reply.status, status, type)
  }
  assert.deepEqual(await readObjects(app), before)
  assert.equal(await left(), 0)
  const tooMany = await hand(dev, form, {}, many.slice(0, 3))
  assert.deepEqual([tooMany.status, /These are too many files\./.test(readMain(tooMany))], [422, true])
  assert.match(readMain(await dev.open(path)), /Hand in your work/)
})

test('work is not accepted after a deadline that allows none, and can be withdrawn before it is graded', async () => {
  const due_at = { local: '2026-12-01T12:00', time_zone: 'Europe/Lisbon' }
  const { path } = await lessonOfDev('Deadline', 'assignment', { ...WORK, kinds: ['text'], due_at, late: 'refused' })
  const dev = await learner(app, 'dev')
  const page = await dev.open(path)
  assert.match(readMain(page), /Hand in by 1 December 2026.*Later is not possible\./)
  const form = formTo(page, path, { act: 'hand_in' })
  const done = await dev.submit(form, [['text', 'Mine']])
  const withdrawn = await dev.submit(formTo(done, path, { act: 'withdraw' }), [])
  assert.match(readMain(withdrawn), /Your work is withdrawn\. .*Hand in your work/)
  await app.moveClock(30 * 24 * 3600)
  const late = await post(app.port, await learner(app, 'dev'), path, [])
  assert.equal(late.status, 403)
  const again = await learner(app, 'dev')
  const after = await again.open(path)
  assert.match(readMain(after), /The time to hand it in is over\./)
})
