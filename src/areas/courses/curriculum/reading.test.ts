import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromId } from '#src/kit/ids.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { CURRICULUM_SCOPES, createCourse } from '#testing/curriculum.ts'
import type { TestReply } from '#testing/http.ts'
import { sumOfRows } from '#testing/matrix.ts'
import { type LessonAvailability, lessonAvailability } from './hooks.ts'

const app = testApp()
const _SOURDOUGH = '/courses/slug:sourdough-from-scratch'
const MARKER = 'heliotrope'

// The implementation of a later area: which lessons are available to whom.
const openings = new Map<string, LessonAvailability>()
lessonAvailability.set('test', async ({ memberId, lessonIds }) => {
  const mine = [...openings].filter(([key]) => key.startsWith(memberId)).map(([key, how]) => [key.split(' ')[1], how])
  const matching = mine.filter(([id]) => lessonIds === undefined || lessonIds.includes(id as string))
  return new Map(matching as [string, LessonAvailability][])
})

const memberId = async (name: PersonName): Promise<string> => {
  const [row] = await app.database.query<{ id: string }>('select id from members where school_id = $1 and email = $2', [
    app.a.id,
    `${name}@crumb.example`,
  ])
  return row?.id ?? ''
}

const open = async (name: PersonName, lesson: string, how: LessonAvailability) => {
  openings.set(`${await memberId(name)} ${fromId('les', lesson)}`, how)
}

const anybody = (path: string): Promise<TestReply> => app.send({ path: `/api/v1${path}` })
const stable = ({ status, json }: TestReply) => ({ status, ...json, request_id: undefined, instance: undefined })
const _listNames = ({ json }: TestReply): string[] => json.data.map(({ name }: { name: string }) => name)

test('F-19 anonymous and members without access read a preview and nothing else, in no way that there is', async () => {
  const { carla, ada, path, section, add } = await createCourse(app, 'Doors')
  const dev = await app.actor('dev', { scopes: ['curriculum:read', 'courses:read'] })
  const input = { type: 'text', body: `The word is ${MARKER}.` }
  const { json: preview } = await add({ ...input, name: 'Look', status: 'published', preview: true })
  const { json: paid } = await add({ ...input, name: 'Paid', status: 'published' })
  const { json: draft } = await add({ ...input, name: 'Draft', preview: true })
  const { json: old } = await add({ ...input, name: 'Old', status: 'published', preview: true })
  await carla.write('DELETE', `/lessons/${old.id}`)
  for (const read of [anybody, dev.get]) {
    const reply = await read(`/lessons/${preview.id}`)
    assert.deepEqual([reply.status, reply.json.body_html], [200, `<p>The word is ${MARKER}.</p>\n`])
    for (const hidden of ['body', 'body_format', 'archived_at']) assert.ok(!(hidden in reply.json), hidden)
    for (const at of [`/lessons/${paid.id}`, `/lessons/${paid.id}/attachments`]) {
      const refused = await read(at)
      assert.deepEqual([refused.status, refused.json.code], [403, 'access_required'], at)
      assert.ok(!refused.text.includes(MARKER))
    }
    const unknown = stable(await read(`/lessons/les_${'0'.repeat(26)}`))
    for (const { id } of [draft, old]) assert.deepEqual(stable(await read(`/lessons/${id}`)), unknown)
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
    const unknown = stable(await read(`/lessons/les_${'0'.repeat(26)}`))
    for (const { id } of [preview, paid]) assert.deepEqual(stable(await read(`/lessons/${id}`)), unknown)
    assert.equal((await read(`/sections/${section.id}`)).status, 404)
  }
})

test('a student reads available lessons, learns when the others become available, and keeps them in an archived course', async () => {
  const { carla, ada, path, add } = await createCourse(app, 'Learners')
  const eli = await app.actor('eli', { scopes: ['curriculum:read', 'courses:read'] })
  const input = { type: 'text', body: MARKER, status: 'published' }
  const { json: now } = await add({ ...input, name: 'Now' })
  const { json: soon } = await add({ ...input, name: 'Soon' })
  const { json: next } = await add({ ...input, name: 'Next' })
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

test('decision 48: lecturers publish lessons of their own courses; no others write, and another school sees nothing', async () => {
  const { carla, section, add } = await createCourse(app, 'Theirs')
  const { json: lesson } = await add({ name: 'One', type: 'text', body: MARKER })
  const published = await carla.write('PATCH', `/lessons/${lesson.id}`, { status: 'published' })
  assert.deepEqual([published.status, published.json.status], [200, 'published'])
  const dry = await carla.write('PATCH', `/lessons/${lesson.id}?dry_run=true`, { status: 'draft' })
  assert.match(dry.json.effects[0].access, /Hides the lesson/)
  const dev = await app.actor('dev', { scopes: ['curriculum:read', 'courses:read'] })
  const teacher = await app.actor('dev', { scopes: CURRICULUM_SCOPES, as: 'lecturer' })
  const stranger = await app.actor('ada', { scopes: CURRICULUM_SCOPES, school: app.b })
  const sum = await sumOfRows(app.database, ['members', 'sessions', 'known_browsers'])
  const calls: ['PATCH' | 'PUT' | 'DELETE' | 'POST', string, object?][] = [
    ['PATCH', `/lessons/${lesson.id}`, { body: 'mine' }],
    ['DELETE', `/lessons/${lesson.id}`],
    ['PUT', `/lessons/${lesson.id}/placement`, { section_id: section.id }],
    ['POST', `/sections/${section.id}/lessons`, { name: 'x', type: 'text' }],
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
  await app.setRole('dev', 'member')
})

test('decision 48: a live lesson starts at a local time, and only those who may read it see the meeting address', async () => {
  const { carla, add } = await createCourse(app, 'Live')
  const { json: live } = await add({
    name: 'Live',
    type: 'live',
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
  // Skipped in spring, twice in autumn.
  for (const [starts_at_local, instant] of [
    ['2027-03-28T01:30', '2027-03-28T01:30:00.000Z'],
    ['2027-10-31T01:30', '2027-10-31T00:30:00.000Z'],
  ])
    assert.equal((await carla.write('PATCH', `/lessons/${live.id}`, { starts_at_local })).json.starts_at, instant)
  const off = await carla.write('PATCH', `/lessons/${live.id}`, { starts_at_local: null, time_zone: null })
  assert.deepEqual([off.json.starts_at, off.json.meeting_url], [null, `https://meet.example/${MARKER}`])
})

test('dangerous markup in a text is kept for its editors, and shown to no reader', async () => {
  const { carla, add } = await createCourse(app, 'Clean')
  const body = '<p onclick="x">a</p><script>alert(1)</script><svg onload=alert(1)><a href="javascript:alert(1)">b</a>'
  const { json: lesson, text } = await add({
    name: 'x',
    type: 'text',
    body,
    body_format: 'html',
    preview: true,
    status: 'published',
  })
  assert.equal(lesson.body, body, text)
  assert.equal(lesson.body_html, '<p>a</p>')
  const reply = await anybody(`/lessons/${lesson.id}`)
  assert.ok(!/script|onclick|onload/.test(reply.text), reply.text)
  // The allow-list grows: what an older one let pass is cleaned when it is read.
  await app.database.query(
    `update lesson_versions set body_html = '<script>old</script>', body_allowed = 0 where lesson_id = $1`,
    [fromId('les', lesson.id)],
  )
  assert.equal((await anybody(`/lessons/${lesson.id}`)).json.body_html, '<p>a</p>')
  assert.equal((await carla.get(`/lessons/${lesson.id}`)).json.body_html, '<p>a</p>')
})
