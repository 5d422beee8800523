import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { retryWhileBusy } from '#testing/quizzes.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write', 'curriculum:read', 'curriculum:write', 'school:read']

const yeast = {
  kind: 'single',
  prompt: 'What makes it rise?',
  choices: [
    { text: 'Yeast', is_correct: true },
    { text: 'Salt', is_correct: false },
  ],
  explanation: 'Salt slows it down.',
}
const salt = { kind: 'number', prompt: 'Grams of salt?', value: '20', tolerance: '2.5', points: 3 }
const smell = { kind: 'text', prompt: 'How does it smell?', grading: 'manual', points: 2 }

type Question = Record<string, unknown> & { id: string; choices: { id: string }[] }

/** Creates a course of Carla with one published lesson of a type; returns the path of its quiz. */
const readLesson = async (ada: Actor, kind = 'quiz', preview = false): Promise<string> => {
  const { json: course } = await ada.write('POST', '/courses', { name: `Course ${Math.random()}` })
  await ada.write('PUT', `/courses/${course.id}/publication`, {})
  const sections = [{ name: 'One', lessons: [{ name: 'Lesson', type: kind, status: 'published', preview }] }]
  const created = await ada.write('PUT', `/courses/${course.id}/outline`, { sections }, { 'if-match': '*' })
  assert.equal(created.status, 200, created.text)
  return `/lessons/${created.json.sections[0].lessons[0].id}/quiz`
}

const ids = ({ json }: { json: { questions: Question[] } }): string[] => json.questions.map(({ id }) => id)

test('a whole quiz is written, kept by ids, moved, changed, taken away and brought back', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const path = await readLesson(ada)
  assert.equal((await ada.get(path)).status, 404)
  const created = await ada.write('PUT', path, { passing_percentage: 66.67, questions: [yeast, salt, smell] })
  assert.equal(created.status, 200, created.text)
  const { json } = created
  assert.deepEqual(
    [json.passing_percentage, json.max_attempts, json.question_count, json.points_possible, json.revision],
    [66.67, null, 3, 6, 1],
  )
  const [one, two, three] = ids(created)
  const same = await ada.write('PUT', path, { questions: [{ id: one }, { id: two }, { id: three }] })
  assert.deepEqual(same.json, json, 'what is so already writes nothing')
  const [right, wrong] = json.questions[0].choices
  const changed = await ada.write('PUT', path, {
    max_attempts: 2,
    questions: [{ id: three }, { id: one, choices: [{ ...wrong, text: 'Much salt' }, right] }],
  })
  assert.deepEqual([ids(changed), changed.json.revision, changed.json.max_attempts], [[three, one], 2, 2])
  const [, first] = changed.json.questions
  assert.deepEqual(
    [first.version, first.position, first.choices.map(({ id }: Question) => id), first.explanation],
    [2, 1, [wrong.id, right.id], yeast.explanation],
  )
  assert.equal(changed.json.questions[0].version, 1, 'a move is no new version')
  const back = await ada.write('PUT', path, { questions: [{ id: two }] })
  assert.deepEqual([ids(back), back.json.questions[0].value], [[two], '20'])
  assert.deepEqual((await ada.get(path)).json.questions, back.json.questions)
})

test('single questions are added in a place, changed, moved and taken away, with their revision', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const path = await readLesson(ada)
  await ada.write('PUT', path, { questions: [yeast, salt] })
  const created = await ada.write('POST', `${path}/questions`, { ...smell, position: 1 })
  assert.deepEqual([created.status, created.json.position, created.json.version], [201, 1, 1], created.text)
  const at = `${path}/questions/${created.json.id}`
  assert.equal(created.headers.location?.endsWith(at), true)
  const { headers } = await ada.get(at)
  const moved = await ada.write('PATCH', at, { position: 0, points: 5 }, { 'if-match': String(headers.etag) })
  assert.deepEqual([moved.status, moved.json.position, moved.json.points, moved.json.version], [200, 0, 5, 2])
  const late = await ada.write('PATCH', at, { points: 6 }, { 'if-match': String(headers.etag) })
  assert.equal(late.status, 412)
  const refused = await ada.write('PATCH', at, { grading: 'automatic' })
  assert.deepEqual([refused.status, refused.json.errors[0].pointer], [422, '/accepted_answers'])
  assert.deepEqual(ids(await ada.get(path))[0], created.json.id)
  assert.equal((await ada.write('DELETE', at)).status, 204)
  assert.equal((await ada.get(at)).status, 404)
  assert.equal((await ada.write('DELETE', at)).status, 404)
  const { json } = await ada.get(path)
  assert.deepEqual([json.question_count, json.questions.map((one: Question) => one.position)], [2, [0, 1]])
  const settings = await ada.write('PATCH', path, { show_answers: 'never', time_limit_seconds: 60 })
  assert.deepEqual([settings.json.show_answers, settings.json.questions], ['never', json.questions])
  const again = await ada.write('PATCH', path, { show_answers: 'never' })
  assert.equal(again.json.revision, settings.json.revision)
})

const wrong: [question: Record<string, unknown>, pointer: string, code: string][] = [
  [{ prompt: 'x' }, '/kind', 'missing'],
  [{ ...yeast, prompt: '\u200b' }, '/prompt', 'words'],
  [{ ...yeast, choices: [{ text: 'one', is_correct: true }] }, '/choices', 'too_few'],
  [{ ...yeast, choices: yeast.choices.map(one => ({ ...one, is_correct: true })) }, '/choices', 'not_one_correct'],
  [
    { ...yeast, kind: 'multiple', choices: yeast.choices.map(one => ({ ...one, is_correct: false })) },
    '/choices',
    'none_correct',
  ],
  [{ ...yeast, value: '1' }, '/value', 'unwanted'],
  [{ ...yeast, grading: 'manual' }, '/grading', 'unwanted'],
  [{ ...yeast, accepted_answers: ['x'] }, '/accepted_answers', 'unwanted'],
  [{ kind: 'text', prompt: 'x' }, '/accepted_answers', 'missing'],
  [{ kind: 'text', prompt: 'x', accepted_answers: [' '] }, '/accepted_answers/0', 'line'],
  [{ ...smell, accepted_answers: ['x'] }, '/accepted_answers', 'unwanted'],
  [{ ...smell, choices: yeast.choices }, '/choices', 'unwanted'],
  [{ kind: 'number', prompt: 'x' }, '/value', 'missing'],
  [{ ...salt, tolerance: '-1' }, '/tolerance', 'negative'],
  [{ ...salt, value: '1e5' }, '/value', 'pattern'],
  [{ ...salt, id: 'qst_00000000000000000000000000' }, '/id', 'unknown'],
]

test('H-03 F-15 an invalid quiz is refused as a whole, with a pointer to each error', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const path = await readLesson(ada)
  await ada.write('PUT', path, { questions: [yeast, salt] })
  const before = (await ada.get(path)).json
  for (const [question, pointer, code] of wrong) {
    const refused = await ada.write('PUT', path, { questions: [{ id: before.questions[0].id }, question] })
    assert.equal(refused.status, 422, refused.text)
    assert.ok(
      refused.json.errors.some(
        (fault: { pointer: string; code: string }) => fault.pointer === `/questions/1${pointer}` && fault.code === code,
      ),
      `${pointer} ${code}: ${refused.text}`,
    )
  }
  const [one, two] = before.questions
  const twice = await ada.write('PUT', path, { questions: [{ id: one.id }, { id: one.id }] })
  assert.equal(twice.json.errors[0].code, 'twice')
  const other = await ada.write('PUT', path, { questions: [{ id: one.id, kind: 'multiple' }, { id: two.id }] })
  assert.equal(other.json.errors[0].code, 'fixed')
  const foreign = await ada.write('PUT', path, {
    questions: [{ id: one.id, choices: [{ ...one.choices[0], id: 'cho_00000000000000000000000000' }, one.choices[1]] }],
  })
  assert.equal(foreign.json.errors[0].pointer, '/questions/0/choices/0/id')
  for (const passing of [100.1, -1, 7.555, '70'])
    assert.equal((await ada.write('PATCH', path, { passing_percentage: passing })).status, 422, String(passing))
  assert.deepEqual((await ada.get(path)).json, before)
  const text = await readLesson(ada, 'text')
  const misplaced = await ada.write('PUT', text, { questions: [] })
  assert.deepEqual([misplaced.status, misplaced.json.code], [409, 'not_a_quiz'])
})

test('F-19 only managers of its course write a quiz; readers of the lesson see its settings', async () => {
  const [ada, carla, dev] = [
    await app.actor('ada', { scopes: SCOPES }),
    await app.actor('carla', { scopes: SCOPES }),
    await app.actor('dev', { scopes: ['curriculum:read', 'courses:read'] }),
  ]
  const closed = await readLesson(ada)
  const open = await readLesson(ada, 'quiz', true)
  for (const path of [closed, open])
    await ada.write('PUT', path, { questions: [yeast, { ...smell, prompt: 'zanzibar' }] })
  const draft = await readLesson(ada)
  const { json: hers } = await ada.write('PUT', draft, { questions: [yeast] })
  await ada.write('DELETE', `/courses/${hers.course_id}/publication`)
  const nowhere = '/lessons/les_00000000000000000000000000/quiz'
  for (const actor of [carla, dev]) {
    assert.equal((await actor.get(closed)).json.code, 'access_required')
    const [hidden, unknown] = [await actor.get(draft), await actor.get(nowhere)]
    assert.deepEqual([hidden.status, hidden.json.detail], [404, unknown.json.detail])
    const reply = await actor.get(open)
    assert.deepEqual([reply.status, reply.json.question_count, reply.json.points_possible], [200, 2, 3])
    assert.ok(!/zanzibar|Yeast|is_correct|slows/.test(reply.text), reply.text)
  }
  const before = (await ada.get(open)).json
  assert.equal((await carla.write('PUT', open, { questions: [] })).json.code, 'role_required')
  assert.equal((await carla.write('POST', `${open}/questions`, smell)).json.code, 'role_required')
  assert.equal((await dev.get(`${open}/questions/${before.questions[0].id}`)).json.code, 'role_required')
  assert.deepEqual((await ada.get(open)).json, before)
  const { json } = await carla.get('/courses/slug:sourdough-from-scratch/lessons')
  const lesson = json.data.find((one: { type: string }) => one.type === 'quiz').id
  assert.equal((await carla.write('POST', `/lessons/${lesson}/quiz/questions`, smell)).status, 201)
})

test('a copy of a course has quizzes of its own, with questions and choices of their own', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const path = await readLesson(ada)
  const created = await ada.write('PUT', path, { passing_percentage: 50, questions: [yeast, salt, smell] })
  const { json: copy } = await ada.write('POST', `/courses/${created.json.course_id}/copies`, {})
  const lesson = (await ada.get(`/courses/${copy.id}/outline`)).json.sections[0].lessons[0].id
  const copied = await ada.get(`/lessons/${lesson}/quiz`)
  const strip = (quiz: { questions: Question[] }) =>
    quiz.questions.map(({ kind, prompt, points, grading, value, tolerance, explanation, choices }) => [
      kind,
      prompt,
      points,
      grading,
      value,
      tolerance,
      explanation,
      choices.map(({ id: _id, ...choice }) => choice),
    ])
  assert.deepEqual(strip(copied.json), strip(created.json))
  assert.equal(copied.json.passing_percentage, 50)
  assert.deepEqual(
    ids(copied).filter(id => ids(created).includes(id)),
    [],
  )
})

test('S-08 concurrent additions lose no question, and no two questions have one position', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const path = await readLesson(ada)
  await ada.write('PUT', path, { questions: [yeast] })
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      retryWhileBusy(() => ada.write('POST', `${path}/questions`, { ...smell, prompt: `${n}`, position: 0 })),
    ),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  const { json } = await ada.get(path)
  assert.deepEqual(
    json.questions.map((one: Question) => one.position),
    Array.from({ length: 13 }, (_, place) => place),
  )
})
