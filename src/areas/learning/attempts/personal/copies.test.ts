import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { addAssignmentLesson, createClass } from '#testing/assignments.ts'
import { requestCopy } from '#testing/copies.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { choosing, entitle, findQuestion, LEARNING, makeQuiz, OWN, TEACHING } from '#testing/quizzes.ts'

let mailbox: Mailbox | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())

const SECRETS = [
  'marker-explanation',
  'marker-accepted',
  '98765.4321',
  '0.123987',
  'is_correct',
  'correct',
  'explanation',
]
const explanation = 'marker-explanation'
const single = {
  kind: 'single',
  prompt: 'Which?',
  explanation,
  choices: ['This', 'That', 'Other'].map(text => ({ text, is_correct: text === 'This' })),
}
const words = { kind: 'text', prompt: 'What?', accepted_answers: ['marker-accepted'], explanation }
const number = { kind: 'number', prompt: 'How many?', value: '98765.4321', tolerance: '0.123987', explanation }
const smell = { kind: 'text', prompt: 'How does it smell?', grading: 'manual', points: 5, explanation }

const learn = () => app.actor('dev', { scopes: LEARNING })
const teach = () => app.actor('ada', { scopes: [...TEACHING, 'students:read', 'students:write'] })

type Copied = { readonly prompt: string; readonly points?: number | null; readonly feedback?: string | null }

/** Returns a new export of Dev's data. */
const copyAgain = async () => {
  // One is made once a day. With a clock ahead of that of the disk, its bytes would be as old as what nothing refers to.
  await app.database.query('delete from exports')
  return requestCopy(await learn())
}

/** Returns Dev's answers in an attempt, as their export has them. */
const answersIn = async (attemptId: string): Promise<readonly Copied[]> => {
  const { text, data } = await copyAgain()
  for (const secret of SECRETS) assert.ok(!text.includes(secret), secret)
  return data.quiz_attempts.find(({ id }: { id: string }) => id === attemptId).answers
}

test('decision 50: the export of personal data has the answers and feedback of attempts, and no correct answers', async () => {
  const quiz = await makeQuiz(await teach(), { show_answers: 'never', questions: [single, words, number, smell] })
  await entitle(app, 'dev', quiz.courseId)
  const dev = await learn()
  const { json: begun } = await dev.write('POST', OWN, { lesson_id: quiz.lessonId })
  const readId = ({ prompt }: { prompt: string }): string => findQuestion(begun, prompt).id
  const that = choosing(findQuestion(begun, single.prompt), 'That')
  const answers = [
    that,
    { question_id: readId(number), number: '7.5' },
    { question_id: readId(smell), text: 'Of rye.' },
  ]
  assert.equal((await dev.write('PUT', `${OWN}/${begun.id}/answers`, { answers })).status, 200)
  const exportedAnswers = [
    { prompt: 'Which?', chosen: [{ id: that.choice_ids[0], text: 'That' }], text: null, number: null },
    { prompt: 'How many?', chosen: [], text: null, number: '7.5' },
    { prompt: 'How does it smell?', chosen: [], text: 'Of rye.', number: null },
  ]
  const ids = answers.map(one => ({ question_id: one.question_id }))
  const answersWith = (...grades: readonly object[]) =>
    exportedAnswers.map((one, at) => ({ ...ids[at], ...one, ...grades[at] }))
  assert.deepEqual(await answersIn(begun.id), answersWith(), 'under way')
  assert.equal((await (await learn()).write('PUT', `${OWN}/${begun.id}/submission`)).json.status, 'submitted')
  assert.deepEqual(await answersIn(begun.id), answersWith(), 'waiting for somebody to read it')
  const questions = [{ question_id: readId(smell), points: 4.5, feedback: 'And sour?' }]
  assert.equal(
    (await (await teach()).write('PUT', `/quiz-attempts/${begun.id}/grade`, { questions }, { 'if-match': '*' })).status,
    200,
  )
  const read = { points: 4.5, feedback: 'And sour?' }
  assert.deepEqual(
    await answersIn(begun.id),
    answersWith({}, {}, read),
    'what somebody read is told, whatever is shown',
  )
  await (await teach()).write('PATCH', quiz.path, { show_answers: 'after_attempt' })
  const none = { points: 0, feedback: '' }
  assert.deepEqual(await answersIn(begun.id), answersWith(none, none, read), 'what it was worth, and not why')
})

test('an export contains a person’s time extensions, with the notes of staff', async () => {
  const lessonId = await addAssignmentLesson(app, 'Given time')
  const carla = await createClass(app).teacher()
  const { json } = await carla.get('/students?limit=100')
  const readId = (name: string): string => json.data.find((one: { name: string }) => one.name.startsWith(name)).id
  const due = { local: '2030-04-07T23:59', time_zone: 'Europe/Lisbon' }
  const granted = await carla.write('PUT', `/students/${readId('Dev')}/assignments/${lessonId}/extension`, {
    due_at: due,
    note: 'marker-note',
  })
  assert.equal(granted.status, 200, granted.text)
  const { data } = await copyAgain()
  const extension = data.extensions.find((one: { lesson_id: string }) => one.lesson_id === lessonId)
  assert.deepEqual(extension.due_at, { ...due, utc: '2030-04-07T22:59:00.000Z' })
  assert.equal(extension.note, 'marker-note')
  assert.ok(
    !(await requestCopy(await app.actor('eli', { scopes: LEARNING }))).text.includes(lessonId),
    'of somebody else there is nothing',
  )
})
