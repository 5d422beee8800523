import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { fromId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { type AppProcess, startServer } from '#testing/app-process.ts'
import { jsonBody, send, type TestReply } from '#testing/http.ts'
import { retryWhileBusy } from '#testing/quizzes.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write', 'curriculum:read', 'curriculum:write']
const processes: AppProcess[] = []

type Write = { readonly method: string; readonly path: string; readonly body?: unknown }

/** Sends writes concurrently, every other one to the other process. */
const race = ({ token }: Actor, writes: readonly Write[]): Promise<TestReply[]> =>
  Promise.all(
    writes.map(({ method, path, body }, at) => {
      const request = body === undefined ? { method, path: `/api/v1${path}` } : jsonBody(method, `/api/v1${path}`, body)
      const headers = { authorization: `Bearer ${token}`, ...('headers' in request ? request.headers : {}) }
      const whole = { ...request, host: new URL(app.a.baseUrl).host, headers }
      return retryWhileBusy(() => send(processes[at % 2]?.port ?? 0, whole))
    }),
  )

const createOutline = async () => {
  const carla = await app.actor('carla', { scopes: SCOPES })
  const { json: course } = await carla.write('POST', '/courses', { name: 'Raced' })
  const path = `/courses/${course.id}`
  const sections: string[] = []
  for (const name of ['a', 'b', 'c']) sections.push((await carla.write('POST', `${path}/sections`, { name })).json.id)
  const lessons: string[] = []
  for (let at = 0; at < 9; at++) {
    const body = { name: `Lesson ${at}`, type: 'text' }
    lessons.push((await carla.write('POST', `/sections/${sections[at % 3]}/lessons`, body)).json.id)
  }
  return { carla, path, id: fromId('crs', course.id), sections, lessons }
}

/** The positions of a course's sections and lessons, without archived ones. */
const readPlaces = async (courseId: string | undefined): Promise<string[]> =>
  (
    await app.database.query<{ place: string }>(
      `select 'section ' || position as place from sections where course_id = $1 and archived_at is null
       union all select section_id || ' ' || position from lessons where course_id = $1 and archived_at is null`,
      [courseId],
    )
  ).map(({ place }) => place)

const listCodes = (replies: readonly TestReply[]): string[] =>
  [...new Set(replies.map(({ status, json }) => (status < 300 ? 'done' : json.code)))].sort()

suite('two processes on one database', () => {
  before(async () => {
    const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
    processes.push(...(await Promise.all([startServer(belonging), startServer(belonging)])))
  })
  after(() => Promise.all(processes.map(process => process.stop())))

  test('S-08 fifty concurrent moves, reorderings, additions and archivings leave each item in its own position', async () => {
    const { carla, path, id, sections, lessons } = await createOutline()
    const pick = <Item>(list: readonly Item[], at: number): Item => list[(at * 7 + 3) % list.length] as Item
    const writes = Array.from({ length: 50 }, (_, at): Write => {
      const lesson = `/lessons/${pick(lessons, at)}`
      const section = `/sections/${pick(sections, at)}`
      if (at % 10 === 9)
        return { method: 'POST', path: `${section}/lessons`, body: { name: 'new', type: 'text', position: 0 } }
      if (at % 10 === 8) return { method: 'PUT', path: `${section}/placement`, body: { position: at % 3 } }
      if (at % 10 === 7) return { method: 'DELETE', path: lesson }
      if (at % 10 === 6) return { method: 'POST', path: `${path}/sections`, body: { name: 'new', position: 0 } }
      return {
        method: 'PUT',
        path: `${lesson}/placement`,
        body: { section_id: pick(sections, at + 1), position: at % 4 },
      }
    })
    const replies = await race(carla, writes)
    // A request that waits longer than a second for the course is asked to retry, and does.
    assert.deepEqual(listCodes(replies), ['done'])
    const places = await readPlaces(id)
    assert.equal(new Set(places).size, places.length, places.join())
    const outline = (await carla.get(`${path}/outline`)).json
    const shown = outline.sections.flatMap((one: { lessons: { id: string }[] }) => one.lessons.map(lesson => lesson.id))
    assert.equal(new Set(shown).size, shown.length)
    const archived = (await carla.get(`${path}/lessons?archived=true&limit=100`)).json.data.length
    const additions = replies.filter(({ status }, at) => status === 201 && at % 10 === 9).length
    assert.equal(shown.length + archived, lessons.length + additions, 'none is lost')
  })

  test('S-08 one of twenty concurrent texts for one revision is kept; without If-Match all become versions', async () => {
    const { carla, lessons } = await createOutline()
    const at = `/lessons/${lessons[0]}`
    const etag = String((await carla.get(at)).headers.etag)
    const writes = Array.from({ length: 20 }, (_, n) => ({ method: 'PATCH', path: at, body: { body: `text ${n}` } }))
    const guarded = await Promise.all(
      writes.map(({ body }) => retryWhileBusy(() => carla.write('PATCH', at, body, { 'if-match': etag }))),
    )
    assert.deepEqual(guarded.filter(({ status }) => status === 200).length, 1)
    assert.deepEqual(listCodes(guarded), ['done', 'precondition_failed'])
    const free = await race(carla, writes)
    assert.deepEqual(listCodes(free), ['done'])
    // The one that says what is there already is no version, should it come first.
    const kept = free.filter(({ json }) => json.version > 1).length
    const versions = (await carla.get(`${at}/versions?limit=100`)).json.data
    const numbers = versions.map(({ number }: { number: number }) => number)
    assert.deepEqual(
      numbers,
      numbers.map((_: number, index: number) => numbers.length - index),
    )
    assert.equal(numbers.length, kept + 1)
  })
})
