import assert from 'node:assert/strict'
import { after } from 'node:test'
import { fromId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { checkout, once, sell } from '#testing/orders.ts'
import { until } from '#testing/until.ts'

// With a mailbox the worker runs.
let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
after(() => mailbox.stop())

const SCOPES = ['courses:read', 'courses:write', 'orders:read', 'members:read', 'students:read', 'students:write']
const staff = () => app.actor('ada', { scopes: SCOPES })
const buyer = (name: 'dev' | 'eli' | 'femi' = 'femi') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })

const listIds = (json: { data: { id: string }[] }) => json.data.map(({ id }) => id)

test('staff list orders by every filter, in every order, and page by page', async () => {
  const ada = await staff()
  const [femi, eli] = [await buyer(), await buyer('eli')]
  const bread = await sell(ada, 'Listed bread', [once(1000)])
  const rye = await sell(ada, 'Listed rye', [once(3000)])
  const free = await sell(ada, 'Listed free', [{ payment_type: 'free', amount: 0 }])
  const placed = [
    await checkout(femi, [bread.priceId], { campaign: 'Spring' }),
    await checkout(femi, [rye.priceId, bread.priceId]),
    await checkout(eli, [rye.priceId]),
    await checkout(eli, [free.priceId]),
  ]
  const [first, second, third, fourth] = placed.map(({ json }) => json)
  await femi.write('DELETE', `/account/orders/${first.id}`)
  const mine = [first, second, third, fourth].map(({ id }) => id)
  const list = async (query: string) => {
    const { status, json, text } = await ada.get(`/orders?limit=100&${query}`)
    assert.equal(status, 200, text)
    return listIds(json).filter(id => mine.includes(id))
  }
  const cases: readonly (readonly [query: string, found: readonly string[]])[] = [
    ['', [fourth.id, third.id, second.id, first.id]],
    ['sort=created_at', [first.id, second.id, third.id, fourth.id]],
    ['sort=number', [first.id, second.id, third.id, fourth.id]],
    ['sort=-total', [second.id, third.id, first.id, fourth.id]],
    ['sort=paid_at&status[in]=paid', [fourth.id]],
    ['status[in]=canceled', [first.id]],
    ['status[in]=pending,paid', [fourth.id, third.id, second.id]],
    ['status[in]=refunded,partially_refunded', []],
    [`member_id=${first.member.id}`, [second.id, first.id]],
    ['email=ELI@crumb.example', [fourth.id, third.id]],
    [`number=${third.number}`, [third.id]],
    ['kind=renewal', []],
    ['item_type=course', [fourth.id, third.id, second.id, first.id]],
    ['item_type=digital_product', []],
    [`item_id=${bread.id}`, [second.id, first.id]],
    ['item_id=dpr_00000000000000000000000000', []],
    ['refunded=true', []],
    ['total[gte]=3000', [third.id, second.id]],
    ['total[lte]=1000', [fourth.id, first.id]],
    [`created_at[gte]=${third.created_at}`, [fourth.id, third.id]],
    [`paid_at[gte]=${fourth.paid_at}`, [fourth.id]],
    [`paid_at[lt]=${fourth.paid_at}`, []],
    [`q=${second.number.toLowerCase()}`, [second.id]],
    ['q=sorensen%20crumb', [fourth.id, third.id]],
    ['coupon_id=cpn_00000000000000000000000000', []],
  ]
  for (const [query, found] of cases) assert.deepEqual(await list(query), found, query)
  for (const sort of ['total', '-paid_at', 'number', '-created_at']) {
    const whole = listIds((await ada.get(`/orders?limit=100&sort=${sort}`)).json)
    const paged: string[] = []
    for (let cursor = ''; ; ) {
      const { json } = await ada.get(`/orders?limit=2&sort=${sort}${cursor}`)
      paged.push(...listIds(json))
      if (!json.has_more) break
      cursor = `&cursor=${encodeURIComponent(json.next_cursor)}`
    }
    assert.deepEqual(paged, whole, sort)
  }
  for (const { id } of [second, third]) await (id === second.id ? femi : eli).write('DELETE', `/account/orders/${id}`)
})

test('an order is read by id or number, with the note, the buyer on request, and what its lines gave', async () => {
  const ada = await staff()
  const femi = await buyer()
  const { priceId } = await sell(ada, 'Read by staff', [{ payment_type: 'free', amount: 0 }])
  const { json: order } = await checkout(femi, [priceId])
  const { status, json, headers } = await ada.get(`/orders/number:${order.number}`)
  assert.equal(status, 200)
  assert.match(String(headers.etag), /^"\d+-[\w-]{16}"$/)
  assert.deepEqual([json.id, json.note, json.email], [order.id, null, 'femi@crumb.example'])
  assert.deepEqual(json.member, { id: json.member.id, name: 'Femi Adeyemi' })
  assert.deepEqual(json.allowed_actions, ['getOrder', 'listOrderTransactions', 'listOrderEntitlements'])
  const expanded = await ada.get(`/orders/${order.id}?expand=member`)
  assert.deepEqual([expanded.json.member.email, expanded.json.member.phone], ['femi@crumb.example', null])
  const narrow = await app.actor('ada', { scopes: ['orders:read'] })
  assert.equal((await narrow.get(`/orders/${order.id}?expand=member`)).status, 403)
  const given = (await ada.get(`/orders/${order.id}/entitlements`)).json.data
  assert.deepEqual([given.length, given[0].ended_at, given[0].ended_by], [1, null, null])
  const enrollment = (await ada.get(`/enrollments?member_id=${json.member.id}`)).json.data[0]
  const query = `entitlement_id[in]=${given[0].id}`
  const revoked = await ada.write('DELETE', `/enrollments/${enrollment.id}?${query}`)
  assert.equal(revoked.status, 200, revoked.text)
  const [ended] = (await ada.get(`/orders/${order.id}/entitlements`)).json.data
  assert.equal(ended.ended_by, 'staff')
  assert.equal((await ada.get('/orders/ord_00000000000000000000000000')).status, 404)
  assert.equal((await ada.get('/orders/number:NONE-1')).status, 404)
})

test('the CSV has one row for each line, with decimal money', async () => {
  const ada = await staff()
  const femi = await buyer()
  const [one, two] = [await sell(ada, 'First of CSV', [once(1050)]), await sell(ada, 'Second of CSV', [once(5)])]
  const { json: order } = await checkout(femi, [two.priceId, one.priceId])
  const { text, headers } = await ada.get(`/orders?number=${order.number}`, { accept: 'text/csv' })
  assert.match(String(headers['content-type']), /^text\/csv/)
  const [names = '', ...rows] = text.trim().split('\r\n')
  const columns = names.split(',')
  const cells = rows.slice(0, -1).map(row => {
    const values = row.split(',')
    return ['id', 'number', 'name', 'amount', 'currency', 'line_id'].map(name => values[columns.indexOf(name)])
  })
  assert.deepEqual(cells, [
    [order.id, order.number, 'Second of CSV', '0.05', 'EUR', order.lines[0].id],
    [order.id, order.number, 'First of CSV', '10.50', 'EUR', order.lines[1].id],
  ])
  assert.equal(rows.at(-1), '# complete')
  await femi.write('DELETE', `/account/orders/${order.id}`)
})

test('orders can be read on in the order of commits, and come again when they change', async () => {
  const ada = await staff()
  const femi = await buyer()
  await app.settled()
  const readOn = async (after: string) => {
    await app.settled()
    return (await ada.get(`/orders?after=${encodeURIComponent(after)}&limit=100`)).json
  }
  const start = (await readOn('0')).next_after
  const { priceId } = await sell(ada, 'In order')
  const { json: order } = await checkout(femi, [priceId])
  const placed = await readOn(start)
  assert.deepEqual(listIds(placed), [order.id])
  await femi.write('DELETE', `/account/orders/${order.id}`)
  const canceled = await readOn(placed.next_after)
  assert.deepEqual(
    canceled.data.map(({ id, status }: { id: string; status: string }) => [id, status]),
    [[order.id, 'canceled']],
  )
})

test('an order that is not paid in time expires, and gives back its seat', async () => {
  const ada = await staff()
  const femi = await buyer()
  const { id, priceId } = await sell(ada, 'Seat for a while', [{ ...once(), enrollment_cap: 1 }])
  const { json: order } = await checkout(femi, [priceId])
  await app.moveClock(31 * 60)
  const read = async () => (await femi.get(`/account/orders/${order.id}`)).json
  await until(async () => (await read()).status === 'expired', 'the expiry of the order')
  const expired = await read()
  assert.deepEqual([expired.payment.state, expired.expires_at, expired.revision], ['ended', null, 2])
  const held = await app.database.query(
    'select from seat_reservations where line_id in (select id from order_lines where order_id = $1)',
    [fromId('ord', order.id)],
  )
  assert.equal(held.length, 0)
  assert.equal((await ada.get(`/courses/${id}/prices`)).json.data[0].seats_left, 1)
  const late = await femi.write('DELETE', `/account/orders/${order.id}`)
  assert.deepEqual([late.status, late.json.code], [409, 'invalid_state'])
  const [fact] = await app.database.query<{ count: number }>(
    "select count(*)::integer as count from facts where type = 'order.expired' and payload ->> 'order_id' = $1",
    [order.id],
  )
  assert.equal(fact?.count, 1)
})
