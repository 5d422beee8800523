import assert from 'node:assert/strict'
import { fromId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { eventScopes, makeEvent, register, registered, registrationScopes } from '#testing/events.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { decide } from '#testing/orders.ts'
import { setProvider } from '#testing/payments.ts'
import { whileOpen } from '#testing/waiting.ts'

const app = testApp()
const test = ledgerTest(app)

const staff = () => app.actor('ada', { scopes: [...eventScopes, 'coupons:read', 'coupons:write'] })
const person = (name: 'dev' | 'eli' | 'femi') => app.actor(name, { scopes: registrationScopes })
const readStatus = async (id: string): Promise<string> =>
  (await (await staff()).get(`/registrations/${id}`)).json.status

const DAY = 24 * 3600

test('of two seats that somebody waits for, the one that is free is offered at once', async () => {
  const ada = await staff()
  const [dev, eli, femi] = [await person('dev'), await person('eli'), await person('femi')]
  const { priceId, occurrenceId } = await makeEvent(app, ada, { capacity: 3, waitlist: true })
  await registered(dev, priceId, { quantity: 2 })
  const { data } = await registered(eli, priceId, { quantity: 2, join_waitlist: true })
  assert.deepEqual(
    data.map(({ status }: { status: string }) => status),
    ['offered', 'waitlisted'],
  )
  assert.equal((await register(femi, priceId)).json.code, 'sold_out')
  const { seats_taken: taken, waiting } = (await ada.get(`/occurrences/${occurrenceId}`)).json
  assert.deepEqual([taken, waiting], [3, 1])
})

test('a seat whose hold is over goes to those who wait, and not to who comes later', async () => {
  const ada = await staff()
  const [dev, eli, femi] = [await person('dev'), await person('eli'), await person('femi')]
  const tickets = [{ name: 'Regular', amount: 500 }]
  const { priceId } = await makeEvent(app, ada, { capacity: 1, waitlist: true }, tickets)
  await registered(dev, priceId)
  const first = await registered(eli, priceId, { join_waitlist: true })
  await app.moveClock(31 * 60)
  const later = await register(femi, priceId)
  assert.deepEqual([later.status, later.json.code], [409, 'sold_out'], later.text)
  const bought = await femi.write(
    'POST',
    '/account/checkouts',
    { items: [{ price_id: priceId }] },
    { 'idempotency-key': 'later' },
  )
  assert.deepEqual([bought.status, bought.json.code], [409, 'sold_out'], bought.text)
  const waiting = await registered(femi, priceId, { join_waitlist: true })
  assert.deepEqual([await readStatus(first.data[0].id), waiting.data[0].status], ['offered', 'waitlisted'])
})

test('an offer that ends while its acceptance waits for the seats is not taken', async () => {
  const ada = await staff()
  const [dev, eli] = [await person('dev'), await person('eli')]
  const { priceId, occurrenceId } = await makeEvent(app, ada, { capacity: 1, waitlist: true })
  const taken = await registered(dev, priceId)
  const waiting = await registered(eli, priceId, { join_waitlist: true })
  await dev.write('DELETE', `/account/registrations/${taken.data[0].id}`)
  assert.equal(await readStatus(waiting.data[0].id), 'offered')
  const accepted = await whileOpen(
    app.database,
    [
      ['select from occurrences where id = $1 for no key update', [fromId('occ', occurrenceId)]],
      ['update stoa.clock set shift = shift + make_interval(secs => $1)', [DAY + 60]],
    ],
    () => eli.write('PUT', `/account/registrations/${waiting.data[0].id}/acceptance`, {}),
  )
  assert.deepEqual([accepted.status, accepted.json.code], [409, 'invalid_state'], accepted.text)
  assert.equal((await (await staff()).get(`/occurrences/${occurrenceId}`)).json.seats_taken, 0)
})

test('seats for which different amounts were chosen are paid for at these amounts', async () => {
  const ada = await staff()
  const dev = await person('dev')
  const ticket = { name: 'Choose', amount: 1000, least_amount: 300, needs_approval: true }
  const { priceId } = await makeEvent(app, ada, {}, [ticket])
  const totals: number[] = []
  const asked = [await registered(dev, priceId, { amount: 300 }), await registered(dev, priceId, { amount: 900 })]
  for (const { data } of asked)
    assert.equal((await ada.write('PUT', `/registrations/${data[0].id}/approval`)).json.status, 'awaiting_payment')
  for (const { data } of asked) {
    const taken = await dev.write('PUT', `/account/registrations/${data[0].id}/acceptance`, {})
    assert.equal(taken.status, 200, taken.text)
    assert.deepEqual(
      taken.json.data.map(({ id }: { id: string }) => id),
      [data[0].id],
    )
    totals.push(taken.json.order.total)
    await dev.write('DELETE', `/account/orders/${taken.json.order.id}`)
  }
  assert.deepEqual(totals, [300, 900])
})

test('a dry run of a cancellation says what is refunded to the cent', async () => {
  await setProvider(app, 'manual', {})
  const ada = await staff()
  const dev = await person('dev')
  const coupon = await ada.write('POST', '/coupons', { name: 'A third', kind: 'percent', percent_off: '33' })
  await ada.write('POST', `/coupons/${coupon.json.id}/codes`, { code: 'THIRD' })
  const event = await makeEvent(app, ada, {}, [{ name: 'Regular', amount: 101 }])
  const { data, order } = await registered(dev, event.priceId, { quantity: 3, codes: ['third'] })
  assert.equal(order.total, 203)
  const key = { 'idempotency-key': order.id }
  await dev.write('POST', `/account/orders/${order.id}/payments`, { provider: 'manual' }, key)
  await decide(app, 'confirmPayment', order.id, {})
  const path = `/occurrences/${event.occurrenceId}/cancellation?dry_run=true`
  const dry = await ada.write('PUT', path, { reason: 'Rain', refund: 'all' })
  assert.match(dry.text, /Refunds €2\.03 to 1 order[^s]/)
  await ada.write('PUT', `/registrations/${data[0].id}/cancellation`, { refund: 'all' })
  const { refunded_amount: back } = (await ada.get(`/orders/${order.id}`)).json.lines[0]
  const rest = await ada.write('PUT', path, { reason: 'Rain', refund: 'all' })
  assert.match(rest.text, new RegExp(`Refunds €1\\.${203 - back - 100} to 1 order[^s]`))
})

test('codes that are guessed while registering are counted as at a checkout', async () => {
  const { priceId } = await makeEvent(app, await staff(), {}, [{ name: 'Regular', amount: 500 }])
  const femi = await person('femi')
  let status = 0
  for (let at = 0; at < 40 && status !== 429; at++)
    ({ status } = await register(femi, priceId, { codes: [`guess-${at}`] }))
  assert.equal(status, 429)
})

test('requests for an approval take seats where the event says so, and give them back when they are declined', async () => {
  const ada = await staff()
  const [dev, eli, femi] = [await person('dev'), await person('eli'), await person('femi')]
  const settings = { capacity: 2, waitlist: true, approval_holds_seat: true }
  const event = await makeEvent(app, ada, settings, [
    { name: 'On request', amount: 0, needs_approval: true },
    { name: 'Regular', amount: 0 },
  ])
  const [request, regular] = event.tickets.map(({ price_id: id }) => id)
  const one = await registered(dev, request ?? '')
  const other = await registered(eli, request ?? '')
  const left = async (): Promise<number> => (await ada.get(`/occurrences/${event.occurrenceId}`)).json.seats_left
  assert.equal(await left(), 0)
  const full = await register(femi, request ?? '', { join_waitlist: true })
  assert.deepEqual([full.status, full.json.code], [409, 'sold_out'])
  assert.match(full.json.detail, /this ticket has no waiting list/)
  const waiting = await registered(femi, regular ?? '', { join_waitlist: true })
  assert.equal((await ada.write('PUT', `/registrations/${one.data[0].id}/approval`)).json.status, 'confirmed')
  assert.equal((await ada.write('DELETE', `/registrations/${other.data[0].id}/approval`)).json.status, 'declined')
  assert.equal(await readStatus(waiting.data[0].id), 'offered')
  await femi.write('DELETE', `/account/registrations/${waiting.data[0].id}`)
  await registered(eli, request ?? '')
  assert.equal(await left(), 0)
  await ada.write('PATCH', `/events/${event.id}`, { approval_holds_seat: false })
  assert.equal(await left(), 1)
})

test('money that arrives for a date which was cancelled goes back, whatever the host said of refunds', async () => {
  await setProvider(app, 'manual', {})
  const ada = await staff()
  const [dev, eli] = [await person('dev'), await person('eli')]
  const event = await makeEvent(app, ada, {}, [{ name: 'Regular', amount: 800 }])
  const asked = async (buyer: Awaited<ReturnType<typeof person>>) => {
    const { order } = await registered(buyer, event.priceId)
    const key = { 'idempotency-key': order.id }
    await buyer.write('POST', `/account/orders/${order.id}/payments`, { provider: 'manual' }, key)
    return order.id
  }
  const [early, late] = [await asked(dev), await asked(eli)]
  await decide(app, 'confirmPayment', early, {})
  const path = `/occurrences/${event.occurrenceId}/cancellation`
  const terms = await ada.write('PUT', path, { reason: 'Rain', refund: 'none' })
  await approveAs(app, 'ada', terms.json.confirmation.url)
  // No worker has ended the registrations yet.
  await decide(app, 'confirmPayment', late, {})
  const readMoney = async (id: string) => {
    const { status, paid_total, refunded_total, refunds } = (await ada.get(`/orders/${id}`)).json
    return { status, paid_total, refunded_total, refunds: refunds.map(({ amount }: { amount: number }) => amount) }
  }
  assert.deepEqual((await readMoney(early)).refunds, [])
  const back = await readMoney(late)
  assert.deepEqual([back.paid_total, back.refunds], [800, [800]])
  const rows = (await ada.get(`/events/${event.id}/registrations`)).json.data
  assert.deepEqual(
    rows.map(({ status }: { status: string }) => status),
    ['confirmed', 'cancelled'],
  )
})
