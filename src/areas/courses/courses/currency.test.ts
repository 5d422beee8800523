import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { whileOpen } from '#testing/waiting.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write', 'school:read', 'school:write']
const ONCE = { payment_type: 'one_time', amount: 4900 }

const staff = () => app.actor('ada', { scopes: SCOPES })

/** Changes the currency of the first school. */
const change = async (currency: string) => (await staff()).write('PATCH', '/school', { currency }, { 'if-match': '*' })

// The prices of other kinds of items are counted in tests of their own.
before(async () => {
  for (const table of ['product_prices', 'plan_prices', 'ticket_prices'])
    await app.database.query(`update ${table} set status = 'retired', is_primary = false`)
  await app.database.query(`
    update subscriptions set status = 'canceled', canceled_at = stoa.now(), next_charge_at = null, past_due_since = null,
      retry_at = null`)
})

const retireAll = async (): Promise<number> => {
  const ada = await staff()
  // One of the demo waits for payment.
  await app.database.query("update orders set status = 'expired' where status = 'pending'")
  let retired = 0
  for (const { id } of (await ada.get('/courses?limit=100')).json.data) {
    for (const price of (await ada.get(`/courses/${id}/prices?limit=100&status=active`)).json.data) {
      const { status, text } = await ada.write('DELETE', `/courses/${id}/prices/${price.id}`)
      assert.equal(status, 200, text)
      retired += 1
    }
  }
  return retired
}

test('G-08 changing the currency is refused while prices are active, and the refusal counts them', async () => {
  const ada = await staff()
  const { json: course } = await ada.write('POST', '/courses', { name: 'Sold in euros' })
  assert.equal((await ada.write('POST', `/courses/${course.id}/prices`, ONCE)).status, 201)
  const before = await ada.get('/school')
  for (const path of ['/school', '/school?dry_run=true']) {
    const refused = await ada.write('PATCH', path, { currency: 'JPY', description: 'New' }, { 'if-match': '*' })
    assert.deepEqual([refused.status, refused.json.code], [409, 'currency_in_use'], refused.text)
    assert.deepEqual(
      refused.json.uses.map(({ kind }: { kind: string }) => kind),
      ['price', 'order'],
    )
    assert.ok(refused.json.uses[0].count > 1, 'the prices of every course, drafts too')
  }
  assert.equal((await ada.get('/school')).text, before.text)
  // What does not change the currency is not refused.
  const same = await ada.write('PATCH', '/school', { currency: 'EUR', country: null }, { 'if-match': '*' })
  assert.deepEqual([same.status, same.json.currency, same.json.country], [200, 'EUR', null])
  for (const currency of ['XAU', 'DEM', 'XXX'])
    assert.equal((await change(currency)).json.errors[0].pointer, '/currency')
})

test('a school without active prices changes its currency, and new prices are in it', async () => {
  assert.ok((await retireAll()) > 0)
  const changed = await change('JPY')
  assert.deepEqual([changed.status, changed.json.currency], [200, 'JPY'], changed.text)
  const ada = await staff()
  const { json: course } = await ada.write('POST', '/courses', { name: 'Sold in yen' })
  const price = await ada.write('POST', `/courses/${course.id}/prices`, ONCE)
  assert.deepEqual([price.status, price.json.currency], [201, 'JPY'])
  const wrong = await ada.write('POST', `/courses/${course.id}/prices`, { ...ONCE, currency: 'EUR' })
  assert.equal(wrong.status, 422)
  const back = await change('EUR')
  assert.deepEqual([back.status, back.json.uses], [409, [{ kind: 'price', count: 1 }]])
  // Nobody buys a course that was deleted.
  await app.database.query('update courses set deleted_at = stoa.now() where school_id = $1 and name = $2', [
    app.a.id,
    'Sold in yen',
  ])
  assert.equal((await change('EUR')).status, 200)
})

test('a school with prices in another currency than its own can change to that currency', async () => {
  const ada = await staff()
  const { json: course } = await ada.write('POST', '/courses', { name: 'From before' })
  await ada.write('POST', `/courses/${course.id}/prices`, ONCE)
  await app.database.query(`update schools set currency = 'JPY' where id = $1`, [app.a.id])
  assert.equal((await change('USD')).json.code, 'currency_in_use')
  assert.equal((await change('EUR')).status, 200)
})

test('a price that is created while the currency changes is in the new currency', async () => {
  const ada = await staff()
  await retireAll()
  const { json: course } = await ada.write('POST', '/courses', { name: 'In between' })
  const price = await whileOpen(
    app.database,
    [
      ['select from schools where id = $1 for update', [app.a.id]],
      [`update schools set currency = 'CHF' where id = $1`, [app.a.id]],
    ],
    () => ada.write('POST', `/courses/${course.id}/prices`, ONCE),
  )
  assert.deepEqual([price.status, price.json.currency], [201, 'CHF'], price.text)
})

test('changing the currency waits for a price that is being created, and is refused because of it', async () => {
  const ada = await staff()
  await retireAll()
  const { json: course } = await ada.write('POST', '/courses', { name: 'Just before' })
  const insert = `
    insert into course_prices (school_id, id, course_id, payment_type, amount, currency, status, created_at, updated_at)
    select school_id, gen_random_uuid(), id, 'one_time', 900, 'CHF', 'active', stoa.now(), stoa.now()
    from courses where school_id = $1 and name = 'Just before'`
  const refused = await whileOpen(
    app.database,
    [
      ['select from schools where id = $1 for share', [app.a.id]],
      [insert, [app.a.id]],
    ],
    () => change('EUR'),
  )
  assert.deepEqual([refused.status, refused.json.uses], [409, [{ kind: 'price', count: 1 }]], refused.text)
  assert.equal((await ada.get(`/courses/${course.id}/prices`)).json.data[0].currency, 'CHF')
})
