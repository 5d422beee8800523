import assert from 'node:assert/strict'
import { people } from '#src/demo/index.ts'
import { enterAccount, formatCookie, formTo, listFields, listForms, openWith, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { planner, sellPlan } from '#testing/memberships.ts'
import { checkout, decide, once, sell } from '#testing/orders.ts'
import { openFile } from '#testing/staff-pages.ts'

const app = testApp()
const withLedger = ledgerTest(app)

const SCOPES = ['courses:read', 'courses:write', 'orders:read']
const staff = () => app.actor('ada', { scopes: SCOPES })
const buyer = () => app.actor('femi', { scopes: ['account:read', 'account:write', 'courses:read'] })

const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

let made = 0
const placed = new Set<string>()

// A member has at most three orders that wait for payment.
const test = (title: string, work: () => Promise<void>): void =>
  withLedger(title, async () => {
    await work()
    for (const id of placed) if ((await readOrder(id)).status === 'pending') await decide(app, 'cancelOrder', id)
    placed.clear()
  })

/** An order of Femi over new courses at these prices, which waits for payment. */
const place = async (...amounts: readonly number[]) => {
  const ada = await staff()
  const courses = []
  for (const amount of amounts) courses.push(await sell(ada, `Bread ${++made}`, [once(amount)]))
  const { status, json, text } = await checkout(
    await buyer(),
    courses.map(({ priceId }) => priceId),
  )
  assert.equal(status, 201, text)
  placed.add(json.id)
  return { id: json.id as string, number: json.number as string, lines: json.lines, courses }
}

const placePaid = async (...amounts: readonly number[]) => {
  const order = await place(...amounts)
  await decide(app, 'confirmPayment', order.id, {})
  return order
}

const readOrder = async (id: string) => (await (await staff()).get(`/orders/${id}`)).json

const buildNotice = ({ text }: TestReply): string =>
  /<p class="(?:note|done)" role="(?:alert|status)"[^>]*>([^<]*)/.exec(text)?.[1] ?? ''

const press = async (browser: Browser, number: string, act: string, fields: Readonly<Record<string, string>> = {}) => {
  const path = `/staff/orders/${number}`
  return browser.submit(formTo(await browser.open(path), path, { act }), Object.entries(fields))
}

test('the list finds orders by number and filters, turns pages, and is exported as it is shown', async () => {
  const [open, paid] = [await place(1000), await placePaid(2000)]
  await decide(app, 'confirmPayment', open.id, { amount: 100 })
  const ada = await enter('ada')
  const first = await ada.open('/staff/orders')
  assert.match(first.text, /Transfers to confirm/)
  const waiting = first.text.slice(0, first.text.indexOf('All orders'))
  assert.ok(waiting.includes(open.number) && !waiting.includes(paid.number))
  const found = await ada.open(`/staff/orders?q=${paid.number}`)
  assert.ok(
    found.text.includes(`/staff/orders/${paid.number}"`) && !found.text.includes(`/staff/orders/${open.number}"`),
  )
  const pending = await ada.open('/staff/orders?status=pending&from=2000-01-01&until=2199-01-01&sort=-total')
  assert.ok(
    pending.text.includes(`/staff/orders/${open.number}"`) && !pending.text.includes(`/staff/orders/${paid.number}"`),
  )
  const none = await ada.open('/staff/orders?until=2000-01-01')
  assert.match(none.text, /No orders found/)
  const csv = await openFile(ada, pending, 'listOrders')
  assert.match(String(csv.headers['content-type']), /^text\/csv/)
  assert.match(String(csv.headers['content-disposition']), /^attachment/)
  assert.ok(csv.text.includes(open.number) && !csv.text.includes(paid.number) && csv.text.startsWith('\ufeff'))
  const audited = await app.database.query(
    `select 1 from audit_log where operation = 'listOrders' and client_id is null`,
  )
  assert.equal(audited.length, 1)
})

test('an order of nothing is not said to be paid: a trial names its end, and the rest has nothing to pay', async () => {
  const plan = await sellPlan(await planner(app), { name: 'Tried first', plan_type: 'recurring' }, [
    { payment_type: 'subscription', amount: 900, interval: 'month', trial_days: 7 },
  ])
  const free = await sell(await staff(), 'For nothing', [{ payment_type: 'free', amount: 0 }])
  const person = await buyer()
  const trial = (await checkout(person, [plan.priceId])).json
  const gift = (await checkout(person, [free.priceId])).json
  assert.deepEqual([trial.status, trial.total, gift.status, gift.total], ['paid', 0, 'paid', 0])
  const [ada, femi] = [await enter('ada'), await enter('femi')]
  const own = await femi.open(`/account/orders/${trial.number}`)
  assert.match(
    own.text,
    /<h2 id="state">Free trial<\/h2>\s*<p>Free trial until \d+ \w+ \d{4}.*\. Nothing was charged\. <a href="[^"]*\/account\/subscriptions\/sub_\w+">/,
  )
  assert.match((await femi.open(`/account/orders/${gift.number}`)).text, /<h2 id="state">Nothing to pay<\/h2>/)
  const list = (await femi.open('/account/orders')).text
  assert.match(list, /· Free trial</)
  assert.match(list, /· Nothing to pay</)
  const all = (await ada.open('/staff/orders')).text
  assert.match(all, new RegExp(`${trial.number}</bdi>[^]*?Free trial[^]*?€0.00<`))
  assert.match(all, new RegExp(`${gift.number}</bdi>[^]*?Nothing to pay[^]*?€0.00<`))
  const [shown, given] = await Promise.all([trial, gift].map(({ number }) => ada.open(`/staff/orders/${number}`)))
  assert.match(shown?.text ?? '', /class="pill good">Free trial/)
  assert.match(given?.text ?? '', /class="pill good">Nothing to pay/)
  for (const page of [own, shown, given]) assert.doesNotMatch(page?.text ?? '', /<dt>Paid/)
})

test('nobody but staff sees an order or exports the list', async () => {
  const { number } = await place(1000)
  const paths = [
    `/staff/orders/${number}`,
    `/staff/orders/${number}/refund`,
    '/staff/csv/listOrders',
    '/staff/orders/record',
  ]
  for (const name of ['femi', 'carla'] as const) {
    const browser = await enter(name)
    for (const path of paths) {
      const reply = await openWith(app.port, formatCookie(browser), path)
      assert.equal(reply.status, 403, path)
      assert.ok(!reply.text.includes(number), path)
      // A page of theirs has a token of their own.
      const token = new Map(listFields(formTo(await browser.open('/account'), '/account/sign-out'))).get('token') ?? ''
      if (path.includes('csv')) continue
      const sent = await post(app.port, browser, path, Object.entries({ token, act: 'cancel', revision: '1' }))
      assert.equal(sent.status, 403, path)
    }
  }
  for (const path of paths) assert.equal((await openWith(app.port, '', path)).status, 303, path)
  assert.equal((await (await enter('ada')).open('/staff/orders/ORD-999999')).status, 404)
})

test('E-14 a form about an order is refused without its token', async () => {
  const { id, number } = await place(1000)
  const ada = await enter('ada')
  const path = `/staff/orders/${number}`
  const fields = Object.entries({ act: 'confirm', revision: '1', step: 'confirm', what: 'whole', reason: 'requested' })
  for (const form of [path, `${path}/refund`, '/staff/orders/record']) {
    assert.equal((await post(app.port, ada, form, fields)).status, 403, form)
    assert.equal((await post(app.port, ada, form, [...fields, ['token', 'x']])).status, 403, form)
  }
  const { paid_total, status } = await readOrder(id)
  assert.deepEqual([paid_total, status], [0, 'pending'])
})

test('a transfer is confirmed in part and then in whole, and undone', async () => {
  const { id, number } = await place(4900)
  const ada = await enter('ada')
  const part = await press(ada, number, 'confirm', { amount: '20,00', received_on: '2026-01-05' })
  assert.equal(buildNotice(part), 'The transfer was confirmed.')
  const after = await readOrder(id)
  assert.deepEqual([after.status, after.paid_total], ['pending', 2000])
  assert.match(part.text, /€29\.00/)
  await press(ada, number, 'confirm')
  assert.deepEqual([(await readOrder(id)).status, (await readOrder(id)).paid_total], ['paid', 4900])
  const undone = await press(ada, number, 'undo')
  assert.equal(buildNotice(undone), 'The confirmation was undone.')
  assert.deepEqual([(await readOrder(id)).status, (await readOrder(id)).paid_total], ['pending', 2000])
})

test('what is no amount is refused in words, and what was typed stays', async () => {
  const { id, number } = await place(4900)
  const ada = await enter('ada')
  for (const amount of ['many', '1.234', '-5', '0', '1.000.00']) {
    const refused = await press(ada, number, 'confirm', { amount, received_on: '2026-01-05' })
    assert.equal(refused.status, 422, amount)
    assert.match(buildNotice(refused), /not an amount/)
    assert.ok(refused.text.includes(`value="${amount}"`) && refused.text.includes('value="2026-01-05"'))
  }
  const early = await press(ada, number, 'confirm', { received_on: '2199-01-01' })
  assert.match(buildNotice(early), /not a day on which/)
  assert.equal((await readOrder(id)).paid_total, 0)
})

test('a form sent twice, and two tabs, confirm a transfer once', async () => {
  const { id, number } = await place(4900)
  const [ada, ben] = [await enter('ada'), await enter('ben')]
  const path = `/staff/orders/${number}`
  const forms = [
    formTo(await ada.open(path), path, { act: 'confirm' }),
    formTo(await ben.open(path), path, { act: 'confirm' }),
  ]
  const [first, second] = forms
  assert.ok(first !== undefined && second !== undefined)
  const sent = await Promise.all([
    post(app.port, ada, path, listFields(first, { amount: '49' })),
    post(app.port, ada, path, listFields(first, { amount: '49' })),
    post(app.port, ben, path, listFields(second, { amount: '49' })),
  ])
  assert.deepEqual(sent.map(({ status }) => status).sort(), [303, 412, 412])
  const refused = sent.find(({ status }) => status === 412)
  assert.match(refused === undefined ? '' : buildNotice(refused), /has changed since you opened the page/)
  const { paid_total, refunds } = await readOrder(id)
  assert.deepEqual([paid_total, refunds.length], [4900, 0])
})

test('an order that is canceled already is shown as it is, and a note is kept', async () => {
  const { id, number } = await place(1000)
  const ada = await enter('ada')
  const path = `/staff/orders/${number}`
  const old = await ada.open(path)
  const canceled = await press(ada, number, 'cancel')
  assert.equal(buildNotice(canceled), 'The order was canceled.')
  const again = await ada.submit(formTo(old, path, { act: 'cancel' }), [])
  assert.equal(again.status, 412)
  assert.match(again.text, /class="pill plain">Canceled/)
  const noted = await press(ada, number, 'note', { note: 'Called\r\nback' })
  assert.match(noted.text, /Called\nback<\/textarea>/)
  assert.equal((await readOrder(id)).note, 'Called\nback')
})

const preview = async (browser: Browser, number: string, fields: Readonly<Record<string, string>>) => {
  const path = `/staff/orders/${number}/refund`
  return browser.submit(formTo(await browser.open(path), path), Object.entries({ reason: 'requested', ...fields }))
}

test('a refund of one line of three is previewed and changes nothing before it is confirmed', async () => {
  const { id, number, lines } = await placePaid(1000, 2000, 3000)
  const ada = await enter('ada')
  const [, line] = lines
  const shown = await preview(ada, number, { what: 'lines', [`line_${line.id}`]: 'yes', note: 'Too hard' })
  assert.equal(shown.status, 200, shown.text)
  assert.match(shown.text, /Refund €20\.00\?/)
  assert.match(shown.text, /Transfer it to the buyer yourself/)
  assert.ok(shown.text.includes(`Ends: ${line.name}`) && !shown.text.includes(`Ends: ${lines[0].name}`))
  assert.equal((await readOrder(id)).refunded_total, 0)
  assert.match(shown.text, /A credit note for invoice [\w-]+ is issued/)
  const [again] = listForms(shown)
  assert.ok(again !== undefined)
  const changed = await ada.submit(again, [['step', 'edit']])
  assert.match(changed.text, /Too hard<\/textarea>/)
  const done = await ada.submit(again, [['step', 'confirm']])
  assert.equal(buildNotice(done), 'The refund has begun.')
  const after = await readOrder(id)
  assert.deepEqual(
    [after.status, after.refunded_total, after.refunds[0].note],
    ['partially_refunded', 2000, 'Too hard'],
  )
  assert.deepEqual(after.refunds[0].lines, [{ line_id: line.id, quantity: 1, amount: 2000, ends_access: true }])
  assert.match(done.text, /ended on .*\(refund\)/)
})

test('a part of a line keeps access unless staff say otherwise; too much is refused with what was typed', async () => {
  const { id, number, lines } = await placePaid(1000)
  const ada = await enter('ada')
  const [{ id: line, name }] = lines
  const part = { what: 'lines', [`line_${line}`]: 'yes', [`amount_${line}`]: '2.50' }
  assert.ok((await preview(ada, number, part)).text.includes(`Stays: ${name}`))
  assert.ok((await preview(ada, number, { ...part, [`access_${line}`]: 'ends' })).text.includes(`Ends: ${name}`))
  const much = await preview(ada, number, { ...part, [`amount_${line}`]: '10.01' })
  assert.equal(much.status, 409)
  assert.match(buildNotice(much), /less than that is left/)
  assert.ok(much.text.includes('value="10.01"'))
  const none = await preview(ada, number, { what: 'lines' })
  assert.match(buildNotice(none), /at least one line/)
  assert.equal((await readOrder(id)).refunded_total, 0)
})

test('two members of staff who confirm the same refund refund once', async () => {
  const { id, number, lines } = await placePaid(1000)
  const [ada, ben] = [await enter('ada'), await enter('ben')]
  const fields = { what: 'lines', [`line_${lines[0].id}`]: 'yes', [`amount_${lines[0].id}`]: '3.00' }
  const path = `/staff/orders/${number}/refund`
  const sent = []
  for (const browser of [ada, ben]) {
    const [confirm] = listForms(await preview(browser, number, fields))
    assert.ok(confirm !== undefined)
    sent.push(() => post(app.port, browser, path, listFields(confirm, { step: 'confirm' })))
  }
  const replies = await Promise.all(sent.map(send => send()))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [303, 412])
  assert.equal((await readOrder(id)).refunded_total, 300)
})

test('an outside order is recorded once for a member, with a day and a note', async () => {
  const course = await sell(await staff(), `Bread ${++made}`, [once(2500)])
  const ada = await enter('ada')
  const search = await ada.open(`/staff/orders/record?q=${people.femi.email}`)
  const [, href = ''] = /href="(\/staff\/orders\/record\?member=[^"]*)"/.exec(search.text) ?? []
  const item = await ada.open(`${href}&item=${encodeURIComponent(`Bread ${made}`)}`)
  assert.ok(item.text.includes(course.priceId), item.text)
  const chosen = await ada.open(`${href}&price=${course.priceId}`)
  assert.match(chosen.text, /€25\.00/)
  const form = listForms(chosen).find(({ action }) => action.includes('price='))
  assert.ok(form !== undefined)
  const before = (await (await staff()).get('/orders?kind=outside')).json.data.length
  const late = await ada.submit(form, [['received_on', '2199-01-01']])
  assert.match(buildNotice(late), /not a day on which/)
  assert.match(late.text, /value="2199-01-01"/)
  const fields = listFields(form, { received_on: '2026-01-05', note: 'At the door' })
  const sent = await Promise.all([1, 2].map(() => post(app.port, ada, form.action, fields)))
  assert.deepEqual([sent[0]?.status, sent[1]?.headers.location], [303, sent[0]?.headers.location])
  const { data } = (await (await staff()).get('/orders?kind=outside')).json
  assert.equal(data.length, before + 1)
  assert.deepEqual([data[0].status, data[0].note, data[0].paid_total], ['paid', 'At the door', 2500])
})
