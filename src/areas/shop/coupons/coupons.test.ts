// One thing: the settings, status and codes of coupons as staff write, find and read them, which share one school.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { makeCoupon, newOrder, payOrder, placeOrder } from '#testing/coupons.ts'
import { assertLedger } from '#testing/ledger.ts'
import { addMembers, openSales } from '#testing/offers.ts'

const app = testApp()
const SCOPES = ['coupons:read', 'coupons:write', 'courses:read', 'courses:write', 'school:read', 'school:write']
const DAY_SECONDS = 24 * 3600

afterEach(() => assertLedger(app.database))

const staff = () => app.actor('ada', { scopes: SCOPES })

type Reply = { readonly status: number; readonly json: { code?: string; errors?: { pointer: string; code: string }[] } }

const listErrors = ({ status, json }: Reply): (string | number | undefined)[] => [
  status,
  ...(json.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`),
]

const namesIn = ({ json }: { json: { data: { name: string }[] } }): string[] => json.data.map(({ name }) => name)

/** The day so many days from today in Lisbon, where the school is. */
const dayFromNow = async (days: number): Promise<string> => {
  const [row] = await app.database.query<{ day: string }>(
    `select to_char(stoa.now() at time zone 'Europe/Lisbon' + make_interval(days => $1), 'YYYY-MM-DD') as day`,
    [days],
  )
  return row?.day ?? ''
}

test('staff create, read, change and delete a coupon; the same change again writes nothing', async () => {
  const ada = await staff()
  const created = await ada.write('POST', '/coupons', { name: 'Spring', kind: 'fixed', amount_off: 500 })
  assert.equal(created.status, 201, created.text)
  const { id, status, currency, percent_off, applies_to, created_by, codes, code_count } = created.json
  assert.deepEqual(
    [status, currency, percent_off, applies_to, created_by.name, codes, code_count],
    ['active', 'EUR', null, 'all', 'Ada Moreira', [], 0],
  )
  assert.ok(String(created.headers.location).endsWith(`/coupons/${id}`))
  const path = `/coupons/${id}`
  const changed = await ada.write('PATCH', path, { kind: 'percent', percent_off: '33.3300', tags: ['Trade', 'trade '] })
  assert.deepEqual(
    [changed.status, changed.json.percent_off, changed.json.amount_off, changed.json.currency, changed.json.tags],
    [200, '33.33', null, null, ['trade']],
    changed.text,
  )
  assert.equal(changed.json.revision, 2)
  assert.equal((await ada.write('PATCH', path, { percent_off: '33.33' })).json.revision, 2)
  assert.equal((await ada.get(path)).json.allowed_actions.length, 7)
  assert.equal((await ada.write('DELETE', path)).status, 204)
  assert.equal((await ada.get(path)).status, 404)
})

test('settings that do not go together are refused with a pointer to each', async () => {
  const ada = await staff()
  const wrong: readonly (readonly [body: object, ...errors: string[]])[] = [
    [{ kind: 'percent' }, '/percent_off required'],
    [{ kind: 'percent', percent_off: '10', amount_off: 5 }, '/amount_off unwanted'],
    [{ kind: 'percent', percent_off: '0' }, '/percent_off range'],
    [{ kind: 'fixed' }, '/amount_off required'],
    [{ kind: 'free_trial' }, '/trial_days required'],
    [{ kind: 'free_trial', trial_days: 7, payment_types: 'one_time' }, '/payment_types recurring'],
    [{ kind: 'free_trial', trial_days: 7, max_amount: 100 }, '/max_amount unwanted'],
    [{ kind: 'percent', percent_off: '10', duration: 'repeating' }, '/periods required'],
    [{ kind: 'percent', percent_off: '10', periods: 3 }, '/periods unwanted'],
    [{ kind: 'percent', percent_off: '10', applies_to: 'items' }, '/items required'],
    [{ kind: 'percent', percent_off: '10', applies_to: 'types' }, '/item_types required'],
    [{ kind: 'percent', percent_off: '10', item_types: ['course'] }, '/item_types unwanted'],
    [{ kind: 'percent', percent_off: '10', starts_on: '2030-02-02', ends_on: '2030-02-01' }, '/ends_on order'],
    [{ kind: 'percent', percent_off: '10', starts_on: '0000-01-01' }, '/starts_on format'],
    [{ kind: 'percent', percent_off: '10', currency: 'EUR' }, '/currency unwanted'],
    [{ kind: 'fixed', amount_off: 100, currency: 'JPY' }, '/currency currency'],
  ]
  for (const [body, ...errors] of wrong)
    assert.deepEqual(
      listErrors(await ada.write('POST', '/coupons', { name: 'Wrong', ...body })),
      [422, ...errors],
      JSON.stringify(body),
    )
  const refusedBySchema = [
    { percent_off: '100.0001' },
    { percent_off: '-1' },
    { percent_off: 10 },
    { percent_off: '10', starts_on: '2030-02-30' },
    { percent_off: '10', name: 'x'.repeat(121) },
    { percent_off: '10', max_redemptions: 0 },
    { percent_off: '10', max_amount: 1_000_000_000_001 },
  ]
  for (const body of refusedBySchema)
    assert.equal((await ada.write('POST', '/coupons', { name: 'Wrong', kind: 'percent', ...body })).status, 422)
  assert.deepEqual(namesIn(await ada.get('/coupons?q=wrong')), [])
})

test('a coupon names items and members that the school has, each once, and keeps those that are gone', async () => {
  const ada = await staff()
  const { json: course } = await ada.get('/courses/slug:first-loaf')
  const item = { type: 'course', id: course.id }
  const nothing = { type: 'course', id: `crs_${'0'.repeat(26)}` }
  const base = { name: 'For one course', kind: 'percent', percent_off: '10', applies_to: 'items' }
  for (const [items, error] of [
    [[nothing], '/items/0/id unknown'],
    [[{ ...item, type: 'digital_product' }], '/items/0/id unknown'],
    [[{ type: 'ticket', id: `tkt_${'0'.repeat(26)}` }], '/items/0/id unknown'],
    [[item, item], '/items unique'],
  ] as const)
    assert.deepEqual(listErrors(await ada.write('POST', '/coupons', { ...base, items })), [422, error])
  const many = Array.from({ length: 201 }, () => item)
  assert.equal((await ada.write('POST', '/coupons', { ...base, items: many })).status, 422)
  const stranger = { ...base, items: [item], member_ids: [`mem_${'0'.repeat(26)}`] }
  assert.deepEqual(listErrors(await ada.write('POST', '/coupons', stranger)), [422, '/member_ids/0 unknown'])
  const { json: me } = await app.actor('ada').then(actor => actor.get('/account'))
  const made = await ada.write('POST', '/coupons', { ...base, items: [item], member_ids: [me.id] })
  assert.deepEqual([made.json.items, made.json.member_ids], [[item], [me.id]], made.text)
  const found = await ada.get(`/coupons?item_id=${course.id}`)
  assert.deepEqual(namesIn(found), ['For one course'])
  await app.database.query(`update courses set deleted_at = stoa.now() where slug = 'first-loaf'`)
  const kept = await ada.write('PATCH', `/coupons/${made.json.id}`, { note: 'The course is gone' })
  assert.deepEqual([kept.status, kept.json.items], [200, [item]], kept.text)
  await app.database.query(`update courses set deleted_at = null where slug = 'first-loaf'`)
  const all = await ada.write('PATCH', `/coupons/${made.json.id}`, { applies_to: 'all', member_ids: [] })
  assert.deepEqual([all.json.items, all.json.member_ids], [[], []])
})

test('the status is the first that holds, in the view, the filter and the CSV alike', async () => {
  const ada = await staff()
  const [yesterday, today, tomorrow] = [await dayFromNow(-1), await dayFromNow(0), await dayFromNow(1)]
  const sales = openSales(app.database.appUrl, app.a.id)
  const [buyer = ''] = await addMembers(app, 1)
  const use = async (code: string) => {
    const order = newOrder(buyer, code)
    assert.equal((await placeOrder(sales, order)).outcome, 'held')
    await payOrder(sales, order.orderId)
  }
  const expected = new Map<string, string>()
  const make = async (code: string, status: string, more: object, uses = false): Promise<string> => {
    const { id } = await makeCoupon(ada, code, { ...more })
    if (uses) await use(code)
    expected.set(id, status)
    return id
  }
  await make('TODAY', 'active', { starts_on: today, ends_on: today })
  await make('TOMORROW', 'scheduled', { starts_on: tomorrow })
  await make('YESTERDAY', 'over', { ends_on: yesterday })
  await make('OFF', 'off', { active: false, ends_on: yesterday })
  await make('ONCE', 'used_up', { max_redemptions: 1 }, true)
  await make('BUDGET', 'used_up', { max_amount: 1000 }, true)
  await make('TWICE', 'active', { max_redemptions: 2, max_amount: 1001 }, true)
  const archived = await make('GONE', 'archived', { active: false })
  assert.equal((await ada.write('PUT', `/coupons/${archived}/archive`)).json.status, 'archived')
  await sales.close()

  for (const status of ['archived', 'off', 'scheduled', 'over', 'used_up', 'active']) {
    const { json, text } = await ada.get(`/coupons?status=${status}&limit=100`)
    for (const one of json.data) assert.equal(one.status, status, text)
    const ids = new Set(json.data.map(({ id }: { id: string }) => id))
    for (const [id, wanted] of expected) assert.equal(ids.has(id), wanted === status, `${id} ${status}`)
    const csv = await ada.get(`/coupons?status=${status}`, { accept: 'text/csv' })
    assert.equal(csv.text.split('\r\n').filter(line => line.includes(`,${status},`)).length, json.data.length, csv.text)
  }
  // A day later what was scheduled has begun, and what ended is over. The token has expired.
  await app.moveClock(DAY_SECONDS)
  const next = await staff()
  assert.equal((await next.get('/coupons/code:TOMORROW')).json.status, 'active')
  assert.equal((await next.get('/coupons/code:TODAY')).json.status, 'over')
})

test('coupons are found by words of their name, a whole code, kind and time, and sorted by name', async () => {
  const ada = await staff()
  const [{ created_at: since }] = (await ada.get('/coupons?sort=-created_at&limit=1')).json.data
  await makeCoupon(ada, 'Pão-de-Ló 5', { name: 'Zebra cake' })
  await makeCoupon(ada, 'FIXED5', { name: 'Zebra bread', kind: 'fixed', amount_off: 500 })
  assert.deepEqual(namesIn(await ada.get('/coupons?q=zeb&sort=name')), ['Zebra bread', 'Zebra cake'])
  assert.deepEqual(namesIn(await ada.get('/coupons?q=zeb&sort=-name')), ['Zebra cake', 'Zebra bread'])
  for (const q of ['PÃO DE LÓ 5', 'pãodeló5'])
    assert.deepEqual(namesIn(await ada.get(`/coupons?q=${encodeURIComponent(q)}`)), ['Zebra cake'])
  assert.deepEqual(namesIn(await ada.get('/coupons?q=zebra&kind=fixed')), ['Zebra bread'])
  const path = `/coupons?q=zebra&created_at[gte]=${since}&created_at[lt]=`
  assert.equal((await ada.get(`${path}${since}`)).json.data.length, 0)
  assert.equal((await ada.get(`${path}2099-01-01T00:00:00.000Z`)).json.data.length, 2)
  const first = await ada.get('/coupons?q=zebra&sort=name&limit=1&include_total=true')
  assert.deepEqual([first.json.total, first.json.has_more], [2, true])
  const rest = await ada.get(`/coupons?q=zebra&sort=name&limit=1&include_total=true&cursor=${first.json.next_cursor}`)
  assert.deepEqual(namesIn(rest), ['Zebra cake'])
})

test('readers in the order of commits get a coupon again when its settings or codes changed, and not when it was used', async () => {
  const ada = await staff()
  const { id } = await makeCoupon(ada, 'FOLLOWED')
  const readOn = async (after: string): Promise<{ ids: string[]; next: string }> => {
    await app.settled()
    const ids: string[] = []
    for (let next = after; ; ) {
      const { json, text } = await ada.get(`/coupons?limit=100&after=${next}`)
      assert.ok(json.data, text)
      ids.push(...json.data.map((one: { id: string }) => one.id))
      next = json.next_after
      if (!json.has_more) return { ids, next }
    }
  }
  const start = await readOn('0')
  assert.ok(start.ids.includes(id))
  const sales = openSales(app.database.appUrl, app.a.id)
  const [buyer = ''] = await addMembers(app, 1)
  assert.equal((await placeOrder(sales, newOrder(buyer, 'FOLLOWED'))).outcome, 'held')
  await sales.close()
  assert.deepEqual((await readOn(start.next)).ids, [])
  await ada.write('PATCH', `/coupons/${id}`, { note: 'Changed' })
  const changed = await readOn(start.next)
  assert.deepEqual(changed.ids, [id])
  await ada.write('POST', `/coupons/${id}/codes`, { code: 'FOLLOWED-2' })
  assert.deepEqual((await readOn(changed.next)).ids, [id])
})

test('an archived coupon keeps its codes from others, and can come back', async () => {
  const ada = await staff()
  const { id } = await makeCoupon(ada, 'RETURNS')
  const archived = await ada.write('PUT', `/coupons/${id}/archive`)
  assert.deepEqual([archived.status, archived.json.status], [200, 'archived'])
  assert.equal((await ada.write('PUT', '/coupons/code:returns/archive')).json.revision, archived.json.revision)
  const other = await ada.write('POST', '/coupons', { name: 'Other', kind: 'percent', percent_off: '5' })
  const taken = await ada.write('POST', `/coupons/${other.json.id}/codes`, { code: 'RETURNS' })
  assert.deepEqual([taken.status, taken.json.code], [409, 'code_taken'])
  assert.equal((await ada.write('DELETE', `/coupons/${id}/archive`)).json.status, 'active')
})

test('the currency of the school does not change while a coupon that is not archived has amounts in it', async () => {
  const ada = await staff()
  const { id } = await makeCoupon(ada, 'FIVE-EURO', { kind: 'fixed', amount_off: 500 })
  const change = () => ada.write('PATCH', '/school?dry_run=true', { currency: 'JPY' }, { 'if-match': '*' })
  const uses = async (): Promise<{ kind: string; count: number }[]> => (await change()).json.uses
  const before = (await uses()).find(({ kind }) => kind === 'coupon')?.count ?? 0
  assert.ok(before > 0)
  await ada.write('PUT', `/coupons/${id}/archive`)
  assert.equal((await uses()).find(({ kind }) => kind === 'coupon')?.count ?? 0, before - 1)
})

test('what orders hold or used keeps its value: only its name, end, number of uses, switch and note change', async () => {
  const ada = await staff()
  const { id } = await makeCoupon(ada, 'KEPT', { max_redemptions: 10, max_per_member: 5 })
  const sales = openSales(app.database.appUrl, app.a.id)
  const buyers = await addMembers(app, 3)
  const orders = buyers.map(buyer => newOrder(buyer, 'KEPT'))
  for (const order of orders) assert.equal((await placeOrder(sales, order)).outcome, 'held')
  const path = `/coupons/${id}`
  const before = await ada.get(path)
  const fixed: readonly object[] = [
    { percent_off: '21' },
    { kind: 'fixed', amount_off: 100 },
    { applies_to: 'types', item_types: ['course'] },
    { payment_types: 'one_time' },
    { duration: 'forever' },
    { starts_on: '2020-01-01' },
    { max_per_member: 6 },
    { max_amount: 100_000 },
    { minimum_amount: 1 },
    { first_purchase_only: true },
    { stackable: true },
    { tags: ['trade'] },
    { returns_on_refund: true },
    { name: 'Renamed', percent_off: '21' },
  ]
  const assertFixed = async () => {
    for (const body of fixed) {
      const refused = await ada.write('PATCH', path, body)
      assert.deepEqual([refused.status, refused.json.code], [409, 'coupon_in_use'], JSON.stringify(body))
    }
  }
  await assertFixed()
  assert.equal((await ada.get(path)).text, before.text)
  const free = { name: 'Renamed', ends_on: '2090-01-01', max_redemptions: 3, active: true, note: 'Kept' }
  const changed = await ada.write('PATCH', path, free)
  assert.deepEqual([changed.status, changed.json.status, changed.json.times_held], [200, 'used_up', 3], changed.text)
  assert.deepEqual(listErrors(await ada.write('PATCH', path, { max_redemptions: 2 })), [422, '/max_redemptions used'])
  const [paid] = orders
  await payOrder(sales, paid?.orderId ?? '')
  await sales.close()
  await assertFixed()
  const refused = await ada.write('DELETE', path)
  assert.deepEqual([refused.status, refused.json.code], [409, 'coupon_in_use'])
})
