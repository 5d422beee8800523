import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { fetched, type Uploader, uploader } from '#testing/uploads.ts'

const DAY = 24 * 3600
const WRITING = ['courses:read', 'courses:write', 'curriculum:read', 'curriculum:write']
let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

// The box that a film in MP4 begins with, and some bytes of its own.
const film = Buffer.concat([
  Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex'),
  Buffer.alloc(20_000, 7),
])
const MARKER = 'heliotrope'

const done = async (reply: Promise<TestReply>, status = 200): Promise<TestReply['json']> => {
  const { status: got, json, text } = await reply
  assert.equal(got, status, text)
  return json
}

const upload = async (by: Uploader, bytes: Buffer, filename: string, content_type: string): Promise<string> =>
  (await done(by.upload(bytes, { filename, content_type, purpose: 'course' }))).file.file_id

const anybody = (path: string, school = app.a): Promise<TestReply> => app.send({ path: `/api/v1${path}` }, school)

type People = { readonly ada: Actor; readonly carla: Actor; readonly neighbour: Actor }
type Lesson = { readonly path: string; readonly preview: string; readonly video: string; readonly secret: string }
let people: People
let created: Lesson

const signIn = async (): Promise<People> => ({
  ada: await app.actor('ada', { scopes: [...WRITING, 'lecturers:read', 'lecturers:write', 'storage:write'] }),
  carla: await app.actor('carla', { scopes: WRITING }),
  neighbour: await app.actor('ada', { scopes: WRITING, school: app.b }),
})

/** The owner builds a course of one outline: a preview, a film and a text, in two sections. */
const build = async ({ ada }: People): Promise<Lesson> => {
  const course = await done(
    ada.write('POST', '/courses', { name: 'Laminated doughs', subtitle: 'Butter in layers', tags: ['butter'] }),
    201,
  )
  const path = `/courses/${course.id}`
  const lesson = (name: string, type: string, more = {}) => ({
    name,
    type,
    status: 'published',
    ...more,
  })
  const sections = [
    { name: 'Butter', lessons: [lesson('Which butter', 'text', { preview: true }), lesson('The first fold', 'video')] },
    { name: 'Oven', lessons: [lesson('Steam', 'text')] },
  ]
  const outline = await done(ada.write('PUT', `${path}/outline`, { sections }, { 'if-match': '*' }))
  assert.equal(outline.difference.length, 5)
  const [[preview, video], [secret]] = outline.sections.map((section: { lessons: { id: string }[] }) =>
    section.lessons.map(({ id }) => `/lessons/${id}`),
  )
  await done(ada.write('POST', `${path}/prices`, { payment_type: 'one_time', amount: 3900 }), 201)
  return { path, preview, video, secret }
}

test('the owner builds a course of one outline', async () => {
  people = await signIn()
  created = await build(people)
})

test('the owner fills the course: texts, a film that plays in stretches, and a file beside a lesson', async () => {
  const { ada } = people
  const by = await uploader(app, 'ada')
  const file_id = await upload(by, film, 'fold.mp4', 'video/mp4')
  const shown = await done(ada.write('PATCH', created.video, { file_id, body: `The ${MARKER} fold.` }))
  assert.deepEqual([shown.file.file_id, shown.file.content_type], [file_id, 'video/mp4'])
  const stretch = await fetched(shown.file.url, { headers: { range: 'bytes=0-23' } })
  assert.deepEqual([stretch.status, stretch.bytes], [206, film.subarray(0, 24)])
  await done(ada.write('PATCH', created.preview, { body: 'Cold, and **not** soft.' }))
  await done(ada.write('PATCH', created.secret, { body: `Pour the ${MARKER} water.` }))
  const recipe = await upload(by, Buffer.from('500 g flour'), 'recipe.txt', 'text/plain')
  await done(ada.write('POST', `${created.preview}/attachments`, { file_id: recipe, name: 'The recipe' }), 201)
})

test('F-16 a lecturer who is added to the course edits it and no other, and does not publish it', async () => {
  const { ada, carla } = people
  assert.equal((await carla.get(created.path)).status, 404)
  await done(ada.write('PUT', `${created.path}/lecturers/slug:carla-nunes`))
  assert.equal(
    (await done(carla.write('PATCH', created.path, { subtitle: 'Butter, fold, rest' }))).subtitle,
    'Butter, fold, rest',
  )
  await done(carla.write('PATCH', created.secret, { name: 'Steam and colour' }))
  const published = await carla.write('PUT', `${created.path}/publication`, {})
  assert.deepEqual([published.status, published.json.code], [403, 'role_required'])
  const other = await done(ada.write('POST', '/courses', { name: 'Not for Carla' }), 201)
  const outline = await done(
    ada.write(
      'PUT',
      `/courses/${other.id}/outline`,
      {
        sections: [{ name: 'One', lessons: [{ name: 'Hers alone', type: 'text' }] }],
      },
      { 'if-match': '*' },
    ),
  )
  const lesson = `/lessons/${outline.sections[0].lessons[0].id}`
  for (const [method, path] of [
    ['PATCH', `/courses/${other.id}`],
    ['PATCH', lesson],
  ] as const)
    assert.equal((await carla.write(method, path, { name: 'Mine now' })).status, 404)
  const rye = await carla.write('PATCH', '/courses/slug:rye-for-the-patient', { name: 'Mine now' })
  assert.equal(rye.status, 404)
  assert.equal((await done(ada.get(lesson))).name, 'Hers alone')
  assert.equal((await done(ada.get('/courses/slug:rye-for-the-patient'))).name, 'Rye for the patient')
})

test('the course is scheduled, visible to nobody until then, and published by the clock', async () => {
  const { ada } = people
  const [row] = await app.database.query<{ at: Date }>(`select stoa.now() + interval '3 days' as at`)
  const at = row?.at.toISOString()
  assert.equal((await done(ada.write('PUT', `${created.path}/publication`, { at }))).status, 'scheduled')
  for (const path of [created.path, `${created.path}/outline`, created.preview])
    assert.equal((await anybody(path)).status, 404, path)
  await app.moveClock(3 * DAY)
  const end = performance.now() + 20_000
  while ((await anybody(created.path)).status !== 200) {
    assert.ok(performance.now() < end, 'it was never published')
    await pause(50)
  }
  const course = await done(anybody(created.path))
  assert.ok(course.published_at >= (at ?? ''))
  // Three days outlive every access token.
  people = await signIn()
})

test('F-16 anonymous sees the catalogue, the titles and the preview, and nothing else of the lessons', async () => {
  const listed = (await done(anybody('/courses?tag=butter'))).data
  assert.deepEqual(
    listed.map(({ name }: { name: string }) => name),
    ['Laminated doughs'],
  )
  assert.deepEqual(
    [listed[0].lesson_count, listed[0].primary_price.amount, listed[0].external_id],
    [3, 3900, undefined],
  )
  const outline = await done(anybody(`${created.path}/outline`))
  assert.deepEqual(
    outline.sections.map(({ name }: { name: string }) => name),
    ['Butter', 'Oven'],
  )
  const preview = await done(anybody(created.preview))
  assert.equal(preview.body_html, '<p>Cold, and <strong>not</strong> soft.</p>\n')
  const [attachment] = (await done(anybody(`${created.preview}/attachments`))).data
  assert.equal((await fetched(attachment.file.url)).bytes.toString(), '500 g flour')
  for (const path of [created.video, created.secret]) {
    const { status, text } = await anybody(path)
    assert.ok(status === 403 || status === 404, `${path}: ${status}`)
    assert.ok(!text.includes(MARKER), text)
  }
  const video = await done(people.ada.get(created.video))
  assert.equal((await fetched(video.file.url.split('?')[0])).status, 404)
  const everything = await Promise.all(
    ['', '/outline', '/lessons', '/sections', '/prices', '/reviews'].map(part => anybody(`${created.path}${part}`)),
  )
  for (const { text } of everything) assert.ok(!text.includes(MARKER) && !text.includes('fold.mp4'))
  assert.equal((await anybody('/courses/slug:rye-for-the-patient')).status, 404)
})

test('F-01 another school sees nothing of it, by its own people or by the address', async () => {
  const { neighbour } = people
  const mine = Object.values(created)
  for (const path of [...mine, `${created.path}/outline`, `${created.path}/prices`]) {
    assert.equal((await neighbour.get(path)).status, 404, path)
    assert.equal((await anybody(path, app.b)).status, 404, path)
  }
  for (const path of mine) assert.equal((await neighbour.write('PATCH', path, { name: 'Taken' })).status, 404, path)
  assert.deepEqual((await done(neighbour.get('/courses?tag=butter'))).data, [])
  const stolen = await app.send({
    path: `/api/v1${created.path}`,
    headers: { authorization: `Bearer ${neighbour.token}` },
  })
  assert.equal(stolen.status, 401)
  assert.equal((await done(people.ada.get(created.path))).name, 'Laminated doughs')
})
