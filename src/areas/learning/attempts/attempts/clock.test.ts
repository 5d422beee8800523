import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { type AppProcess, startServer } from '#testing/app-process.ts'
import { jsonBody, retryWhileBusy, send, type TestReply } from '#testing/http.ts'
import {
  choosing,
  entitle,
  findQuestion,
  LEARNING,
  makeQuiz,
  OWN,
  beginQuiz as start,
  TEACHING,
} from '#testing/quizzes.ts'

const app = testApp()
const LIMIT = 60
const yeast = {
  kind: 'single',
  prompt: 'What makes it rise?',
  choices: ['Yeast', 'Salt'].map(text => ({ text, is_correct: text === 'Yeast' })),
}
const smell = { kind: 'text', prompt: 'How does it smell?', grading: 'manual' }

const teach = () => app.actor('ada', { scopes: [...TEACHING, 'students:read', 'students:write'] })
const learn = () => app.actor('dev', { scopes: LEARNING })

const readFacts = async (id: string): Promise<string[]> => {
  const rows = await app.database.query<{ type: string }>(
    `select type from facts where payload ->> 'attempt_id' = $1`,
    [id],
  )
  return rows.map(({ type }) => type.replace('quiz_attempt.', '')).sort()
}

test('an attempt whose time is up is over at that moment, to whoever reads or writes it, and is graded with what it has', async () => {
  const [ada, dev] = [await teach(), await learn()]
  const { lessonId, courseId } = await makeQuiz(ada, { time_limit_seconds: LIMIT, questions: [yeast] })
  await entitle(app, 'dev', courseId)
  const attempt = await start(dev, lessonId)
  assert.equal(Date.parse(attempt.expires_at) - Date.parse(attempt.started_at), LIMIT * 1000)
  const at = `${OWN}/${attempt.id}`
  const answers = [choosing(findQuestion(attempt, yeast.prompt), 'Yeast')]
  await app.moveClock(LIMIT - 10)
  assert.equal((await dev.write('PUT', `${at}/answers`, { answers })).status, 200)
  await app.moveClock(11)
  const { json: over } = await dev.get(at)
  assert.deepEqual([over.status, over.timed_out_at, over.points], ['timed_out', attempt.expires_at, null])
  assert.deepEqual(over.allowed_actions, ['getAccountQuizAttempt'])
  assert.ok(!('correct' in over.questions[0]))
  const listed = async (query: string) =>
    (await ada.get(`/quiz-attempts?lesson_id=${lessonId}&${query}`)).json.data.length
  assert.deepEqual(
    [await listed('status=started'), await listed('status=timed_out'), await listed('graded=false')],
    [0, 1, 1],
  )
  const late = await dev.write('PUT', `${at}/answers`, {
    answers: [choosing(findQuestion(attempt, yeast.prompt), 'Salt')],
  })
  assert.deepEqual([late.status, late.json.code], [409, 'attempt_closed'])
  assert.deepEqual((await dev.get(at)).json, over)
  const { json: settled } = await dev.write('PUT', `${at}/submission`)
  assert.deepEqual(
    [settled.status, settled.timed_out_at, settled.submitted_at, settled.points],
    ['graded', attempt.expires_at, null, 1],
  )
  assert.deepEqual(await readFacts(attempt.id), ['graded', 'started', 'timed_out'])
  assert.equal(await listed('graded=true'), 1)
})

test('starting again after the time limit ends the earlier attempt; so does reading it for grading', async () => {
  const [ada, dev] = [await teach(), await learn()]
  const { lessonId, courseId } = await makeQuiz(ada, {
    time_limit_seconds: LIMIT,
    max_attempts: 2,
    questions: [yeast, smell],
  })
  await entitle(app, 'dev', courseId)
  const first = await start(dev, lessonId)
  await app.moveClock(LIMIT + 1)
  const second = await start(dev, lessonId)
  assert.deepEqual([second.attempt_number, await readFacts(first.id)], [2, ['graded', 'started', 'timed_out']])
  const words = { question_id: findQuestion(second, smell.prompt).id, text: 'Sour.' }
  await dev.write('PUT', `${OWN}/${second.id}/answers`, { answers: [words] })
  await app.moveClock(LIMIT + 1)
  const refused = await dev.write('POST', OWN, { lesson_id: lessonId })
  assert.equal(refused.json.code, 'too_many_attempts')
  assert.deepEqual(await readFacts(second.id), ['started'], 'a refusal ends nothing')
  const questions = [{ question_id: words.question_id, points: 1 }]
  const graded = await ada.write('PUT', `/quiz-attempts/${second.id}/grade`, { questions }, { 'if-match': '*' })
  assert.deepEqual([graded.json.status, graded.json.points], ['graded', 1], graded.text)
  assert.deepEqual(await readFacts(second.id), ['graded', 'started', 'timed_out'])
})

suite('two processes, each with its worker', () => {
  const processes: AppProcess[] = []
  before(async () => {
    const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
    processes.push(...(await Promise.all([startServer(belonging), startServer(belonging)])))
  })
  after(() => Promise.all(processes.map(process => process.stop())))

  const sendTo = (at: number, actor: Actor, method: string, path: string, body?: unknown): Promise<TestReply> => {
    const headers = { authorization: `Bearer ${actor.token}` }
    const full = `/api/v1${path}`
    const request = body === undefined ? { method, path: full, headers } : jsonBody(method, full, body, headers)
    const port = processes[at % processes.length]?.port ?? 0
    return retryWhileBusy(() => send(port, { ...request, host: new URL(app.a.baseUrl).host }))
  }

  test('S-08 one of fifty concurrent starts succeeds, and every repeated start and submission counts', async () => {
    const [ada, dev] = [await teach(), await learn()]
    const { lessonId, courseId } = await makeQuiz(ada, { max_attempts: 3, questions: [yeast] })
    await entitle(app, 'dev', courseId)
    const begin = (at: number) => sendTo(at, dev, 'POST', OWN, { lesson_id: lessonId })
    const replies = await Promise.all(Array.from({ length: 50 }, (_, at) => begin(at)))
    const created = replies.filter(({ status }) => status === 201)
    assert.equal(created.length, 1)
    for (const { status, json } of replies.filter(one => one.status !== 201))
      assert.deepEqual([status, json.code, json.attempt_id], [409, 'attempt_exists', created[0]?.json.id])
    const beginAndSubmit = async (at: number): Promise<string> => {
      const { status, json } = await begin(at)
      const id = status === 201 ? json.id : json.attempt_id
      if (id === undefined) return json.code
      const { status: handed } = await sendTo(at + 1, dev, 'PUT', `${OWN}/${id}/submission`)
      assert.equal(handed, 200)
      return 'handed in'
    }
    let codes: string[] = []
    for (let round = 0; round < 4; round++)
      codes = await Promise.all(Array.from({ length: 50 }, (_, at) => beginAndSubmit(at)))
    assert.deepEqual(new Set(codes), new Set(['too_many_attempts']))
    const { json } = await dev.get(`${OWN}?lesson_id=${lessonId}`)
    assert.deepEqual(
      json.data.map(({ attempt_number: number, status }: { attempt_number: number; status: string }) => [
        number,
        status,
      ]),
      [1, 2, 3].map(number => [number, 'graded']),
    )
    for (const { id } of json.data) assert.deepEqual(await readFacts(id), ['graded', 'started', 'submitted'])
  })

  test('S-08 the clock, both workers and the learner end an attempt once together', async () => {
    const [ada, dev] = [await teach(), await learn()]
    const quizzes = await Promise.all(
      Array.from({ length: 8 }, () => makeQuiz(ada, { time_limit_seconds: LIMIT, questions: [yeast, smell] })),
    )
    const ids: string[] = []
    for (const { courseId, lessonId } of quizzes) {
      await entitle(app, 'dev', courseId)
      ids.push((await start(dev, lessonId)).id)
    }
    await app.moveClock(LIMIT + 1)
    // Half are left to the workers alone.
    const pressed = ids.slice(0, 4).flatMap(id => Array.from({ length: 6 }, () => id))
    const replies = await Promise.all(pressed.map((id, at) => sendTo(at, dev, 'PUT', `${OWN}/${id}/submission`)))
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
    const end = performance.now() + 20_000
    for (const id of ids) {
      for (;;) {
        const { json } = await dev.get(`${OWN}/${id}`)
        if (json.status === 'graded') {
          assert.deepEqual([json.timed_out_at, json.submitted_at, json.revision], [json.expires_at, null, 2])
          break
        }
        assert.ok(performance.now() < end, `never ended: ${json.status}`)
        await pause(20)
      }
      assert.deepEqual(await readFacts(id), ['graded', 'started', 'timed_out'])
    }
    const [audit] = await app.database.query<{ count: number }>(
      `select count(*)::integer as count from audit_log where operation = 'submitAccountQuizAttempt' and resource_ids && $1`,
      [ids],
    )
    assert.equal(audit?.count, ids.length)
    const [jobs] = await app.database.query<{ count: number }>(
      `select count(*)::integer as count from jobs where kind = 'quiz_attempt'`,
    )
    assert.equal(jobs?.count, 0)
  })
})
