import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write', 'curriculum:read', 'curriculum:write']
const SOURDOUGH = '/courses/slug:sourdough-from-scratch'
const FIRST_LOAF = '/courses/slug:first-loaf'
const OUTLINE = `${SOURDOUGH}/outline`

type Lesson = { id?: string; name: string; type?: string; status?: string }
type Section = { id?: string; name: string; lessons: Lesson[] }

const put = async (actor: Actor, sections: readonly Section[], path = OUTLINE, query = '') => {
  const { headers } = await actor.get(path)
  return actor.write('PUT', `${path}${query}`, { sections }, { 'if-match': String(headers.etag) })
}

const plain = (sections: readonly (Section & { revision?: number })[]): Section[] =>
  sections.map(({ id, name, lessons }) => ({
    ...(id === undefined ? {} : { id }),
    name,
    lessons: lessons.map(lesson => ({ ...(lesson.id === undefined ? {} : { id: lesson.id }), name: lesson.name })),
  }))

const listChanges = (reply: { json: { difference: { change: string; name: string }[] } }): string[] =>
  reply.json.difference.map(({ change, name }) => `${change} ${name}`)

test('PUT outline creates, keeps, moves, changes, archives and restores nodes by their ids', async () => {
  const carla = await app.actor('carla', { scopes: SCOPES })
  const write = (sections: readonly Section[]) => put(carla, sections, `${FIRST_LOAF}/outline`)
  const text = (name: string): Lesson => ({ name, type: 'text', status: 'published' })
  const first = await write([
    { name: 'Start', lessons: [text('one'), text('two')] },
    { name: 'End', lessons: [text('three')] },
  ])
  assert.equal(first.status, 200, first.text)
  assert.deepEqual(
    listChanges(first),
    ['Start', 'End', 'one', 'two', 'three'].map(name => `created ${name}`),
  )
  const [start, end] = plain(first.json.sections)
  assert.ok(start && end)
  const [one, two] = start.lessons
  const [three] = end.lessons
  assert.ok(one && two && three)
  const same = await write([start, end])
  assert.deepEqual([same.json.difference, same.json.revision], [[], first.json.revision])
  const moved = await write([end, { ...start, lessons: [{ ...two, name: 'zwei' }, one] }])
  assert.deepEqual(listChanges(moved).sort(), ['changed zwei', 'moved End', 'moved zwei'].sort())
  const gone = await write([{ ...end, lessons: [three, two] }])
  assert.deepEqual(listChanges(gone).sort(), ['archived Start', 'archived one', 'changed two', 'moved two'].sort())
  const back = await write([{ ...end, lessons: [one, three, two] }])
  assert.deepEqual(listChanges(back), ['restored one'])
  assert.deepEqual(
    back.json.sections[0].lessons.map(({ id }: Lesson) => id),
    [one.id, three.id, two.id],
  )
  const course = (await app.send({ path: `/api/v1${FIRST_LOAF}` })).json
  assert.deepEqual([course.section_count, course.lesson_count], [1, 3])
})

test('F-19 only managers of the course see draft lessons and write the outline', async () => {
  const carla = await app.actor('carla', { scopes: SCOPES })
  const dev = await app.actor('dev', { scopes: ['curriculum:read', 'courses:read'] })
  const created = await put(carla, [
    { name: 'Open', lessons: [{ name: 'seen', type: 'text', status: 'published' }] },
    { name: 'Secret', lessons: [{ name: 'zanzibar', type: 'quiz' }] },
  ])
  assert.equal(created.status, 200, created.text)
  for (const reply of [await dev.get(OUTLINE), await app.send({ path: `/api/v1${OUTLINE}` })]) {
    assert.deepEqual(
      plain(reply.json.sections).map(({ name }) => name),
      ['Open'],
    )
    assert.ok(!reply.text.includes('zanzibar'))
  }
  assert.equal((await dev.get('/courses/slug:rye-for-the-patient/outline')).status, 404)
  assert.equal((await carla.get('/courses/slug:rye-for-the-patient/outline')).status, 404)
  const without = await carla.write('PUT', OUTLINE, { sections: [] })
  assert.equal(without.status, 428)
  const late = await carla.write('PUT', OUTLINE, { sections: [] }, { 'if-match': '"1-aaaaaaaaaaaaaaaa"' })
  assert.equal(late.status, 412)
  assert.equal((await carla.get(OUTLINE)).json.sections.length, 2)
})

test('what is wrong is refused whole: unknown and doubled ids, other kinds of lessons, ids of another course', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const before = (await ada.get(OUTLINE)).json
  const [section] = plain(before.sections)
  assert.ok(section?.lessons[0])
  const { json: other } = await ada.write('POST', '/courses', { name: 'Another' })
  const theirs = (
    await put(ada, [{ name: 'x', lessons: [{ name: 'y', type: 'text' }] }], `/courses/${other.id}/outline`)
  ).json.sections[0]
  const [lesson] = section.lessons
  const wrong: [Section[], string][] = [
    [[{ name: 'x', lessons: [{ name: 'y' }] }], 'missing'],
    [[section, section], 'twice'],
    [[{ name: 'x', lessons: [lesson ?? { name: '' }, lesson ?? { name: '' }] }], 'twice'],
    [[{ id: theirs.id, name: 'x', lessons: [] }], 'unknown'],
    [[{ name: 'x', lessons: [{ id: theirs.lessons[0].id, name: 'y' }] }], 'unknown'],
    [[{ ...section, lessons: [{ ...section.lessons[0], name: 'x', type: 'video' }] }], 'fixed'],
    [[{ name: '\u202e', lessons: [] }], 'line'],
  ]
  for (const [sections, code] of wrong) {
    const refused = await put(ada, sections)
    assert.equal(refused.status, 422, refused.text)
    assert.ok(
      refused.json.errors.some((fault: { code: string }) => fault.code === code),
      `${code}: ${refused.text}`,
    )
  }
  assert.deepEqual((await ada.get(OUTLINE)).json, before)
})

test('five hundred lessons are written in one transaction, tried first without keeping them, and copied', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const { json: course } = await ada.write('POST', '/courses', { name: 'Long' })
  const path = `/courses/${course.id}/outline`
  const sections = Array.from({ length: 20 }, (_, s) => ({
    name: `Section ${s}`,
    lessons: Array.from({ length: 25 }, (_, l) => ({
      name: `Lesson ${s}.${l}`,
      type: 'video',
      status: 'published',
      duration_seconds: 60,
    })),
  }))
  const dry = await put(ada, sections, path, '?dry_run=true')
  assert.deepEqual([dry.status, dry.json.result.difference.length], [200, 520], dry.text.slice(0, 300))
  assert.deepEqual((await ada.get(path)).json.sections, [])
  const created = await put(ada, sections, path)
  assert.equal(created.json.difference.length, 520)
  const figures = (await ada.get(`/courses/${course.id}`)).json
  assert.deepEqual([figures.section_count, figures.lesson_count, figures.duration_seconds], [20, 500, 30_000])
  const reversed = await put(ada, plain(created.json.sections).reverse(), path)
  assert.deepEqual(
    new Set(reversed.json.difference.map(({ change }: { change: string }) => change)),
    new Set(['moved']),
  )
  assert.equal(reversed.json.difference.length, 19)
  const { json: copy } = await ada.write('POST', `/courses/${course.id}/copies`, {})
  const copied = (await ada.get(`/courses/${copy.id}/outline`)).json.sections
  const strip = (list: Section[]) => plain(list).map(({ name, lessons }) => [name, lessons.map(one => one.name)])
  assert.deepEqual(strip(copied), strip(reversed.json.sections))
  assert.notEqual(copied[0].id, reversed.json.sections[0].id)
})
