import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { retryWhileBusy } from '#testing/quizzes.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write']
const SOURDOUGH = '/courses/slug:sourdough-from-scratch'

const PLAN = { payment_type: 'payment_plan', amount: 1000, interval: 'month', number_of_payments: 3 }
const MONTHLY = { payment_type: 'subscription', amount: 1000, interval: 'month' }
const ONCE = { payment_type: 'one_time', amount: 1000 }

test('G-08 a price is refused by its rules: amounts, currency, periods, payments, trials and access', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const before = (await ada.get(`${SOURDOUGH}/prices`)).json
  const numbers = [-1, 1.5, '1', 1e13, null].map(amount => ({ ...ONCE, amount }))
  const wrong: object[] = [
    ...numbers,
    { ...ONCE, amount: 0 },
    { payment_type: 'free', amount: 1 },
    { ...ONCE, currency: 'USD' },
    { ...ONCE, interval: 'month' },
    { ...ONCE, interval_count: 2 },
    { ...ONCE, number_of_payments: 3 },
    { ...ONCE, trial_days: 7 },
    { ...PLAN, trial_days: 7 },
    { ...PLAN, number_of_payments: 1 },
    { ...PLAN, number_of_payments: undefined },
    { ...PLAN, interval: undefined },
    { ...MONTHLY, interval: undefined },
    { ...MONTHLY, interval: 'day' },
    { ...MONTHLY, number_of_payments: 3 },
    { ...MONTHLY, access: { days: 30 } },
    { ...ONCE, access: {} },
    { ...ONCE, access: { days: 30, until: '2099-01-01T00:00:00.000Z' } },
    { ...ONCE, access: { until: '2020-01-01T00:00:00.000Z' } },
    { ...ONCE, access: { days: 0 } },
    { ...ONCE, enrollment_cap: 0 },
    { ...ONCE, status: 'active' },
    { ...ONCE, is_primary: true },
    { ...ONCE, replaces: `prc_${'0'.repeat(26)}` },
    { amount: 1000 },
  ]
  for (const body of wrong) {
    const refused = await ada.write('POST', `${SOURDOUGH}/prices`, body)
    assert.deepEqual([refused.status, refused.json.code], [422, 'invalid_body'], JSON.stringify(body))
  }
  assert.deepEqual((await ada.get(`${SOURDOUGH}/prices`)).json, before)
})

test('prices of every kind are stored as created, in the currency of the school', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const course = (await ada.write('POST', '/courses', { name: 'Priced' })).json
  const createPrice = async (body: object) => (await ada.write('POST', `/courses/${course.id}/prices`, body)).json
  const plan = await createPrice({ ...PLAN, access: { days: 365 } })
  assert.deepEqual(
    [plan.currency, plan.interval_count, plan.number_of_payments, plan.access.days, plan.is_primary],
    ['EUR', 1, 3, 365, true],
  )
  const monthly = await createPrice({ ...MONTHLY, interval_count: 3, trial_days: 14, currency: 'EUR' })
  assert.deepEqual([monthly.interval_count, monthly.trial_days, monthly.is_primary], [3, 14, false])
  const dear = await createPrice({ ...ONCE, amount: 1_000_000_000_000, access: { until: '2099-01-01T00:00:00.000Z' } })
  assert.deepEqual([dear.amount, dear.access], [1_000_000_000_000, { days: null, until: '2099-01-01T00:00:00.000Z' }])
  const moved = await ada.write('PUT', `/courses/${course.id}/primary-price`, { price_id: monthly.id })
  assert.equal(moved.json.primary_price.id, monthly.id)
  for (const method of ['PATCH', 'PUT'] as const)
    assert.equal((await ada.write(method, `/courses/${course.id}/prices/${dear.id}`, { amount: 1 })).status, 405)
})

test('G-14 a new price replaces another, which is retired at the same moment and shown only to staff', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const before = (await ada.get(SOURDOUGH)).json.primary_price
  const created = await ada.write('POST', `${SOURDOUGH}/prices`, { ...ONCE, amount: 5500, replaces: before.id })
  assert.deepEqual([created.status, created.json.is_primary], [201, true], created.text)
  const again = await ada.write('POST', `${SOURDOUGH}/prices`, { ...ONCE, amount: 5600, replaces: before.id })
  assert.deepEqual([again.status, again.json.code], [409, 'price_archived'])
  const path = `/api/v1${SOURDOUGH}/prices`
  const open = await app.send({ path })
  assert.ok(!open.text.includes(before.id) && open.text.includes(created.json.id))
  assert.deepEqual((await app.send({ path: `${path}?status=retired` })).json.data, [])
  const retired = (await ada.get(`${SOURDOUGH}/prices?status=retired`)).json.data
  assert.deepEqual(
    retired.map(({ id, amount, status }: Record<string, unknown>) => [id, amount, status]),
    [[before.id, 4900, 'retired']],
  )
  const back = await ada.write('PUT', `${SOURDOUGH}/primary-price`, { price_id: before.id })
  assert.deepEqual([back.status, back.json.code], [409, 'price_archived'])
})

test('a price is retired once; the next one on sale becomes primary, if there is one', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const { json: course } = await ada.write('POST', '/courses', { name: 'Retiring' })
  const path = `/courses/${course.id}`
  const [one, two] = [
    (await ada.write('POST', `${path}/prices`, ONCE)).json,
    (await ada.write('POST', `${path}/prices`, PLAN)).json,
  ]
  const first = await ada.write('DELETE', `${path}/prices/${one.id}`)
  assert.deepEqual([first.status, first.json.status], [200, 'retired'], first.text)
  const { json: after } = await ada.get(path)
  assert.equal(after.primary_price.id, two.id)
  assert.equal((await ada.write('DELETE', `${path}/prices/${one.id}`)).status, 200)
  assert.equal((await ada.get(path)).json.revision, after.revision)
  await ada.write('DELETE', `${path}/prices/${two.id}`)
  assert.equal((await ada.get(path)).json.primary_price, null)
  const other = await ada.write('DELETE', `${SOURDOUGH}/prices/${two.id}`)
  assert.equal(other.status, 404)
})

test('exactly one of the concurrent creates at the limit succeeds, and there is one primary price', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const { json: course } = await ada.write('POST', '/courses', { name: 'Full' })
  const path = `/courses/${course.id}/prices`
  const replies = await Promise.all(
    Array.from({ length: 25 }, () => retryWhileBusy(() => ada.write('POST', path, ONCE))),
  )
  const codes = replies.map(({ status, json }) => (status === 201 ? 'made' : json.code)).sort()
  assert.deepEqual(codes, [...Array(20).fill('made'), ...Array(5).fill('too_many_prices')])
  const { data } = (await ada.get(`${path}?limit=100`)).json
  assert.deepEqual([data.length, data.filter((one: { is_primary: boolean }) => one.is_primary).length], [20, 1])
})
