import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { enrollIn, LEARNING, TEACHING, teach } from '#testing/learning.ts'

const app = testApp()

const SECRETS = ['Marker lesson', 'Marker work', 'Marker next']

const readEverything = async (actor: Actor, enrollmentId: string, courseId: string): Promise<string> => {
  const paths = [
    `/account/enrollments?course_id=${courseId}&expand=course`,
    `/account/enrollments/${enrollmentId}?expand=course`,
    `/account/enrollments/${enrollmentId}/progress`,
    '/account/due?limit=100',
    `/account/access?item=${courseId}`,
    `/account/enrollments/${enrollmentId}/progress?at=2020-01-01T00:00:00.000Z`,
    '/account/submissions',
    '/account/quiz-attempts',
    `/courses/${courseId}`,
    `/courses/${courseId}/outline`,
    `/courses/${courseId}/lessons`,
  ]
  const replies = await Promise.all(paths.map(path => actor.get(path)))
  return replies.map(({ text }) => text).join('\n')
}

test('a student of an unpublished course keeps enrollment and progress, and reads none of its lessons', async () => {
  const ada = await app.actor('ada', { scopes: TEACHING })
  const eli = await app.actor('eli', { scopes: LEARNING })
  const { id, lessons } = await teach(ada, 'Drafted again', [
    { name: 'Marker lesson' },
    { name: 'Marker work', type: 'assignment' },
    { name: 'Marker next' },
  ])
  const [first = '', work, next] = lessons
  await ada.write('PUT', `/lessons/${work}/assignment`, { instructions: 'Do!', required: true })
  await enrollIn(app, 'eli', id)
  assert.equal((await eli.write('PUT', `/account/lessons/${first}/completion`)).status, 200)
  const listed = async (query = '') => (await eli.get(`/account/enrollments?course_id=${id}${query}`)).json.data
  const [open] = await listed()
  const path = `/account/enrollments/${open.id}`
  const before = (await eli.get(`${path}/progress`)).json
  assert.deepEqual([open.access.state, open.current_lesson_id, before.lessons.length], ['active', work, 3])
  const shown = await readEverything(eli, open.id, id)
  for (const secret of SECRETS) assert.ok(shown.includes(secret), secret)

  assert.equal((await ada.write('DELETE', `/courses/${id}/publication`)).status, 200)
  const hidden = await readEverything(eli, open.id, id)
  for (const secret of [...SECRETS, first, work, next]) assert.ok(!hidden.includes(String(secret)), secret)
  const { json: kept } = await eli.get(path)
  assert.deepEqual(
    [kept.course_name, kept.access, kept.current_lesson_id, kept.percent_complete],
    ['Drafted again', { state: 'unpublished', from: null, until: null, reason: 'not_published' }, null, 33],
  )
  assert.deepEqual((await listed())[0].access, kept.access)
  assert.deepEqual([(await listed('&state=active')).length, (await listed('&state=unpublished')).length], [0, 1])
  const { json: progress } = await eli.get(`${path}/progress`)
  const figures = ({ percent_complete, required_count, completed_count, completed_at }: typeof before) => [
    percent_complete,
    required_count,
    completed_count,
    completed_at,
  ]
  assert.deepEqual(figures(progress), figures(before))
  assert.deepEqual([progress.lessons, progress.current_lesson_id], [[], null])
  const { json: why } = await eli.get(`/account/access?item=${id}`)
  assert.deepEqual([why.has_access, why.access.state, why.next], [false, 'unpublished', null])
  assert.equal(why.explanation.at(-1), 'The course is not published now.')
  for (const [method, to] of [
    ['PUT', 'completion'],
    ['DELETE', 'completion'],
    ['PUT', 'position'],
  ] as const) {
    const body = to === 'position' ? { seconds: 5 } : undefined
    assert.equal((await eli.write(method, `/account/lessons/${first}/${to}`, body)).status, 404, `${method} ${to}`)
  }

  // Staff read the entitlements, and see the content of a draft.
  const staffs = (await ada.get(`/enrollments?course_id=${id}&state=active`)).json.data
  assert.deepEqual(
    staffs.map((one: { access: { state: string } }) => one.access.state),
    ['active'],
  )
  assert.equal((await ada.get(`/students/${open.member_id}/progress?course_id=${id}`)).json.lessons.length, 3)
  assert.equal((await ada.write('PUT', `/courses/${id}/publication`, {})).status, 200)
  const again = (await eli.get(path)).json
  assert.deepEqual([again.access, again.current_lesson_id], [open.access, work])
  assert.deepEqual((await eli.get(`${path}/progress`)).json.lessons, before.lessons)
})

test('another reason without access is shown instead, and who may see the draft is not restricted', async () => {
  const ada = await app.actor('ada', { scopes: [...TEACHING, ...LEARNING.filter(one => one.startsWith('account'))] })
  const femi = await app.actor('femi', { scopes: LEARNING })
  const { id } = await teach(ada, 'Given up', [{ name: 'Marker lesson' }])
  for (const name of ['femi', 'ada'] as const) await enrollIn(app, name, id)
  const own = async (actor: Actor, query = '') =>
    (await actor.get(`/account/enrollments?course_id=${id}${query}`)).json.data[0]
  const { id: enrollment } = await own(femi)
  assert.equal((await ada.write('DELETE', `/courses/${id}/publication`)).status, 200)
  assert.equal((await own(femi)).access.state, 'unpublished')
  assert.equal((await femi.write('DELETE', `/account/enrollments/${enrollment}`)).status, 204)
  assert.equal((await own(femi)).access.state, 'ended')
  assert.equal((await own(femi, '&state=unpublished')) ?? 'none', 'none')
  const hers = await own(ada, '&state=active')
  assert.equal(hers.access.state, 'active')
  assert.equal((await own(ada, '&state=unpublished')) ?? 'none', 'none')
  assert.equal((await ada.get(`/account/enrollments/${hers.id}/progress`)).json.lessons.length, 1)
})
