import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import {
  beginQuiz,
  entitle,
  findQuestion,
  LEARNING,
  makeQuiz,
  saveQuiz,
  submitQuiz,
  TEACHING,
} from '#testing/quizzes.ts'
import { isOfRequest } from '#testing/statements.ts'

const statements: string[] = []
const app = testApp({ onStatement: text => void (isOfRequest(text) && statements.push(text)) })
const smell = { kind: 'text', prompt: 'How does it smell?', grading: 'manual', points: 5 }

const countReads = (table: string): number =>
  statements.filter(text => new RegExp(String.raw`\b(?:from|join) ${table}\b`).test(text)).length

test('grading an attempt reads its answers, questions and marks once and stores the grade in one statement', async () => {
  const ada = await app.actor('ada', { scopes: [...TEACHING, 'students:read', 'students:write'] })
  const dev = await app.actor('dev', { scopes: LEARNING })
  const { lessonId, courseId } = await makeQuiz(ada, { passing_percentage: 80, questions: [smell] })
  await entitle(app, 'dev', courseId)
  const { id, ...begun } = await beginQuiz(dev, lessonId)
  const question = findQuestion(begun, smell.prompt)
  await saveQuiz(dev, id, [{ question_id: question.id, text: 'Of yoghurt.' }])
  await submitQuiz(dev, id)
  const { headers } = await ada.get(`/quiz-attempts/${id}`)
  const grade = { questions: [{ question_id: question.id, points: 4.5, feedback: 'And sour?' }] }
  statements.length = 0
  const graded = await ada.write('PUT', `/quiz-attempts/${id}/grade`, grade, { 'if-match': String(headers.etag) })
  assert.deepEqual([graded.status, graded.json.passed], [200, true], graded.text)
  for (const table of ['attempt_answers', 'attempt_marks', 'question_versions', 'question_keys'])
    assert.equal(countReads(table), 1, table)
  const stores = statements.filter(text => /\bupdate (?:attempt_marks|quiz_attempts)\b/.test(text))
  assert.equal(stores.length, 1, stores.join('\n'))
})
