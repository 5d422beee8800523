import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usesOf } from '#src/areas/files/index.ts'
import { openDatabase } from '#src/db/database.ts'
import { fromId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import type { TestReply } from '#testing/http.ts'
import { fetched, type Uploader, uploader } from '#testing/uploads.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write', 'curriculum:read', 'curriculum:write']

// The first bytes by which an MP4, a WAV and a PNG are known.
const MP4 = Buffer.concat([
  Buffer.from('00000018', 'hex'),
  Buffer.from('ftypisom'),
  Buffer.from('00000200', 'hex'),
  Buffer.from('isommp42'),
])
const WAV = Buffer.concat([
  Buffer.from('RIFF'),
  Buffer.from('24000000', 'hex'),
  Buffer.from('WAVEfmt '),
  Buffer.alloc(24),
])
const VTT = Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nOlá\n')

const uploadTo = async (uploader: Uploader, bytes: Buffer, filename: string, content_type: string): Promise<string> => {
  const done = await uploader.upload(bytes, { filename, content_type, purpose: 'course' })
  assert.equal(done.json.status, 'ready', done.text)
  return done.json.file.file_id
}

const anybody = (path: string): Promise<TestReply> => app.send({ path: `/api/v1${path}` })

const createCourseFor = async (name: string) => {
  const carla = await app.actor('carla', { scopes: SCOPES })
  const ada = await app.actor('ada', { scopes: SCOPES })
  const { json: course } = await carla.write('POST', '/courses', { name })
  const path = `/courses/${course.id}`
  const { json: section } = await carla.write('POST', `${path}/sections`, { name: 'Start' })
  assert.equal((await ada.write('PUT', `${path}/publication`, {})).status, 200)
  const add = async (body: object) => {
    const created = await carla.write('POST', `/sections/${section.id}/lessons`, { status: 'published', ...body })
    assert.equal(created.status, 201, created.text)
    return created.json
  }
  return { carla, ada, path, add }
}

const readUsers = async (fileId: string): Promise<string[]> => {
  const database = openDatabase(app.database.appUrl, { wait: 10_000, max: 1, onError: () => undefined })
  try {
    const query = { fileIds: [fromId('fil', fileId) ?? ''] }
    const uses = await database.statements(app.a.id, db => usesOf.call(query, { school: app.a, db }))
    return uses.flat().map(({ id }) => id)
  } finally {
    await database.close()
  }
}

test('a video lesson accepts a file and captions, keeps its address when the file is replaced, and accepts no other type', async () => {
  const { carla, add } = await createCourseFor('Film')
  const own = await uploader(app, 'carla')
  const [film, sound, captions] = [
    await uploadTo(own, MP4, 'feeding.mp4', 'video/mp4'),
    await uploadTo(own, WAV, 'feeding.wav', 'audio/wav'),
    await uploadTo(own, VTT, 'feeding.vtt', 'text/vtt'),
  ]
  const lesson = await add({
    name: 'Film',
    type: 'video',
    file_id: film,
    captions: [{ language: 'pt', label: 'Português', file_id: captions }],
  })
  assert.deepEqual([lesson.file.file_id, lesson.captions[0].language, lesson.version], [film, 'pt', 1])
  assert.deepEqual((await fetched(lesson.file.url)).bytes, MP4)
  const at = `/lessons/${lesson.id}`
  const wrong: [object, string][] = [
    [{ file_id: sound }, '/file_id'],
    [{ file_id: captions }, '/file_id'],
    [{ file_id: `fil_${'0'.repeat(26)}` }, '/file_id'],
    [{ captions: [{ language: 'en', label: 'English', file_id: film }] }, '/captions/0/file_id'],
    [{ captions: [1, 2].map(() => ({ language: 'pt', label: 'x', file_id: captions })) }, '/captions/1/language'],
    [{ captions: [{ language: 'PT-pt', label: 'x', file_id: captions }] }, '/captions/0/language'],
  ]
  for (const [body, pointer] of wrong) {
    const refused = await carla.write('PATCH', at, body)
    assert.deepEqual([refused.status, refused.json.errors?.[0].pointer], [422, pointer], refused.text)
  }
  assert.equal((await carla.get(at)).json.version, 1)
  const other = await uploadTo(own, Buffer.concat([MP4, MP4]), 'again.mp4', 'video/mp4')
  const replaced = await carla.write('PATCH', at, { file_id: other, duration_seconds: 61 })
  assert.deepEqual([replaced.json.file.file_id, replaced.json.version, replaced.json.captions.length], [other, 2, 1])
  // Versions may come back, so the file of an earlier one is in use as long as the course is there.
  assert.deepEqual([await readUsers(film), await readUsers(other)], [[lesson.id], [lesson.id]])
  assert.deepEqual(await readUsers(sound), [])
})

test('I-09 signed links to files of a lesson are given to readers of the lesson, and to everybody only during a preview', async () => {
  const { carla, ada, path, add } = await createCourseFor('Links')
  const own = await uploader(app, 'carla')
  const film = await uploadTo(own, MP4, 'doors.mp4', 'video/mp4')
  const note = await uploadTo(own, Buffer.from('Rye'), 'rye.txt', 'text/plain')
  const lesson = await add({ name: 'Film', type: 'video', file_id: film, body: `[x](${film})` })
  const at = `/lessons/${lesson.id}`
  const attached = await carla.write('POST', `${at}/attachments`, { file_id: note })
  assert.deepEqual([attached.status, attached.json.name], [201, 'rye.txt'], attached.text)
  const [url, bare] = [lesson.file.url, lesson.file.url.split('?')[0]]
  assert.match(url, /signature=/)
  assert.ok(lesson.body_html.includes(`href="${bare}?`), lesson.body_html)
  assert.deepEqual([(await fetched(url)).status, (await fetched(bare)).status], [200, 404])
  const edited = url.replace(/signature=./, (start: string) => (start.endsWith('_') ? 'signature=-' : 'signature=_'))
  assert.equal((await fetched(edited)).status, 404)
  assert.equal((await carla.write('PATCH', at, { preview: true })).status, 200)
  const seen = (await anybody(at)).json
  assert.deepEqual([seen.file.url, seen.file.url_expires_at], [bare, null])
  const list = (await anybody(`${at}/attachments`)).json.data
  assert.deepEqual([(await fetched(bare)).status, (await fetched(list[0].file.url)).status], [200, 200])
  // What an earlier version showed is no longer shown.
  const other = await uploadTo(own, Buffer.concat([MP4, MP4]), 'other.mp4', 'video/mp4')
  await carla.write('PATCH', at, { file_id: other, body: '' })
  assert.equal((await fetched(bare)).status, 404)
  await ada.write('DELETE', `${path}/publication`)
  assert.equal((await fetched(list[0].file.url)).status, 404)
})

test('a lecturer uses their own files and those of their course, staff use all course files, and nobody uses other kinds', async () => {
  const { carla, ada, add } = await createCourseFor('Owners')
  const [hers, his] = [await uploader(app, 'carla'), await uploader(app, 'ada')]
  const mine = await uploadTo(hers, MP4, 'mine.mp4', 'video/mp4')
  const theirs = await uploadTo(his, MP4, 'theirs.mp4', 'video/mp4')
  const handedIn = (await hers.upload(Buffer.from('Rye'))).json.file.file_id
  const { id } = await add({ name: 'Film', type: 'video' })
  const { id: again } = await add({ name: 'Again', type: 'video' })
  const use = async (actor: typeof carla, lesson: string, file: string) =>
    (await actor.write('PATCH', `/lessons/${lesson}`, { file_id: file })).status
  assert.equal(await use(carla, id, theirs), 422)
  assert.equal((await carla.write('POST', `/lessons/${id}/attachments`, { file_id: handedIn })).status, 422)
  assert.equal(await use(ada, id, handedIn), 422)
  assert.deepEqual([await use(carla, id, mine), await use(ada, id, theirs)], [200, 200])
  assert.equal(await use(carla, again, theirs), 200, 'the course has it now')
})

test('attachments are added, renamed, put in an order and taken away, each with its own revision', async () => {
  const { carla, add } = await createCourseFor('Attachments')
  const own = await uploader(app, 'carla')
  const lesson = await add({ name: 'One', type: 'text', preview: true })
  const at = `/lessons/${lesson.id}/attachments`
  const ids: string[] = []
  for (const name of ['a.txt', 'b.txt', 'c.txt']) {
    const file_id = await uploadTo(own, Buffer.from(name), name, 'text/plain')
    ids.push((await carla.write('POST', at, { file_id })).json.id)
  }
  const names = async () => (await anybody(at)).json.data.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names(), ['a.txt', 'b.txt', 'c.txt'])
  const [a, b, c] = ids
  const ordered = await carla.write('PUT', `${at}/order`, { attachment_ids: [c, a, b] })
  assert.deepEqual(
    ordered.json.data.map(({ position }: { position: number }) => position),
    [0, 1, 2],
  )
  assert.deepEqual(await names(), ['c.txt', 'a.txt', 'b.txt'])
  for (const wrong of [
    [c, a],
    [c, a, a],
    [c, a, `atc_${'0'.repeat(26)}`],
  ]) {
    const refused = await carla.write('PUT', `${at}/order`, { attachment_ids: wrong })
    assert.equal(refused.status, 422)
  }
  const etag = { 'if-match': String((await carla.get(`/attachments/${b}`)).headers.etag) }
  assert.equal((await carla.write('PATCH', `/attachments/${b}`, { name: 'Flour' }, etag)).json.name, 'Flour')
  assert.equal((await carla.write('PATCH', `/attachments/${b}`, { name: 'x' }, etag)).status, 412)
  const first = (await anybody(`${at}?limit=2`)).json
  assert.deepEqual((await anybody(`${at}?limit=2&cursor=${first.next_cursor}`)).json.data[0].name, 'Flour')
  assert.equal((await carla.write('DELETE', `/attachments/${a}`)).status, 204)
  assert.equal((await carla.write('DELETE', `/attachments/${a}`)).status, 404)
  assert.deepEqual(await names(), ['c.txt', 'Flour'])
  const dev = await app.actor('dev', { scopes: ['curriculum:read'] })
  const hidden = await add({ name: 'Paid', type: 'text' })
  const file_id = await uploadTo(own, Buffer.from('x'), 'x.txt', 'text/plain')
  const { json: paid } = await carla.write('POST', `/lessons/${hidden.id}/attachments`, { file_id })
  for (const read of [anybody, dev.get]) assert.equal((await read(`/attachments/${paid.id}`)).status, 403)
})

test('a copy of a course has what its lessons hold, their files and attachments, and no earlier versions', async () => {
  const { carla, ada, path, add } = await createCourseFor('Copied')
  const own = await uploader(app, 'carla')
  const film = await uploadTo(own, MP4, 'copy.mp4', 'video/mp4')
  const vtt = await uploadTo(own, VTT, 'copy.vtt', 'text/vtt')
  const captions = [{ language: 'pt', label: 'Português', file_id: vtt }]
  const { id } = await add({ name: 'Film', type: 'video', file_id: film, body: 'old', captions })
  await carla.write('PATCH', `/lessons/${id}`, { body: '*new*' })
  await carla.write('POST', `/lessons/${id}/attachments`, { file_id: vtt, name: 'Text' })
  await add({ name: 'Empty', type: 'text' })
  const { json: copy } = await carla.write('POST', `${path}/copies`, { name: 'The copy' })
  const [copied, empty] = (await carla.get(`/courses/${copy.id}/lessons`)).json.data
  assert.deepEqual([copied.name, copied.version, empty.version], ['Film', 1, 0])
  const lesson = (await carla.get(`/lessons/${copied.id}`)).json
  assert.deepEqual(
    [lesson.body, lesson.body_html, lesson.file.file_id, lesson.captions[0].file.file_id],
    ['*new*', '<p><em>new</em></p>\n', film, vtt],
  )
  assert.deepEqual((await carla.get(`/lessons/${copied.id}/versions`)).json.data.length, 1)
  assert.equal((await carla.get(`/lessons/${copied.id}/attachments`)).json.data[0].name, 'Text')
  assert.deepEqual(new Set(await readUsers(film)), new Set([id, copied.id]))
  // What a course in the bin uses it may use again; what one used that is deleted for good, nothing uses.
  for (const deleted of [path, `/bin${path}`]) {
    assert.deepEqual(new Set(await readUsers(film)), new Set([id, copied.id]))
    const reply = await ada.write('DELETE', deleted)
    assert.equal(reply.status, 202, reply.text)
    await approveAs(app, 'ada', reply.json.confirmation.url)
    assert.equal((await carla.get(`/lessons/${id}`)).status, 404)
  }
  assert.deepEqual(await readUsers(film), [copied.id])
})
