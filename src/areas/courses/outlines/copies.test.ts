import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write', 'curriculum:read', 'curriculum:write']

const create = async (actor: Actor, path: string, body: object) => {
  const { status, json, text } = await actor.write('POST', path, body)
  assert.equal(status, 201, text)
  return json
}

// A course with two sections, and in the first a text that opens later and a quiz.
const build = async (actor: Actor, name: string) => {
  const course = await create(actor, '/courses', { name })
  const first = await create(actor, `/courses/${course.id}/sections`, { name: 'First' })
  const second = await create(actor, `/courses/${course.id}/sections`, { name: 'Second' })
  const lessons = `/sections/${first.id}/lessons`
  const text = await create(actor, lessons, { name: 'Rye', type: 'text', body: 'Cold **rye**.', status: 'published' })
  const quiz = await create(actor, lessons, { name: 'Known', type: 'quiz' })
  const drip = { mode: 'days_after_enrollment', value: 3, local_time: '09:00' }
  assert.equal((await actor.write('PUT', `/lessons/${text.id}/drip`, drip)).status, 200)
  const questions = [{ kind: 'text', prompt: 'Why?', accepted_answers: ['yes'] }]
  assert.equal((await actor.write('PUT', `/lessons/${quiz.id}/quiz`, { questions })).status, 200)
  return { course, first, second, text, quiz }
}

const readOutline = async (actor: Actor, courseId: string) => (await actor.get(`/courses/${courseId}/outline`)).json

test('lessons are copied within a course and into another one, as drafts with their content, quiz and schedule', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const { course, first, text, quiz } = await build(ada, 'Of copies')
  const other = await build(ada, 'Other')
  const within = await create(ada, `/sections/${first.id}/copies`, { lesson_ids: [text.id], position: 1 })
  assert.deepEqual([within.lesson_ids[0], within.lesson_ids[2], within.lesson_ids.length], [text.id, quiz.id, 3])
  const into = await create(ada, `/sections/${other.second.id}/copies`, { lesson_ids: [quiz.id, text.id] })
  const [copiedQuiz, copiedText] = into.lesson_ids
  const { sections } = await readOutline(ada, other.course.id)
  const copies = sections[1].lessons
  assert.deepEqual(
    copies.map((one: { name: string; status: string }) => [one.name, one.status]),
    [
      ['Known', 'draft'],
      ['Rye', 'draft'],
    ],
  )
  assert.deepEqual(copies[1].drip, { mode: 'days_after_enrollment', value: 3, date: null, local_time: '09:00' })
  assert.equal((await ada.get(`/lessons/${copiedText}`)).json.body, 'Cold **rye**.')
  assert.equal((await ada.get(`/lessons/${copiedQuiz}/quiz`)).json.questions[0].prompt, 'Why?')
  const original = (await ada.get(`/lessons/${text.id}`)).json
  assert.deepEqual([original.status, original.course_id], ['published', course.id], 'the original stays as it was')
})

test('a copy that is asked for twice with one key is made once, and what is archived is not copied', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const { first, second, text } = await build(ada, 'Once')
  const headers = { 'idempotency-key': 'copy-once-0001' }
  const body = { lesson_ids: [text.id] }
  const sent = await Promise.all([1, 2].map(() => ada.write('POST', `/sections/${second.id}/copies`, body, headers)))
  assert.ok(sent.every(({ status }) => status === 201 || status === 409))
  assert.equal((await ada.get(`/sections/${second.id}`)).json.lesson_ids.length, 1)
  const twice = await ada.write('POST', `/sections/${second.id}/copies`, { lesson_ids: [text.id, text.id] })
  assert.equal(twice.status, 422)
  assert.equal((await ada.write('DELETE', `/lessons/${text.id}`)).status, 200)
  const gone = await ada.write('POST', `/sections/${second.id}/copies`, body)
  assert.deepEqual([gone.status, gone.json.code], [409, 'lesson_archived'])
  assert.equal((await ada.write('DELETE', `/sections/${first.id}`)).status, 200)
  const closed = await ada.write('POST', `/sections/${first.id}/copies`, {
    lesson_ids: [(await ada.get(`/sections/${second.id}`)).json.lesson_ids[0]],
  })
  assert.deepEqual([closed.status, closed.json.code], [409, 'section_archived'])
})

test('F-19 a lecturer copies nothing out of a course of somebody else, nor into it, and learns nothing of it', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const carla = await app.actor('carla', { scopes: SCOPES })
  const theirs = await build(ada, 'Not of Carla')
  const own = await build(carla, 'Of Carla')
  const unknown = await carla.write('POST', `/sections/${own.first.id}/copies`, {
    lesson_ids: ['les_01m848tk8vefzvztx20wh48ztd'],
  })
  const out = await carla.write('POST', `/sections/${own.first.id}/copies`, { lesson_ids: [theirs.text.id] })
  assert.deepEqual([out.status, out.json.detail], [404, unknown.json.detail])
  const into = await carla.write('POST', `/sections/${theirs.first.id}/copies`, { lesson_ids: [own.text.id] })
  assert.equal(into.status, 404)
  assert.equal((await readOutline(ada, theirs.course.id)).sections[0].lessons.length, 2)
  const dev = await app.actor('dev', { scopes: SCOPES })
  const learner = await dev.write('POST', `/sections/${own.first.id}/copies`, { lesson_ids: [own.text.id] })
  assert.ok(learner.status === 403 || learner.status === 404, learner.text)
  assert.equal((await readOutline(carla, own.course.id)).sections[0].lessons.length, 2)
})
