import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import {
  entitle,
  LEARNING,
  makeQuiz,
  OWN,
  saveQuiz as save,
  beginQuiz as start,
  submitQuiz as submit,
  TEACHING,
} from '#testing/quizzes.ts'

const app = testApp()
const STAFF = [...TEACHING, 'students:read', 'students:write', 'members:read', 'members:write']
const smell = { kind: 'text', prompt: 'How does it smell?', grading: 'manual', points: 5 }

const learn = () => app.actor('dev', { scopes: LEARNING })
const teach = () => app.actor('ada', { scopes: STAFF })

test('F-16 attempts are their own for learners; lecturers see their courses, staff all, in one list that can be read on', async () => {
  const [ada, dev, femi] = [await teach(), await learn(), await app.actor('femi', { scopes: LEARNING })]
  const { lessonId, courseId } = await makeQuiz(ada, { questions: [smell] })
  const kept = await femi.write('POST', OWN, { lesson_id: lessonId })
  assert.deepEqual([kept.status, kept.json.code], [403, 'access_required'])
  await ada.write('DELETE', `/courses/${courseId}/publication`)
  const hidden = await femi.write('POST', OWN, { lesson_id: lessonId })
  const unknown = await femi.write('POST', OWN, { lesson_id: 'les_00000000000000000000000000' })
  assert.deepEqual([hidden.status, hidden.json.detail], [404, unknown.json.detail])
  const carla = await app.actor('carla', { scopes: STAFF.filter(scope => !scope.startsWith('members:')) })
  assert.equal((await carla.get(`/quiz-attempts?course_id=${courseId}`)).status, 404)
  assert.equal((await ada.write('PUT', `/courses/${courseId}/publication`, {})).status, 200)
  await entitle(app, 'dev', courseId)
  const { id, questions } = await start(dev, lessonId)
  await save(dev, id, [{ question_id: questions[0].id, text: 'zanzibar' }])
  for (const path of [`${OWN}/${id}`, `/quiz-attempts/${id}`]) assert.notEqual((await femi.get(path)).status, 200)
  assert.equal((await save(femi, id, [{ question_id: questions[0].id, text: 'mine' }])).status, 404)
  assert.equal((await submit(femi, id)).status, 404)
  assert.equal((await carla.get(`/quiz-attempts/${id}`)).status, 404)
  assert.equal(
    (await carla.write('PUT', `/quiz-attempts/${id}/grade`, { questions: [] }, { 'if-match': '*' })).status,
    404,
  )
  const hers = (await carla.get('/quiz-attempts?limit=100')).json.data
  assert.ok(hers.length > 0 && hers.every((one: { course_id: string }) => one.course_id !== courseId))
  const another = await carla.get(`/quiz-attempts?course_id=${courseId}`)
  assert.deepEqual([another.status, another.json.code], [403, 'role_required'])
  await app.settled()
  const changes = (await ada.get(`/quiz-attempts?after=0&course_id=${courseId}`)).json
  assert.deepEqual(
    changes.data.map((one: { id: string }) => one.id),
    [id],
  )
  await submit(dev, id)
  await app.settled()
  const later = (await ada.get(`/quiz-attempts?after=${changes.next_after}&course_id=${courseId}`)).json
  assert.deepEqual(
    later.data.map((one: { status: string }) => one.status),
    ['submitted'],
  )
  const csv = await ada.get(`/quiz-attempts?course_id=${courseId}`, { accept: 'text/csv' })
  assert.match(csv.text, new RegExp(`^id,student_id,.*\\n${id},.*Dev Patel.*,submitted,`, 's'))
  assert.ok(!csv.text.includes('zanzibar'))
})

test('a merged account keeps the attempts of both, and an erased person’s answers are removed', async () => {
  const [ada, dev, femi] = [await teach(), await learn(), await app.actor('femi', { scopes: LEARNING })]
  const { lessonId, courseId } = await makeQuiz(ada, { max_attempts: 3, questions: [smell] })
  const memberId = async (name: string) => (await ada.get(`/members?email=${name}@crumb.example`)).json.data[0].id
  for (const [name, actor] of [
    ['dev', dev],
    ['femi', femi],
  ] as const) {
    await entitle(app, name, courseId)
    const { id, questions } = await start(actor, lessonId)
    await save(actor, id, [{ question_id: questions[0].id, text: `marker-${name}` }])
    await submit(actor, id)
    const grade = { questions: [{ question_id: questions[0].id, points: 1, feedback: `feedback-${name}` }] }
    await ada.write('PUT', `/quiz-attempts/${id}/grade`, grade, { 'if-match': '*' })
  }
  await start(femi, lessonId)
  const path = `/members/${await memberId('dev')}`
  const merging = await ada.write('POST', `${path}/merges`, { member_id: await memberId('femi') })
  await approveAs(app, 'ada', merging.json.confirmation.url)
  const mine = (await dev.get(`${OWN}?lesson_id=${lessonId}`)).json.data
  assert.deepEqual(mine.map((one: { attempt_number: number }) => one.attempt_number).sort(), [1, 2, 3])
  assert.equal((await dev.write('POST', OWN, { lesson_id: lessonId })).json.code, 'attempt_exists')
  const wordsIn = async (): Promise<string> => {
    const rows = await app.database.query<{ all: string }>(
      `select coalesce(string_agg(concat(a.text_answer, k.feedback), ' '), '') as all
       from attempt_answers a left join attempt_marks k using (school_id, attempt_id, question_id)
       join quiz_attempts q on q.school_id = a.school_id and q.id = a.attempt_id where q.lesson_id = $1`,
      [fromId('les', lessonId)],
    )
    return rows[0]?.all ?? ''
  }
  assert.match(await wordsIn(), /marker-dev.*|marker-femi/)
  const erasing = await ada.write('POST', `${path}/erasure`)
  await approveAs(app, 'ada', erasing.json.confirmation.url)
  assert.doesNotMatch(await wordsIn(), /marker|feedback/)
  const books = await ada.get(`/quiz-attempts?lesson_id=${lessonId}`)
  assert.deepEqual(
    books.json.data.map((one: { status: string; points: number }) => [one.status, one.points]),
    [
      ['graded', 1],
      ['graded', 1],
    ],
  )
})
