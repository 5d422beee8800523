import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromId, toId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import type { TestReply } from '#testing/http.ts'
import { enrollIn, LEARNING, TEACHING, teach } from '#testing/learning.ts'

const app = testApp()

const ada = () => app.actor('ada', { scopes: TEACHING })
const learner = (name: PersonName) => app.actor(name, { scopes: LEARNING })
const completion = (lesson: string | undefined): string => `/account/lessons/${lesson}/completion`

const completionFacts = async (enrollment: string | undefined): Promise<number> => {
  const rows = await app.database.query(
    `select from facts where school_id = $1 and type = 'enrollment.completed' and payload ->> 'enrollment_id' = $2`,
    [app.a.id, enrollment],
  )
  return rows.length
}

const people = ['dev', 'eli', 'femi'] as const

/** A course of three lessons: Dev lacks the last, Eli nothing, Femi the last two. */
const prepare = async (name: string) => {
  const staff = await ada()
  const course = await teach(staff, name, [{ name: 'a' }, { name: 'b' }, { name: 'c' }])
  const [a = '', b = '', c = ''] = course.lessons
  const enrollments = await Promise.all(people.map(person => enrollIn(app, person, course.id)))
  const [dev, eli, femi] = (await Promise.all(people.map(learner))) as [Actor, Actor, Actor]
  const done: [Actor, string][] = [
    [dev, a],
    [dev, b],
    [eli, a],
    [eli, b],
    [eli, c],
    [femi, a],
  ]
  for (const [actor, lesson] of done) assert.equal((await actor.write('PUT', completion(lesson))).status, 200)
  const ids = enrollments.map(id => toId('enr', id))
  const completed = async () => {
    const rows = await app.database.query<{ id: string }>(
      'select id from enrollments where course_id = (select course_id from lessons where id = $1) and completed_at is not null',
      [fromId('les', a)],
    )
    return rows.map(({ id }) => toId('enr', id)).sort()
  }
  return { staff, course, lessons: [a, b, c] as const, ids, dev, eli, femi, completed }
}

const reaching = ({ json }: TestReply) =>
  (json.result ?? json).warnings
    .filter(({ code }: { code: string }) => code === 'would_reach_all')
    .map(({ ids, message }: { ids: string[]; message: string }) => [ids, /^(\w+)/.exec(message)?.[1]])

test('every write that leaves a lesson out says whom it brings to 100 %, dry or not, and completes nobody', async () => {
  const { staff, course, lessons, ids, completed } = await prepare('Left out')
  const [a, b, c] = lessons
  const [dev, eli] = ids
  const said = [[[dev], 'One']]
  const path = `/lessons/${c}`
  const draft = { status: 'draft' }
  for (const body of [draft, { required_for_completion: false }])
    assert.deepEqual(reaching(await staff.write('PATCH', `${path}?dry_run=true`, body)), said)
  assert.deepEqual(reaching(await staff.write('PATCH', `${path}?dry_run=true`, { name: 'other' })), [])
  assert.deepEqual(reaching(await staff.write('DELETE', `${path}?dry_run=true`)), said)
  const outline = await staff.get(`/courses/${course.id}/outline`)
  const [section] = outline.json.sections
  const kept = [a, b].map((id, at) => ({ id, name: 'ab'[at] }))
  const body = { sections: [{ id: section.id, name: 'All', lessons: kept }] }
  const match = { 'if-match': String(outline.headers.etag) }
  const setOutline = (query: string) => staff.write('PUT', `/courses/${course.id}/outline${query}`, body, match)
  assert.deepEqual(reaching(await setOutline('?dry_run=true')), said)
  // A section with the last lesson alone.
  const other = await staff.write('POST', `/courses/${course.id}/sections`, { name: 'Last' })
  const moved = await staff.write('PUT', `${path}/placement`, { section_id: other.json.id })
  assert.equal(moved.status, 200, moved.text)
  const archived = await staff.write('DELETE', `/sections/${other.json.id}?dry_run=true`)
  assert.deepEqual(reaching(archived), said)
  assert.deepEqual(await completed(), [eli])
  assert.deepEqual(reaching(await staff.write('PATCH', path, draft)), said)
  assert.equal((await staff.write('PATCH', path, { status: 'published' })).status, 200)
  assert.deepEqual(await completed(), [eli])
})

test('who lacks nothing finishes the course themselves, or with whatever they do in it next', async () => {
  const { staff, lessons, ids, dev, eli, femi, completed } = await prepare('Finished')
  const [a, b, c] = lessons
  const finish = (actor: Actor, at: number, query = '') =>
    actor.write('PUT', `/account/enrollments/${ids[at]}/completion${query}`)
  const early = await finish(dev, 0)
  assert.deepEqual([early.status, early.json.code, early.json.lesson_ids], [409, 'not_complete', [c]])
  assert.equal((await finish(femi, 0)).status, 404, 'the enrollment of somebody else')
  assert.equal((await staff.write('DELETE', `/lessons/${c}`)).status, 200)
  assert.equal((await finish(dev, 0, '?dry_run=true')).status, 200)
  assert.deepEqual(await completed(), [ids[1]])
  const replies = await Promise.all([finish(dev, 0), finish(dev, 0), finish(eli, 1)])
  for (const reply of replies) assert.equal(reply.status, 200, reply.text)
  assert.ok(replies.every(({ json }) => json.percent_complete === 100 && json.completed_at !== null))
  assert.equal(await completionFacts(ids[0]), 1)
  assert.equal((await staff.write('PATCH', `/lessons/${b}`, { required_for_completion: false })).status, 200)
  // The only lesson that is still required was completed before: the same request again finishes the course.
  const again = await femi.write('PUT', completion(a))
  assert.equal(again.json.course_completed_at !== null, true)
  assert.deepEqual(await completed(), [...ids].sort())
})

test('an approval completes the course for as many people as it showed, or for nobody', async () => {
  const { staff, course, lessons, ids, completed } = await prepare('As shown')
  const [, b, c] = lessons
  const path = `/courses/${course.id}/completions`
  const leaveOut = (lesson: string) => staff.write('PATCH', `/lessons/${lesson}`, { required_for_completion: false })
  assert.equal((await leaveOut(c)).status, 200)
  const asked = await staff.write('POST', path)
  assert.equal(asked.json.confirmation.effects[0].payload.student_count, 1)
  // Before somebody approves it, another change brings Femi to 100 % too.
  assert.equal((await leaveOut(b)).status, 200)
  await assert.rejects(approveAs(app, 'ada', asked.json.confirmation.url), /conflict/)
  assert.deepEqual(await completed(), [ids[1]])
  const again = await staff.write('POST', path)
  assert.equal(again.json.confirmation.effects[0].payload.student_count, 2)
  await approveAs(app, 'ada', again.json.confirmation.url)
  assert.deepEqual(await completed(), [...ids].sort())
})

test('undoing the completion of a lesson that is not required completes the course for nobody', async () => {
  const { staff, lessons, ids, completed } = await prepare('Undone')
  const [, b, c] = lessons
  for (const lesson of [b, c])
    assert.equal((await staff.write('PATCH', `/lessons/${lesson}`, { required_for_completion: false })).status, 200)
  const { member_id: member } = (await staff.get(`/enrollments/${ids[0]}`)).json
  const byStaff = await staff.write('DELETE', `/students/${member}/lessons/${b}/completion`)
  assert.equal(byStaff.status, 200, byStaff.text)
  assert.deepEqual(await completed(), [ids[1]])
})

test('F-01 staff complete it for all who lack nothing, after a person confirmed how many, each once', async () => {
  const { staff, course, lessons, ids, dev, completed } = await prepare('For all')
  const path = `/courses/${course.id}/completions`
  const carla = await app.actor('carla', { scopes: TEACHING })
  assert.equal((await carla.write('POST', path)).status, 403)
  assert.equal((await dev.write('POST', path)).status, 403)
  assert.deepEqual((await staff.write('POST', path)).json, {
    course_id: course.id,
    completed_count: 0,
    certificate_count: 0,
  })
  const template = (await staff.get('/courses/slug:sourdough-from-scratch')).json.certificate_template_id
  const set = await staff.write('PATCH', `/courses/${course.id}`, { certificate_template_id: template })
  assert.equal(set.status, 200, set.text)
  assert.equal((await staff.write('PATCH', `/lessons/${lessons[2]}`, { status: 'draft' })).status, 200)
  const dry = await staff.write('POST', `${path}?dry_run=true`)
  assert.deepEqual(dry.json.result, { course_id: course.id, completed_count: 1, certificate_count: 1 })
  assert.match(dry.json.effects[0].mail, /people: 1,/)
  const asked = await staff.write('POST', path)
  assert.equal(asked.status, 202, asked.text)
  assert.deepEqual(await completed(), [ids[1]])
  await approveAs(app, 'ada', asked.json.confirmation.url)
  assert.deepEqual(await completed(), [ids[0], ids[1]].sort())
  assert.equal((await staff.write('POST', path)).json.completed_count, 0)
  assert.equal(await completionFacts(ids[0]), 1)
})
