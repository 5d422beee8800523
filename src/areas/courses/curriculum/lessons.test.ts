import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { CURRICULUM_SCOPES, createCourse } from '#testing/curriculum.ts'
import type { TestReply } from '#testing/http.ts'

const app = testApp()
const SOURDOUGH = '/courses/slug:sourdough-from-scratch'
const _MARKER = 'heliotrope'

const anybody = (path: string): Promise<TestReply> => app.send({ path: `/api/v1${path}` })
const listNames = ({ json }: TestReply): string[] => json.data.map(({ name }: { name: string }) => name)

test('a section and its lessons are created, read by address, updated, moved, archived and restored', async () => {
  const { carla, path, section, add } = await createCourse(app, 'Journey')
  const first = await add({ name: 'One', type: 'text', body: '*one*', status: 'published' })
  assert.equal(first.status, 201, first.text)
  assert.equal(first.headers.location, `${app.a.baseUrl}/api/v1/lessons/${first.json.id}`)
  assert.deepEqual([first.json.body_html, first.json.version, first.json.revision], ['<p><em>one</em></p>\n', 1, 1])
  const second = await add({ name: 'Zero', type: 'text', position: 0 })
  assert.deepEqual([second.json.version, second.json.body, second.json.status], [0, '', 'draft'])
  const { json: later } = await carla.write('POST', `${path}/sections`, { name: 'Before', position: 0 })
  assert.deepEqual(listNames(await carla.get(`${path}/sections`)), ['Before', 'Start'])
  assert.deepEqual((await carla.get(`/sections/${section.id}`)).json.lesson_ids, [second.json.id, first.json.id])
  const one = `/lessons/${first.json.id}`
  const moved = await carla.write('PUT', `${one}/placement`, { section_id: later.id })
  assert.deepEqual([moved.status, moved.json.section_id, moved.json.revision], [200, later.id, 2])
  const still = await carla.write('PUT', `${one}/placement`, { section_id: later.id, position: 0 })
  assert.equal(still.json.revision, 2, 'where it stands already nothing is written')
  assert.deepEqual(listNames(await carla.get(`${path}/lessons`)), ['One', 'Zero'])
  const archived = await carla.write('DELETE', one)
  assert.deepEqual([archived.status, archived.json.id], [200, (await carla.get(one)).json.id])
  assert.deepEqual((await carla.write('DELETE', one)).json, archived.json, 'what is archived stays so')
  assert.ok((await carla.get(one)).json.archived_at)
  assert.equal((await anybody(one)).status, 404)
  const refused = await carla.write('PATCH', one, { name: 'x' })
  assert.deepEqual([refused.status, refused.json.code], [409, 'lesson_archived'])
  assert.deepEqual(listNames(await carla.get(`${path}/lessons?archived=true`)), ['One'])
  const back = await carla.write('PUT', `${one}/placement`, { section_id: section.id, position: 0 })
  assert.deepEqual([back.status, back.json.archived_at], [200, null])
  const ordered = await carla.write('PUT', `/sections/${section.id}/order`, {
    lesson_ids: [second.json.id, first.json.id],
  })
  assert.deepEqual(ordered.json.lesson_ids, [second.json.id, first.json.id])
  const figures = (await carla.get(path)).json
  assert.deepEqual([figures.section_count, figures.lesson_count], [1, 1], 'learners see what is published')
})

test('archiving a section archives its lessons; restoring it restores these, and none that was archived before', async () => {
  const { carla, path, section, add } = await createCourse(app, 'Along')
  const ids: string[] = []
  for (const name of ['a', 'b', 'c']) ids.push((await add({ name, type: 'text', status: 'published' })).json.id)
  await carla.write('DELETE', `/lessons/${ids[1]}`)
  const at = `/sections/${section.id}`
  const archived = await carla.write('DELETE', at)
  assert.deepEqual([archived.status, archived.json.archived_at !== null], [200, true])
  assert.deepEqual(listNames(await carla.get(`${path}/lessons`)), [])
  assert.deepEqual((await carla.get(`${path}/outline`)).json.sections, [])
  const into = await add({ name: 'd', type: 'text' })
  assert.deepEqual([into.status, into.json.code], [409, 'section_archived'])
  const gone = await carla.write('PUT', `/lessons/${ids[0]}/placement`, { section_id: section.id })
  assert.deepEqual([gone.status, gone.json.errors[0].code], [422, 'unknown'])
  assert.deepEqual(listNames(await carla.get(`${path}/sections?archived=true`)), ['Start'])
  assert.equal((await anybody(at)).status, 404)
  const back = await carla.write('PUT', `${at}/placement`, {})
  assert.deepEqual([back.status, back.json.lesson_ids], [200, [ids[0], ids[2]]])
  assert.equal((await anybody(at)).status, 200)
})

test('a write that saw an older revision is refused and changes nothing; outline and lessons know of each other', async () => {
  const { carla, path, section, add } = await createCourse(app, 'Matches')
  const { json: lesson } = await add({ name: 'One', type: 'text', status: 'published' })
  const one = `/lessons/${lesson.id}`
  const { headers: before } = await carla.get(one)
  const { headers: outline } = await carla.get(`${path}/outline`)
  assert.equal((await carla.write('PATCH', one, { body: 'new' }, { 'if-match': String(before.etag) })).status, 200)
  const etag = { 'if-match': String(before.etag) }
  const calls: ['PATCH' | 'PUT' | 'DELETE', string, object?][] = [
    ['PATCH', one, { body: 'lost' }],
    ['PUT', `${one}/placement`, { section_id: section.id, position: 0 }],
    ['DELETE', one],
  ]
  for (const [method, at, body] of calls) {
    const refused = await carla.write(method, at, body, etag)
    assert.deepEqual([refused.status, refused.json.code], [412, 'precondition_failed'])
  }
  assert.equal((await carla.get(one)).json.body, 'new')
  // A new text does not change the outline's revision; a new name does.
  const keep = { sections: [{ id: section.id, name: 'Start', lessons: [{ id: lesson.id, name: 'One' }] }] }
  const arranged = await carla.write('PUT', `${path}/outline`, keep, { 'if-match': String(outline.etag) })
  assert.equal(arranged.status, 200, arranged.text)
  assert.equal((await carla.write('PATCH', one, { name: 'Uno' })).status, 200)
  const late = await carla.write('PUT', `${path}/outline`, keep, { 'if-match': String(outline.etag) })
  assert.equal(late.status, 412)
  const ordered = await carla.write('PUT', `/sections/${section.id}/order`, { lesson_ids: [] })
  assert.deepEqual([ordered.status, ordered.json.errors[0].code], [422, 'missing'])
})

test('a lesson holds what belongs to its kind; the rest is refused with its place, and nothing is stored', async () => {
  const { carla, add } = await createCourse(app, 'Kinds')
  const { json: text } = await add({ name: 'Text', type: 'text' })
  const { json: live } = await add({ name: 'Live', type: 'live' })
  const { json: embed } = await add({ name: 'Embed', type: 'embed' })
  const wrong: [string, object, string, string][] = [
    [text.id, { embed_url: 'https://youtu.be/dQw4w9WgXcQ' }, '/embed_url', 'type'],
    [text.id, { meeting_url: 'https://meet.example/x' }, '/meeting_url', 'type'],
    [text.id, { file_id: `fil_${'0'.repeat(26)}` }, '/file_id', 'type'],
    [text.id, { name: '\u200b' }, '/name', 'line'],
    [text.id, { body: 'é'.repeat(200_001) }, '/body', 'maxLength'],
    [text.id, { body: '*a'.repeat(30_001) }, '/body', 'too_complex'],
    [text.id, { body: '<b></x>'.repeat(501), body_format: 'html' }, '/body', 'too_complex'],
    [text.id, { body: `${'"'.repeat(199_999)}\u0000` }, '/body', 'text'],
    [text.id, { body_html: '<p>x</p>' }, '/body_html', 'unknown'],
    [text.id, { type: 'video' }, '/type', 'unknown'],
    [embed.id, { embed_url: 'https://evil.example/embed' }, '/embed_url', 'embed'],
    [live.id, { starts_at_local: '2027-02-30T10:00', time_zone: 'Europe/Lisbon' }, '/starts_at_local', 'local_time'],
    [live.id, { starts_at_local: '2027-03-01T10:00', time_zone: 'Mars/Olympus' }, '/time_zone', 'time_zone'],
    [live.id, { starts_at_local: '2027-03-01T10:00' }, '/time_zone', 'missing'],
    [live.id, { time_zone: 'Europe/Lisbon' }, '/starts_at_local', 'missing'],
    [live.id, { meeting_url: 'http://meet.example/x' }, '/meeting_url', 'url'],
  ]
  for (const [id, body, pointer, code] of wrong) {
    const before = (await carla.get(`/lessons/${id}`)).json
    const refused = await carla.write('PATCH', `/lessons/${id}`, body)
    assert.equal(refused.status, 422, `${pointer} ${refused.text.slice(0, 300)}`)
    assert.deepEqual([refused.json.errors[0].pointer, refused.json.errors[0].code], [pointer, code])
    assert.deepEqual((await carla.get(`/lessons/${id}`)).json, before)
  }
  const long = await carla.write('PATCH', `/lessons/${text.id}`, { body: '漢'.repeat(200_000) })
  assert.deepEqual([long.status, long.json.body.length], [200, 200_000])
  const shown = await carla.write('PATCH', `/lessons/${embed.id}`, { embed_url: 'https://youtu.be/dQw4w9WgXcQ' })
  assert.deepEqual(shown.json.embed, {
    provider: 'youtube',
    url: 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
  })
})

test('lists are read page by page in the order of the outline, and by staff as CSV', async () => {
  const ada = await app.actor('ada', { scopes: CURRICULUM_SCOPES })
  const all = listNames(await ada.get(`${SOURDOUGH}/lessons?limit=100`))
  const paged: string[] = []
  let next = ''
  do {
    const { json } = await ada.get(`${SOURDOUGH}/lessons?limit=2${next}`)
    paged.push(...json.data.map(({ name }: { name: string }) => name))
    next = json.has_more ? `&cursor=${json.next_cursor}` : ''
  } while (next !== '')
  assert.deepEqual(paged, all)
  const outline = (await ada.get(`${SOURDOUGH}/outline`)).json
  assert.deepEqual(
    all,
    outline.sections.flatMap((one: { lessons: { name: string }[] }) => one.lessons.map(({ name }) => name)),
  )
  const csv = await ada.get(`${SOURDOUGH}/lessons?status=published`, { accept: 'text/csv' })
  assert.match(csv.text, /^id,section_id,name,/)
  assert.ok(csv.text.includes('Feeding') && !csv.text.includes('Folding'), csv.text)
  const sections = await ada.get(`${SOURDOUGH}/sections?limit=1&include_total=true`)
  assert.deepEqual([sections.json.total, sections.json.has_more], [outline.sections.length, true])
})
