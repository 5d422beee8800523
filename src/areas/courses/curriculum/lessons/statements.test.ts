import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { createCourse } from '#testing/curriculum.ts'
import type { TestReply } from '#testing/http.ts'

const statements: string[] = []
const app = testApp({ onStatement: text => void statements.push(text) })

const captureStatements = async (call: () => Promise<TestReply>): Promise<string[]> => {
  statements.length = 0
  const { status, text } = await call()
  assert.equal(status, 200, text)
  return [...statements]
}

// `update lessons … returning` also names the columns, but reads no lesson again.
const readsLesson = (text: string): boolean => /^\s*select l\.id, l\.course_id\b.*\bfrom lessons l\b/s.test(text)
const readsContent = (text: string): boolean => /^\s*select\b.*\bv\.body_html\b.*\bfrom lesson_versions v\b/s.test(text)
const readsView = (text: string): boolean => readsLesson(text) || readsContent(text)

test('a PATCH of a lesson reads the lesson once and its content once, with and without a new text', async () => {
  const { carla, add } = await createCourse(app, 'Statements')
  const { json } = await add({ name: 'Counted', type: 'text', body: '*one*', status: 'published' })
  const path = `/lessons/${json.id}`
  const patch = (body: object) => captureStatements(() => carla.write('PATCH', path, body))
  const get = await captureStatements(() => carla.get(path))
  assert.deepEqual([get.filter(readsLesson).length, get.filter(readsContent).length], [1, 1])
  for (const body of [{ name: 'Renamed' }, { body: '*two*' }, { name: 'Both', body: '*three*' }, { name: 'Both' }]) {
    const found = await patch(body)
    assert.deepEqual(
      [found.filter(readsLesson).length, found.filter(readsContent).length],
      [1, 1],
      `${JSON.stringify(body)}:\n${found.filter(readsView).join('\n')}`,
    )
  }
  const { json: after } = await carla.get(path)
  assert.deepEqual([after.name, after.body, after.version], ['Both', '*three*', 3])
})
