import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { closeBundleItems } from '#src/areas/learning/index.ts'
import { fromId } from '#src/kit/ids.ts'
import { createHolders, readClock, writingTo } from '#testing/access.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { LEARNING, readMemberId, teach } from '#testing/learning.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { givePlan, openCourse, planner, type SoldPlan, sellPlan } from '#testing/memberships.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())
const writing = writingTo(app)

const MORE = ['students:read', 'students:write', 'curriculum:read', 'curriculum:write', 'digital_products:read']
const staff = () => planner(app, MORE)

const monthly = { payment_type: 'subscription', amount: 1900, interval: 'month' }

const club = async (ada: Actor, name: string): Promise<SoldPlan> =>
  sellPlan(ada, { name, plan_type: 'recurring' }, [monthly])

const readItems = async (ada: Actor, { path }: SoldPlan, query = ''): Promise<string[]> =>
  (await ada.get(`${path}/items${query}`)).json.data.map((one: { item: { name: string } }) => one.item.name)

const describeEffect = async (ada: Actor, method: 'PUT' | 'DELETE', path: string): Promise<string> => {
  const { json, text } = await ada.write(method, path)
  assert.equal(json.effects?.length, 1, text)
  return json.effects[0].access
}

test('an item opens to those who hold the plan, with an enrollment, and closes; the past is still known', async () => {
  const ada = await staff()
  const { id: course, lessons } = await teach(ada, 'Opened', [{ name: 'First' }])
  const plan = await club(ada, 'Opening')
  await givePlan(app, writing, { plan, name: 'dev' })
  const dev = await app.actor('dev', { scopes: [...LEARNING, 'membership_plans:read'] })
  const before = await readClock(app)
  await app.moveClock(60)
  assert.equal((await dev.get(`/lessons/${lessons[0]}`)).status, 403)
  await openCourse(ada, plan, course)
  await openCourse(ada, plan, course)
  assert.equal((await dev.get(`/lessons/${lessons[0]}`)).status, 200)
  assert.equal((await dev.get(plan.path)).json.has_access, true)
  const shown = (await app.send({ path: `/api/v1${plan.path}` })).json
  assert.deepEqual([shown.items.length, shown.item_count, shown.items[0].name], [1, 1, 'Opened'])
  assert.match(shown.items[0].path, /^\/courses\/opened/)
  await until(
    async () => (await dev.get(`/account/enrollments?course_id=${course}`)).json.data.length === 1,
    'an enrollment',
  )
  const during = await readClock(app)
  await app.moveClock(60)
  assert.equal((await ada.write('DELETE', `${plan.path}/items/course/${course}`)).status, 204)
  assert.equal((await ada.write('DELETE', `${plan.path}/items/course/${course}`)).status, 204)
  assert.equal((await dev.get(`/lessons/${lessons[0]}`)).status, 403)
  assert.deepEqual(await readItems(ada, plan), [])
  assert.deepEqual(await readItems(ada, plan, `?at=${during.toISOString()}`), ['Opened'])
  assert.deepEqual(await readItems(ada, plan, `?at=${before.toISOString()}`), [])
  const facts = await app.database.query<{ type: string }>(
    `select type from facts where payload->>'plan_id' = $1 and type like 'plan.item%' order by id`,
    [plan.id],
  )
  assert.deepEqual(
    facts.map(({ type }) => type),
    ['plan.item_added', 'plan.item_removed'],
  )
})

test('the dry run says who gains and who loses, without those who have the course otherwise', async () => {
  const ada = await staff()
  const { id: course } = await teach(ada, 'Also bought', [{ name: 'First' }])
  const plan = await club(ada, 'Counting')
  for (const name of ['dev', 'eli', 'femi'] as const) await givePlan(app, writing, { plan, name })
  const dev = fromId('mem', (await ada.get('/members?email=dev@crumb.example')).json.data[0].id) ?? ''
  const [uuid] = [fromId('crs', course) ?? '']
  // As an order for the course would.
  await app.database.query(
    `insert into entitlements (school_id, id, member_id, item_type, item_id, source, source_id, starts_at, created_at)
     values ($1, gen_random_uuid(), $2, 'course', $3, 'order_line', gen_random_uuid(), stoa.now(), stoa.now())`,
    [app.a.id, dev, uuid],
  )
  const item = `${plan.path}/items/course/${course}`
  assert.equal(
    await describeEffect(ada, 'PUT', `${item}?dry_run=true`),
    'The plan “Counting” opens “Also bought” to 3 members, of whom 2 had no access to it',
  )
  assert.deepEqual(await readItems(ada, plan), [])
  await openCourse(ada, plan, course)
  assert.equal(
    await describeEffect(ada, 'DELETE', `${item}?dry_run=true`),
    'The plan “Counting” no longer opens “Also bought”: of 3 members who hold it, 2 lose access to it',
  )
  assert.match(
    await describeEffect(ada, 'DELETE', `${item}?dry_run=true&keep_for_holders=true`),
    /3 members who hold it now keep it/,
  )
  assert.deepEqual(await readItems(ada, plan), ['Also bought'])
})

test('an item that is kept for holders stays open to those who held the plan, and later holders do not get it', async () => {
  const ada = await staff()
  const { id: course, lessons } = await teach(ada, 'Kept', [{ name: 'First' }])
  const plan = await club(ada, 'Keeping')
  await openCourse(ada, plan, course)
  await givePlan(app, writing, { plan, name: 'dev' })
  await app.moveClock(1)
  assert.equal((await ada.write('DELETE', `${plan.path}/items/course/${course}?keep_for_holders=true`)).status, 204)
  await app.moveClock(1)
  await givePlan(app, writing, { plan, name: 'eli' })
  const [dev, eli] = [await app.actor('dev', { scopes: LEARNING }), await app.actor('eli', { scopes: LEARNING })]
  assert.deepEqual(
    [(await dev.get(`/lessons/${lessons[0]}`)).status, (await eli.get(`/lessons/${lessons[0]}`)).status],
    [200, 403],
  )
})

test('a course that a plan opens is not deleted: 409 with the plan', async () => {
  const ada = await staff()
  const course = (await ada.write('POST', '/courses', { name: 'In a plan' })).json.id
  const plan = await club(ada, 'Using')
  await openCourse(ada, plan, course)
  const refused = await ada.write('DELETE', `/courses/${course}`)
  assert.equal(refused.status, 409)
  assert.deepEqual(refused.json.in_use, [{ kind: 'membership_plan', id: plan.id, count: 0 }])
  await ada.write('DELETE', `${plan.path}/items/course/${course}`)
  assert.equal((await ada.write('DELETE', `/courses/${course}`)).status, 202, 'a person approves it')
})

test('a plan opens no plan and nothing unknown, shows no draft to visitors, and opens at most 500 items', async () => {
  const ada = await staff()
  const plan = await club(ada, 'Bounded')
  const draft = (await ada.write('POST', '/courses', { name: 'Secret draft' })).json.id
  await openCourse(ada, plan, draft)
  assert.deepEqual(await readItems(ada, plan), ['Secret draft'])
  const visitor = await app.send({ path: `/api/v1${plan.path}` })
  assert.deepEqual(visitor.json.items, [])
  const items = await app.send({ path: `/api/v1${plan.path}/items` })
  assert.deepEqual(items.json.data, [])
  assert.doesNotMatch(visitor.text + items.text, /Secret draft/)
  assert.equal((await ada.write('PUT', `${plan.path}/items/membership_plan/${plan.id}`)).status, 404)
  const unknown = await ada.write('PUT', `${plan.path}/items/course/crs_${'0'.repeat(26)}`)
  assert.deepEqual([unknown.status, unknown.json.code], [422, 'unknown_item'])
  assert.equal((await ada.write('PUT', `${plan.path}/items/digital_product/${draft}`)).status, 404)
  assert.equal((await ada.write('DELETE', `${plan.path}/items/course/crs_${'0'.repeat(26)}`)).status, 404)
  await app.database.query(
    `insert into bundle_items (school_id, id, bundle_type, bundle_id, item_type, item_id, opened_at)
     select $1, gen_random_uuid(), 'membership_plan', $2, 'course', gen_random_uuid(), stoa.now() from generate_series(1, 499)`,
    [app.a.id, plan.uuid],
  )
  const more = (await ada.write('POST', '/courses', { name: 'One too many' })).json.id
  const refused = await ada.write('PUT', `${plan.path}/items/course/${more}`)
  assert.deepEqual([refused.status, refused.json.code], [409, 'too_many_items'])
  await writing(({ db }) => closeBundleItems(db, app.a.id, { type: 'membership_plan', id: plan.uuid }))
})

test('a course added for many holders is one row, open on another process within a second, and enrolls each once', async () => {
  const ada = await staff()
  const plan = await club(ada, 'Many')
  const { id: course, lessons } = await teach(ada, 'For many', [{ name: 'First' }])
  await createHolders(app, plan.uuid, 4000)
  // As autovacuum does within a minute.
  await app.database.query('analyze members, entitlements, bundle_items')
  await givePlan(app, writing, { plan, name: 'dev' })
  const rows = async () =>
    (await app.database.query<{ count: number }>('select count(*)::integer as count from bundle_items'))[0]?.count ?? 0
  const dev = await app.actor('dev', { scopes: LEARNING })
  const [before, { next_after: start }] = [await rows(), (await ada.get('/enrollments?after=0&limit=1')).json]
  assert.ok(start !== undefined)
  await openCourse(ada, plan, course)
  assert.equal(await rows(), before + 1)
  const opened = performance.now()
  assert.equal((await dev.get(`/lessons/${lessons[0]}`)).status, 200)
  assert.ok(performance.now() - opened < 1000)
  const enrolled = async () =>
    (
      await app.database.query<{ rows: number; people: number }>(
        `select count(*)::integer as rows, count(distinct member_id)::integer as people from enrollments
         where school_id = $1 and course_id = $2`,
        [app.a.id, fromId('crs', course)],
      )
    )[0]
  await until(async () => (await enrolled())?.rows === 4001, 'the enrollments')
  assert.deepEqual(await enrolled(), { rows: 4001, people: 4001 })
  assert.equal((await ada.get(plan.path)).json.holder_count, 4001)
  assert.ok(await readMemberId(app, 'dev'))
})

test('two staff who open and close the same item at once leave it open or closed, once', async () => {
  const ada = await staff()
  const plan = await club(ada, 'Racing')
  const course = (await ada.write('POST', '/courses', { name: 'Raced' })).json.id
  const item = `${plan.path}/items/course/${course}`
  for (let round = 0; round < 5; round++) {
    const replies = await Promise.all([
      ada.write('PUT', item),
      ada.write('PUT', item),
      ada.write('DELETE', item),
      ada.write('DELETE', item),
    ])
    assert.ok(replies.every(({ status }) => [200, 204, 404].includes(status)))
    const open = await app.database.query(`select id from bundle_items where bundle_id = $1 and closed_at is null`, [
      plan.uuid,
    ])
    assert.ok(open.length <= 1)
  }
})
