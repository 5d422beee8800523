import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { beginQuiz, entitle, LEARNING, makeQuiz, saveQuiz, submitQuiz, TEACHING } from '#testing/quizzes.ts'

let mailbox: Mailbox | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())

const DEV = 'dev@crumb.example'
const smell = { kind: 'text', prompt: 'How does it smell?', grading: 'manual', points: 5 }
const dough = { kind: 'text', prompt: 'The first dough?', accepted_answers: ['Levain'] }

/** Waits until every fact was delivered and every mail sent; fails after a while. */
const untilIdle = async (): Promise<void> => {
  for (const end = performance.now() + 10_000; ; ) {
    const [row] = await app.database.query<{ waiting: number }>(
      `select count(*)::integer as waiting from jobs where kind in ('fact', 'mail')`,
    )
    if (row?.waiting === 0) return
    assert.ok(performance.now() < end, 'the worker did not come to an end')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

const mailsTo = (email: string) =>
  (mailbox?.arrived ?? []).filter(one => one.to.includes(email) && /“Quiz”|«Quiz»/.test(one.email.subject ?? ''))

test('a student gets one mail per manual grade, in their language, and no mail for automatic grading', async () => {
  const dev = await app.actor('dev', { scopes: LEARNING })
  const ada = await app.actor('ada', { scopes: [...TEACHING, 'students:read', 'students:write'] })
  const [read, machine] = [
    await makeQuiz(ada, { questions: [smell, dough] }),
    await makeQuiz(ada, { questions: [dough] }),
  ]
  for (const { courseId } of [read, machine]) await entitle(app, 'dev', courseId)
  const at = async (lessonId: string) => {
    const { id, questions } = await beginQuiz(dev, lessonId)
    await saveQuiz(dev, id, [{ question_id: questions[0].id, text: 'marker-words' }])
    return { id, question_id: questions[0].id, status: (await submitQuiz(dev, id)).json.status }
  }
  assert.equal((await at(machine.lessonId)).status, 'graded')
  const { id, question_id, status } = await at(read.lessonId)
  assert.equal(status, 'submitted')
  await untilIdle()
  assert.deepEqual(mailsTo(DEV), [], 'nobody has graded anything yet')
  const grade = (points: number, query = '') =>
    ada.write(
      'PUT',
      `/quiz-attempts/${id}/grade${query}`,
      { questions: [{ question_id, points, feedback: 'marker-feedback' }] },
      { 'if-match': '*' },
    )
  const dry = await grade(4, '?dry_run=true')
  assert.match(dry.text, /Tells the student by mail/)
  // Twice the same is one grade.
  for (const _ of [1, 2]) assert.equal((await grade(4)).status, 200)
  await untilIdle()
  const [mail, ...more] = mailsTo(DEV)
  assert.deepEqual([mail?.email.subject, more], ['Your answers in “Quiz” were graded', []])
  assert.doesNotMatch(String(mail?.email.text), /marker/, 'the mail says that, and nothing of what')
  await dev.write('PATCH', '/account', { locale: 'pt-PT' })
  assert.equal((await grade(5)).status, 200)
  await untilIdle()
  assert.deepEqual(
    mailsTo(DEV).map(({ email }) => email.subject),
    ['Your answers in “Quiz” were graded', 'As suas respostas em «Quiz» foram avaliadas'],
  )
})
