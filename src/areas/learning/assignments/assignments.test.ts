import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write', 'curriculum:read', 'curriculum:write']
const SOURDOUGH = '/courses/slug:sourdough-from-scratch'

type Lesson = { id: string; name: string; type: string }
type Outline = { sections: { id: string; name: string; lessons: Lesson[] }[] }

const readLessons = async (actor: Actor, course = SOURDOUGH): Promise<Lesson[]> => {
  const { json } = await actor.get(`${course}/outline`)
  return (json as Outline).sections.flatMap(({ lessons }) => lessons)
}

const named = async (name: string): Promise<string> => {
  const carla = await app.actor('carla', { scopes: SCOPES })
  const lesson = (await readLessons(carla)).find(one => one.name === name)
  assert.ok(lesson, name)
  return `/lessons/${lesson.id}/assignment`
}

const reader = (name: PersonName) => app.actor(name, { scopes: ['curriculum:read'] })

test('a lecturer writes what is to be handed in; the learner reads it as clean HTML, with what counts for them', async () => {
  const carla = await app.actor('carla', { scopes: SCOPES })
  const at = await named('Your own loaf')
  const instructions = 'Bake *one* loaf.\n\n<script>alert(1)</script> [look](javascript:alert(1))'
  const due_at = { local: '2031-01-15T18:00', time_zone: 'Europe/Lisbon' }
  const written = await carla.write('PUT', at, { instructions, due_at, kinds: ['link', 'text'], max_points: 10 })
  assert.equal(written.status, 200, written.text)
  const { passing_points, kinds, late, max_files, max_resubmissions, required, due_days_after_enrollment } =
    written.json
  assert.deepEqual([passing_points, kinds, late, max_files], [5, ['text', 'link'], 'allowed', 5])
  assert.deepEqual([max_resubmissions, required, due_days_after_enrollment], [3, true, null])
  assert.deepEqual(written.json.due_at, { ...due_at, utc: '2031-01-15T18:00:00.000Z' })
  const read = await (await reader('dev')).get(at)
  assert.equal(read.json.instructions, instructions, 'Markdown is kept as Markdown')
  assert.match(read.json.instructions_html, /<em>one<\/em>/)
  assert.doesNotMatch(read.json.instructions_html, /<script|href="javascript/)
  assert.equal(read.json.your_due_at, '2031-01-15T18:00:00.000Z')
  assert.deepEqual(read.json.allowed_actions, ['getAssignment'])
  assert.deepEqual((await carla.get(at)).json.allowed_actions, ['getAssignment', 'setAssignment'])
  const same = await carla.write('PUT', at, { instructions, due_at, kinds: ['text', 'link'], max_points: 10 })
  assert.equal(same.json.revision, written.json.revision, 'what is there already is not written again')
})

test('the second of two concurrent writers gets 412, and no change is lost', async () => {
  const at = await named('Your own loaf')
  const [carla, ada] = [await app.actor('carla', { scopes: SCOPES }), await app.actor('ada', { scopes: SCOPES })]
  const etag = String((await carla.get(at)).headers.etag)
  assert.equal((await ada.write('PUT', at, { instructions: 'Two loaves.' }, { 'if-match': etag })).status, 200)
  const late = await carla.write('PUT', at, { instructions: 'Three loaves.' }, { 'if-match': etag })
  assert.deepEqual([late.status, late.json.code], [412, 'precondition_failed'])
  assert.equal((await carla.get(at)).json.instructions, 'Two loaves.')
})

test('H-19 values that cannot be are refused whole, with where they stand', async () => {
  const carla = await app.actor('carla', { scopes: SCOPES })
  const at = await named('Your own loaf')
  const before = (await carla.get(at)).json
  const lisbon = 'Europe/Lisbon'
  const wrong: [Record<string, unknown>, string][] = [
    [{ due_at: { local: '2027-02-30T10:00', time_zone: lisbon } }, '/due_at/local'],
    [{ due_at: { local: '2027-02-20T24:30', time_zone: lisbon } }, '/due_at/local'],
    [{ due_at: { local: '2027-02-20T10:00', time_zone: 'Mars/Olympus' } }, '/due_at/time_zone'],
    [{ due_at: { local: '2027-02-20T10:00', time_zone: '+02:00' } }, '/due_at/time_zone'],
    [{ due_at: { local: '0000-00-00T00:00', time_zone: lisbon } }, '/due_at/local'],
    [
      { due_at: { local: '2027-02-20T10:00', time_zone: lisbon }, due_days_after_enrollment: 3 },
      '/due_days_after_enrollment',
    ],
    [{ max_points: 10, passing_points: 11 }, '/passing_points'],
    [{ kinds: [] }, '/kinds'],
    [{ kinds: ['text', 'text'] }, '/kinds'],
    [{ max_points: 2 ** 53 }, '/max_points'],
    [{ max_files: 1.5 }, '/max_files'],
    [{ school_id: 'x' }, '/school_id'],
  ]
  for (const [body, pointer] of wrong) {
    const refused = await carla.write('PUT', at, { instructions: 'x', ...body })
    assert.equal(refused.status, 422, refused.text)
    assert.ok(
      refused.json.errors.some((fault: { pointer: string }) => fault.pointer.startsWith(pointer)),
      `${pointer}: ${refused.text}`,
    )
  }
  assert.deepEqual((await carla.get(at)).json, before)
})

test('a last moment is what the clock of the place shows: over a change of the clocks in Lisbon too', async () => {
  const carla = await app.actor('carla', { scopes: SCOPES })
  const at = await named('Your own loaf')
  const moments = {
    '2030-07-01T23:59': '2030-07-01T22:59:00.000Z',
    '2030-12-01T23:59': '2030-12-01T23:59:00.000Z',
    // The clocks skip this hour, so it is as much later; in autumn it comes twice, and the first is meant.
    '2030-03-31T01:30': '2030-03-31T01:30:00.000Z',
    '2030-10-27T01:30': '2030-10-27T00:30:00.000Z',
  }
  for (const [local, utc] of Object.entries(moments)) {
    const due_at = { local, time_zone: 'Europe/Lisbon' }
    const written = await carla.write('PUT', at, { instructions: 'One loaf.', due_at })
    assert.deepEqual(written.json.due_at, { ...due_at, utc })
  }
})

test('F-19 only readers of the lesson read the assignment, and only lecturers of the course write it', async () => {
  const carla = await app.actor('carla', { scopes: SCOPES })
  const at = await named('Your own loaf')
  const before = (await carla.get(at)).json
  const femi = await reader('femi')
  const hidden = await femi.get(at)
  assert.deepEqual([hidden.status, hidden.json.code], [403, 'access_required'])
  assert.equal((await app.send({ path: `/api/v1${at}` })).json.code, 'access_required')
  const preview = await app.send({ path: `/api/v1${await named('Your own starter')}` })
  assert.deepEqual([preview.status, preview.json.your_due_at], [200, undefined], preview.text)
  const eli = await app.actor('eli', { scopes: ['curriculum:read'], school: app.b })
  assert.equal((await eli.get(at)).status, 404, 'another school has no such lesson')
  const other = await app.actor('eli', { scopes: ['curriculum:read', 'curriculum:write'], as: 'lecturer' })
  const refused = await other.write('PUT', at, { instructions: 'Mine now.' })
  assert.deepEqual([refused.status, refused.json.code], [403, 'role_required'])
  assert.deepEqual((await carla.get(at)).json, before)
})

test('a draft lesson is visible only to its lecturers, and only an assignment accepts submissions', async () => {
  const carla = await app.actor('carla', { scopes: SCOPES })
  const lessons = await readLessons(carla)
  const video = lessons.find(one => one.name === 'Folding')
  const none = await carla.write('PUT', `/lessons/${video?.id}/assignment`, { instructions: 'x' })
  assert.deepEqual([none.status, none.json.code], [409, 'not_an_assignment'])
  const { headers, json } = await carla.get(`${SOURDOUGH}/outline`)
  const sections = (json as Outline).sections.map(({ id, name, lessons: all }) => ({
    id,
    name,
    lessons: [
      ...all.map(one => ({ id: one.id, name: one.name })),
      ...(name === 'The loaf' ? [{ name: 'Secret loaf', type: 'assignment', status: 'draft' }] : []),
    ],
  }))
  const put = await carla.write('PUT', `${SOURDOUGH}/outline`, { sections }, { 'if-match': String(headers.etag) })
  assert.equal(put.status, 200, put.text)
  const at = await named('Secret loaf')
  assert.equal((await carla.get(at)).status, 404, 'nobody has written it')
  assert.equal((await carla.write('PUT', at, { instructions: 'Soon.' })).status, 200)
  assert.equal((await (await reader('dev')).get(at)).status, 404)
})

test('the copy of a course has its assignments, each with an id of its own', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const created = await ada.write('POST', `${SOURDOUGH}/copies`, {})
  assert.equal(created.status, 201, created.text)
  const copy = created.json
  const copied = (await readLessons(ada, `/courses/${copy.id}`)).find(one => one.name === 'Your own loaf')
  assert.ok(copied)
  const [theirs, ours] = [
    await ada.get(`/lessons/${copied.id}/assignment`),
    await ada.get(await named('Your own loaf')),
  ]
  assert.equal(theirs.status, 200, theirs.text)
  assert.equal(theirs.json.instructions, ours.json.instructions)
  assert.deepEqual(theirs.json.due_at, ours.json.due_at)
  assert.notEqual(theirs.json.id, ours.json.id)
})
