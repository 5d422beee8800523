// One thing: the library of files: who sees what, what uses it, and a file that gets other bytes where it is used.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { formTo, listFields } from '#testing/account-pages.ts'
import { testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { openUploads, type PageUploads } from '#testing/page-uploads.ts'
import { fetched } from '#testing/uploads.ts'

const app = testApp()

const draw = async (background: string, name = 'loaf.png') => ({
  name,
  type: 'image/png',
  bytes: await sharp({ create: { width: 400, height: 300, channels: 3, background } })
    .png()
    .toBuffer(),
})

/** A published course with this picture, which everybody may see. */
const openCourse = async (ada: PageUploads, uploadId: string) => {
  const actor = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  const { json } = await actor.get('/courses?q=sourdough&status=published&managed=true')
  const [course] = json.data
  const file_id = `fil_${uploadId.slice(4)}`
  const changed = await actor.write('PATCH', `/courses/${course.id}`, { image_file_id: file_id })
  assert.equal(changed.status, 200, changed.text)
  const readUrl = async (): Promise<string> => (await actor.get(`/courses/${course.id}`)).json.image.url
  return { file_id, path: `/staff/files/${file_id}`, id: course.id, name: course.name, readUrl, ada }
}

const fieldsOf = async (ada: PageUploads, path: string, act: string): Promise<Record<string, string>> =>
  Object.fromEntries(listFields(formTo(await ada.browser.open(path), path, { act })).filter(([key]) => key !== 'file'))

const listNames = ({ text }: TestReply): string[] =>
  [...text.matchAll(/<a href="\/staff\/files\/fil_\w+"><bdi>([^<]*)<\/bdi><\/a><small/g)].map(([, name = '']) => name)

test('staff see all that staff uploaded, lecturers their own, and members nothing; never what learners handed in', async () => {
  const [ada, carla, dev] = await Promise.all([
    openUploads(app, 'ada'),
    openUploads(app, 'carla'),
    openUploads(app, 'dev'),
  ])
  await ada.upload(await draw('#111111', 'of-ada.png'), 'course')
  const own = await carla.upload(await draw('#222222', 'of-carla.png'), 'course')
  await carla.upload({ name: 'work.txt', type: 'text/plain', bytes: Buffer.from('Rye') }, 'submission')
  const [all, hers] = [await ada.browser.open('/staff/files'), await carla.browser.open('/staff/files')]
  assert.deepEqual(
    ['of-ada.png', 'of-carla.png', 'work.txt'].map(name => listNames(all).includes(name)),
    [true, true, false],
  )
  assert.deepEqual(
    listNames(hers).filter(name => name.startsWith('of-')),
    ['of-carla.png'],
  )
  const theirs = `/staff/files/fil_${own.slice(4)}`
  assert.equal((await carla.browser.open(theirs)).status, 200)
  assert.equal((await dev.browser.open('/staff/files')).status, 403)
  assert.equal((await dev.browser.open(theirs)).status, 403)
  const elsewhere = await openUploads(app, 'ada', app.b)
  assert.equal((await elsewhere.browser.open(theirs)).status, 404)
  const adas = /fil_\w+(?="><bdi>of-ada)/.exec(all.text)?.[0] ?? ''
  for (const act of ['rename', 'delete', 'replace']) {
    const sent = await carla.post(`/staff/files/${adas}`, { act, revision: '1', name: 'mine', alt: '' })
    assert.equal(sent.status, 404, act)
  }
})

test('files are found by name and alternative text, and by kind, purpose and use', async () => {
  const ada = await openUploads(app, 'ada')
  const id = await ada.upload(await draw('#333333', 'Crème.png'), 'post')
  await ada.post(`/staff/uploads/${id}`, { act: 'describe', alt: 'A jar of starter' })
  const find = async (query: string) => listNames(await ada.browser.open(`/staff/files?${query}`))
  assert.deepEqual(await find('q=creme'), ['Crème.png'])
  assert.deepEqual(await find('q=JAR%20of'), ['Crème.png'])
  assert.ok((await find('kind=picture&used=false')).includes('Crème.png'))
  for (const other of ['kind=video', 'purpose=course', 'used=true', 'q=nothing'])
    assert.ok(!(await find(other)).includes('Crème.png'), other)
})

test('a file that gets other bytes keeps its id: uses show the new ones, its old public address leads there', async () => {
  const ada = await openUploads(app, 'ada')
  const course = await openCourse(ada, await ada.upload(await draw('#aa0000'), 'course'))
  const page = await ada.browser.open(course.path)
  assert.ok(page.text.includes(`href="/staff/courses/${course.id}"`) && page.text.includes(course.name))
  const before = await course.readUrl()
  const small = (await fetched(`${before}?width=320`)).bytes
  const fields = await fieldsOf(ada, course.path, 'replace')
  const next = await draw('#00aa00', 'loaf.png')
  const replaced = await ada.postFile(course.path, fields, next)
  assert.equal(replaced.headers.location, `${course.path}?done=replaced`, replaced.text)
  const after = await course.readUrl()
  assert.notEqual(after, before)
  assert.ok((await fetched(after)).bytes.equals(next.bytes))
  assert.ok(!(await fetched(`${after}?width=320`)).bytes.equals(small), 'made of the new bytes')
  const led = await fetched(`${before}?width=320`)
  assert.deepEqual([led.status, led.headers.get('location')], [302, `${new URL(after).pathname}?width=320`])
  const stale = await ada.postFile(course.path, fields, next, { accept: 'text/html' })
  assert.equal(stale.status, 412, 'of two who replace it at once one does')
  const [total] = await app.database.query(
    `select t.bytes - (select sum(byte_size) from uploads u where u.school_id = $1 and status not in ('gone', 'rejected')) as off
     from storage_totals t where t.school_id = $1`,
    [app.a.id],
  )
  assert.equal(Number(total?.off), 0, 'the quota counts what is stored')
})

test('a picture is replaced by a picture alone, and what was handed in, issued or belongs to the appearance by nothing', async () => {
  const ada = await openUploads(app, 'ada')
  const course = await openCourse(ada, await ada.upload(await draw('#bb0000'), 'course'))
  const fields = await fieldsOf(ada, course.path, 'replace')
  const text = { name: 'loaf.txt', type: 'text/plain', bytes: Buffer.from('Rye') }
  const refused = await ada.postFile(course.path, fields, text, { accept: 'text/html' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /The new file is of another kind/)
  const logo = await ada.upload(await draw('#cc0000', 'logo.png'), 'appearance')
  const page = await ada.browser.open(`/staff/files/fil_${logo.slice(4)}`)
  assert.match(page.text, /It cannot be replaced/)
  const forced = await ada.postFile(
    `/staff/files/fil_${logo.slice(4)}`,
    { act: 'replace', revision: '2' },
    await draw('#dd0000'),
  )
  assert.ok([409, 412].includes(forced.status), String(forced.status))
})

test('a name keeps its ending and a used file stays; an unused one is deleted with its bytes', async () => {
  const ada = await openUploads(app, 'ada')
  const course = await openCourse(ada, await ada.upload(await draw('#ee0000'), 'course'))
  const before = await course.readUrl()
  const names = await fieldsOf(ada, course.path, 'rename')
  await ada.post(course.path, { ...names, name: 'Crust', alt: 'A dark crust' })
  const after = await course.readUrl()
  assert.match(after, /\/Crust\.png$/)
  assert.deepEqual([(await fetched(after)).status, (await fetched(before)).status], [200, 302])
  const used = await ada.browser.open(course.path)
  assert.ok(!used.text.includes('value="delete"'))
  const revision = /name="revision" value="(\d+)"/.exec(used.text)?.[1] ?? ''
  assert.equal((await ada.post(course.path, { act: 'delete', revision }, { accept: 'text/html' })).status, 409)
  const unused = `/staff/files/fil_${(await ada.upload(await draw('#ff0000', 'gone.png'), 'course')).slice(4)}`
  const gone = await ada.post(unused, await fieldsOf(ada, unused, 'delete'))
  assert.equal(gone.headers.location, '/staff/files?done=deleted')
  assert.equal((await ada.browser.open(unused)).status, 404)
})
