import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import {
  choosing,
  entitle,
  findQuestion,
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

const yeast = {
  kind: 'single',
  prompt: 'What makes it rise?',
  choices: [
    { text: 'Yeast', is_correct: true },
    { text: 'Salt', is_correct: false },
  ],
}
const flours = {
  kind: 'multiple',
  prompt: 'Which are flours?',
  points: 2,
  choices: ['Rye', 'Spelt', 'Sugar'].map(text => ({ text, is_correct: text !== 'Sugar' })),
}
const salt = { kind: 'number', prompt: 'Grams of salt?', value: '20', tolerance: '2' }
const dough = { kind: 'text', prompt: 'The first dough?', accepted_answers: ['Levain'] }
const smell = { kind: 'text', prompt: 'How does it smell?', grading: 'manual', points: 5 }

const learn = () => app.actor('dev', { scopes: LEARNING })
const teach = () => app.actor('ada', { scopes: STAFF })

test('a student starts, saves repeatedly and submits, and is graded partly automatically and partly by a lecturer', async () => {
  const [ada, dev] = [await teach(), await learn()]
  const { lessonId, courseId } = await makeQuiz(ada, {
    passing_percentage: 80,
    questions: [yeast, flours, salt, dough, smell],
  })
  await entitle(app, 'dev', courseId)
  const byHand = `/account/lessons/${lessonId}/completion`
  assert.equal((await dev.write('PUT', byHand)).json.code, 'completed_by_work')
  const begun = await start(dev, lessonId)
  assert.deepEqual(
    [begun.status, begun.attempt_number, begun.points_possible, begun.expires_at, begun.points],
    ['started', 1, 10, null, null],
  )
  const of = (prompt: string) => findQuestion(begun, prompt)
  const words = { question_id: of(smell.prompt).id, text: 'Of yoghurt.' }
  const first = await save(dev, begun.id, [choosing(of(yeast.prompt), 'Salt'), words])
  assert.deepEqual([first.status, first.json.revision], [200, 2], first.text)
  const again = await save(dev, begun.id, [words])
  assert.equal(again.json.revision, 2, 'what is saved already is not written again')
  const rest = [
    choosing(of(yeast.prompt), 'Yeast'),
    choosing(of(flours.prompt), 'Rye'),
    { question_id: of(salt.prompt).id, number: '21.5' },
    { question_id: of(dough.prompt).id, text: ' LÉVAIN ' },
  ]
  const saved = await save(dev, begun.id, rest)
  assert.deepEqual(
    saved.json.questions.map(({ answer }: { answer: { text: string | null } }) => answer?.text ?? null),
    [null, null, null, ' LÉVAIN ', 'Of yoghurt.'],
  )
  const cleared = await save(dev, begun.id, [{ question_id: of(salt.prompt).id }])
  assert.equal(cleared.json.questions[2].answer, null)
  await save(dev, begun.id, rest)
  const handedIn = await submit(dev, begun.id)
  assert.deepEqual(
    [handedIn.json.status, handedIn.json.points, handedIn.json.passed, handedIn.json.timed_out_at],
    ['submitted', null, null, null],
    handedIn.text,
  )
  const twice = await submit(dev, begun.id)
  assert.deepEqual([twice.status, twice.json.revision], [200, handedIn.json.revision])
  const late = await save(dev, begun.id, [words])
  assert.deepEqual([late.status, late.json.code], [409, 'attempt_closed'])
  const queue = await ada.get(`/quiz-attempts?graded=false&course_id=${courseId}`)
  assert.deepEqual(
    queue.json.data.map(({ id, student }: { id: string; student: { name: string } }) => [id, student.name]),
    [[begun.id, 'Dev Patel']],
  )
  const read = await ada.get(`/quiz-attempts/${begun.id}`)
  assert.deepEqual(
    read.json.questions.map(({ points }: { points: number | null }) => points),
    [1, 1, 1, 1, null],
  )
  const grade = { questions: [{ question_id: of(smell.prompt).id, points: 4.5, feedback: 'And sour?' }] }
  const graded = await ada.write('PUT', `/quiz-attempts/${begun.id}/grade`, grade, {
    'if-match': String(read.headers.etag),
  })
  assert.deepEqual(
    [graded.json.status, graded.json.points, graded.json.percentage, graded.json.passed],
    ['graded', 8.5, 85, true],
    graded.text,
  )
  const blind = await ada.write('PUT', `/quiz-attempts/${begun.id}/grade`, grade)
  assert.deepEqual([blind.status, blind.json.code], [428, 'precondition_required'])
  const same = await ada.write('PUT', `/quiz-attempts/${begun.id}/grade`, grade, { 'if-match': '*' })
  assert.equal(same.json.revision, graded.json.revision)
  const stale = await ada.write('PUT', `/quiz-attempts/${begun.id}/grade`, grade, {
    'if-match': String(read.headers.etag),
  })
  assert.equal(stale.status, 412)
  const attempt = (await dev.get(`${OWN}/${begun.id}`)).json
  const { feedback, points } = attempt.questions[4]
  assert.deepEqual([attempt.passed, feedback, points], [true, 'And sour?', 4.5])
  const { json: done } = await dev.write('PUT', byHand)
  assert.deepEqual([done.completed_by, done.percent_complete], ['quiz', 100])
  const facts = await app.database.query<{ type: string }>(
    `select type from facts where payload ->> 'attempt_id' = $1 order by recorded_at, id`,
    [begun.id],
  )
  assert.deepEqual(facts.map(({ type }) => type).sort(), [
    'quiz_attempt.graded',
    'quiz_attempt.passed',
    'quiz_attempt.started',
    'quiz_attempt.submitted',
  ])
})

test('G-12 what does not go with how far an attempt has got is 409 and changes nothing', async () => {
  const [ada, dev] = [await teach(), await learn()]
  const { lessonId, courseId } = await makeQuiz(ada, { max_attempts: 1, questions: [yeast, smell] })
  const empty = await makeQuiz(ada, { questions: [] })
  for (const id of [courseId, empty.courseId]) await entitle(app, 'dev', id)
  assert.equal((await dev.write('POST', OWN, { lesson_id: empty.lessonId })).json.code, 'quiz_empty')
  const { id, questions } = await start(dev, lessonId)
  const open = await dev.write('POST', OWN, { lesson_id: lessonId })
  assert.deepEqual([open.status, open.json.code, open.json.attempt_id], [409, 'attempt_exists', id])
  const early = await ada.write('PUT', `/quiz-attempts/${id}/grade`, { questions: [] }, { 'if-match': '*' })
  assert.deepEqual([early.status, early.json.code], [409, 'attempt_in_progress'])
  await save(dev, id, [{ question_id: questions[1].id, text: 'Sour' }])
  await submit(dev, id)
  const used = await dev.write('POST', OWN, { lesson_id: lessonId })
  assert.deepEqual([used.status, used.json.code, used.json.max_attempts], [409, 'too_many_attempts', 1])
  const before = (await ada.get(`/quiz-attempts/${id}`)).json
  const grades: [unknown[], string][] = [
    [[], 'missing'],
    [[{ question_id: questions[0].id, points: 1 }], 'unknown'],
    [[{ question_id: questions[1].id, points: 5.5 }], 'too_many'],
    [[{ question_id: questions[1].id, points: 1.005 }], 'too_precise'],
    [Array.from({ length: 2 }, () => ({ question_id: questions[1].id, points: 1 })), 'twice'],
  ]
  for (const [questionGrades, code] of grades) {
    const refused = await ada.write(
      'PUT',
      `/quiz-attempts/${id}/grade`,
      { questions: questionGrades },
      { 'if-match': '*' },
    )
    assert.ok(
      refused.json.errors?.some((fault: { code: string }) => fault.code === code),
      `${code}: ${refused.text}`,
    )
  }
  assert.deepEqual((await ada.get(`/quiz-attempts/${id}`)).json, before)
  assert.equal((await dev.get(`${OWN}?lesson_id=${lessonId}&include_total=true`)).json.total, 1)
})

test('answers that do not go with the question are refused whole', async () => {
  const [ada, dev] = [await teach(), await learn()]
  const { lessonId, courseId } = await makeQuiz(ada, { questions: [yeast, flours, salt, dough] })
  await entitle(app, 'dev', courseId)
  const attempt = await start(dev, lessonId)
  const [one, many, number, text] = [yeast, flours, salt, dough].map(({ prompt }) => findQuestion(attempt, prompt))
  assert.ok(one && many && number && text)
  const right = choosing(one, 'Yeast')
  const wrong: [unknown, string][] = [
    [{ ...right, question_id: 'qst_00000000000000000000000000' }, '/answers/1/question_id'],
    [right, '/answers/1/question_id'],
    [{ question_id: many.id, choice_ids: [one.choices[0]?.id] }, '/answers/1/choice_ids/0'],
    [{ question_id: number.id, text: '20' }, '/answers/1/text'],
    [{ question_id: number.id, number: '20,5' }, '/answers/1/number'],
    [{ question_id: number.id, number: 20 }, '/answers/1/number'],
    [{ question_id: text.id, number: '20' }, '/answers/1/number'],
    [{ question_id: text.id, choice_ids: [one.choices[0]?.id] }, '/answers/1/choice_ids'],
    [{ question_id: text.id, points: 9 }, '/answers/1/points'],
  ]
  for (const [answer, pointer] of wrong) {
    const refused = await save(dev, attempt.id, [right, answer])
    assert.equal(refused.status, 422, refused.text)
    assert.ok(
      refused.json.errors.some((fault: { pointer: string }) => fault.pointer === pointer),
      `${pointer}: ${refused.text}`,
    )
  }
  const both = await save(dev, attempt.id, [choosing(one, 'Yeast', 'Salt')])
  assert.equal(both.json.errors[0].code, 'too_many')
  assert.deepEqual((await dev.get(`${OWN}/${attempt.id}`)).json, attempt)
})

test('changes of the quiz apply to the next attempt, and no attempt under way changes', async () => {
  const [ada, dev] = [await teach(), await learn()]
  const { lessonId, courseId, path } = await makeQuiz(ada, { passing_percentage: 100, questions: [yeast, salt] })
  await entitle(app, 'dev', courseId)
  const attempt = await start(dev, lessonId)
  const one = findQuestion(attempt, yeast.prompt)
  const { json: quiz } = await ada.get(path)
  const [kept, gone] = quiz.questions
  const turned = kept.choices.map((choice: { is_correct: boolean }) => ({ ...choice, is_correct: !choice.is_correct }))
  const edited = await ada.write('PUT', path, {
    passing_percentage: 10,
    questions: [{ id: kept.id, prompt: 'What slows it down?', points: 7, choices: turned }, dough],
  })
  assert.equal(edited.status, 200, edited.text)
  assert.deepEqual((await dev.get(`${OWN}/${attempt.id}`)).json, attempt)
  const right = choosing(one, 'Yeast')
  assert.equal((await save(dev, attempt.id, [right, { question_id: gone.id, number: '20' }])).status, 200)
  const closed = (await submit(dev, attempt.id)).json
  assert.deepEqual([closed.points, closed.points_possible, closed.percentage], [2, 2, 100])
  assert.deepEqual(closed.questions[0].correct.choice_ids, right.choice_ids)
  await ada.write('PATCH', path, { passing_percentage: 50 })
  await ada.write('PATCH', `${path}/questions/${kept.id}`, { explanation: 'Later' })
  const still = (await dev.get(`${OWN}/${attempt.id}`)).json
  assert.deepEqual(still, closed)
  const next = await start(dev, lessonId)
  assert.deepEqual(
    next.questions.map(({ prompt }: { prompt: string }) => prompt),
    ['What slows it down?', dough.prompt],
  )
})
