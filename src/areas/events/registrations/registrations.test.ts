import assert from 'node:assert/strict'
import { personalData } from '#src/contract/personal-data.ts'
import { openDatabase } from '#src/db/database.ts'
import { fromId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { tablesWith } from '#testing/database.ts'
import { eventScopes, makeEvent, register, registered, registrationScopes } from '#testing/events.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { decide } from '#testing/orders.ts'
import { setProvider } from '#testing/payments.ts'

const app = testApp()
const test = ledgerTest(app)

const staff = () => app.actor('ada', { scopes: eventScopes })
const person = (name: 'dev' | 'eli' | 'femi' | 'carla') => app.actor(name, { scopes: registrationScopes })

let setting: Promise<void> | undefined
const setTransfers = (): Promise<void> => {
  setting ??= setProvider(app, 'manual', {})
  return setting
}

const askForTransfer = (actor: Awaited<ReturnType<typeof person>>, orderId: string) =>
  actor.write('POST', `/account/orders/${orderId}/payments`, { provider: 'manual' }, { 'idempotency-key': orderId })

const pay = async (actor: Awaited<ReturnType<typeof person>>, orderId: string): Promise<void> => {
  await setTransfers()
  const asked = await askForTransfer(actor, orderId)
  assert.equal(asked.status, 201, asked.text)
  await decide(app, 'confirmPayment', orderId, {})
}

const readStatus = async (id: string): Promise<string> =>
  (await (await staff()).get(`/registrations/${id}`)).json.status

test('free seats are confirmed at once, each with a code of at least 50 bits, until none is left', async () => {
  const ada = await staff()
  const dev = await person('dev')
  const { priceId, occurrenceId } = await makeEvent(app, ada, { capacity: 2 })
  const { data, order } = await registered(dev, priceId, {
    quantity: 2,
    attendees: [{ name: 'Dev' }, { name: 'Dora' }],
  })
  assert.equal(order, null)
  assert.deepEqual(
    data.map((one: { status: string; attendee: { name: string } }) => [one.status, one.attendee.name]),
    [
      ['confirmed', 'Dev'],
      ['confirmed', 'Dora'],
    ],
  )
  assert.match(data[0].code, /^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/)
  assert.notEqual(data[0].code, data[1].code)
  const refused = await register(await person('eli'), priceId)
  assert.deepEqual([refused.status, refused.json.code], [409, 'sold_out'])
  const date = await ada.get(`/occurrences/${occurrenceId}`)
  assert.deepEqual([date.json.seats_taken, date.json.seats_left], [2, 0])
})

test('a seat that somebody took for the address of a member is in the copy of their data, and loses them with their erasure', async () => {
  const ada = await app.actor('ada', { scopes: [...eventScopes, 'members:read', 'members:write'] })
  const { priceId, occurrenceId } = await makeEvent(app, ada, { capacity: 2 })
  const { json: zoe } = await ada.write('POST', '/members', { name: 'Zoe', email: 'zoe@there.example' })
  const attendees = [{ name: 'Dev' }, { name: 'Zoe Known', email: 'Zoe@There.example' }]
  const { data } = await registered(await person('dev'), priceId, { quantity: 2, attendees })
  const copied = async (): Promise<string> => {
    const database = openDatabase(app.database.appUrl, { max: 1, wait: 10_000 })
    const parts = await database
      .statements(app.a.id, db => personalData.call({ memberId: fromId('mem', zoe.id) ?? '' }, { school: app.a, db }))
      .finally(() => database.close())
    return JSON.stringify(parts)
  }
  assert.ok(!(await copied()).includes('Zoe Known'), 'nobody has proven the address')
  await app.database.query(`update members set email_verified = true where email_folded = 'zoe@there.example'`)
  assert.ok((await copied()).includes('Zoe Known'))
  const erasure = await ada.write('POST', `/members/${zoe.id}/erasure`)
  await approveAs(app, 'ada', erasure.json.confirmation.url)
  assert.deepEqual(await tablesWith(app.database, 'zoe@there.example'), [])
  assert.deepEqual(await tablesWith(app.database, 'Zoe Known'), [])
  const seat = (await ada.get(`/registrations/${data[1].id}`)).json
  assert.deepEqual([seat.status, seat.attendee.name], ['confirmed', ''])
  assert.equal((await ada.get(`/occurrences/${occurrenceId}`)).json.seats_taken, 2)
})

test('the same key registers once', async () => {
  const dev = await person('dev')
  const { priceId } = await makeEvent(app, await staff())
  const key = { 'idempotency-key': 'register-once' }
  const first = await dev.write('POST', '/account/registrations', { price_id: priceId }, key)
  const again = await dev.write('POST', '/account/registrations', { price_id: priceId }, key)
  assert.deepEqual(again.json, first.json)
  assert.equal((await dev.write('POST', '/account/registrations', { price_id: priceId })).status, 400)
})

test('a paid seat is held by an order, confirmed once it is paid, and free again when the order is cancelled', async () => {
  const ada = await staff()
  const dev = await person('dev')
  const { priceId } = await makeEvent(app, ada, { capacity: 1 }, [{ name: 'Regular', amount: 1500 }])
  const held = await registered(dev, priceId)
  assert.deepEqual([held.order.status, held.order.total, held.data[0].status], ['pending', 1500, 'awaiting_payment'])
  assert.equal(held.data[0].code, null)
  assert.equal((await register(await person('eli'), priceId)).json.code, 'sold_out')
  await dev.write('DELETE', `/account/orders/${held.order.id}`)
  assert.equal(await readStatus(held.data[0].id), 'cancelled')
  const second = await registered(dev, priceId)
  await pay(dev, second.order.id)
  assert.equal(await readStatus(second.data[0].id), 'confirmed')
})

test('cancelling one of three seats refunds that seat, and the others stay', async () => {
  const ada = await staff()
  const dev = await person('dev')
  const { priceId, occurrenceId } = await makeEvent(app, ada, { refund_rule: 'until', cancellation_until: 24 }, [
    { name: 'Regular', amount: 1000 },
  ])
  const { data, order } = await registered(dev, priceId, { quantity: 3 })
  await pay(dev, order.id)
  const gone = await dev.write('DELETE', `/account/registrations/${data[1].id}`)
  assert.deepEqual([gone.status, gone.json.status, gone.json.code], [200, 'cancelled', null], gone.text)
  assert.deepEqual([await readStatus(data[0].id), await readStatus(data[2].id)], ['confirmed', 'confirmed'])
  const after = (await ada.get(`/orders/${order.id}`)).json
  assert.deepEqual([after.refunds.length, after.refunds[0].amount], [1, 1000])
  assert.deepEqual([after.lines[0].refunded_quantity, after.lines[0].refunded_amount], [1, 1000])
  assert.equal((await ada.get(`/occurrences/${occurrenceId}`)).json.seats_taken, 2)
  await dev.write('DELETE', `/account/registrations/${data[0].id}`)
  await dev.write('DELETE', `/account/registrations/${data[2].id}`)
  assert.equal((await ada.get(`/orders/${order.id}`)).json.lines[0].refunded_amount, 3000)
})

test('a seat that becomes free is offered to the first who waits, and passes on after a day', async () => {
  const ada = await staff()
  const [dev, eli, femi] = [await person('dev'), await person('eli'), await person('femi')]
  const { priceId, occurrenceId } = await makeEvent(app, ada, { capacity: 1, waitlist: true })
  const taken = await registered(dev, priceId)
  assert.equal((await register(eli, priceId)).json.code, 'sold_out')
  const first = await registered(eli, priceId, { join_waitlist: true })
  const second = await registered(femi, priceId, { join_waitlist: true })
  assert.deepEqual([first.data[0].status, second.data[0].status], ['waitlisted', 'waitlisted'])
  await dev.write('DELETE', `/account/registrations/${taken.data[0].id}`)
  assert.deepEqual([await readStatus(first.data[0].id), await readStatus(second.data[0].id)], ['offered', 'waitlisted'])
  assert.equal((await register(dev, priceId)).json.code, 'sold_out')
  const accepted = await eli.write('PUT', `/account/registrations/${first.data[0].id}/acceptance`, {})
  assert.deepEqual([accepted.status, accepted.json.data[0].status], [200, 'confirmed'], accepted.text)
  const { seats_taken: seats, waiting } = (await ada.get(`/occurrences/${occurrenceId}`)).json
  assert.deepEqual([seats, waiting], [1, 1])
})

test('a paid seat that is offered is ordered, and its price is that of the registration', async () => {
  const ada = await staff()
  const [dev, eli] = [await person('dev'), await person('eli')]
  const event = await makeEvent(app, ada, { capacity: 1, waitlist: true }, [{ name: 'Regular', amount: 900 }])
  const taken = await registered(dev, event.priceId)
  await pay(dev, taken.order.id)
  const waiting = await registered(eli, event.priceId, { join_waitlist: true })
  await ada.write('PATCH', `/ticket-types/${event.tickets[0]?.id}`, { amount: 2000 })
  await ada.write('PUT', `/registrations/${taken.data[0].id}/cancellation`, {})
  const accepted = await eli.write('PUT', `/account/registrations/${waiting.data[0].id}/acceptance`, {})
  assert.equal(accepted.status, 200, accepted.text)
  assert.deepEqual([accepted.json.order.total, accepted.json.data[0].status], [900, 'awaiting_payment'])
  await pay(eli, accepted.json.order.id)
  assert.equal(await readStatus(waiting.data[0].id), 'confirmed')
})

test('a paid ticket that needs an approval is charged only after it; one that is declined never', async () => {
  const ada = await staff()
  const [dev, eli] = [await person('dev'), await person('eli')]
  const tickets = [{ name: 'Regular', amount: 1200, needs_approval: true }]
  const { priceId } = await makeEvent(app, ada, {}, tickets)
  const asked = await registered(dev, priceId)
  assert.deepEqual([asked.order, asked.data[0].status], [null, 'awaiting_approval'])
  const direct = await dev.write(
    'POST',
    '/account/checkouts',
    { items: [{ price_id: priceId }] },
    { 'idempotency-key': 'direct' },
  )
  assert.deepEqual([direct.status, direct.json.code], [409, 'approval_required'], direct.text)
  const other = await registered(eli, priceId)
  assert.equal((await ada.write('DELETE', `/registrations/${other.data[0].id}/approval`)).json.status, 'declined')
  assert.equal((await ada.write('PUT', `/registrations/${other.data[0].id}/approval`)).json.code, 'invalid_state')
  assert.equal((await eli.get(`/account/registrations/${other.data[0].id}`)).json.order_id, null)
  assert.equal((await ada.write('PUT', `/registrations/${asked.data[0].id}/approval`)).json.status, 'awaiting_payment')
  const taken = await dev.write('PUT', `/account/registrations/${asked.data[0].id}/acceptance`, {})
  assert.equal(taken.status, 200, taken.text)
  await pay(dev, taken.json.order.id)
  assert.equal(await readStatus(asked.data[0].id), 'confirmed')
})

test('people choose what they pay for a ticket, from its least amount on', async () => {
  const ada = await staff()
  const dev = await person('dev')
  const { priceId } = await makeEvent(app, ada, {}, [{ name: 'Choose', amount: 1000, least_amount: 300 }])
  assert.equal((await register(dev, priceId)).json.errors[0].pointer, '/amount')
  assert.equal((await register(dev, priceId, { amount: 299 })).status, 422)
  const chosen = await registered(dev, priceId, { amount: 450, quantity: 2 })
  assert.equal(chosen.order.total, 900)
  const fixed = await makeEvent(app, ada, {}, [{ name: 'Fixed', amount: 1000 }])
  assert.equal((await register(dev, fixed.priceId, { amount: 1 })).status, 422)
  await dev.write('DELETE', `/account/orders/${chosen.order.id}`)
})
