import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { formTo, listFields, listForms, post, signInAt } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { attacks } from '#testing/attacks.ts'
import { type Browser, openBrowser } from '#testing/browser.ts'
import { learner, listLinks, readMain } from '#testing/learn-pages.ts'
import { enrollIn, TEACHING, teach } from '#testing/learning.ts'

const app = testApp()
const ada = () => app.actor('ada', { scopes: TEACHING })

const readSlug = async (id: string): Promise<string> => (await (await ada()).get(`/courses/${id}`)).json.slug

/** Creates a course with these lessons in which Dev is enrolled; returns its path, and those of its lessons. */
const courseOfDev = async (name: string, lessons: Parameters<typeof teach>[2], plan = {}) => {
  const { id, lessons: ids } = await teach(await ada(), name, lessons)
  const enrollment = await enrollIn(app, 'dev', id, plan)
  const path = `/learn/${await readSlug(id)}`
  return { id, enrollment, path, ids, paths: ids.map(lesson => `${path}/${lesson}`) }
}

/** Writes the text of a lesson. */
const write = async (lesson: string | undefined, body: string, more = {}): Promise<void> => {
  const { status, text } = await (await ada()).write('PATCH', `/lessons/${lesson}`, { body, ...more })
  assert.equal(status, 200, text)
}

const at = (paths: readonly string[], index: number): string => paths[index] ?? ''

const submit = async (browser: Browser, path: string, act: string) => {
  const page = await browser.open(path)
  const form = formTo(page, path, { act })
  return browser.submit(form, [])
}

test('a visitor is led to sign-in and then back to the lesson', async () => {
  const course = await courseOfDev('Sign in first', [{ name: 'Only for learners' }])
  for (const path of ['/learn', course.path, at(course.paths, 0)]) {
    const reply = await app.send({ path, headers: { accept: 'text/html' } })
    assert.equal(reply.status, 303)
    assert.equal(reply.headers.location, `/account/sign-in?${new URLSearchParams({ return_to: path })}`)
  }
  const browser = openBrowser(app.port, app.a)
  const page = await signInAt(browser, { email: 'dev@crumb.example', password: PASSWORD }, at(course.paths, 0))
  assert.match(readMain(page), /Only for learners/)
})

test('the courses that somebody can use come first, with where to go on; others say why they cannot be used', async () => {
  const open = await courseOfDev('Open to Dev', [{ name: 'One' }, { name: 'Two' }])
  const lessons = [{ name: 'One' }, { name: 'For everybody', preview: true }]
  const over = await courseOfDev('Over for Dev', lessons, { endsAt: new Date(Date.now() + 60_000) })
  const begins = new Date(Date.now() + 30 * 24 * 3_600_000)
  await courseOfDev('Later for Dev', [{ name: 'One' }], { startsAt: begins })
  const hidden = await courseOfDev('Hidden from Dev', [{ name: 'One' }])
  const owner = await ada()
  assert.equal((await owner.write('DELETE', `/courses/${hidden.id}/publication`)).status, 200)
  await courseOfDev('Not begun by Dev', [{ name: 'One' }])
  await app.moveClock(120)
  const dev = await learner(app, 'dev')
  await submit(dev, at(open.paths, 0), 'complete')
  const page = await dev.open('/learn')
  assert.equal(page.headers['cache-control'], 'private, no-store')
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; (?!.*script-src)/)
  assert.ok(listLinks(page).includes(at(open.paths, 1)), 'Continue leads to the next lesson')
  const words = readMain(page)
  assert.match(words, /Open to Dev .*50 % completed .*Continue.* Not begun by Dev .* Not available now .*Over for Dev/)
  assert.match(words, /Over for Dev .{0,5}Your access has ended\./)
  assert.match(words, /Later for Dev .{0,5}Your access begins on /)
  assert.match(words, /Hidden from Dev .{0,5}The school is not showing this course now\./)
  assert.ok(!listLinks(page).some(link => link.startsWith(hidden.path)))
  assert.equal((await dev.open(hidden.path)).status, 404)
  const ended = await dev.open(over.path)
  assert.match(readMain(ended), /Your access has ended\. Your progress is kept\./)
  assert.deepEqual(
    [(await dev.open(at(over.paths, 0))).status, listLinks(ended).includes(at(over.paths, 0))],
    [403, false],
  )
  const shown = await dev.open(at(over.paths, 1))
  assert.equal(shown.status, 200)
  assert.match(readMain(shown), /Your access has ended\. Anybody can read this lesson\./)
})

test('somebody without a course is led to the catalogue', async () => {
  const page = await (await learner(app, 'femi')).open('/learn')
  assert.match(readMain(page), /You have no courses yet\./)
  assert.ok(listLinks(page).includes('/courses'))
})

test('a course in which somebody does not learn leads to its page of the site; what they may not see is 404', async () => {
  const { id, lessons } = await teach(await ada(), 'Foreign', [{ name: 'Secret' }])
  await write(lessons[0], 'heliotrope')
  const slug = await readSlug(id)
  const dev = await learner(app, 'dev')
  for (const path of [`/learn/${slug}`, `/learn/${slug}/${lessons[0]}`]) {
    const page = await dev.open(path)
    assert.deepEqual([page.status, /Foreign/.test(page.text), /heliotrope/.test(page.text)], [200, true, false], path)
    assert.ok(!page.text.includes('class="beside"'), path)
  }
  const own = await courseOfDev('Own', [{ name: 'One' }])
  const { json: draft } = await (await ada()).write('POST', '/courses', { name: 'Draft' })
  const unknown = [
    `/learn/${draft.slug}`,
    `/learn/${draft.id}`,
    '/learn/no-such-course',
    '/learn/NO',
    '/learn/slug:own',
    '/learn/external:1',
    `${own.path}/${lessons[0]}`,
    `${own.path}/les_1`,
    `${own.path}/x`,
    `/learn/${'a'.repeat(300)}`,
  ]
  for (const path of unknown) assert.equal((await dev.open(path)).status, 404, path)
  const other = await app.send({ path: own.path, headers: { accept: 'text/html' } }, app.b)
  assert.equal(other.status, 303, 'another school knows neither the person nor the course')
})

test('“Start” leads to the first lesson, to the current one later, and to the course where none is open', async () => {
  const { path, paths } = await courseOfDev('Begun at once', [{ name: 'First' }, { name: 'Second' }])
  const dev = await learner(app, 'dev')
  assert.match((await dev.open('/learn')).text, new RegExp(`href="${path}\\?start="`))
  assert.match(readMain(await dev.open(`${path}?start=`)), /^ ?Text First /)
  await submit(dev, at(paths, 0), 'complete')
  assert.match(readMain(await dev.open(`${path}?start=`)), /^ ?Text Second /)
  const shut = await courseOfDev('Shut', [{ name: 'Later', drip: { mode: 'days_after_enrollment', value: 30 } }])
  assert.match(readMain(await dev.open(`${shut.path}?start=`)), /Shut .*No lesson is available yet/)
})

test('lessons are marked as done, which leads to the next one, and undone; sending it twice changes nothing more', async () => {
  const { path, paths } = await courseOfDev('Three steps', [{ name: 'First' }, { name: 'Second' }, { name: 'Third' }])
  const dev = await learner(app, 'dev')
  const first = await dev.open(at(paths, 0))
  const form = formTo(first, at(paths, 0), { act: 'complete' })
  const next = await dev.submit(form, [])
  assert.match(readMain(next), /Done: “First”\. .*Second/)
  assert.match(readMain(await dev.submit(form, [])), /Done: “First”\. .*Second/)
  const page = await dev.open(at(paths, 0))
  assert.match(readMain(page), /You have done this lesson\./)
  const undone = await dev.submit(formTo(page, at(paths, 0), { act: 'undo' }), [])
  assert.match(readMain(undone), /counts as not done again\. .*Mark as done and continue/)
  assert.match(readMain(await dev.open(path)), /0 of 3 required lessons/)
  for (const one of paths.slice(0, 2)) await submit(dev, one, 'complete')
  const end = await submit(dev, at(paths, 2), 'complete')
  assert.match(
    readMain(end),
    /Done: “Third”\. You have completed the course! .*3 of 3 required lessons .*You completed this course on/,
  )
  // Then it asks what one thinks of it, once, and says where to go on.
  assert.match(readMain(end), new RegExp(`You did it, ${people.dev.name} .*Write a review .*Go on with `))
  const review = listForms(end).find(one => one.action.startsWith('/account/reviews/crs_'))
  assert.ok(review)
  const empty = await dev.submit(review, [['rating', '5']])
  assert.match(empty.text, /write something/)
  const sent = await dev.submit(formTo(empty, review.action, { act: 'save' }), [
    ['rating', '5'],
    ['body', 'I bake every day now.'],
  ])
  assert.match(sent.text, /Your review was saved/)
  assert.doesNotMatch(readMain(await dev.open(path)), /Write a review/)
})

test('a form without its token, with that of another session or with an unknown act changes nothing', async () => {
  const { path, paths } = await courseOfDev('Guarded', [{ name: 'Only' }])
  const dev = await learner(app, 'dev')
  const page = await dev.open(at(paths, 0))
  const form = formTo(page, at(paths, 0), { act: 'complete' })
  const other = formTo(await (await learner(app, 'dev')).open(at(paths, 0)), at(paths, 0), { act: 'complete' })
  assert.equal((await post(app.port, dev, at(paths, 0), listFields(form, { token: '' }))).status, 403)
  // That of another session of the person is shown again.
  const elsewhere = await post(app.port, dev, at(paths, 0), listFields(other))
  assert.equal(elsewhere.status, 303)
  assert.equal((await dev.open(elsewhere.headers.location ?? '')).status, 200)
  const crossSite = await post(app.port, dev, at(paths, 0), listFields(form), { 'sec-fetch-site': 'cross-site' })
  assert.equal(crossSite.status, 403)
  for (const act of ['constructor', '', 'delete'])
    assert.equal((await post(app.port, dev, at(paths, 0), listFields(form, { act }))).status, 200, act)
  assert.match(readMain(await dev.open(path)), /0 of 1 required lessons/)
})

test('access that ends between the page and its form is not used any more', async () => {
  const course = await courseOfDev('Taken away', [{ name: 'Only' }])
  await write(course.ids[0], 'heliotrope')
  const dev = await learner(app, 'dev')
  const form = formTo(await dev.open(at(course.paths, 0)), at(course.paths, 0), { act: 'complete' })
  const owner = await ada()
  const [enrollment] = (await owner.get(`/enrollments?course_id=${course.id}`)).json.data
  assert.equal((await owner.write('DELETE', `/enrollments/${enrollment.id}`)).status, 200)
  const refused = await dev.submit(form, [])
  assert.deepEqual([refused.status, /heliotrope/.test(refused.text)], [403, false])
  assert.match(readMain(refused), /This lesson is not available to you Your access (?:has ended|ended on)/)
  assert.match(readMain(await dev.open(course.path)), /Your access (?:has ended|ended on).* Lessons .*Not available/)
})

test('a lesson that is not available yet says when it will be, and shows nothing of its content', async () => {
  const { path, paths, ids } = await courseOfDev('One after the other', [
    { name: 'First' },
    { name: 'Second', drip: { mode: 'after_previous' } },
    { name: 'Third', drip: { mode: 'days_after_enrollment', value: 30 } },
  ])
  await write(ids[1], 'heliotrope')
  const dev = await learner(app, 'dev')
  const locked = await dev.open(at(paths, 1))
  assert.deepEqual([locked.status, /heliotrope/.test(locked.text), listForms(locked)], [403, false, []])
  assert.match(readMain(locked), /It becomes available when you have done the lesson before it\./)
  assert.match(readMain(await dev.open(at(paths, 2))), /It becomes available on \d+ \w+ \d{4}/)
  const outline = await dev.open(path)
  assert.match(readMain(outline), /Second .*Available when the lesson before it is done .*Third .*Available from \d+/)
  assert.deepEqual(
    listLinks(outline).filter(link => paths.includes(link)),
    [at(paths, 0), at(paths, 0)],
  )
  const after = await submit(dev, at(paths, 0), 'complete')
  assert.match(readMain(after), /Done: “First”\. .*heliotrope/)
  const end = await submit(dev, at(paths, 1), 'complete')
  assert.match(
    readMain(end),
    /Done: “Second”\. .*One after the other .*2 of 3/,
    'the next lesson is locked, so the course follows',
  )
})

test('those who manage a course see all of its lessons, and nothing is recorded for them', async () => {
  const { id, lessons } = await teach(await ada(), 'Managed', [
    { name: 'Shown' },
    { name: 'Prepared', status: 'draft' },
  ])
  const path = `/learn/${await readSlug(id)}`
  const browser = await learner(app, 'ada')
  assert.match(readMain(await browser.open(path)), /somebody who manages it.*Shown.*Prepared.*Draft/)
  const page = await browser.open(`${path}/${lessons[1]}`)
  assert.deepEqual([page.status, listForms(page)], [200, []])
  assert.equal((await (await learner(app, 'dev')).open(`${path}/${lessons[1]}`)).status, 404)
})

test('names and texts of a course run nothing on the learning pages', async () => {
  const names = attacks.filter(text => text.length <= 150 && /^[\x20-\x7e]+$/.test(text)).slice(0, 12)
  const { path, paths, ids } = await courseOfDev(
    '<img src=x onerror=alert(1)>',
    names.map(name => ({ name })),
  )
  await write(ids[0], attacks.join('\n\n').replaceAll('\u0000', ''), { body_format: 'html' })
  const dev = await learner(app, 'dev')
  for (const address of ['/learn', path, at(paths, 0), `${at(paths, 1)}?done=${ids[0]}`]) {
    const { text: source } = await dev.open(address)
    // What is quoted is the value of an attribute.
    const text = source.replace(/="(?!javascript|data|vbscript)[^"]*"/g, '=""')
    assert.doesNotMatch(text, /<script|<iframe|<object|<base|<[a-z][^>]*\son\w+\s*=/i, address)
    assert.doesNotMatch(text, /(?:href|src)="\s*(?:javascript|data|vbscript):/i, address)
  }
})

test('the mail about an enrollment leads to the course, by its id', async () => {
  const { id, path } = await courseOfDev('By its id', [{ name: 'Only' }])
  const dev = await learner(app, 'dev')
  const page = await dev.open(`/learn/${id}`)
  assert.deepEqual([page.status, listLinks(page).some(link => link.startsWith(`${path}/les_`))], [200, true])
  assert.equal((await (await ada()).write('PUT', `/courses/${id}/archive`)).status < 300, true)
  const archived = await dev.open(`/learn/${id}`)
  assert.match(readMain(archived), /By its id .*Only/)
  const link = listLinks(await dev.open('/learn')).find(one => one === path || one === `/learn/${id}`) ?? ''
  assert.equal((await dev.open(link)).status, 200)
})

test('who lacks nothing since a lesson was left out finishes the course on its page', async () => {
  const course = await courseOfDev('Left out', [{ name: 'One' }, { name: 'Two' }])
  const dev = await learner(app, 'dev')
  await submit(dev, at(course.paths, 0), 'complete')
  const early = await dev.open(course.path)
  assert.doesNotMatch(readMain(early), /Finish the course/)
  const hidden = await (await ada()).write('PATCH', `/lessons/${course.ids[1]}`, { status: 'draft' })
  assert.equal(hidden.status, 200, hidden.text)
  const page = await dev.open(course.path)
  assert.match(readMain(page), /100 % .*You have done everything that this course requires\. .*Finish the course/)
  assert.doesNotMatch(readMain(page), /You completed this course/)
  const shown = await (await ada()).write('PATCH', `/lessons/${course.ids[1]}`, { status: 'published' })
  assert.equal(shown.status, 200, shown.text)
  const refused = await dev.submit(formTo(page, course.path), [])
  assert.equal(refused.status, 409)
  assert.match(readMain(refused), /something that it requires is missing/)
  await (await ada()).write('PATCH', `/lessons/${course.ids[1]}`, { status: 'draft' })
  const finished = await dev.submit(formTo(await dev.open(course.path), course.path), [])
  assert.match(readMain(finished), /You have completed the course! .*You completed this course on/)
  assert.doesNotMatch(readMain(finished), /Finish the course/)
})
