import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { type AppProcess, startServer } from '#testing/app-process.ts'
import { jsonBody, send, type TestReply } from '#testing/http.ts'
import { retryWhileBusy } from '#testing/quizzes.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write', 'lecturers:read', 'lecturers:write', 'school:read']
const DAY = 24 * 3600
const processes: AppProcess[] = []
let due = ''

const ada = () => app.actor('ada', { scopes: SCOPES })

/** Sends the same write many times concurrently, half of them to each process. */
const race = (
  times: number,
  { token }: Actor,
  requestAt: (at: number) => { method: string; path: string; body?: unknown },
): Promise<TestReply[]> =>
  Promise.all(
    Array.from({ length: times }, (_, at) => {
      const { method, path, body } = requestAt(at)
      const request = body === undefined ? { method, path: `/api/v1${path}` } : jsonBody(method, `/api/v1${path}`, body)
      const headers = { authorization: `Bearer ${token}`, ...('headers' in request ? request.headers : {}) }
      const whole = { ...request, host: new URL(app.a.baseUrl).host, headers }
      return retryWhileBusy(() => send(processes[at % 2]?.port ?? 0, whole))
    }),
  )

const listCodes = (replies: readonly TestReply[]): string[] =>
  replies.map(({ status, json }) => (status < 300 ? String(status) : json.code)).sort()

suite('two processes on one database', () => {
  // What is scheduled while no worker runs becomes due, and then two processes start.
  before(async () => {
    const actor = await ada()
    const { json } = await actor.write('POST', '/courses', { name: 'While nobody worked' })
    due = `/courses/${json.id}`
    const [row] = await app.database.query<{ at: Date }>(`select stoa.now() + interval '2 days' as at`)
    const scheduled = await actor.write('PUT', `${due}/publication`, { at: row?.at.toISOString() })
    assert.equal(scheduled.status, 200, scheduled.text)
    await app.moveClock(40 * DAY)
    const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
    processes.push(...(await Promise.all([startServer(belonging), startServer(belonging)])))
  })
  after(() => Promise.all(processes.map(process => process.stop())))

  test('S-01 what became due while no worker ran for weeks is published once by two processes', async () => {
    const actor = await ada()
    const end = performance.now() + 20_000
    let course = (await actor.get(due)).json
    while (course.status !== 'published' && performance.now() < end) {
      await pause(20)
      course = (await actor.get(due)).json
    }
    // Made, scheduled, published: once each.
    assert.deepEqual([course.status, course.revision], ['published', 3])
    const facts = await app.database.query(
      `select id from facts where type = 'course.published' and school_id = $1 and payload ->> 'course_id' = $2`,
      [app.a.id, course.id],
    )
    assert.equal(facts.length, 1)
  })

  test('S-08 one of twenty courses that request the same slug concurrently gets it', async () => {
    const actor = await ada()
    const replies = await race(20, actor, () => ({
      method: 'POST',
      path: '/courses',
      body: { name: 'Wanted', slug: 'wanted' },
    }))
    const codes = listCodes(replies)
    assert.equal(codes.filter(code => code === '201').length, 1, codes.join())
    assert.ok(
      codes.every(code => ['201', 'slug_taken'].includes(code)),
      codes.join(),
    )
  })

  test('S-08 a published course keeps a lecturer, whatever is removed concurrently', async () => {
    const actor = await ada()
    for (let round = 0; round < 8; round++) {
      const { json: course } = await actor.write('POST', '/courses', { name: `Kept ${round}` })
      const path = `/courses/${course.id}`
      const profiles: string[] = []
      for (const n of [1, 2]) {
        const { json } = await actor.write('POST', '/lecturers', { display_name: `Guest ${round} ${n}` })
        await actor.write('PUT', `${path}/lecturers/${json.id}`)
        profiles.push(json.id)
      }
      assert.equal((await actor.write('PUT', `${path}/publication`, {})).status, 200)
      const replies = await race(2, actor, at => ({
        method: 'DELETE',
        path: round % 2 === 0 || at === 0 ? `/lecturers/${profiles[at]}` : `${path}/lecturers/${profiles[at]}`,
      }))
      const codes = listCodes(replies)
      assert.equal(codes.filter(code => code === 'sole_lecturer').length, 1, codes.join())
      assert.equal((await actor.get(path)).json.lecturer_ids.length, 1)
    }
  })

  test('S-08 a course that is published and archived concurrently changes its status one step at a time', async () => {
    const actor = await ada()
    const { json } = await actor.write('POST', '/courses', { name: 'Busy' })
    const path = `/courses/${json.id}`
    const replies = await race(30, actor, at => ({
      method: at % 3 === 2 ? 'DELETE' : 'PUT',
      path: `${path}/${at % 3 === 1 ? 'archive' : 'publication'}`,
      ...(at % 3 === 0 ? { body: {} } : {}),
    }))
    assert.ok(
      listCodes(replies).every(code => ['200', 'invalid_state'].includes(code)),
      listCodes(replies).join(),
    )
    const facts = await app.database.query<{ type: string; revision: number }>(
      `select type from facts where school_id = $1 and payload ->> 'course_id' = $2 and type <> 'course.created'`,
      [app.a.id, json.id],
    )
    assert.equal(
      (await actor.get(path)).json.revision,
      json.revision + facts.length,
      'each move is one fact and revision',
    )
  })
})
