import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { type AppProcess, startServer } from '#testing/app-process.ts'
import { addAssignmentLesson } from '#testing/assignments.ts'
import { jsonBody, retryWhileBusy, send, type TestReply } from '#testing/http.ts'

const app = testApp()
const ROUNDS = 4
const processes: AppProcess[] = []
const learner = () => app.actor('dev', { scopes: ['account:read', 'account:write'] })
const teacher = (name: 'ada' | 'carla') => app.actor(name, { scopes: ['students:read', 'students:write'] })

type Write = { method: string; path: string; body?: unknown; headers?: Record<string, string> }

const sendTo = (at: number, { token }: Actor, { method, path, body, headers = {} }: Write): Promise<TestReply> => {
  const request = body === undefined ? { method, path: `/api/v1${path}` } : jsonBody(method, `/api/v1${path}`, body)
  const all = { authorization: `Bearer ${token}`, ...('headers' in request ? request.headers : {}), ...headers }
  const port = processes[at % 2]?.port ?? 0
  return retryWhileBusy(() => send(port, { ...request, host: new URL(app.a.baseUrl).host, headers: all }))
}

const listCodes = (replies: readonly TestReply[]): string[] =>
  replies.map(({ status, json }) => (status < 300 ? String(status) : `${status} ${json.code}`)).sort()

suite('two processes on one database', () => {
  before(async () => {
    const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
    processes.push(...(await Promise.all([startServer(belonging), startServer(belonging)])))
  })
  after(() => Promise.all(processes.map(process => process.stop())))

  test('one of ten concurrent submissions over two processes succeeds; the others are refused', async () => {
    const lesson_id = await addAssignmentLesson(app, 'Race')
    const dev = await learner()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        sendTo(at, dev, { method: 'POST', path: '/account/submissions', body: { lesson_id, text: `Try ${at}` } }),
      ),
    )
    assert.deepEqual(listCodes(replies), ['201', ...Array(9).fill('409 invalid_state')])
    const [only, ...others] = (await dev.get(`/account/submissions?lesson_id=${lesson_id}`)).json.data
    assert.deepEqual([only.attempt_number, others], [1, []])
  })

  test('one of two concurrent graders succeeds and the other is refused; mail and completion happen once', async () => {
    const [dev, ada, carla] = [await learner(), await teacher('ada'), await teacher('carla')]
    for (let round = 0; round < ROUNDS; round++) {
      const lesson_id = await addAssignmentLesson(app, `Graders ${round}`)
      const { json } = await dev.write('POST', '/account/submissions', { lesson_id, text: 'Mine.' })
      const path = `/submissions/${json.id}`
      const headers = { 'if-match': String((await ada.get(path)).headers.etag) }
      const replies = await Promise.all([
        sendTo(0, ada, { method: 'PUT', path: `${path}/grade`, body: { points: 90 }, headers }),
        round % 2 === 0
          ? sendTo(1, carla, { method: 'PUT', path: `${path}/grade`, body: { points: 60 }, headers })
          : sendTo(1, carla, { method: 'PUT', path: `${path}/return`, body: { feedback: 'Again.' }, headers }),
      ])
      assert.deepEqual(listCodes(replies), ['200', '412 precondition_failed'])
      const winner = replies.find(({ status }) => status === 200)
      const stored = (await ada.get(path)).json
      assert.deepEqual([stored.status, stored.grade, stored.revision], [winner?.json.status, winner?.json.grade, 2])
      const facts = await app.database.query(
        `select id from facts where type in ('submission.graded', 'submission.returned') and payload->>'submission_id' = $1`,
        [json.id],
      )
      assert.equal(facts.length, 1)
    }
  })

  test('a change or withdrawal during grading is refused, or the grader sees it: never both', async () => {
    const [dev, carla] = [await learner(), await teacher('carla')]
    for (let round = 0; round < ROUNDS; round++) {
      const lesson_id = await addAssignmentLesson(app, `Author ${round}`)
      const { json } = await dev.write('POST', '/account/submissions', { lesson_id, text: 'Before.' })
      const headers = { 'if-match': String((await carla.get(`/submissions/${json.id}`)).headers.etag) }
      const own = `/account/submissions/${json.id}`
      const [graded, changed] = await Promise.all([
        sendTo(0, carla, { method: 'PUT', path: `/submissions/${json.id}/grade`, body: { points: 80 }, headers }),
        round % 2 === 0
          ? sendTo(1, dev, { method: 'PATCH', path: own, body: { text: 'After.' } })
          : sendTo(1, dev, { method: 'DELETE', path: own }),
      ])
      const { json: stored } = await carla.get(`/submissions/${json.id}`)
      if (graded.status === 200) {
        assert.deepEqual(listCodes([changed]), ['409 invalid_state'])
        assert.deepEqual([stored.status, stored.text], ['graded', 'Before.'])
      } else if (round % 2 === 0) {
        assert.deepEqual(listCodes([graded, changed]), ['200', '412 precondition_failed'])
        assert.deepEqual([stored.status, stored.text], ['submitted', 'After.'])
      } else {
        assert.deepEqual(listCodes([graded, changed]), ['204', '404 not_found'])
        assert.equal(stored.code, 'not_found')
      }
    }
  })
})
