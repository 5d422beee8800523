import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { lookUp } from '#testing/examples.ts'
import type { TestReply } from '#testing/http.ts'
import { buildRequest, grantable, operations } from '#testing/matrix.ts'
import { choosing, entitle, findQuestion, makeQuiz, OWN, TEACHING, type TestQuiz } from '#testing/quizzes.ts'

const app = testApp()

const WHY = 'marker-explanation'
const ACCEPTED = 'marker-accepted'
const VALUE = '98765.4321'
const TOLERANCE = '0.123987'
const SECRETS = [WHY, ACCEPTED, VALUE, TOLERANCE, 'is_correct', '"correct"', '"explanation":"']

const single = {
  kind: 'single',
  prompt: 'Which?',
  explanation: WHY,
  choices: ['This', 'That'].map(text => ({ text, is_correct: text === 'This' })),
}
const words = { kind: 'text', prompt: 'What?', accepted_answers: [ACCEPTED], explanation: WHY }
const number = { kind: 'number', prompt: 'How many?', value: VALUE, tolerance: TOLERANCE, explanation: WHY }

// Consent does not offer what a role cannot do: Dev allows all as an owner.
const learnWithAllScopes = async (): Promise<Actor> => {
  const dev = await app.actor('dev', { scopes: grantable, approvedAs: 'owner' })
  assert.deepEqual([...dev.scopes].sort(), [...grantable].sort())
  return dev
}

/** Every answer that a learner can get by reading, of everything and of this quiz. */
const readAll = async (dev: Actor, ada: Actor, quiz: TestQuiz, more: readonly string[] = []): Promise<string[]> => {
  const texts: string[] = []
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    for (const by of [dev.token, ada.token]) {
      const found = await lookUp(operation, by, request => app.send(request)).catch(() => ({}))
      for (const token of [dev.token, undefined])
        texts.push((await app.send(buildRequest(operation, { ...found, token }))).text)
    }
  }
  const { json } = await ada.get(quiz.path)
  const questions = (json.questions ?? []).map(({ id }: { id: string }) => `${quiz.path}/questions/${id}`)
  const course = `/courses/${quiz.courseId}`
  const paths = [quiz.path, ...questions, course, `${course}/outline`, `${OWN}?lesson_id=${quiz.lessonId}`, ...more]
  for (const path of paths) texts.push((await dev.get(path)).text)
  return texts
}

const assertKept = (texts: readonly string[], when: string): void => {
  for (const text of texts)
    for (const secret of SECRETS) assert.ok(!text.includes(secret), `${secret} ${when}: ${text}`)
}

const texts = (...replies: readonly TestReply[]): string[] => replies.map(({ text }) => text)

test('decision 50: no response to a learner has correct answers or explanations until the attempt has ended and the quiz shows them', async () => {
  const ada = await app.actor('ada', { scopes: [...TEACHING, 'students:read'] })
  const dev = await learnWithAllScopes()
  const settings = { show_answers: 'never', passing_percentage: 100, shuffle_choices: true }
  const quiz = await makeQuiz(ada, { ...settings, questions: [single, words, number] })
  await entitle(app, 'dev', quiz.courseId)
  assertKept(await readAll(dev, ada, quiz), 'before an attempt')
  const begin = (query = '') => dev.write('POST', `${OWN}${query}`, { lesson_id: quiz.lessonId })
  const dry = await begin('?dry_run=true')
  assert.deepEqual([dry.status, dry.json.status, dry.json.result, dry.json.effects], [200, 201, null, []])
  const response = await begin()
  assert.equal(response.status, 201, response.text)
  const at = `${OWN}/${response.json.id}`
  const staffs = `/quiz-attempts/${response.json.id}`
  const wrong = { answers: [choosing(findQuestion(response.json, single.prompt), 'That')] }
  const saved = await dev.write('PUT', `${at}/answers`, wrong)
  const reply = await dev.write('PUT', `${at}/answers?dry_run=true`, wrong)
  const oracle = await dev.write('PUT', `${at}/submission?dry_run=true`)
  assert.deepEqual([oracle.json.status, oracle.json.result, oracle.json.effects], [200, null, []], oracle.text)
  assertKept([...texts(response, saved, reply, oracle), ...(await readAll(dev, ada, quiz, [at, staffs]))], 'under way')
  assert.equal((await dev.get(at)).json.status, 'started')
  const submitted = await dev.write('PUT', `${at}/submission`)
  assert.deepEqual([submitted.json.status, submitted.json.passed, submitted.json.percentage], ['graded', false, 0])
  const shown = async (): Promise<string[]> => texts(submitted, await dev.get(at), await dev.get(OWN))
  assertKept([...(await shown()), ...(await readAll(dev, ada, quiz, [at, staffs]))], 'when they are never shown')
  await ada.write('PATCH', quiz.path, { show_answers: 'after_passing' })
  assertKept(await readAll(dev, ada, quiz, [at, staffs]), 'without passing')
  await ada.write('PATCH', quiz.path, { show_answers: 'after_attempt' })
  const [text = ''] = texts(await dev.get(at))
  for (const secret of SECRETS.filter(one => one !== 'is_correct')) assert.ok(text.includes(secret), secret)
})

test('an attempt that is passed shows what was right where that is shown after passing', async () => {
  const ada = await app.actor('ada', { scopes: TEACHING })
  const dev = await app.actor('dev', { scopes: ['account:read', 'account:write'] })
  const settings = { show_answers: 'after_passing', passing_percentage: 50 }
  const quiz = await makeQuiz(ada, { ...settings, questions: [single] })
  await entitle(app, 'dev', quiz.courseId)
  const { json: attempt } = await dev.write('POST', OWN, { lesson_id: quiz.lessonId })
  const answers = [choosing(findQuestion(attempt, single.prompt), 'This')]
  await dev.write('PUT', `${OWN}/${attempt.id}/answers`, { answers })
  const { json } = await dev.write('PUT', `${OWN}/${attempt.id}/submission`)
  assert.deepEqual([json.passed, json.questions[0].explanation], [true, WHY])
  assert.deepEqual(json.questions[0].correct.choice_ids, answers[0]?.choice_ids)
})
