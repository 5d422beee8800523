import assert from 'node:assert/strict'
import { test } from 'node:test'
import { erasePerson } from '#src/areas/people/index.ts'
import { people } from '#src/demo/index.ts'
import { fromId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { type Binnable, binnables, SCOPES, useBin } from '#testing/binned.ts'
import { approveAs } from '#testing/confirming.ts'
import type { TestReply } from '#testing/http.ts'
import { readMemberId } from '#testing/learning.ts'
import { areas } from '../src/areas.ts'

const app = testApp()
const { ada, remove, restore, readBin } = useBin(app)
const DAY = 24 * 3600

const countFacts = async (type: string, id: string): Promise<number> => {
  const found = await app.database.query(
    `select from facts where school_id = $1 and type = $2 and payload::text like $3`,
    [app.a.id, type, `%${id}%`],
  )
  return found.length
}

for (const { kind, make } of binnables) {
  test(`${kind}: of four restorations at once one restores, and the others return what is there`, async () => {
    const thing = await make(app, await ada(), 'raced')
    await remove(thing)
    const replies = await Promise.all([1, 2, 3, 4].map(() => restore(thing)))
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    assert.equal(new Set(replies.map(({ json }) => json.revision)).size, 1)
    assert.equal(await countFacts(`${kind}.restored`, thing.id), 1)
  })
}

const purge = async ({ purge: path }: Binnable): Promise<TestReply> => (await ada()).write('DELETE', path)

for (const { kind, make } of binnables.filter(one => one.kind !== 'lesson')) {
  test(`${kind}: deleted for good by a person who confirms it, it cannot be restored, and what is there is not purged`, async () => {
    const actor = await ada()
    const thing = await make(app, actor, 'ended')
    assert.equal((await purge(thing)).status, 404)
    await remove(thing)
    const asked = await purge(thing)
    assert.equal(asked.status, 202, asked.text)
    assert.equal((await readBin(`?id=${thing.id}`)).length, 1)
    await approveAs(app, 'ada', asked.json.confirmation.url)
    assert.deepEqual(await readBin(`?id=${thing.id}`), [])
    assert.equal((await restore(thing)).status, 404)
    assert.equal((await purge(thing)).status, 404)
    assert.deepEqual(
      [await countFacts(`${kind}.purged`, thing.id), await countFacts(`${kind}.restored`, thing.id)],
      [1, 0],
    )
  })

  test(`${kind}: of a restoration and an end at once one happens, whole`, async () => {
    const actor = await ada()
    for (const round of [1, 2, 3]) {
      const thing = await make(app, actor, `either-${round}`)
      await remove(thing)
      const asked = await purge(thing)
      const [restored] = await Promise.all([
        restore(thing),
        approveAs(app, 'ada', asked.json.confirmation.url).catch(() => undefined),
      ])
      const facts = [await countFacts(`${kind}.purged`, thing.id), await countFacts(`${kind}.restored`, thing.id)]
      assert.deepEqual(facts, restored.status === 200 ? [0, 1] : [1, 0])
      assert.equal((await actor.get(thing.path)).status, restored.status)
      assert.deepEqual(await readBin(`?id=${thing.id}`), [])
    }
  })

  test(`${kind}: its files are in use while it can be restored`, async () => {
    const actor = await ada()
    const thing = await make(app, actor, 'filed')
    await remove(thing)
    for (const id of thing.files) assert.equal((await actor.write('DELETE', `/uploads/${id}`)).json.code, 'file_in_use')
    const asked = await purge(thing)
    await approveAs(app, 'ada', asked.json.confirmation.url)
    for (const id of thing.files) {
      const deleted = await actor.write('DELETE', `/uploads/${id}`)
      assert.equal(deleted.status, 204, deleted.text)
    }
  })
}

const sweep = async (): Promise<void> => {
  const sweeps = areas.flatMap(area => area.sweeps ?? [])
  for (const one of sweeps)
    await app.database.elsewhere().statements(app.a.id, async db => {
      for (let after: string | undefined, at = 0; at < 50 && (at === 0 || after !== undefined); at++)
        after = await one(db, app.a.id, { most: 1, after })
    })
}

const countRows = async (table: string, id: string): Promise<number> =>
  (await app.database.query(`select from ${table} where id::text = $1`, [id])).length

// Sets for how many seconds everything has been in the bin.
const age = (seconds: number) =>
  app.database.query('update bin set deleted_at = stoa.now() - make_interval(secs => $1)', [seconds])

test('what has been in the bin for 30 days cannot be restored, a page is gone, and a lesson stays archived', async () => {
  const actor = await ada()
  const things = new Map<string, Binnable>()
  for (const { kind, make } of binnables) things.set(kind, await make(app, actor, 'old'))
  for (const thing of things.values()) await remove(thing)
  const ids = [...things.values()].map(({ id }) => id).sort()
  const page = things.get('page') ?? assert.fail()
  const pageId = fromId('pag', page.id) ?? ''
  await age(30 * DAY - 60)
  await sweep()
  const binned = (await readBin()).map(({ id }) => id)
  assert.deepEqual(binned.filter(id => ids.includes(id)).sort(), ids)
  assert.equal(await countRows('pages', pageId), 1)
  await age(30 * DAY)
  assert.deepEqual(await readBin(), [])
  for (const [kind, thing] of things) if (kind !== 'lesson') assert.equal((await restore(thing)).status, 404, kind)
  await sweep()
  assert.deepEqual([await countRows('pages', pageId), await countRows('bin', pageId)], [0, 0])
  const lesson = things.get('lesson') ?? assert.fail()
  assert.notEqual((await actor.get(lesson.path)).json.archived_at, null)
  const restored = await restore(lesson)
  assert.deepEqual([restored.status, restored.json.archived_at], [200, null])
})

test('a lesson comes back to where it was, with its section where that is archived too', async () => {
  const actor = await ada()
  const [, lessons] = binnables
  const thing = (await lessons?.make(app, actor, 'placed')) ?? assert.fail()
  const { section_id: section } = (await actor.get(thing.path)).json
  const before = (await actor.get(`/sections/${section}`)).json.lesson_ids
  const archived = await actor.write('DELETE', `/sections/${section}`)
  assert.equal(archived.status, 200, archived.text)
  const readLessons = async () => (await readBin('?kind=lesson&limit=100')).filter(({ id }) => before.includes(id))
  assert.equal((await readLessons()).length, before.length)
  assert.equal((await restore(thing)).status, 200)
  assert.deepEqual((await actor.get(`/sections/${section}`)).json.lesson_ids, [thing.id])
  await actor.write('PUT', `/lessons/${before[0]}/restoration`)
  await actor.write('PUT', `/lessons/${before[4]}/placement`, { section_id: section })
  assert.deepEqual((await actor.get(`/sections/${section}`)).json.lesson_ids, [before[0], thing.id, before[4]])
  const binned = (await readLessons()).map(({ id }) => id)
  assert.deepEqual(binned.sort(), [before[2], before[3]].sort())
})

test('a course in the bin has its lessons in it, and brings back those that it had', async () => {
  const actor = await ada()
  const [courses] = binnables
  const course = (await courses?.make(app, actor, 'whole')) ?? assert.fail()
  const [first] = (await actor.get(`${course.path}/lessons`)).json.data
  await actor.write('DELETE', `/lessons/${first.id}`)
  assert.equal((await readBin(`?id=${first.id}`)).length, 1)
  await remove(course)
  assert.deepEqual(await readBin(`?id=${first.id}`), [])
  assert.equal((await actor.write('PUT', `/lessons/${first.id}/restoration`)).status, 404)
  await restore(course)
  assert.equal((await readBin(`?id=${first.id}`)).length, 1)
  assert.equal((await actor.get(`/lessons/${first.id}`)).json.archived_at === null, false)
})

test('a planned publication is planned again, and one whose instant passed meanwhile is a draft', async () => {
  const actor = await ada()
  for (const { kind, make } of binnables.filter(one => ['course', 'post', 'page'].includes(one.kind))) {
    const thing = await make(app, actor, 'planned')
    await actor.write('DELETE', `${thing.path}/publication`)
    const [{ now = new Date() } = {}] = await app.database.query<{ now: Date }>('select stoa.now() as now')
    const at = new Date(now.getTime() + 3600 * 1000).toISOString()
    assert.equal((await actor.write('PUT', `${thing.path}/publication`, { at })).json.status, 'scheduled')
    await remove(thing)
    const early = await restore(thing)
    assert.deepEqual([early.json.status, early.json.publish_at], ['scheduled', at], kind)
    await remove(thing)
    const tables = 'courses posts pages'
      .split(' ')
      .map(name => `update ${name} set publish_at = stoa.now() where publish_at > stoa.now()`)
    await app.database.query(tables.join(';'))
    const late = await restore(thing)
    assert.deepEqual([late.json.status, late.json.publish_at], ['draft', null], kind)
  }
})

test('a student finds the bin empty; lecturers see and restore their lessons and drafts, and nothing of another school', async () => {
  const owner = await ada()
  const carla = await app.actor('carla', { scopes: SCOPES, approvedAs: 'owner' })
  const dev = await app.actor('dev', { scopes: SCOPES, approvedAs: 'owner' })
  const other = await app.actor('ada', { scopes: SCOPES, school: app.b })
  assert.equal((await app.send({ path: '/api/v1/bin' })).json.code, 'sign_in_required')
  const draft = (await carla.write('POST', '/posts', { title: 'Crust' })).json
  const made: Binnable[] = []
  for (const { make } of binnables) made.push(await make(app, owner, 'seen'))
  for (const thing of made) await remove(thing)
  assert.equal((await carla.write('DELETE', `/posts/${draft.id}`)).status, 204)
  const seen: { id: string; kind: string; deleted_by: { name: string } }[] = (await carla.get('/bin?limit=100')).json
    .data
  assert.deepEqual(
    seen.filter(({ kind }) => kind !== 'lesson').map(one => [one.id, one.deleted_by.name]),
    [[draft.id, people.carla.name]],
  )
  // She teaches the course of the lesson.
  assert.deepEqual((await dev.get('/bin?limit=100')).json.data, [])
  const lesson = made.find(({ isArchived }) => isArchived) ?? assert.fail()
  assert.ok(seen.some(({ id }) => id === lesson.id))
  assert.equal((await carla.write('PUT', `${lesson.path}/restoration`)).status, 200)
  for (const { path, id } of made.filter(thing => thing.isArchived !== true)) {
    for (const actor of [carla, dev]) {
      const { status } = await actor.write('PUT', `${path}/restoration`)
      assert.ok(status === 403 || status === 404, `${id}: ${status}`)
    }
    assert.equal((await other.write('PUT', `${path}/restoration`)).status, 404)
  }
  assert.ok(!(await other.get('/bin?limit=100')).text.includes('seen'))
  assert.equal((await readBin()).filter(({ name }) => name.includes('seen')).length, made.length - 1)
  assert.equal((await carla.write('PUT', `/posts/${draft.id}/restoration`)).json.title, 'Crust')
})

test('a token reads in the bin only the kinds whose lists it can read', async () => {
  const owner = await ada()
  for (const { make } of binnables) await remove(await make(app, owner, 'scoped'))
  const reader = await app.actor('ada', { scopes: ['school:read', 'posts:read'] })
  const { data } = (await reader.get('/bin?limit=100')).json
  assert.deepEqual([...new Set(data.map(({ kind }: { kind: string }) => kind))], ['post'])
  assert.deepEqual(data[0].allowed_actions, [])
})

test('an erased person is neither the author of what comes back nor who deleted it', async () => {
  const owner = await ada()
  const carla = await app.actor('carla', { scopes: SCOPES, approvedAs: 'owner' })
  const draft = (await carla.write('POST', '/posts', { title: 'Starter' })).json
  await carla.write('DELETE', `/posts/${draft.id}`)
  const memberId = await readMemberId(app, 'carla')
  await app.database
    .elsewhere()
    .transaction(app.a.id, (db, now) =>
      erasePerson({ db, school: app.a, now }, { id: memberId, email: people.carla.email }),
    )
  const [item] = (await owner.get(`/bin?id=${draft.id}`)).json.data
  assert.deepEqual([item.name, item.deleted_by], ['Starter', null])
  const restored = await restore({ path: `/posts/${draft.id}` })
  assert.equal(restored.status, 200, restored.text)
  assert.equal(restored.json.written_by, null)
})

test('a plan that a post in the bin names is in use, and so is the currency of prices that can come back', async () => {
  const owner = await ada()
  const plan = await owner.write('POST', '/membership-plans', { name: 'Crumbs', plan_type: 'lifetime' })
  assert.equal(plan.status, 201, plan.text)
  const plan_ids = [plan.json.id]
  const post = await owner.write('POST', '/posts', { title: 'Paid', access: 'paid', plan_ids })
  assert.equal((await owner.write('DELETE', `/posts/${post.json.id}`)).status, 204, post.text)
  const refused = await owner.write('DELETE', `/membership-plans/${plan.json.id}`)
  assert.deepEqual([refused.json.code, refused.json.in_use], ['plan_in_use', [{ kind: 'post', id: null, count: 1 }]])
  const readUses = async () => {
    const reply = await owner.write('PATCH', '/school', { currency: 'JPY' }, { 'if-match': '*' })
    assert.equal(reply.json.code, 'currency_in_use')
    return reply.json.uses
  }
  const [courses] = binnables
  const course = (await courses?.make(app, owner, 'priced')) ?? assert.fail()
  const uses = await readUses()
  await remove(course)
  assert.deepEqual(await readUses(), uses)
  await approveAs(app, 'ada', (await purge(course)).json.confirmation.url)
  assert.notDeepEqual(await readUses(), uses)
})
