import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { StoredFact } from '#src/contract/fact.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'

const SCOPES = ['courses:read', 'courses:write', 'school:read']
const DAY = 24 * 3600
const heard: StoredFact[] = []
let mailbox: Mailbox
// An application without a worker, as when the worker was stopped, and one with it.
const still = testApp()
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
  subscribers: { 'course.published': [async fact => void heard.push(fact)] },
})
after(() => mailbox.stop())

const make = async (ada: Actor, name: string): Promise<string> =>
  `/courses/${(await ada.write('POST', '/courses', { name })).json.id}`

const inDays = async (of: typeof app, days: number): Promise<string> => {
  const [row] = await of.database.query<{ at: Date }>(`select stoa.now() + make_interval(days => $1) as at`, [days])
  assert.ok(row)
  return row.at.toISOString()
}

/** Polls until the course has the status; the worker polls each second, and a slow machine gets more time. */
const becomes = async (ada: Actor, path: string, status: string): Promise<Record<string, unknown>> => {
  const end = performance.now() + 20_000
  for (;;) {
    const { json } = await ada.get(path)
    if (json.status === status) return json
    if (performance.now() > end) throw new Error(`never ${status}: ${json.status}`)
    await pause(20)
  }
}

// Decision 39; every status can be kept.
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

for (const from of ['draft', 'scheduled', 'published', 'archived'] as const)
  for (const to of ['scheduled', 'published', 'archived'] as const)
    test(`G-12 ${from} → ${to}: ${MOVES.includes(`${from} → ${to}`) ? 'allowed' : from === to ? 'holds already' : '409'}`, async () => {
      const ada = await still.actor('ada', { scopes: SCOPES })
      const path = await make(ada, `${from} ${to}`)
      await bring[from](ada, path)
      const before = (await ada.get(path)).json
      assert.equal(before.status, from)
      const reply = await goes[to](ada, path)
      const now = (await ada.get(path)).json
      if (MOVES.includes(`${from} → ${to}`)) return assert.deepEqual([reply.status, now.status], [200, to], reply.text)
      // What holds already is 200 and writes nothing; a scheduled course may be given another instant.
      if (from === to && to !== 'scheduled') assert.deepEqual([reply.status, now], [200, before])
      else if (from === to) assert.deepEqual([reply.status, now.status], [200, to])
      else {
        assert.deepEqual([reply.status, reply.json.code], [409, 'invalid_state'])
        assert.deepEqual(now, before)
      }
    })

test('published and scheduled courses become drafts only by unpublishing, archived ones only by unarchiving', async () => {
  const ada = await still.actor('ada', { scopes: SCOPES })
  for (const from of ['scheduled', 'published'] as const) {
    const path = await make(ada, `back ${from}`)
    await bring[from](ada, path)
    const back = await ada.write('DELETE', `${path}/publication`)
    assert.deepEqual([back.status, back.json.status, back.json.publish_at], [200, 'draft', null])
    assert.equal((await still.send({ path: `/api/v1${path}` })).status, 404)
  }
  const path = await make(ada, 'back archived')
  await bring.archived(ada, path)
  const refused = await ada.write('DELETE', `${path}/publication`)
  assert.deepEqual([refused.status, refused.json.code], [409, 'invalid_state'])
  const before = (await ada.get(path)).json
  assert.deepEqual(before.status, 'archived')
  assert.equal((await ada.write('DELETE', `${path}/archive`)).json.status, 'draft')
  const { json } = await ada.write('DELETE', `${path}/archive`)
  assert.deepEqual([json.status, json.revision], ['draft', before.revision + 1])
})

test('a past instant is refused, and a dry run schedules nothing', async () => {
  const ada = await still.actor('ada', { scopes: SCOPES })
  const path = await make(ada, 'never')
  const past = await ada.write('PUT', `${path}/publication`, { at: '2020-01-01T00:00:00.000Z' })
  assert.deepEqual([past.status, past.json.code], [422, 'invalid_body'])
  const dry = await ada.write('PUT', `${path}/publication?dry_run=true`, { at: await inDays(still, 1) })
  assert.deepEqual([dry.status, dry.json.effects[0].type], [200, 'course.scheduled'], dry.text)
  const now = await ada.write('PUT', `${path}/publication?dry_run=true`, {})
  assert.match(now.json.effects[0].access, /public/)
  assert.equal((await ada.get(path)).json.status, 'draft')
  const jobs = await still.database.query(
    `select j.id from jobs j join courses c on c.id = j.id where j.kind = 'course_publication' and c.slug = 'never'`,
  )
  assert.deepEqual(jobs, [])
})

test('the worker publishes a scheduled course once its instant has come, once, and records the fact', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const path = await make(ada, 'Soon')
  const at = await inDays(app, 3)
  const scheduled = await ada.write('PUT', `${path}/publication`, { at })
  assert.deepEqual([scheduled.json.status, scheduled.json.publish_at], ['scheduled', at])
  assert.equal((await app.send({ path: `/api/v1${path}` })).status, 404)
  const taken = await make(ada, 'Taken back')
  await ada.write('PUT', `${taken}/publication`, { at })
  await ada.write('DELETE', `${taken}/publication`)
  const later = await make(ada, 'Later')
  await ada.write('PUT', `${later}/publication`, { at })
  await ada.write('PUT', `${later}/publication`, { at: await inDays(app, 30) })
  await app.moveClock(4 * DAY)
  const again = await app.actor('ada', { scopes: SCOPES })
  const published = await becomes(again, path, 'published')
  assert.deepEqual([published.publish_at, published.revision], [null, scheduled.json.revision + 1])
  assert.ok(String(published.published_at) >= at)
  assert.equal((await app.send({ path: `/api/v1${path}` })).status, 200)
  assert.deepEqual([(await again.get(taken)).json.status, (await again.get(later)).json.status], ['draft', 'scheduled'])
  const id = path.split('/').at(-1)
  const end = performance.now() + 20_000
  while (!heard.some(({ payload }) => payload.course_id === id) && performance.now() < end) await pause(20)
  assert.equal(heard.filter(({ payload }) => payload.course_id === id).length, 1)
  const log = await again.get('/school/audit-log?operation=publishCourse')
  const entries = log.json.data.filter((one: { resource_ids: string[] }) => one.resource_ids.includes(id ?? ''))
  assert.equal(entries.filter((one: { actor: { kind: string } }) => one.actor.kind === 'worker').length, 1)
})
