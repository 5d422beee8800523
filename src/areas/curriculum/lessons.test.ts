import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromId } from '#src/kit/ids.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { sumOfRows } from '#testing/matrix.ts'
import { type LessonOpening, lessonsOpen } from './questions.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write', 'curriculum:read', 'curriculum:write']
const SOURDOUGH = '/courses/slug:sourdough-from-scratch'
const MARKER = 'heliotrope'

// What a later room answers: who has which lesson open.
const openings = new Map<string, LessonOpening>()
lessonsOpen.answer('test', async ({ memberId, lessonIds }) => {
  const mine = [...openings].filter(([key]) => key.startsWith(memberId)).map(([key, how]) => [key.split(' ')[1], how])
  const asked = mine.filter(([id]) => lessonIds === undefined || lessonIds.includes(id as string))
  return new Map(asked as [string, LessonOpening][])
})

const memberId = async (name: PersonName): Promise<string> => {
  const [row] = await app.database.query<{ id: string }>('select id from members where school_id = $1 and email = $2', [
    app.a.id,
    `${name}@crumb.example`,
  ])
  return row?.id ?? ''
}

const open = async (name: PersonName, lesson: string, how: LessonOpening) => {
  openings.set(`${await memberId(name)} ${fromId('les', lesson)}`, how)
}

const anybody = (path: string): Promise<TestReply> => app.send({ path: `/api/v1${path}` })
const told = ({ status, json }: TestReply) => ({ status, ...json, request_id: undefined, instance: undefined })
const namesOf = ({ json }: TestReply): string[] => json.data.map(({ name }: { name: string }) => name)

/** A course of Carla's that is published, with one section. */
const furnish = async (name: string) => {
  const carla = await app.actor('carla', { scopes: SCOPES })
  const ada = await app.actor('ada', { scopes: SCOPES })
  const { json: course } = await carla.write('POST', '/courses', { name })
  const path = `/courses/${course.id}`
  const { json: section } = await carla.write('POST', `${path}/sections`, { name: 'Start' })
  assert.equal((await ada.write('PUT', `${path}/publication`, {})).status, 200)
  const add = async (body: object): Promise<TestReply> => carla.write('POST', `/sections/${section.id}/lessons`, body)
  return { carla, ada, path, section, add }
}

test('a section and its lessons are made, read at their own addresses, changed, moved, archived and brought back', async () => {
  const { carla, path, section, add } = await furnish('Journey')
  const first = await add({ name: 'One', content_type: 'text', body: '*one*', status: 'published' })
  assert.equal(first.status, 201, first.text)
  assert.equal(first.headers.location, `${app.a.baseUrl}/api/v1/lessons/${first.json.id}`)
  assert.deepEqual([first.json.body_html, first.json.version, first.json.revision], ['<p><em>one</em></p>\n', 1, 1])
  const second = await add({ name: 'Zero', content_type: 'text', position: 0 })
  assert.deepEqual([second.json.version, second.json.body, second.json.status], [0, '', 'draft'])
  const { json: later } = await carla.write('POST', `${path}/sections`, { name: 'Before', position: 0 })
  assert.deepEqual(namesOf(await carla.get(`${path}/sections`)), ['Before', 'Start'])
  assert.deepEqual((await carla.get(`/sections/${section.id}`)).json.lesson_ids, [second.json.id, first.json.id])
  const one = `/lessons/${first.json.id}`
  const moved = await carla.write('PUT', `${one}/placement`, { section_id: later.id })
  assert.deepEqual([moved.status, moved.json.section_id, moved.json.revision], [200, later.id, 2])
  const still = await carla.write('PUT', `${one}/placement`, { section_id: later.id, position: 0 })
  assert.equal(still.json.revision, 2, 'where it stands already nothing is written')
  assert.deepEqual(namesOf(await carla.get(`${path}/lessons`)), ['One', 'Zero'])
  assert.equal((await carla.write('DELETE', one)).status, 204)
  assert.equal((await carla.write('DELETE', one)).status, 204)
  assert.ok((await carla.get(one)).json.archived_at)
  assert.equal((await anybody(one)).status, 404)
  const refused = await carla.write('PATCH', one, { name: 'x' })
  assert.deepEqual([refused.status, refused.json.code], [409, 'lesson_archived'])
  assert.deepEqual(namesOf(await carla.get(`${path}/lessons?archived=true`)), ['One'])
  const back = await carla.write('PUT', `${one}/placement`, { section_id: section.id, position: 0 })
  assert.deepEqual([back.status, back.json.archived_at], [200, null])
  const ordered = await carla.write('PUT', `/sections/${section.id}/order`, {
    lesson_ids: [second.json.id, first.json.id],
  })
  assert.deepEqual(ordered.json.lesson_ids, [second.json.id, first.json.id])
  const figures = (await carla.get(path)).json
  assert.deepEqual([figures.section_count, figures.lesson_count], [1, 1], 'learners see what is published')
})

test('an archived section takes its lessons along and brings back those, and none that was archived before', async () => {
  const { carla, path, section, add } = await furnish('Along')
  const ids: string[] = []
  for (const name of ['a', 'b', 'c']) ids.push((await add({ name, content_type: 'text', status: 'published' })).json.id)
  await carla.write('DELETE', `/lessons/${ids[1]}`)
  const at = `/sections/${section.id}`
  assert.equal((await carla.write('DELETE', at)).status, 204)
  assert.deepEqual(namesOf(await carla.get(`${path}/lessons`)), [])
  assert.deepEqual((await carla.get(`${path}/outline`)).json.sections, [])
  const into = await add({ name: 'd', content_type: 'text' })
  assert.deepEqual([into.status, into.json.code], [409, 'section_archived'])
  const gone = await carla.write('PUT', `/lessons/${ids[0]}/placement`, { section_id: section.id })
  assert.deepEqual([gone.status, gone.json.errors[0].code], [422, 'unknown'])
  assert.deepEqual(namesOf(await carla.get(`${path}/sections?archived=true`)), ['Start'])
  assert.equal((await anybody(at)).status, 404)
  const back = await carla.write('PUT', `${at}/placement`, {})
  assert.deepEqual([back.status, back.json.lesson_ids], [200, [ids[0], ids[2]]])
  assert.equal((await anybody(at)).status, 200)
})

test('a write that saw an older revision is refused and changes nothing; outline and lessons know of each other', async () => {
  const { carla, path, section, add } = await furnish('Matches')
  const { json: lesson } = await add({ name: 'One', content_type: 'text', status: 'published' })
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
  // A new text is nothing to who arranges the outline; a new name is.
  const keep = { sections: [{ id: section.id, name: 'Start', lessons: [{ id: lesson.id, name: 'One' }] }] }
  const arranged = await carla.write('PUT', `${path}/outline`, keep, { 'if-match': String(outline.etag) })
  assert.equal(arranged.status, 200, arranged.text)
  assert.equal((await carla.write('PATCH', one, { name: 'Uno' })).status, 200)
  const late = await carla.write('PUT', `${path}/outline`, keep, { 'if-match': String(outline.etag) })
  assert.equal(late.status, 412)
  const ordered = await carla.write('PUT', `/sections/${section.id}/order`, { lesson_ids: [] })
  assert.deepEqual([ordered.status, ordered.json.errors[0].code], [422, 'missing'])
})

test('F-19 anonymous and members without access read a preview and nothing else, in no way that there is', async () => {
  const { carla, ada, path, section, add } = await furnish('Doors')
  const dev = await app.actor('dev', { scopes: ['curriculum:read', 'courses:read'] })
  const said = { content_type: 'text', body: `The word is ${MARKER}.` }
  const { json: preview } = await add({ ...said, name: 'Look', status: 'published', preview: true })
  const { json: paid } = await add({ ...said, name: 'Paid', status: 'published' })
  const { json: draft } = await add({ ...said, name: 'Draft', preview: true })
  const { json: old } = await add({ ...said, name: 'Old', status: 'published', preview: true })
  await carla.write('DELETE', `/lessons/${old.id}`)
  for (const read of [anybody, dev.get]) {
    const seen = await read(`/lessons/${preview.id}`)
    assert.deepEqual([seen.status, seen.json.body_html], [200, `<p>The word is ${MARKER}.</p>\n`])
    for (const hidden of ['body', 'body_format', 'archived_at']) assert.ok(!(hidden in seen.json), hidden)
    for (const at of [`/lessons/${paid.id}`, `/lessons/${paid.id}/attachments`]) {
      const refused = await read(at)
      assert.deepEqual([refused.status, refused.json.code], [403, 'access_required'], at)
      assert.ok(!refused.text.includes(MARKER))
    }
    const unknown = told(await read(`/lessons/les_${'0'.repeat(26)}`))
    for (const { id } of [draft, old]) assert.deepEqual(told(await read(`/lessons/${id}`)), unknown)
    for (const at of [
      'lessons',
      'lessons?status=draft',
      'lessons?archived=true',
      'sections?archived=true',
      'outline',
    ]) {
      const { text } = await read(`${path}/${at}`)
      assert.ok(!text.includes(MARKER) && !text.includes('"Draft"') && !text.includes('"Old"'), at)
    }
    assert.deepEqual((await read(`/sections/${section.id}`)).json.lesson_ids, [preview.id, paid.id])
  }
  for (const at of [`/lessons/${preview.id}/versions`, `/lessons/${paid.id}/versions`])
    assert.deepEqual([(await dev.get(at)).status, (await anybody(at)).status], [403, 403])
  // A draft of a course shows nothing at all.
  await ada.write('DELETE', `${path}/publication`)
  for (const read of [anybody, dev.get]) {
    const unknown = told(await read(`/lessons/les_${'0'.repeat(26)}`))
    for (const { id } of [preview, paid]) assert.deepEqual(told(await read(`/lessons/${id}`)), unknown)
    assert.equal((await read(`/sections/${section.id}`)).status, 404)
  }
})

test('who has the course reads what is open, is told when the rest opens, and keeps it when the course is archived', async () => {
  const { carla, ada, path, add } = await furnish('Learners')
  const eli = await app.actor('eli', { scopes: ['curriculum:read', 'courses:read'] })
  const said = { content_type: 'text', body: MARKER, status: 'published' }
  const { json: now } = await add({ ...said, name: 'Now' })
  const { json: soon } = await add({ ...said, name: 'Soon' })
  const { json: next } = await add({ ...said, name: 'Next' })
  const opens = new Date('2031-05-01T08:00:00.000Z')
  await open('eli', now.id, { is_open: true, opens_at: undefined, reason: 'open' })
  await open('eli', soon.id, { is_open: false, opens_at: opens, reason: 'drip' })
  await open('eli', next.id, { is_open: false, opens_at: undefined, reason: 'previous' })
  const read = await eli.get(`/lessons/${now.id}`)
  assert.deepEqual([read.status, read.json.allowed_actions], [200, ['getLesson', 'listLessonAttachments']], read.text)
  for (const [lesson, at] of [
    [soon, opens.toISOString()],
    [next, null],
  ]) {
    const refused = await eli.get(`/lessons/${lesson.id}`)
    assert.deepEqual([refused.status, refused.json.code, refused.json.opens_at], [403, 'lesson_locked', at])
    assert.ok(!refused.text.includes(MARKER))
  }
  const archived = await ada.write('PUT', `${path}/archive`)
  assert.equal(archived.status, 200, archived.text)
  assert.equal((await eli.get(`/lessons/${now.id}`)).status, 200)
  assert.equal((await eli.get(`${path}/outline`)).json.sections.length, 1)
  const femi = await app.actor('femi', { scopes: ['curriculum:read', 'courses:read'] })
  for (const other of [anybody, femi.get]) {
    assert.equal((await other(`/lessons/${now.id}`)).status, 404)
    assert.equal((await other(`${path}/outline`)).status, 404)
  }
  assert.equal((await carla.get(`/lessons/${soon.id}`)).json.body, MARKER)
})

test('decisions.md 50: a lecturer publishes lessons of a course they teach; nobody else writes, and another school sees nothing', async () => {
  const { carla, section, add } = await furnish('Theirs')
  const { json: lesson } = await add({ name: 'One', content_type: 'text', body: MARKER })
  const published = await carla.write('PATCH', `/lessons/${lesson.id}`, { status: 'published' })
  assert.deepEqual([published.status, published.json.status], [200, 'published'])
  const dry = await carla.write('PATCH', `/lessons/${lesson.id}?dry_run=true`, { status: 'draft' })
  assert.match(dry.json.effects[0].access, /Hides the lesson/)
  const dev = await app.actor('dev', { scopes: ['curriculum:read', 'courses:read'] })
  await app.database.query(
    `update members set role = 'lecturer' where email = 'dev@crumb.example' and school_id = $1`,
    [app.a.id],
  )
  const teacher = await app.actor('dev', { scopes: SCOPES })
  const stranger = await app.actor('ada', { scopes: SCOPES, school: app.b })
  const sum = await sumOfRows(app.database, ['members', 'sessions', 'known_browsers'])
  const calls: ['PATCH' | 'PUT' | 'DELETE' | 'POST', string, object?][] = [
    ['PATCH', `/lessons/${lesson.id}`, { body: 'mine' }],
    ['DELETE', `/lessons/${lesson.id}`],
    ['PUT', `/lessons/${lesson.id}/placement`, { section_id: section.id }],
    ['POST', `/sections/${section.id}/lessons`, { name: 'x', content_type: 'text' }],
    ['PATCH', `/sections/${section.id}`, { name: 'x' }],
    ['DELETE', `/sections/${section.id}`],
    ['PUT', `/sections/${section.id}/order`, { lesson_ids: [lesson.id] }],
  ]
  for (const [method, at, body] of calls) {
    const refused = await teacher.write(method, at, body)
    assert.deepEqual([refused.status, refused.json.code], [403, 'role_required'], at)
    assert.equal((await stranger.write(method, at, body)).status, 404, at)
  }
  for (const at of [`/lessons/${lesson.id}`, `/sections/${section.id}`])
    assert.equal((await stranger.get(at)).status, 404)
  assert.equal(await sumOfRows(app.database, ['members', 'sessions', 'known_browsers']), sum, 'nothing was written')
  assert.ok(dev.token)
  await app.database.query(`update members set role = 'member' where email = 'dev@crumb.example' and school_id = $1`, [
    app.a.id,
  ])
})

test('a lesson holds what belongs to its kind; the rest is refused with its place, and nothing is stored', async () => {
  const { carla, add } = await furnish('Kinds')
  const { json: text } = await add({ name: 'Text', content_type: 'text' })
  const { json: live } = await add({ name: 'Live', content_type: 'live' })
  const { json: embed } = await add({ name: 'Embed', content_type: 'embed' })
  const wrong: [string, object, string, string][] = [
    [text.id, { embed_url: 'https://youtu.be/dQw4w9WgXcQ' }, '/embed_url', 'content_type'],
    [text.id, { meeting_url: 'https://meet.example/x' }, '/meeting_url', 'content_type'],
    [text.id, { file_id: `fil_${'0'.repeat(26)}` }, '/file_id', 'content_type'],
    [text.id, { name: '\u200b' }, '/name', 'empty'],
    [text.id, { body: 'é'.repeat(200_001) }, '/body', 'maxLength'],
    [text.id, { body: `${'"'.repeat(199_999)}\u0000` }, '/body', 'text'],
    [text.id, { body_html: '<p>x</p>' }, '/body_html', 'unknown'],
    [text.id, { content_type: 'video' }, '/content_type', 'unknown'],
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

test('a live lesson begins at a local time, and where people meet is told to those alone who may read it', async () => {
  const { carla, add } = await furnish('Live')
  const { json: live } = await add({
    name: 'Live',
    content_type: 'live',
    status: 'published',
    starts_at_local: '2027-07-15T18:30',
    time_zone: 'Europe/Lisbon',
    meeting_url: `https://meet.example/${MARKER}`,
  })
  assert.equal(live.starts_at, '2027-07-15T17:30:00.000Z')
  const dev = await app.actor('dev', { scopes: ['curriculum:read'] })
  for (const read of [anybody, dev.get]) assert.ok(!(await read(`/lessons/${live.id}`)).text.includes(MARKER))
  await open('dev', live.id, { is_open: true, opens_at: undefined, reason: 'open' })
  assert.equal((await dev.get(`/lessons/${live.id}`)).json.meeting_url, `https://meet.example/${MARKER}`)
  const off = await carla.write('PATCH', `/lessons/${live.id}`, { starts_at_local: null, time_zone: null })
  assert.deepEqual([off.json.starts_at, off.json.meeting_url], [null, `https://meet.example/${MARKER}`])
})

test('what is dangerous in a text is kept as it was written for those who edit, and shown to nobody', async () => {
  const { carla, add } = await furnish('Clean')
  const body = '<p onclick="x">a</p><script>alert(1)</script><svg onload=alert(1)><a href="javascript:alert(1)">b</a>'
  const { json: lesson, text } = await add({
    name: 'x',
    content_type: 'text',
    body,
    body_format: 'html',
    preview: true,
    status: 'published',
  })
  assert.equal(lesson.body, body, text)
  assert.equal(lesson.body_html, '<p>a</p>')
  const seen = await anybody(`/lessons/${lesson.id}`)
  assert.ok(!/script|onclick|onload/.test(seen.text), seen.text)
  // The allow-list grows: what an older one let pass is cleaned when it is read.
  await app.database.query(
    `update lesson_versions set body_html = '<script>old</script>', body_allowed = 0 where lesson_id = $1`,
    [fromId('les', lesson.id)],
  )
  assert.equal((await anybody(`/lessons/${lesson.id}`)).json.body_html, '<p>a</p>')
  assert.equal((await carla.get(`/lessons/${lesson.id}`)).json.body_html, '<p>a</p>')
})

test('lists are read page by page in the order of the outline, and by staff as CSV', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const all = namesOf(await ada.get(`${SOURDOUGH}/lessons?limit=100`))
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
