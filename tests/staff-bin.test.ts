import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formTo, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type Binnable, binnables, useBin } from '#testing/binned.ts'
import type { Browser } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { readNotice } from '#testing/staff-pages.ts'

const app = testApp()
const { ada: owner, remove } = useBin(app)
const BIN = '/staff/bin'

const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const make = async (kind: string, word: string): Promise<Binnable> => {
  const found = binnables.find(one => one.kind === kind) ?? assert.fail(kind)
  return found.make(app, await owner(), word)
}

const readStatus = async ({ path }: Binnable): Promise<number> => (await (await owner()).get(path)).status

// The pages of the console on which things are deleted, and the lists that follow.
const PLACES = {
  course: ['courses', '/publication', 'courses'],
  post: ['posts', '', 'posts'],
  page: ['pages', '', 'pages'],
  digital_product: ['products', '', 'products'],
} as const

const readLocation = ({ headers }: TestReply): string => String(headers.location)

for (const [kind, [folder, part, list]] of Object.entries(PLACES)) {
  test(`${kind}: after a deletion the list says so, and Undo brings it back there`, async () => {
    const thing = await make(kind, 'undone')
    // A product that nobody can have was never sold.
    const ada = await enter('ada')
    const path = `/staff/${folder}/${thing.id}${part}`
    const deleted = await ada.submit(formTo(await ada.open(path), path, { act: 'delete' }), [])
    assert.match(readNotice(deleted), new RegExp(`“${thing.name}” is in the bin for 30 days`))
    assert.equal(await readStatus(thing), 404)
    const undone = await ada.submit(formTo(deleted, BIN, { back: `/staff/${list}` }), [])
    assert.match(readNotice(undone), /It is there again/)
    assert.match(undone.text, new RegExp(`<h1>[^<]*</h1>[\\s\\S]*href="/staff/${folder}/${thing.id}"`))
    assert.equal(await readStatus(thing), 200)
  })
}

test('the bin lists what was deleted with its kind and by whom, filters it, and restores it', async () => {
  const [post, page] = [await make('post', 'listed'), await make('page', 'listed')]
  for (const thing of [post, page]) await remove(thing)
  const ada = await enter('ada')
  const shown = await ada.open(BIN)
  assert.match(shown.text, /Post listed[\s\S]*?Post[\s\S]*?Ada Moreira/)
  const filtered = await ada.open(`${BIN}?kind=page`)
  assert.match(filtered.text, /Page listed/)
  assert.doesNotMatch(filtered.text, /Post listed/)
  const restored = await ada.submit(formTo(shown, BIN, { id: post.id }), [])
  assert.match(readNotice(restored), /It is there again/)
  assert.equal(await readStatus(post), 200)
})

test('where the address is taken, the page of the thing asks for another one', async () => {
  const actor = await owner()
  const course = await make('course', 'moved')
  await remove(course)
  await actor.write('POST', '/courses', { name: 'In its place', slug: 'course-moved' })
  const ada = await enter('ada')
  const path = `${BIN}/${course.id}`
  const refused = await ada.submit(formTo(await ada.open(BIN), BIN, { id: course.id }), [])
  assert.match(readNotice(refused), /Something else has its address by now/)
  const again = await ada.submit(formTo(await ada.open(path), path, { act: 'restore' }), [])
  assert.equal(again.status, 409)
  const moved = await ada.submit(formTo(again, path, { act: 'restore' }), [['address', 'course-back']])
  assert.match(readNotice(moved), /It is there again/)
  assert.equal((await actor.get(course.path)).json.slug, 'course-back')
})

test('what is deleted for good is confirmed by its name, and a lesson is not', async () => {
  const [page, lesson] = [await make('page', 'final'), await make('lesson', 'final')]
  for (const thing of [page, lesson]) await remove(thing)
  const ada = await enter('ada')
  const path = `${BIN}/${page.id}`
  const opened = await ada.open(path)
  const wrong = await ada.submit(formTo(opened, path, { act: 'purge' }), [['confirm', 'Page']])
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /This is not its name/)
  await ada.submit(formTo(wrong, path, { act: 'purge' }), [['confirm', page.name]])
  assert.equal((await ada.open(path)).status, 404)
  assert.doesNotMatch((await ada.open(`${BIN}/${lesson.id}`)).text, /Delete for good/)
})

test('a form that was pressed twice, or that leads elsewhere, restores once and stays in the console', async () => {
  const thing = await make('post', 'twice')
  await remove(thing)
  const ada = await enter('ada')
  const form = formTo(await ada.open(BIN), BIN, { id: thing.id })
  const fields = form.fields.map(([name, value]): [string, string] => [
    name,
    name === 'back' ? '//evil.example' : value,
  ])
  const replies = await Promise.all([1, 2].map(() => post(app.port, ada, BIN, fields)))
  for (const reply of replies) assert.ok(readLocation(reply).startsWith(BIN), readLocation(reply))
  assert.equal(await readStatus(thing), 200)
})

test('a lecturer finds their lessons in the bin and nothing else, a student no such page', async () => {
  const [lesson, course] = [await make('lesson', 'taught'), await make('course', 'taught-not')]
  for (const thing of [lesson, course]) await remove(thing)
  const carla = await enter('carla')
  const shown = await carla.open(BIN)
  assert.match(shown.text, /Lesson taught/)
  assert.doesNotMatch(shown.text, /Course taught-not/)
  assert.equal((await carla.open(`${BIN}/${course.id}`)).status, 404)
  assert.doesNotMatch((await (await enter('dev')).open(BIN)).text, /Lesson taught/)
})
