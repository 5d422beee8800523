import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { type AppProcess, startServer } from '#testing/app-process.ts'
import { jsonBody, send, type TestReply } from '#testing/http.ts'
import { retryWhileBusy } from '#testing/quizzes.ts'
import { until } from '#testing/until.ts'

const app = testApp()
const SCOPES = ['pages:read', 'pages:write', 'school:read']
const DAY = 24 * 3600
// Longer than a worker holds the jobs that it has claimed.
const CLAIM = 400
const SCHEDULED = 24
const processes: AppProcess[] = []

const ada = () => app.actor('ada', { scopes: SCOPES })

const make = async (actor: Actor, body: object): Promise<{ path: string; revision: number }> => {
  const { status, json, text } = await actor.write('POST', '/pages', body)
  assert.equal(status, 201, text)
  return { path: `/pages/${json.id}`, revision: json.revision }
}

type Sent = {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly etag?: string | undefined
}

/** Sends writes concurrently, half of them to each process. */
const race = ({ token }: Actor, times: number, requestAt: (at: number) => Sent): Promise<TestReply[]> =>
  Promise.all(
    Array.from({ length: times }, (_, at) => {
      const { method, path, body, etag } = requestAt(at)
      const request = body === undefined ? { method, path: `/api/v1${path}` } : jsonBody(method, `/api/v1${path}`, body)
      const headers = {
        authorization: `Bearer ${token}`,
        ...('headers' in request ? request.headers : {}),
        ...(etag === undefined ? {} : { 'if-match': etag }),
      }
      const whole = { ...request, host: new URL(app.a.baseUrl).host, headers }
      return retryWhileBusy(() => send(processes[at % 2]?.port ?? 0, whole))
    }),
  )

const listCodes = (replies: readonly TestReply[]): string[] =>
  replies.map(({ status, json }) => (status < 300 ? String(status) : json.code)).toSorted()

const count = (codes: readonly string[], code: string): number => codes.filter(one => one === code).length

const readFacts = async (path: string, type: string): Promise<number> => {
  const page = path.slice('/pages/'.length)
  const rows = await app.database.query(
    `select id from facts where school_id = $1 and type = $2 and payload ->> 'page_id' = $3`,
    [app.a.id, type, page],
  )
  return rows.length
}

const schedule = async (actor: Actor, title: string): Promise<string> => {
  const { path } = await make(actor, { title })
  const [row] = await app.database.query<{ at: Date }>(`select stoa.now() + interval '2 days' as at`)
  const { status, text } = await actor.write('PUT', `${path}/publication`, { at: row?.at.toISOString() })
  assert.equal(status, 200, text)
  return path
}

const readPublished = async (actor: Actor, paths: readonly string[]): Promise<string[]> => {
  const { data } = (await actor.get('/pages?status=published&limit=100')).json
  const ids = new Set(data.map(({ id }: { readonly id: string }) => `/pages/${id}`))
  return paths.filter(path => ids.has(path))
}

suite('two processes on one database', () => {
  let scheduled: readonly string[] = []

  // What is scheduled while no worker runs becomes due; the first process that works on it is killed, and two others start.
  before(async () => {
    const actor = await ada()
    const paths: string[] = []
    for (let number = 1; number <= SCHEDULED; number++) paths.push(await schedule(actor, `Later ${number}`))
    scheduled = paths
    await app.moveClock(40 * DAY)
    const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
    const first = await startServer(belonging)
    const again = await ada()
    await until(async () => (await readPublished(again, paths)).length > 0, 'the first page')
    await first.kill()
    await app.moveClock(CLAIM)
    processes.push(...(await Promise.all([startServer(belonging), startServer(belonging)])))
  })
  after(() => Promise.all(processes.map(process => process.stop())))

  test('pages that are due are published once each, although a process was killed and two work at once', async () => {
    const actor = await ada()
    await until(async () => (await readPublished(actor, scheduled)).length === SCHEDULED, 'every page')
    for (const path of scheduled) {
      assert.equal(await readFacts(path, 'page.published'), 1, path)
      // Created, scheduled, published.
      assert.equal((await actor.get(path)).json.revision, 3, path)
    }
    const jobs = await app.database.query(`select id from jobs where kind = 'page_publication'`)
    assert.deepEqual(jobs, [])
  })

  test('of ten editors who read the same revision one saves, and the others learn of it', async () => {
    const actor = await ada()
    const { path } = await make(actor, { title: 'Edited by many' })
    const { etag } = (await actor.get(path)).headers
    const replies = await race(actor, 10, at => ({
      method: 'PATCH',
      path,
      etag,
      body: { title: `Editor ${at}`, blocks: [{ type: 'text', body: `By ${at}` }] },
    }))
    const codes = listCodes(replies)
    assert.deepEqual([count(codes, '200'), count(codes, 'precondition_failed')], [1, 9], codes.join())
    const winner = replies.find(({ status }) => status === 200)?.json
    const { title, blocks, version } = (await actor.get(path)).json
    assert.deepEqual([title, blocks, version], [winner.title, winner.blocks, 2])
  })

  test('a path that is wanted at once leads to one page', async () => {
    const actor = await ada()
    const first = await make(actor, { title: 'One', path: '/one' })
    const second = await make(actor, { title: 'Two', path: '/two' })
    for (const wanted of ['/wanted', '/wanted-too', '/wanted-again']) {
      const replies = await race(actor, 12, at => {
        if (at % 3 === 0) return { method: 'POST', path: '/pages', body: { title: 'Wanted', path: wanted } }
        if (at % 3 === 1) return { method: 'PATCH', path: first.path, body: { path: wanted } }
        return { method: 'PATCH', path: second.path, body: { redirects: [wanted] } }
      })
      const codes = listCodes(replies)
      // The same change of the same page may come several times; only one of the pages has the path.
      assert.ok(
        codes.every(code => ['200', '201', 'path_taken'].includes(code)),
        codes.join(),
      )
      const rows = await app.database.query<{ id: string }>(
        `select id from pages where school_id = $1 and path = $2
         union all select page_id from page_paths where school_id = $1 and path = $2`,
        [app.a.id, wanted],
      )
      assert.equal(rows.length, 1, wanted)
    }
  })

  test('of pages that become the home page at once one is, and twice the same is one change', async () => {
    const actor = await ada()
    const made = await Promise.all(['North', 'South', 'East'].map(title => make(actor, { title })))
    const replies = await race(actor, 12, at => ({ method: 'PUT', path: `${made[at % 3]?.path}/home` }))
    assert.deepEqual(new Set(listCodes(replies)), new Set(['200']))
    const homes = await app.database.query<{ id: string }>(`select id from pages where school_id = $1 and is_home`, [
      app.a.id,
    ])
    assert.equal(homes.length, 1)
    const { path } = await make(actor, { title: 'West' })
    const twice = await race(actor, 10, () => ({ method: 'PUT', path: `${path}/home` }))
    assert.deepEqual(new Set(listCodes(twice)), new Set(['200']))
    assert.equal(await readFacts(path, 'page.updated'), 1)
  })

  test('a page that is published, unpublished and deleted at once changes one step at a time', async () => {
    const actor = await ada()
    const { path, revision } = await make(actor, { title: 'Busy' })
    const replies = await race(actor, 20, at => ({
      method: at % 2 === 0 ? 'PUT' : 'DELETE',
      path: `${path}/publication`,
      ...(at % 2 === 0 ? { body: {} } : {}),
    }))
    assert.deepEqual(new Set(listCodes(replies)), new Set(['200']))
    const facts = (await readFacts(path, 'page.published')) + (await readFacts(path, 'page.unpublished'))
    assert.equal((await actor.get(path)).json.revision, revision + facts)
    const gone = await race(actor, 6, at => ({
      method: at % 2 === 0 ? 'DELETE' : 'PUT',
      path: at % 2 === 0 ? path : `${path}/home`,
    }))
    const codes = listCodes(gone)
    assert.ok(
      codes.every(code => ['200', '204', 'not_found'].includes(code)),
      codes.join(),
    )
    assert.equal(count(codes, '204'), 1, codes.join())
    assert.equal((await actor.get(path)).status, 404)
  })
})
