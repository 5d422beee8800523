import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { enrollIn, LEARNING, TEACHING, teach } from '#testing/learning.ts'

const app = testApp()

test('F-19 an enrollment in an unpublished course shows text, price and lessons only to its managers', async () => {
  const ada = await app.actor('ada', { scopes: TEACHING })
  const { id } = await teach(ada, 'Taken back', [{ name: 'First' }])
  await enrollIn(app, 'dev', id)
  const dev = await app.actor('dev', { scopes: LEARNING })
  const own = `/account/enrollments?course_id=${id}&expand=course`
  const [before] = (await dev.get(own)).json.data
  assert.equal(before.course.name, 'Taken back')
  const progress = `/account/enrollments/${before.id}/progress`
  assert.equal((await dev.get(progress)).json.lessons[0].name, 'First')
  await ada.write('DELETE', `/courses/${id}/publication`)
  await ada.write('PATCH', `/courses/${id}`, { subtitle: 'Not told yet' })
  const [hidden] = (await dev.get(own)).json.data
  assert.deepEqual([hidden.id, hidden.access.state, 'course' in hidden], [before.id, 'unpublished', false])
  const one = await dev.get(`/account/enrollments/${before.id}?expand=course`)
  assert.deepEqual([one.status, one.text.includes('Not told yet')], [200, false])
  assert.deepEqual((await dev.get(progress)).json.lessons, [])
  const [enrollment] = (await ada.get(`/enrollments?course_id=${id}&expand=course`)).json.data
  assert.equal(enrollment.course.subtitle, 'Not told yet')
  // An archived course stays visible to its students.
  await ada.write('PUT', `/courses/${id}/publication`, {})
  await ada.write('PUT', `/courses/${id}/archive`)
  assert.equal((await dev.get(own)).json.data[0].course.subtitle, 'Not told yet')
  assert.equal((await dev.get(progress)).status, 200)
})
