import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { StoredFact } from '#src/contract/fact.ts'
import { openDatabase } from '#src/db/database.ts'
import { fromId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { until } from '#testing/until.ts'
import { postStatus } from './status/queries.ts'

const SCOPES = ['posts:read', 'posts:write']
const DAY = 24 * 3600
const heard: StoredFact[] = []
let mailbox: Mailbox | undefined
// An application without a worker, as when the worker was stopped, and one with it.
const still = testApp()
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
  subscribers: { 'post.published': [async fact => void heard.push(fact)] },
})
after(() => mailbox?.stop())

const make = async (ada: Actor, title: string): Promise<string> =>
  `/posts/${(await ada.write('POST', '/posts', { title })).json.id}`

const inDays = async (of: typeof app, days: number): Promise<string> => {
  const [row] = await of.database.query<{ at: Date }>(`select stoa.now() + make_interval(days => $1) as at`, [days])
  assert.ok(row)
  return row.at.toISOString()
}

// The moves of courses (decision 39); every status can be kept.
const MOVES = ['draft → scheduled', 'draft → published', 'scheduled → published', 'published → archived']

const bring = {
  draft: async () => undefined,
  scheduled: async (ada: Actor, path: string) =>
    ada.write('PUT', `${path}/publication`, { at: await inDays(still, 1) }),
  published: (ada: Actor, path: string) => ada.write('PUT', `${path}/publication`, {}),
  archived: async (ada: Actor, path: string) => {
    await ada.write('PUT', `${path}/publication`, {})
    return ada.write('PUT', `${path}/archive`)
  },
} as const

const goes = {
  scheduled: bring.scheduled,
  published: bring.published,
  archived: (ada: Actor, path: string) => ada.write('PUT', `${path}/archive`),
} as const

test('a post moves between its statuses as the table says, and a refused move changes nothing', async () => {
  const ada = await still.actor('ada', { scopes: SCOPES })
  for (const from of ['draft', 'scheduled', 'published', 'archived'] as const)
    for (const to of ['scheduled', 'published', 'archived'] as const) {
      const path = await make(ada, `${from} ${to}`)
      await bring[from](ada, path)
      const before = (await ada.get(path)).json
      assert.equal(before.status, from)
      const reply = await goes[to](ada, path)
      const now = (await ada.get(path)).json
      const name = `${from} → ${to}`
      if (MOVES.includes(name)) assert.deepEqual([reply.status, now.status], [200, to], name)
      else if (from !== to) assert.deepEqual([reply.status, reply.json.code, now], [409, 'invalid_state', before], name)
      else assert.deepEqual([reply.status, now.status], [200, to], name)
    }
})

test('a scheduled post is published once by the worker, and one that was taken back is not', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const [path, taken] = [await make(ada, 'Soon'), await make(ada, 'Taken back')]
  const at = await inDays(app, 3)
  const scheduled = await ada.write('PUT', `${path}/publication`, { at })
  assert.deepEqual([scheduled.json.status, scheduled.json.publish_at], ['scheduled', at])
  assert.equal((await app.send({ path: `/api/v1${path}` })).status, 404)
  await ada.write('PUT', `${taken}/publication`, { at })
  await ada.write('DELETE', `${taken}/publication`)
  await app.moveClock(4 * DAY)
  const again = await app.actor('ada', { scopes: SCOPES })
  await until(async () => (await again.get(path)).json.status === 'published', 'the publication')
  const published = (await again.get(path)).json
  assert.deepEqual([published.publish_at, published.revision], [null, scheduled.json.revision + 1])
  assert.equal((await again.get(taken)).json.status, 'draft')
  const id = path.split('/').at(-1)
  await until(async () => heard.some(({ payload }) => payload.post_id === id), 'the fact')
  assert.equal(heard.filter(({ payload }) => payload.post_id === id).length, 1)
})

test('taken back while the worker has claimed it: not published', async () => {
  const ada = await still.actor('ada', { scopes: SCOPES })
  const path = await make(ada, 'Claimed')
  await ada.write('PUT', `${path}/publication`, { at: await inDays(still, 1) })
  const id = fromId('pst', path.split('/').at(-1) ?? '') ?? ''
  await still.moveClock(2 * DAY)
  const again = await still.actor('ada', { scopes: SCOPES })
  const kind = 'post_publication'
  const job = await postStatus.jobs[kind]?.()({ kind, schoolId: still.a.id, id, attempt: 1 })
  assert.ok(job)
  await again.write('DELETE', `${path}/publication`)
  const database = openDatabase(still.database.appUrl, { max: 1, wait: 10_000 })
  try {
    await database.transaction(still.a.id, db => job.settle(db))
  } finally {
    await database.close()
  }
  assert.equal((await again.get(path)).json.status, 'draft')
})
