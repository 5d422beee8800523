import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromId } from '#src/kit/ids.ts'
import { writingTo } from '#testing/access.ts'
import { testApp } from '#testing/app.ts'
import { givePlan, planner, sellPlan } from '#testing/memberships.ts'

const app = testApp()
const writing = writingTo(app)

const monthly = { payment_type: 'subscription', amount: 1900, interval: 'month' }
const once = { payment_type: 'one_time', amount: 9900 }

const anybody = (path: string) => app.send({ path: `/api/v1${path}` })

const readFacts = async (planId: string): Promise<string[]> =>
  (
    await app.database.query<{ type: string }>(`select type from facts where payload->>'plan_id' = $1 order by id`, [
      planId,
    ])
  ).map(({ type }) => type)

test('a plan is created as a draft, published, found by everybody, archived and restored; staff alone see a draft', async () => {
  const ada = await planner(app)
  const created = await ada.write('POST', '/membership-plans', {
    name: '  Gold   plan ',
    plan_type: 'recurring',
    description: 'All of it.',
    benefits: ['Bread', 'More  bread'],
    opens_posts: true,
    external_id: 'gold-1',
    seo: { title: 'Gold', description: null },
  })
  assert.equal(created.status, 201, created.text)
  const { id, slug } = created.json
  assert.deepEqual(
    [created.json.name, slug, created.json.status, created.json.benefits, created.json.external_id],
    ['Gold plan', 'gold-plan', 'draft', ['Bread', 'More bread'], 'gold-1'],
  )
  assert.deepEqual([created.json.holder_count, created.json.mrr, created.json.item_count], [0, 0, 0])
  assert.equal((await anybody(`/membership-plans/${id}`)).status, 404)
  const published = await ada.write('PUT', `/membership-plans/${id}/publication`)
  assert.deepEqual(
    published.json.warnings.map((one: { code: string }) => one.code),
    ['no_price'],
    'it opens posts, so it opens something',
  )
  for (const ref of [id, 'slug:gold-plan', 'external:gold-1']) {
    const { json } = await anybody(`/membership-plans/${ref}`)
    assert.deepEqual([json.id, json.external_id, json.holder_count, json.mrr, json.has_access], [id, ...Array(4)])
  }
  assert.ok((await anybody('/membership-plans')).json.data.some((one: { id: string }) => one.id === id))
  const archived = await ada.write('PUT', `/membership-plans/${id}/archive`)
  assert.equal(archived.json.status, 'archived')
  assert.equal((await anybody(`/membership-plans/${id}`)).status, 404)
  const refused = await ada.write('PUT', `/membership-plans/${id}/publication`)
  assert.deepEqual([refused.status, refused.json.code], [409, 'invalid_state'])
  assert.equal((await ada.write('DELETE', `/membership-plans/${id}/archive`)).json.status, 'draft')
  assert.deepEqual(await readFacts(id), ['plan.created', 'plan.published', 'plan.archived', 'plan.unarchived'])
})

test('every move between statuses that the table does not have is 409 with the plan unchanged', async () => {
  const ada = await planner(app)
  const statuses = { draft: [], active: ['PUT publication'], archived: ['PUT publication', 'PUT archive'] } as const
  const allowed = new Set(['draft>active', 'active>draft', 'active>archived', 'archived>draft'])
  const moves = { active: 'PUT publication', archived: 'PUT archive' } as const
  const write = (path: string, act: string) => {
    const [method = '', noun = ''] = act.split(' ')
    return ada.write(method as 'PUT', `${path}/${noun}`)
  }
  for (const [from, acts] of Object.entries(statuses))
    for (const [to, act] of Object.entries(moves)) {
      const { json } = await ada.write('POST', '/membership-plans', { name: `${from} to ${to}`, plan_type: 'lifetime' })
      const path = `/membership-plans/${json.id}`
      for (const one of acts) assert.equal((await write(path, one)).status, 200)
      const { revision } = (await ada.get(path)).json
      const reply = await write(path, act)
      const isAllowed = from === to || allowed.has(`${from}>${to}`)
      assert.deepEqual([from, to, reply.status], [from, to, isAllowed ? 200 : 409])
      if (!isAllowed || from === to) assert.equal((await ada.get(path)).json.revision, revision)
    }
  const { json } = await ada.write('POST', '/membership-plans', { name: 'Not unpublished', plan_type: 'lifetime' })
  const path = `/membership-plans/${json.id}`
  for (const act of ['PUT publication', 'PUT archive']) await write(path, act)
  assert.equal((await write(path, 'DELETE publication')).json.code, 'invalid_state')
  assert.equal((await ada.write('DELETE', path)).json.code, 'invalid_state')
})

test('a last day goes with fixed_date alone, a length with fixed_length alone, and both are checked', async () => {
  const ada = await planner(app)
  const refused: [Record<string, unknown>, string][] = [
    [{ plan_type: 'fixed_date' }, '/ends_on'],
    [{ plan_type: 'fixed_date', ends_on: '2020-01-31' }, '/ends_on'],
    [{ plan_type: 'fixed_date', ends_on: '2026-02-30' }, '/ends_on'],
    [{ plan_type: 'lifetime', ends_on: '2090-01-31' }, '/ends_on'],
    [{ plan_type: 'fixed_length' }, '/length'],
    [{ plan_type: 'recurring', length: { days: 3 } }, '/length'],
    [{ plan_type: 'lifetime', name: '​' }, '/name'],
    [{ plan_type: 'lifetime', welcome_page_id: `pag_${'0'.repeat(26)}` }, '/welcome_page_id'],
  ]
  for (const [values, pointer] of refused) {
    const { status, json, text } = await ada.write('POST', '/membership-plans', { name: 'Refused', ...values })
    assert.deepEqual([status, json.errors?.[0]?.pointer], [422, pointer], text)
  }
  for (const length of [{}, { days: 0 }, { days: 1, months: 1 }, { weeks: 1 }]) {
    const body = { name: 'Refused', plan_type: 'fixed_length', length }
    assert.equal((await ada.write('POST', '/membership-plans', body)).status, 422)
  }
  const dated = await ada.write('POST', '/membership-plans', {
    name: 'Dated',
    plan_type: 'fixed_date',
    ends_on: '2090-06-30',
  })
  // The school is in Lisbon, one hour before UTC in summer.
  assert.deepEqual([dated.json.ends_on, dated.json.ends_at], ['2090-06-30', '2090-06-30T23:00:00.000Z'])
  const long = await ada.write('POST', '/membership-plans', {
    name: 'Long',
    plan_type: 'fixed_length',
    length: { months: 18 },
  })
  assert.deepEqual([long.json.length, long.json.ends_at], [{ months: 18 }, null])
  const shorter = await ada.write('PATCH', `/membership-plans/${long.json.id}`, { length: { days: 30 } })
  assert.deepEqual(shorter.json.length, { days: 30 })
  const none = await ada.write('PATCH', `/membership-plans/${long.json.id}`, { length: null })
  assert.equal(none.json.errors[0].pointer, '/length')
})

test('a recurring plan has subscriptions alone, the others none, and the plan decides the access of its prices', async () => {
  const ada = await planner(app)
  const plan = async (values: Record<string, unknown>) =>
    `/membership-plans/${(await ada.write('POST', '/membership-plans', { name: 'Priced', ...values })).json.id}/prices`
  const recurring = await plan({ plan_type: 'recurring' })
  const long = await plan({ plan_type: 'fixed_length', length: { months: 6 } })
  for (const [path, price, pointer] of [
    [recurring, once, '/payment_type'],
    [recurring, { payment_type: 'free', amount: 0 }, '/payment_type'],
    [long, monthly, '/payment_type'],
    [long, { ...once, access: { days: 3 } }, '/access'],
    [long, { ...once, enrollment_cap: 3 }, '/enrollment_cap'],
  ] as const) {
    const { status, json } = await ada.write('POST', path, price)
    assert.deepEqual([status, json.errors?.[0]?.pointer], [422, pointer])
  }
  const first = await ada.write('POST', recurring, { ...monthly, trial_days: 14 })
  assert.deepEqual([first.status, first.json.trial_days, first.json.is_primary], [201, 14, true], first.text)
  const second = await ada.write('POST', recurring, { ...monthly, amount: 2100, replaces: first.json.id })
  assert.deepEqual([second.status, second.json.is_primary], [201, true], second.text)
  assert.deepEqual(
    (await ada.get(recurring)).json.data.map((one: { status: string }) => one.status),
    ['retired', 'active'],
  )
  const paid = await ada.write('POST', long, once)
  assert.deepEqual(paid.json.access, { days: null, until: null, months: 6 })
  const listed = (await ada.get(long)).json
  assert.deepEqual([listed.data[0].access.months, listed.has_access], [6, false])
  const retired = await ada.write('DELETE', `${long}/${paid.json.id}`)
  assert.equal(retired.json.status, 'retired')
  const primary = long.replace(/prices$/, 'primary-price')
  assert.equal((await ada.write('PUT', primary, { price_id: paid.json.id })).json.code, 'price_archived')
})

test('the type of a plan cannot change once somebody holds the plan or a price of the other kind is on sale', async () => {
  const ada = await planner(app)
  const plan = await sellPlan(ada, { name: 'Typed', plan_type: 'recurring' }, [monthly])
  const change = (plan_type: string) => ada.write('PATCH', plan.path, { plan_type })
  assert.equal((await change('lifetime')).json.code, 'plan_type_fixed')
  await ada.write('DELETE', `${plan.path}/prices/${plan.priceId}`)
  assert.equal((await change('lifetime')).json.plan_type, 'lifetime')
  assert.equal((await change('recurring')).json.plan_type, 'recurring')
  await givePlan(app, writing, { plan, name: 'dev' })
  const refused = await change('lifetime')
  assert.deepEqual([refused.status, refused.json.code], [409, 'plan_type_fixed'])
  assert.equal((await ada.get(plan.path)).json.plan_type, 'recurring')
})

test('slugs and external ids are unique, an earlier slug leads to the plan, and If-Match is honoured', async () => {
  const ada = await planner(app)
  const one = (await ada.write('POST', '/membership-plans', { name: 'Same name', plan_type: 'lifetime' })).json
  const other = (await ada.write('POST', '/membership-plans', { name: 'Same name', plan_type: 'lifetime' })).json
  assert.deepEqual([one.slug, other.slug], ['same-name', 'same-name-2'])
  assert.equal(
    (await ada.write('PATCH', `/membership-plans/${other.id}`, { slug: 'same-name' })).json.code,
    'slug_taken',
  )
  await ada.write('PATCH', `/membership-plans/${one.id}`, { external_id: 'x', slug: 'renamed' })
  const taken = await ada.write('PATCH', `/membership-plans/${other.id}`, { external_id: 'x' })
  assert.equal(taken.json.code, 'plan_external_id_taken')
  assert.equal((await ada.get('/membership-plans/slug:same-name')).json.slug, 'renamed')
  const stale = await ada.write('PATCH', `/membership-plans/${one.id}`, { name: 'Stale' }, { 'if-match': '"1"' })
  assert.equal(stale.status, 412)
})

test('a draft that nobody held is deleted; a plan that somebody held is kept, with what uses it', async () => {
  const ada = await planner(app)
  const { json } = await ada.write('POST', '/membership-plans', { name: 'Short-lived', plan_type: 'lifetime' })
  const path = `/membership-plans/${json.id}`
  assert.equal((await ada.write('DELETE', path)).status, 204)
  assert.equal((await ada.get(path)).status, 404)
  const held = await sellPlan(ada, { name: 'Held once', plan_type: 'lifetime' }, [once])
  await givePlan(app, writing, { plan: held, name: 'eli' })
  await ada.write('DELETE', `${held.path}/publication`)
  const refused = await ada.write('DELETE', held.path)
  assert.deepEqual([refused.status, refused.json.code], [409, 'plan_in_use'])
  assert.deepEqual(refused.json.in_use, [{ kind: 'member', id: null, count: 1 }])
})

test('the order of the plans is that of the school, and an unknown plan in it is refused', async () => {
  const ada = await planner(app)
  const ids: string[] = []
  for (const name of ['One', 'Two', 'Three'])
    ids.push((await ada.write('POST', '/membership-plans', { name, plan_type: 'lifetime' })).json.id)
  const ordered = await ada.write('PUT', '/membership-plans/order', { plan_ids: [...ids].reverse() })
  assert.deepEqual(ordered.json.plan_ids.slice(0, 3), [...ids].reverse())
  const listed = (await ada.get('/membership-plans?limit=3')).json.data.map((one: { id: string }) => one.id)
  assert.deepEqual(listed, [...ids].reverse())
  const unknown = await ada.write('PUT', '/membership-plans/order', { plan_ids: [`mpl_${'0'.repeat(26)}`] })
  assert.deepEqual([unknown.status, unknown.json.errors[0].pointer], [422, '/plan_ids/0'])
})

test('an unlisted plan is found by its address and in no list, and plans are found by their words', async () => {
  const ada = await planner(app)
  const plan = await sellPlan(ada, { name: 'Zwetschge plan', plan_type: 'lifetime', visibility: 'unlisted' }, [once])
  assert.equal((await anybody(`/membership-plans/slug:${plan.slug}`)).status, 200)
  assert.deepEqual((await anybody('/membership-plans?q=zwetsch')).json.data, [])
  const found = (await ada.get('/membership-plans?q=zwetsch')).json.data
  assert.deepEqual(
    found.map((one: { id: string }) => one.id),
    [plan.id],
  )
})

test('lecturers and students cannot write plans, and another school has none of these plans', async () => {
  const ada = await planner(app)
  const plan = await sellPlan(ada, { name: 'Only ours', plan_type: 'lifetime' }, [once])
  const carla = await app.actor('carla', { scopes: ['membership_plans:read'] })
  assert.equal((await carla.get(plan.path)).json.holder_count, undefined)
  assert.equal((await carla.get(`${plan.path}/holders`)).status, 403)
  const elsewhere = await app.actor('ada', { scopes: ['membership_plans:read'], school: app.b })
  assert.equal((await elsewhere.get(plan.path)).status, 404)
  assert.equal(fromId('mpl', plan.id), plan.uuid)
})
