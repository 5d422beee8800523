import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { createCourse } from '#testing/curriculum.ts'
import type { TestReply } from '#testing/http.ts'

const app = testApp()

const listCodes = ({ json }: TestReply): string[] => json.warnings.map(({ code }: { code: string }) => code)

test('publishing a course or a lesson that lacks something succeeds and says what is missing', async () => {
  const { ada, carla, path, section, add } = await createCourse(app, 'Unfinished')
  const publish = () => ada.write('PUT', `${path}/publication`, {})
  assert.deepEqual(listCodes(await publish()), ['no_lessons', 'no_price'])
  const draft = await add({ name: 'Kneading', type: 'video' })
  assert.deepEqual(draft.json.warnings, [], 'a draft may be empty')
  assert.deepEqual(listCodes(await publish()), ['no_lessons', 'no_price'])
  const shown = await carla.write('PATCH', `/lessons/${draft.json.id}`, { status: 'published' })
  assert.deepEqual(
    [shown.status, listCodes(shown), shown.json.warnings[0].ids],
    [200, ['lesson_without_content'], [draft.json.id]],
  )
  const types = ['audio', 'text', 'download', 'embed', 'quiz', 'assignment', 'live']
  const empty: string[] = []
  for (const type of types) {
    const { json, status } = await add({ name: type, type, status: 'published' })
    assert.equal(status, 201)
    assert.deepEqual(json.warnings[0].ids, [json.id], type)
    empty.push(json.id)
  }
  const { json: course } = await publish()
  assert.deepEqual(course.warnings[0].ids, [draft.json.id, ...empty], 'in the order of the outline')
  const text = await carla.write('PATCH', `/lessons/${empty[types.indexOf('text')]}`, { body: 'Fold it twice.' })
  assert.deepEqual(text.json.warnings, [])
  const embed = { embed_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' }
  assert.deepEqual(listCodes(await carla.write('PATCH', `/lessons/${empty[types.indexOf('embed')]}`, embed)), [])
  const dry = await ada.write('PUT', `${path}/publication?dry_run=true`, {})
  assert.equal(dry.json.result.warnings[0].ids.length, types.length + 1 - 2)
  assert.equal((await carla.get(`/sections/${section.id}`)).json.lesson_ids.length, types.length + 1)
})

test('an outline that is written whole says what a published course lacks then', async () => {
  const { ada } = await createCourse(app, 'Another one')
  const { json: course } = await ada.write('POST', '/courses', { name: 'Written whole' })
  const path = `/courses/${course.id}`
  const put = async (lessons: readonly object[]) => {
    const { headers } = await ada.get(`${path}/outline`)
    const body = { sections: [{ name: 'All', lessons }] }
    const reply = await ada.write('PUT', `${path}/outline`, body, { 'if-match': String(headers.etag) })
    assert.equal(reply.status, 200, reply.text)
    return reply
  }
  const video = { name: 'Kneading', type: 'video', status: 'published' }
  assert.deepEqual(listCodes(await put([video])), [], 'a draft may lack it')
  await ada.write('PUT', `${path}/publication`, {})
  const written = await put([video])
  const [section] = written.json.sections
  assert.deepEqual(
    [listCodes(written), written.json.warnings[0].ids],
    [['lesson_without_content'], [section.lessons[0].id]],
  )
  assert.deepEqual(listCodes(await put([])), ['no_lessons'])
  assert.equal((await ada.get(`${path}/outline`)).json.warnings, undefined)
})
